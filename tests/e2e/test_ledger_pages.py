"""`/ledger` as a member turns its pages, filters it, and gets it as a file."""

import csv
import io

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.ui.ledger import LINES
from bot.words.translation import signed
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.e2e.test_gifts import UNASKED, give
from tests.e2e.test_leaderboard import one_round


def file_of(evening: Evening, message: Message) -> list[list[str]]:
    (file,) = message.attachments
    assert file.filename == "ledger.csv"
    return list(csv.reader(io.StringIO(evening.discord.world.files[file.id].decode("utf-8-sig"))))


async def picked(person: Person, message: Message, value: str) -> Message:
    return message_of(await person.choose(message, message.selects()[0], value))


async def test_pages_filters_and_the_file_answer_the_member_alone(evening: Evening) -> None:
    evening.chip_settings = UNASKED
    alice, bob, dora = *evening.persons("Alice", "=Bob"), evening.person("Dora", manage_server=True)
    for amount in range(1, 19):
        await give(evening, alice, bob, amount)
    await dora.slash(evening.channel, "bank grant", member=alice, amount=71, reason="@prize")
    newest = message_of(await alice.slash(evening.channel, "ledger"))
    assert newest.ephemeral
    assert "From an admin: “@prize” → **900**" in newest.text.splitlines()[0]
    assert [button.label for button in newest.buttons()] == ["Older", "Get CSV file", "My chips"]
    assert len(newest.text.splitlines()) == LINES == 12
    oldest = message_of(await alice.click(newest, "Older"))
    lines = oldest.text.splitlines()
    assert oldest.ephemeral
    assert len(lines) == 8
    assert "**−7** Gift to =Bob → **972**" in lines[0]
    assert "Opening chips → **1,000**" in lines[-1]
    back = message_of(await alice.click(oldest, "Newer"))
    assert "From an admin: “@prize” → **900**" in back.text.splitlines()[0]

    handouts = await picked(alice, back, "handouts")
    assert [line.partition("** ")[2] for line in handouts.text.splitlines()] == [
        "From an admin: “@prize”",
        "Opening chips",
    ]
    none = await picked(alice, handouts, "play")
    assert none.text == "There is nothing of this kind in your ledger here."
    gifts = message_of(await alice.slash(evening.channel, "ledger", of="gifts"))
    assert gifts.text.count("Gift to =Bob") == len(gifts.text.splitlines()) == LINES

    sent = message_of(await alice.click(gifts, "Get CSV file"))
    assert sent.text == "Gifts, newest first: 18 lines, times in UTC."
    heading, *_, first = file_of(evening, sent)
    assert (len(heading), first[1:]) == (7, ["-1", "Gift", "", "", "'=Bob", ""])
    every = message_of(await alice.slash(evening.channel, "ledger"))
    sent = message_of(await alice.click(every, "Get CSV file"))
    assert sent.ephemeral
    assert sent.text == "Your whole ledger, newest first: 20 lines, times in UTC."
    heading, granted, gift, *_, opening = file_of(evening, sent)
    assert len(heading) == 8
    assert granted[1:] == ["71", "900", "From an admin", "", "", "", "'@prize"]
    assert gift[1:] == ["-18", "829", "Gift", "", "", "'=Bob", ""]
    assert opening[1:] == ["1000", "1000", "Opening chips", "", "", "", ""]
    typed = message_of(await bob.slash(evening.channel, "ledger", of="csv"))
    assert [row[1] for row in file_of(evening, typed)[1:]] == [*map(str, range(18, 0, -1)), "1000"]


async def test_by_direct_message_it_is_known_which_servers_ledger_is_turned(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.chip_settings = UNASKED
    alice, bob = evening.persons("Alice", "Bob")
    for amount in range(1, 17):
        await give(evening, alice, bob, amount)
    directly = message_of(await alice.slash(alice.dm(), "ledger"))
    assert directly.text.splitlines()[0] == "### Ox and friends"
    oldest = message_of(await alice.click(directly, "Older"))
    assert oldest.text.splitlines()[0] == "### Ox and friends"
    assert "Opening chips → **1,000**" in oldest.text.splitlines()[-1]

    other = evening.discord.add_server("Other *one*" + "_" * 85)
    evening.discord.world.join(other, alice.user)
    await alice.slash(evening.discord.add_channel(other, "general"), "wallet")
    both = message_of(await alice.slash(alice.dm(), "ledger"))
    assert [line for line in both.text.splitlines() if line.startswith("#")] == [
        "### Ox and friends",
        heading := r"### Other \*one\*" + r"\_" * 85,
    ]
    assert both.buttons() == []
    (menu,) = both.selects()
    assert [one.label for one in menu.options] == ["Ox and friends", "Other *one*" + "_" * 85]
    page = await picked(alice, both, str(other.id))
    assert page.text.splitlines()[0] == heading
    assert len(page.text.splitlines()) == 2
    which = message_of(await alice.slash(alice.dm(), "ledger", of="csv"))
    sent = await picked(alice, which, str(evening.server.id))
    assert len(file_of(evening, sent)) == 18
    assert sent.text.splitlines()[0] == "### Ox and friends"
    monkeypatch.setattr("cogs.chips.MOST_OPTIONS", 1)
    few = message_of(await alice.slash(alice.dm(), "ledger"))
    assert few.text.startswith("The menu has 1 servers. In any other, use ")


async def test_the_rounds_of_one_game_are_listed_and_filed_alone(evening: Evening) -> None:
    # Its highest card decides a tie, so there is no push.
    _, _, alice = await one_round(evening, "niu-niu")
    gained = evening.last_round().players[0].chips
    none = message_of(await alice.slash(evening.channel, "ledger", of="tau-ngau"))
    assert none.text == "There is nothing of this kind in your ledger here."
    shown = await picked(alice, none, "niu-niu")
    line, footer = shown.text.splitlines()
    assert f" **{signed(gained)}** " in line
    assert line.endswith(" · table 1, round 1")
    assert footer == "-# A push moves no chips, so it has no line here."
    sent = message_of(await alice.click(shown, "Get CSV file"))
    assert sent.text == "Niu Niu, newest first: 1 line, times in UTC."
    assert [row[1] for row in file_of(evening, sent)[1:]] == [str(gained)]
