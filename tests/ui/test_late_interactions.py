"""Until when may be written what an interaction asks for."""

import time
from types import SimpleNamespace
from typing import Any, cast

from bot.ledger.not_after import steady_time
from bot.ui.press.discord_clock import DATE_SECONDS
from bot.ui.press.late_interactions import LAST_SECONDS, LateInteractions, not_after
from tests.ui.test_discord_clock import id_made


def pressed(late: LateInteractions, made: float) -> Any:
    """A press that was made at a time and comes in now."""
    response = SimpleNamespace(is_done=lambda: False)
    interaction = SimpleNamespace(id=id_made(made), type=None, extras={}, response=response)
    late.arrived(cast("Any", interaction))
    return interaction


def respond(late: LateInteractions) -> None:
    """A response of Discord's, sent as the second of its date ended: it tells the time exactly."""
    late.clock.note(time.time() - DATE_SECONDS, steady_time(), steady_time())


async def test_what_an_interaction_asks_for_may_be_written_up_to_an_age() -> None:
    made, late = time.time() - 0.5, LateInteractions()
    respond(late)
    until = await not_after(pressed(late, made))
    assert abs(until.at - (made + LAST_SECONDS - time.time() + steady_time())) < 0.1
    await late.close()


async def test_a_press_of_unknown_age_may_be_written_once_a_response_shows_that_it_is_young() -> None:
    made, late = time.time() - 0.5, LateInteractions()
    press = pressed(late, made)
    respond(late)
    until = await not_after(press)
    assert not until.is_over
    await late.close()
