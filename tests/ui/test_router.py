"""The router: every action has exactly one handler, and the bot won't start without one."""

from pathlib import Path
from typing import Any

import pytest
from discord.ext import commands

from bot.config import Settings
from bot.croupier.croupier import Croupier
from bot.croupier.houses import Houses
from bot.ledger.ledger import open_ledger
from bot.ui.board.boards import Boards
from bot.ui.bot import GnauBot
from bot.ui.press.custom_ids import Action, ChannelAction, HouseAction, PrivacyAction, TableAction
from bot.ui.press.guide_ids import GuideAction, LessonAction
from bot.ui.press.interactions import Reception
from bot.ui.press.router import Router, RoutingError, handles

EVERY_ACTION: list[Action] = [
    *TableAction,
    *HouseAction,
    *PrivacyAction,
    *ChannelAction,
    *GuideAction,
    *LessonAction,
]


class Two:
    """Handles one action twice."""

    @handles(TableAction.JOIN)
    async def join(self, interaction: Any, press: Any) -> None: ...

    @handles(TableAction.JOIN)
    async def join_too(self, interaction: Any, press: Any) -> None: ...


@pytest.fixture
def router() -> Router:
    """A router without handlers; nothing else is ever asked."""
    return Router(Croupier.__new__(Croupier), Boards.__new__(Boards), Reception.__new__(Reception))


def test_of_a_cog_that_handles_an_action_twice_no_handler_is_registered(router: Router) -> None:
    with pytest.raises(RoutingError, match="JOIN"):
        router.add(Two())
    with pytest.raises(RoutingError, match="JOIN"):
        router.check()


def test_without_handlers_the_error_names_every_action(router: Router) -> None:
    with pytest.raises(RoutingError) as error:
        router.check()
    for action in EVERY_ACTION:
        # The menu "More…" has no handler: its values are other actions.
        assert (repr(action) in str(error.value)) is (action is not TableAction.MORE)


@pytest.mark.parametrize(
    "action", [TableAction.JOIN, TableAction.BET_MODAL, HouseAction.CONFIRM, ChannelAction.OPEN], ids=str
)
async def test_the_start_fails_and_names_a_missing_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: Action
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
                await bot.prepare()
        await croupier.close()
