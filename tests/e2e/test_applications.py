"""A database belongs to one application of Discord's: the token of another one changes nothing."""

import asyncio

import pytest

from bot.config import SettingError
from bot.ledger.changes import Fact, OwnApplication
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.practice.servers import User
from bot.run.serving import running
from tests.cli.runner import ask
from tests.e2e.evening import Evening
from tests.e2e.test_departures import playing
from tests.stand_in import StandIn

pytestmark = pytest.mark.thorough


def move_to_another_application(evening: Evening) -> None:
    """Puts the bot of a new application into the server, in place of the old one."""
    world = evening.discord.world
    world.leave(evening.server, world.bot)
    world.bot = User(world.new_id(), "gnau-again", "gnau", bot=True)
    world.users[world.bot.id] = world.bot
    world.application_id = world.bot.id
    world.join(evening.server, world.bot)


async def test_the_token_of_another_application_is_refused_and_changes_nothing(evening: Evening) -> None:
    await playing(evening)
    table = evening.table()
    await evening.stop_bot()
    async with StandIn() as staging:
        staging.add_channel(staging.add_server("Staging"), "general")
        addresses = {"api_url": staging.api_url, "gateway_url": staging.gateway_url}
        settings = evening.settings.model_copy(update=addresses)
        with pytest.raises(SettingError) as refused:
            async with running(settings) as (bot, _):
                await evening.until(lambda: not bot.croupier.tables.all(), "its table is closed")
        assert not any(request.method == "PUT" for request in staging.requests), "no command is registered"
    line = str(refused.value)
    for application in (evening.bot.application_id, staging.world.application_id):
        assert str(application) in line
    assert "gnau db new-application" in line
    assert "\n" not in line
    async with open_ledger(evening.settings.database_url) as ledger:
        assert await ledger.server_erasures() == {}
    await evening.start_bot()
    assert evening.table() == table


async def test_who_moves_to_another_application_says_so_and_plays_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_fault(403)
    alice, _, mei = await playing(evening)
    board = evening.board(mei)
    await evening.stop_bot()
    move_to_another_application(evening)
    monkeypatch.setenv("DATABASE_URL", evening.settings.database_url)
    for said in ("may move to another application", "may move to another application"):
        result = await asyncio.to_thread(ask, "db", "new-application")
        assert (result.exit_code, result.stderr) == (0, "")
        assert said in result.stdout
    await evening.start_bot()
    await evening.until(lambda: evening.board(mei).id != board.id, "the new bot has a board of its own")
    await alice.click(evening.board(mei), "100")
    assert await evening.chips(alice) == {"Alice": 1000}
    await evening.restart()
    assert evening.table().staked == 100


async def test_nobody_is_served_before_the_application_is_noted(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.stop_bot()
    async with open_ledger(evening.settings.database_url) as ledger:
        await ledger.record(OwnApplication(None))
    record = Ledger.record

    async def disk_is_full(ledger: Ledger, fact: Fact) -> None:
        if isinstance(fact, OwnApplication):
            raise LedgerUnavailable("the disk is full")
        await record(ledger, fact)

    monkeypatch.setattr(Ledger, "record", disk_is_full)
    with pytest.raises(LedgerUnavailable):
        async with running(evening.settings):
            pass
    monkeypatch.undo()
    await evening.start_bot()
    assert await evening.bot.croupier.ledger.application_id() == evening.bot.application_id
