"""Messages of the static site of a server, which `gnau site` writes."""

from typing import Final

from bot.words.catalogue.message import Message

SITE: Final = {
    "site.boards": Message("Leaderboards"),
    "site.rounds": Message("Rounds"),
    "site.newest": Message("Newest rounds"),
    "site.no_rounds": Message("No round has been settled yet."),
    "site.member": Message("Member"),
    "site.often": Message("How often each hand comes"),
    "site.verify": Message("Verify this round"),
    "site.verify_how": Message(
        "Your browser works out every hand, result and chip again. The record stays on your device."
    ),
    "site.record": Message("Download the record"),
    "site.made": Message("As of {at}. Chips are play money: never bought, never cashed out."),
}
