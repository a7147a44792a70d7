"""The router: every action has exactly one handler, and the bot won't start without one."""

from collections.abc import Iterable
from typing import Any

import pytest

from bot.croupier.croupier import Croupier
from bot.ui.press.arrivals import Arrivals
from bot.ui.press.custom_ids import PressAction
from bot.ui.press.router import Router, RoutingError, handles
from tests.sizes import sample

EVERY = [action for action in PressAction if action is not PressAction.MORE]
"""The menu "More…" has no handler: its values are other actions."""


def cog_for(actions: Iterable[PressAction]) -> object:
    """A cog that handles these actions."""

    async def handler(cog: object, interaction: Any, press: Any) -> None: ...

    for action in actions:
        handles(action)(handler)
    return type("Cog", (), {"handler": handler})()


@pytest.fixture
def router() -> Router:
    """A router without handlers; nothing else is ever asked."""
    return Router(
        Croupier.__new__(Croupier),
        Arrivals.__new__(Arrivals),
        lambda *_: lambda: None,
        lambda *_: "",
        lambda *_: False,
    )


def test_a_router_opens_if_every_action_has_one_handler(router: Router) -> None:
    router.open([cog_for(EVERY[:9]), cog_for(EVERY[9:])])


@pytest.mark.parametrize("action", sample(EVERY, 5))
def test_the_start_fails_and_names_an_action_without_a_handler(router: Router, action: PressAction) -> None:
    with pytest.raises(RoutingError, match=f"no handler for .*{action.name}"):
        router.open([cog_for(one for one in EVERY if one is not action)])


def test_the_start_fails_and_names_an_action_with_two_handlers(router: Router) -> None:
    with pytest.raises(RoutingError, match="JOIN"):
        router.open([cog_for(EVERY), cog_for([PressAction.JOIN])])
