"""The router: every action has exactly one handler, and the bot won't start without one."""

from pathlib import Path
from typing import Any

import pytest
from discord.ext import commands

from bot.config import Settings
from bot.croupier import Croupier, Houses
from bot.ledger.ledger import open_ledger
from bot.ui.boards import Boards
from bot.ui.bot import GnauBot, cog_names
from bot.ui.custom_ids import HouseAction, TableAction
from bot.ui.router import Router, RoutingError, handles

EVERY_ACTION: list[TableAction | HouseAction] = [*TableAction, *HouseAction]


class Two:
    """Handles one action twice."""

    @handles(TableAction.JOIN)
    async def join(self, interaction: Any, press: Any) -> None: ...

    @handles(TableAction.JOIN)
    async def join_too(self, interaction: Any, press: Any) -> None: ...


def router(tmp_path: Path) -> Router:
    croupier = Croupier.__new__(Croupier)
    return Router(croupier, Boards.__new__(Boards))


def test_two_handlers_of_one_action_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RoutingError, match="JOIN"):
        router(tmp_path).add(Two())


def test_without_handlers_the_error_names_every_action(tmp_path: Path) -> None:
    with pytest.raises(RoutingError) as error:
        router(tmp_path).check()
    for action in EVERY_ACTION:
        # The menu "More…" has no handler: its values are other actions.
        assert (repr(action) in str(error.value)) is (action is not TableAction.MORE)


@pytest.mark.parametrize("action", [TableAction.JOIN, TableAction.BET_MODAL, HouseAction.CONFIRM], ids=str)
async def test_the_start_fails_and_names_a_missing_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: TableAction | HouseAction
) -> None:
    async with open_ledger(f"sqlite:///{tmp_path}/gnau.db") as ledger:
        houses = Houses(ledger)
        croupier = Croupier(ledger, houses.house_of)
        bot = GnauBot(Settings("a.b.c"), croupier, houses)

        async def without_one(cog: commands.Cog, /, **options: Any) -> None:
            bot.router.add(cog)
            bot.router._handlers.pop(action, None)

        monkeypatch.setattr(bot, "add_cog", without_one)
        async with bot:
            with pytest.raises(RoutingError, match=f"no handler for <.*{action.name}"):
                await bot.setup_hook()
        await croupier.close()


async def test_the_cogs_handle_every_action(tmp_path: Path) -> None:
    async with open_ledger(f"sqlite:///{tmp_path}/gnau.db") as ledger:
        houses = Houses(ledger)
        croupier = Croupier(ledger, houses.house_of)
        bot = GnauBot(Settings("a.b.c"), croupier, houses)
        async with bot:
            for name in cog_names():
                await bot.load_extension(name)
            bot.router.check()
        await croupier.close()
