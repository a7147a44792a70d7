"""What is only missing from a list or from memory is no proof that it is gone."""

import asyncio
import logging
import time
from typing import cast

import pytest

from bot.croupier.privacy import SERVER_SECONDS
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.ui import absences
from bot.ui.following import RETRY_SECONDS
from cogs.departures import Departures
from tests.e2e.evening import Evening
from tests.e2e.test_departures import playing
from tests.sizes import sample

pytestmark = pytest.mark.thorough

ALL = {"Alice": 1000, "Bob": 1000, "Mei": 1000}


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absences, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("bot.ui.board.message.BUDGET_SECONDS", 0.2)


async def look(evening: Evening, later: float = 0.0) -> None:
    """Has the bot look for what is gone, `later` seconds from now."""
    evening.bot.croupier.now = lambda: time.time() + later
    cog = evening.bot.get_cog("Departures")
    # Cogs are loaded from modules of their own.
    await cast("Departures", cog).look()


async def erasures(evening: Evening) -> set[int]:
    return set(await evening.bot.croupier.ledger.server_erasures())


async def left_while_down(evening: Evening) -> None:
    await evening.stop_bot()
    evening.discord.world.leave(evening.server, evening.discord.world.bot)
    await evening.start_bot()


async def in_thread(evening: Evening, opener: Person) -> Channel:
    """A thread with a table where Mei banks."""
    thread = evening.discord.add_thread(evening.channel, "a thread")
    board = await evening.open_table(opener, thread)
    await evening.take_bank(opener, board)
    return thread


async def test_a_server_that_left_while_the_bot_was_down_is_asked_about_twice(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    people = await playing(evening)
    evening.expect_fault(403, 404)
    await left_while_down(evening)
    await look(evening, 60)
    assert evening.bot.croupier.tables.all(), "nothing is closed at once"
    assert await erasures(evening) == {evening.server.id}
    assert (
        f"the bot is not in server {evening.server.id} any more: it is erased in 30 days" in caplog.messages
    )
    await look(evening, 3700)
    assert not evening.bot.croupier.tables.all()
    assert any("is closed: its channel or server is gone" in line for line in caplog.messages)
    assert await evening.chips(*people) == ALL


async def test_a_server_that_only_the_list_lacks_keeps_its_table_and_is_not_erased(evening: Evening) -> None:
    await playing(evening)
    (party, *_) = evening.table().parties
    await evening.stop_bot()
    evening.discord.faults.unlisted.add(evening.server.id)
    await evening.start_bot()
    assert evening.bot.get_guild(evening.server.id) is None
    for later in (0, 3700, 7400):
        await look(evening, later)
    assert evening.bot.croupier.tables.all()
    assert await erasures(evening) == set()
    await evening.bot.privacy.server_left(evening.server.id)
    await look(evening, SERVER_SECONDS + 1)
    assert party in await evening.bot.croupier.ledger.identities([party]), "Discord is asked again"


async def test_an_outage_of_discord_is_no_answer(evening: Evening) -> None:
    await playing(evening)
    await left_while_down(evening)
    evening.expect_fault(403, 503)
    await look(evening)
    evening.discord.faults.respond(503, times=20, route="/guilds/{guild_id}")
    await look(evening, 3700)
    assert evening.bot.croupier.tables.all()


async def test_many_servers_at_once_keep_their_tables_for_a_day(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.expect_fault(403, 404)
    servers = [evening.discord.add_server(f"Server {number}") for number in range(5)]
    for server in servers:
        mei = evening.discord.add_person("Mei", [server])
        await evening.open_table(mei, evening.discord.add_channel(server, "table"))
    await evening.open_table(evening.person("Mei"))
    await evening.stop_bot()
    for server in servers:
        evening.discord.world.leave(server, evening.discord.world.bot)
    await evening.start_bot()
    await look(evening)
    await look(evening, 3700)
    assert len(evening.bot.croupier.tables.all()) == 6
    line = "5 of 6 servers are missing from Discord's list: their tables stay open for a day"
    assert line in caplog.messages
    await look(evening, 86_500)
    assert [table.server_id for table in evening.bot.croupier.tables.all()] == [evening.server.id]


async def test_a_server_that_left_while_there_was_no_connection_is_noticed_without_a_restart(
    evening: Evening,
) -> None:
    await playing(evening)
    evening.expect_fault(403, 404)
    evening.discord.gateway.drop(resumable=False)
    evening.discord.world.leave(evening.server, evening.discord.world.bot)
    await evening.until(lambda: evening.bot.get_guild(evening.server.id) is None, "the server is forgotten")
    await look(evening)
    assert await erasures(evening) == {evening.server.id}


async def test_the_board_of_an_archived_thread_waits_until_somebody_opens_it(
    evening: Evening,
) -> None:
    evening.expect_fault(400)
    mei = evening.person("Mei")
    thread = await in_thread(evening, mei)
    board = evening.board(mei, thread)
    evening.discord.world.archive(thread)
    await evening.restart()
    await look(evening)
    await evening.settle_down()
    assert evening.table(thread)
    assert thread.archived, "the bot opens no thread for nothing"
    board.components = []
    evening.discord.world.unarchive(thread)
    await evening.until(lambda: board.buttons(), "the board is edited")


@pytest.mark.parametrize("locked", [False, True])
async def test_a_round_in_a_thread_that_is_archived_goes_on_below_unless_it_is_locked(
    evening: Evening, locked: bool
) -> None:
    evening.expect_fault(400, 401)
    alice, mei = evening.persons("Alice", "Mei")
    thread = await in_thread(evening, mei)
    board = evening.board(mei, thread)
    await alice.click(board, "20")
    await evening.settle_down()
    evening.discord.world.archive(thread, locked=locked)
    evening.discord.world.advance_clock(16 * 60)
    before = len(evening.discord.requests)
    evening.bot.boards.refresh(evening.table(thread).table_id)
    if locked:
        # The newest press's token, an edit, a new message, and the edit once more.
        await evening.until(lambda: len(evening.discord.requests) >= before + 4, "the board is tried")
        await asyncio.sleep(RETRY_SECONDS[0] + 0.3)
        assert len(evening.discord.requests) == before + 4, "it is not asked again and again"
        assert evening.table(thread)
        board.components = []
        evening.discord.world.unarchive(thread)
        await evening.until(lambda: board.buttons(), "the board is edited")
    else:
        await evening.until(lambda: evening.board(mei, thread).id != board.id, "the board is posted again")
        assert not thread.archived


async def test_b06_the_channel_of_an_archived_thread_is_deleted(evening: Evening) -> None:
    evening.expect_fault(404)
    alice, mei = evening.persons("Alice", "Mei")
    thread = await in_thread(evening, mei)
    await alice.click(evening.board(mei, thread), "20")
    await evening.settle_down()
    evening.discord.world.archive(thread)
    server = evening.bot.get_guild(evening.server.id)
    assert server is not None
    await evening.until(lambda: server.get_thread(thread.id) is None, "the bot has heard of it")
    evening.discord.world.delete_channel(evening.channel)
    await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")
    assert await evening.chips(alice, mei) == {"Alice": 1000, "Mei": 1000}


@pytest.mark.parametrize("connected", sample([True, False]))
async def test_a_board_that_is_purged_comes_back(evening: Evening, connected: bool) -> None:
    evening.expect_fault(404)
    mei = evening.person("Mei")
    await evening.open_table(mei)
    await evening.settle_down()
    if not connected:
        evening.discord.gateway.drop(resumable=False)
    evening.discord.world.purge(evening.channel)
    await evening.until(lambda: mei.sees(evening.channel), "there is a board again")
