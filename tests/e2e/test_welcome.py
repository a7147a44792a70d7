"""The welcome: once in each server, where the bot may write, with two buttons that work."""

import logging
from typing import cast

import pytest

from bot.ledger.changes import Fact, ServerGreeted
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.queries import Queries
from bot.practice.messages import Message
from bot.practice.payloads import guild_create_json
from bot.practice.servers import Channel, Member, Permission, Server
from cogs.welcome import Welcome
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening

GREETING = "Ready to play?"


def new_server(evening: Evening) -> tuple[Server, list[Channel]]:
    """A server with two channels where the bot is not yet."""
    server = evening.discord.world.add_server("New here", with_bot=False)
    return server, [evening.discord.add_channel(server, name) for name in ("general", "games")]


def invite(evening: Evening, server: Server) -> None:
    evening.discord.world.join(server, evening.discord.world.bot)


def invited(evening: Evening) -> tuple[Server, list[Channel]]:
    """A new server that has invited the bot, and its channels."""
    server, channels = new_server(evening)
    invite(evening, server)
    return server, channels


def greetings(evening: Evening, *channels: Channel) -> list[Message]:
    """The welcomes in these channels."""
    messages = evening.discord.world.messages.values()
    return [one for one in messages if one.channel in channels and GREETING in one.text]


def tries(evening: Evening) -> int:
    """How often the bot sent a welcome; Discord drops another one with the same nonce."""
    return sum(GREETING in str(request.body) for request in evening.discord.requests)


async def greeted(evening: Evening, *channels: Channel) -> Message:
    """The one welcome in these channels."""
    await evening.until(lambda: greetings(evening, *channels), "the bot says hello")
    await evening.settle_down()
    (welcome,) = greetings(evening, *channels)
    assert not welcome.ephemeral
    return welcome


async def test_a_server_that_invited_the_bot_while_it_was_down_is_greeted_once_in_its_first_channel(
    evening: Evening,
) -> None:
    await evening.stop_bot()
    server, channels = invited(evening)
    await evening.start_bot()
    welcome = await greeted(evening, *channels)
    assert welcome.channel is channels[0]
    assert "Gnau, Tau Ngau, Niu Niu" in welcome.text
    assert "</learn:" in welcome.text
    assert [button.label for button in welcome.buttons()] == ["Open a table", "Learn", "House rules"]
    await evening.restart()
    await evening.settle_down()
    evening.discord.world.leave(server, evening.discord.world.bot)
    await evening.until(lambda: evening.bot.get_guild(server.id) is None, "the bot has left")
    invite(evening, server)
    await evening.until(lambda: evening.bot.get_guild(server.id) is not None, "the bot is back")
    await evening.settle_down()
    assert greetings(evening, *channels) == [welcome]
    assert tries(evening) == 1


async def test_a_channel_with_the_name_of_a_game_is_greeted_with_it_too(evening: Evening) -> None:
    server, (general, games) = new_server(evening)
    named, again = [evening.discord.add_channel(server, f"niu-niu-{number}") for number in (1, 2)]
    invite(evening, server)
    await evening.until(lambda: greetings(evening, named), "both are greeted")
    assert not greetings(evening, games, again)
    (welcome,) = greetings(evening, general)
    assert "**Open a table** opens Gnau;" in welcome.text
    (welcome,) = greetings(evening, named)
    assert "Play Niu Niu, Gnau, Tau Ngau here" in welcome.text
    assert "**Open a table** opens Niu Niu;" in welcome.text
    await evening.discord.add_person("Alice", [server]).click(welcome, "Open a table")
    table = evening.bot.croupier.tables.in_channel(named.id)
    assert table is not None
    assert table.rules.game == "niu-niu"


SPEAK, SEE = Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("system", "denied", "where"),
    [(1, {}, 1), (0, {0: SPEAK}, 1), (0, {0: SEE}, 1), (None, {0: SPEAK, 1: SPEAK}, None)],
)
async def test_the_system_channel_comes_first_unless_the_bot_may_not_write_there(
    evening: Evening,
    caplog: pytest.LogCaptureFixture,
    system: int | None,
    denied: dict[int, Permission],
    where: int | None,
) -> None:
    caplog.set_level(logging.INFO)
    server, channels = new_server(evening)
    server.system_channel = None if system is None else channels[system]
    for at, lacking in denied.items():
        channels[at].denied[evening.discord.world.bot.id] = lacking
    invite(evening, server)
    if where is not None:
        assert (await greeted(evening, *channels)).channel is channels[where]
        return
    line = f"server {server.id} has no channel for a welcome"
    await evening.until(lambda: line in caplog.messages, "it is logged")
    await evening.settle_down()
    assert not greetings(evening, *channels)


@pytest.mark.thorough
async def test_servers_that_the_bot_has_long_been_in_are_not_greeted_by_a_new_database(
    evening: Evening,
) -> None:
    await evening.stop_bot()
    channels = []
    for _ in range(5):
        server, there = invited(evening)
        server.members[evening.discord.world.bot.id].joined_at = "2026-01-01T00:00:00+00:00"
        channels += there
    await evening.start_bot()
    _, later = invited(evening)
    await greeted(evening, *later)
    assert not greetings(evening, *channels)


@pytest.mark.thorough
async def test_after_a_greeting_the_next_one_waits(evening: Evening) -> None:
    cast("Welcome", evening.bot.get_cog("Welcome")).pause_seconds = 600.0
    channels = [channel for _ in range(3) for channel in invited(evening)[1]]
    await greeted(evening, *channels)


@pytest.mark.thorough
async def test_who_invites_the_bot_while_the_database_is_away_is_greeted_once_it_is_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def unreadable(_: Queries) -> set[int]:
        raise LedgerUnavailable("disk full")

    monkeypatch.setattr("cogs.welcome.RETRY_SECONDS", 0.5)
    line = "servers could not be greeted yet: disk full"
    with monkeypatch.context() as at_fault:
        at_fault.setattr(Queries, "known_servers", unreadable)
        await evening.stop_bot()
        first = invited(evening)[1]
        await evening.start_bot()
        await evening.until(lambda: line in caplog.messages, "it is logged")
        second = invited(evening)[1]
        await evening.until(lambda: caplog.messages.count(line) > 2, "it is tried again")
    for channels in (first, second):
        await greeted(evening, *channels)
    caplog.clear()


@pytest.mark.thorough
async def test_a_server_that_was_out_of_reach_at_the_start_is_greeted_once_it_is_there(
    evening: Evening,
) -> None:
    server, channels = new_server(evening)
    await evening.settle_down()
    bot = evening.discord.world.bot
    # The stand-in announces nobody who comes this way.
    server.members[bot.id] = Member(bot, server, evening.discord.world.now().isoformat())
    there = guild_create_json(server, bot) | {"unavailable": False}
    evening.discord.gateway.send_raw("GUILD_CREATE", there)
    await greeted(evening, *channels)


@pytest.mark.thorough
async def test_what_could_not_be_written_is_read_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The greeting was noted after all, though the bot was told that it was not."""
    ledger = evening.bot.croupier.ledger
    record = ledger.record

    async def written_but_failed(fact: Fact) -> None:
        await record(fact)
        if isinstance(fact, ServerGreeted):
            raise LedgerUnavailable("disk full")

    first, second = new_server(evening), new_server(evening)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(ledger, "record", written_but_failed)
        invite(evening, first[0])
        await evening.until(lambda: "could not be greeted" in caplog.text, "it is logged")
    invite(evening, second[0])
    await greeted(evening, *second[1])
    there = guild_create_json(first[0], evening.discord.world.bot)
    evening.discord.gateway.send_raw("GUILD_CREATE", there | {"unavailable": False})
    await evening.settle_down()
    assert not greetings(evening, *first[1])
    caplog.clear()


@pytest.mark.thorough
async def test_a_welcome_that_is_refused_is_a_line_in_the_log(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    server, channels = new_server(evening)
    evening.expect_fault(403)
    evening.discord.faults.respond(403, method="POST", route="/channels/{channel_id}/messages")
    invite(evening, server)
    await evening.until(
        lambda: any(f"server {server.id} could not be greeted" in one for one in caplog.messages),
        "it is logged",
    )
    assert not greetings(evening, *channels)


async def test_the_buttons_of_the_welcome_open_a_table_and_the_house_rules(evening: Evening) -> None:
    server, channels = invited(evening)
    welcome = await greeted(evening, *channels)
    admin = evening.discord.add_person("Ada", [server], manage_server=True)
    zed = evening.discord.add_person("Zed", [server])
    board = message_of(await zed.click(welcome, "Open a table"))
    assert not board.ephemeral
    assert "Table 1" in board.text
    assert "Table 1" in said(await zed.click(welcome, "Open a table"))
    for_admin = message_of(await admin.click(welcome, "House rules"))
    await evening.until(lambda: for_admin.selects(), "there are menus to change them")
    for_others = message_of(await zed.click(welcome, "House rules"))
    assert "How to play Gnau" in for_others.text
    assert not for_others.selects()
    assert for_admin.ephemeral
    assert for_others.ephemeral
    assert GREETING in welcome.text

    lesson = message_of(await zed.slash(zed.dm(), "learn"))
    told = message_of(await zed.press_raw(lesson, "channel:house_rules:gnau:chips"))
    assert "server" in told.text
    assert not told.selects()


async def test_learn_on_a_welcome_teaches_the_game_of_the_table_in_its_channel(evening: Evening) -> None:
    server, channels = invited(evening)
    welcome = await greeted(evening, *channels)
    zed = evening.discord.add_person("Zed", [server])
    assert "Gnau · example 1 of" in said(await zed.click(welcome, "Learn"))
    await zed.slash(welcome.channel, "table open", game="tau-ngau")
    assert "Tau Ngau · example 1 of" in said(await zed.click(welcome, "Learn"))
