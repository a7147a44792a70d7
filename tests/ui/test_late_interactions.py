"""Until when may be written what an interaction asks for."""

import time
from types import SimpleNamespace
from typing import Any

from bot.ledger.not_after import steady_time
from bot.ui.late_interactions import LAST_SECONDS, LateInteractions, not_after
from tests.ui.test_discord_clock import id_made


async def test_what_an_interaction_asks_for_may_be_written_up_to_an_age() -> None:
    made = time.time() - 0.5
    response = SimpleNamespace(is_done=lambda: False)
    interaction: Any = SimpleNamespace(id=id_made(made), type=None, extras={}, response=response)
    late = LateInteractions()
    # A date is of the second that began: so this request was sent at its end.
    late.clock.note(time.time() - 1.0, steady_time(), steady_time())
    late.arrived(interaction)
    until = await not_after(interaction)
    assert abs(until.at - (made + LAST_SECONDS - time.time() + steady_time())) < 0.1
    await late.close()
