"""Members learn nothing about tables in channels they can't see, except tables they play at."""

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Permission
from tests.e2e.answers import said
from tests.e2e.evening import Evening


async def a_hidden_table(evening: Evening, spectator: Person) -> tuple[Message, list[Person]]:
    """A table in a channel that the spectator can't see, and its players, the banker first."""
    evening.channel.denied[spectator.id] = Permission.VIEW_CHANNEL
    # Discord sends the permissions again when the bot restarts.
    await evening.restart()
    return await evening.table_of("Mei", "Alice")


async def test_only_members_who_see_a_channel_find_its_table(evening: Evening) -> None:
    zed = evening.person("Zed")
    board, (mei, alice) = await a_hidden_table(evening, zed)
    table = evening.table()
    thread = evening.discord.add_thread(evening.channel, "late table")
    await evening.open_table(mei, thread)
    for person, sees in ((alice, True), (zed, False)):
        channel = evening.other_channel
        listed = said(await person.slash(channel, "table list"))
        assert (f"<#{evening.channel.id}>" in listed) is sees
        assert (f"<#{thread.id}>" in listed) is sees
        assert ("No table is open" in listed) is not sees
        suggested = await person.suggest(channel, "bet", "table", amount=5)
        assert (str(table.table_id) in [choice.value for choice in suggested]) is sees
        assert len(suggested) == (2 if sees else 0)
        answer = said(await person.slash(channel, "bet", amount=5, table="1"))
        assert ("There is no table “1” here" in answer) is not sees
    assert {seat.party for seat in evening.table().seats} == {evening.party(alice)}

    evening.channel.denied.clear()
    await evening.press(zed, board, "Join")
    evening.channel.denied[zed.id] = Permission.VIEW_CHANNEL
    assert "Table 1" in said(await zed.slash(evening.other_channel, "table list")), "who sits there finds it"


@pytest.mark.thorough
async def test_a_round_is_shown_only_to_members_who_see_its_channel_or_played_in_it(evening: Evening) -> None:
    zed, boss = evening.person("Zed"), evening.person("Boss", manage_server=True)
    board, (mei, alice) = await a_hidden_table(evening, zed)
    evening.channel.denied[boss.id] = Permission.VIEW_CHANNEL
    channel, none = (
        evening.other_channel,
        "There is no table 1 here that you can see",
    )
    assert none in said(await zed.slash(channel, "round show", table=1))
    assert "no settled round yet" in said(await alice.slash(channel, "round show", table=1))
    await alice.click(board, "20")
    await evening.reveal(board, alice, mei)
    await mei.slash(evening.channel, "table close")
    for command in ("round show", "round verify"):
        for options in ({"table": 1}, {"table": 1, "round": 1}, {"table": 1, "round": 2}):
            assert none in said(await zed.slash(channel, command, **options))
    assert "Verified: " in said(await boss.slash(channel, "round verify", table=1))
    evening.channel.denied[alice.id] = Permission.VIEW_CHANNEL
    await evening.restart()
    assert "Verified: " in said(await alice.slash(channel, "round verify", table=1))
    assert none in said(await alice.slash(channel, "round verify", table=1, round=2))
