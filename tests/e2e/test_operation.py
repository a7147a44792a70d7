"""What the owner of the bot decides: maintenance, blocked servers, and a message to every server."""

import pytest

from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger
from bot.practice.messages import Message
from bot.practice.servers import Channel, Permission, Server
from cogs import operation
from tests.e2e.answers import said
from tests.e2e.evening import Evening

NEWS = "**The bot moves** tonight at ten."


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 0.0)


async def decide(evening: Evening, what: str, fact: object = None) -> None:
    await evening.bot.croupier.operation.decide(what, fact)


async def test_in_maintenance_rounds_end_and_none_begins_until_it_is_over(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    await decide(evening, "maintain", 3600)
    await bob.click(board, "20")
    await evening.reveal(board, alice, bob, mei)
    for again in (False, True):
        if again:
            await evening.restart()
        told = said(await alice.click(board, "20"))
        assert told.startswith("Maintenance: new rounds begin again <t:"), told
        opening = await bob.slash(evening.other_channel, "table open")
        assert said(opening).startswith("Maintenance: "), said(opening)
        assert not evening.table().bets
    await decide(evening, "maintain", 0)
    await alice.click(board, "20")
    assert evening.table().staked == 20


async def test_maintenance_ends_automatically_when_members_were_told(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await decide(evening, "maintain", 3600)
    now = evening.bot.croupier.now
    evening.bot.croupier.now = lambda: now() + 3601
    await alice.click(board, "20")
    assert evening.table().staked == 20


async def test_a_blocked_server_is_left_again_and_again_and_not_greeted(evening: Evening) -> None:
    people = await evening.table_of("Mei", "Alice")
    await people[1][1].click(people[0], "20")
    evening.expect_fault(403, 404)
    world, bot = evening.discord.world, evening.discord.world.bot
    strange = world.add_server("Strange", with_bot=False)
    evening.discord.add_channel(strange, "general")
    await decide(evening, "block", strange.id)
    world.join(strange, bot)
    await decide(evening, "block", evening.server.id)
    for _ in range(2):
        await evening.until(lambda: evening.server.member(bot) is None, "the bot leaves")
        await evening.until(lambda: evening.bot.get_guild(evening.server.id) is None, "it knows that")
        world.join(evening.server, bot)
    await evening.until(lambda: evening.server.member(bot) is None, "the bot leaves")
    await evening.until(lambda: strange.member(bot) is None, "the bot leaves this one too")
    assert not evening.bot.croupier.tables.all()
    assert await evening.chips(*people[1]) == {"Mei": 1000, "Alice": 1000}
    assert not any("Ready to play?" in str(request.body) for request in evening.discord.requests)
    await evening.restart()
    world.join(evening.server, bot)
    await evening.until(lambda: evening.server.member(bot) is None, "the bot leaves after a restart too")
    await decide(evening, "unblock", evening.server.id)
    world.join(evening.server, bot)
    await evening.until(lambda: evening.bot.get_guild(evening.server.id) is not None, "the bot is back")
    await evening.open_table(people[1][0], evening.other_channel)


async def test_where_leaving_fails_nobody_plays(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    evening.expect_fault(403)
    evening.discord.faults.respond(403, method="DELETE", route="/users/@me/guilds/{guild_id}", times=10_000)
    await decide(evening, "block", evening.server.id)
    assert said(await alice.click(board, "20")) == "The bot's owner has turned it off in this server."
    assert not evening.table().bets


def server(evening: Evening, name: str) -> tuple[Server, Channel]:
    one = evening.discord.add_server(name)
    return one, evening.discord.add_channel(one, "general")


def news(evening: Evening) -> list[Message]:
    return [one for one in evening.discord.world.messages.values() if NEWS in one.text]


async def test_an_announcement_is_posted_once_in_each_server_and_not_where_the_bot_comes_later(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the bot had long been there.
    (mei,) = evening.persons("Mei")
    await evening.open_table(mei, evening.other_channel)
    mute, silent = server(evening, "Mute")
    silent.denied[evening.discord.world.bot.id] = Permission.SEND_MESSAGES
    others = [server(evening, f"Other {number}")[1] for number in range(3)]
    await evening.until(lambda: len(evening.bot.guilds) == 5, "the bot is everywhere")
    record, failures = Ledger.record, iter([True])

    async def fails_once(ledger: Ledger, fact: object) -> None:
        if "announced" in str(fact) and next(failures, False):
            raise LedgerUnavailable("the disk is full")
        await record(ledger, fact)  # type: ignore[arg-type]

    monkeypatch.setattr(Ledger, "record", fails_once)
    evening.discord.faults.respond(
        502, carried_out=True, method="POST", route="/channels/{channel_id}/messages"
    )
    evening.expect_fault(403, 502)
    # A server whose turn it is at a restart may get none: here it comes between two.
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 3600.0)
    await decide(evening, "announce", NEWS)
    await evening.until(lambda: news(evening), "one has it")
    await evening.stop_bot()
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 0.0)
    await evening.start_bot()
    await decide(evening, "announce", NEWS)
    later, _ = server(evening, "Later")
    await evening.until(lambda: evening.bot.get_guild(later.id) is not None, "it comes later")
    everywhere = {evening.server.id, mute.id, *(one.server.id for one in others if one.server)}
    await evening.until(lambda: evening.bot.croupier.operation.announced >= everywhere, "all are done")
    await evening.settle_down()
    channels = [one.channel for one in news(evening)]
    assert sorted(one.id for one in channels) == sorted(one.id for one in (evening.other_channel, *others))
    assert all("A message from the bot's owner to all servers" in one.text for one in news(evening))


async def test_an_announcement_stops_when_it_is_to_and_goes_on_without_a_second_one(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 3600.0)
    for number in range(3):
        server(evening, f"Other {number}")
    await evening.until(lambda: len(evening.bot.guilds) == 4, "the bot is everywhere")
    await decide(evening, "announce", NEWS)
    await evening.until(lambda: news(evening), "it begins")
    await decide(evening, "announce", "")
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 0.0)
    await evening.restart()
    await decide(evening, "block", 1)
    await evening.settle_down()
    assert len(news(evening)) == 1
    await decide(evening, "announce", NEWS)
    await evening.until(lambda: len(evening.bot.croupier.operation.announced) == 4, "all are done")
    await evening.settle_down()
    assert len({one.channel for one in news(evening)}) == len(news(evening)) == 4
    assert sum(NEWS in str(request.body) for request in evening.discord.requests) == 4
