"""Messages about odds, and about what a change of rules does to them."""

from typing import Final

from bot.words.catalogue.message import Message

ODDS: Final = {
    "odds.edge_exactly": Message(
        "On average over all hands, the bank keeps {edge:exactly} of every chip bet."
    ),
    "odds.fair": Message("On average over all hands, nobody has an edge: the bank keeps nothing."),
    "odds.against_bank": Message(
        "On average over all hands, players gain {edge:exactly} of every chip they bet: the bank loses in "
        "the long run."
    ),
    "odds.chances": Message(
        "A player wins {win:exactly} of hands, loses {lose:exactly} and pushes {push:exactly}."
    ),
    "odds.unknown": Message("The odds of these rules are not known."),
    "odds.same": Message("The odds stay the same."),
    "odds.bank_edge": Message("The bank's edge"),
    "odds.win": Message("A player wins"),
    "odds.lose": Message("A player loses"),
    "odds.push": Message("A push"),
    "odds.not_known": Message("not known"),
    "odds.part": Message("{part:exactly}"),
    "odds.was_and_is": Message("- {what}: {old} → **{new}**"),
    "odds.as_before": Message("- {what}: {new}, as before"),
    "odds.nearly_as_before": Message("- {what}: still {new} (the change is too small to show)"),
    "odds.change": Message("- **{knob}**: {old} → **{new}** · {what}"),
}
