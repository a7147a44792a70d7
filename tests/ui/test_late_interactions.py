"""How old interactions are, by clocks that are wrong, drift, and come to doubt."""

import time
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.ledger.not_after import steady_time
from bot.practice.snowflakes import EPOCH_MS
from bot.ui.late_interactions import (
    LAST_SECONDS,
    LEARNT_SECONDS,
    YOUNG_SECONDS,
    DiscordTime,
    LateInteractions,
    not_after,
)

START = 1_800_000_000.0
"""What Discord's clock shows at first, in seconds since the epoch, UTC."""
HOUR = 3600.0
seconds = st.floats(0, 20)


def id_made(at: float) -> int:
    """An id that Discord made at a time of its clock."""
    return int(at * 1000 - EPOCH_MS) << 22


class Clocks:
    """Discord's clock, ours that is never set, and the machine's, which may be wrong."""

    def __init__(self, wrong: float = 0.0) -> None:
        self.passed = 0.0
        self.time = DiscordTime(lambda: 5.0 + self.passed, lambda: START + wrong + self.passed)

    def age_after(self, late: float) -> float | None:
        """How old an interaction seems that came so many seconds late."""
        return self.time.age_of(id_made(START + self.passed - late), 5.0 + self.passed)

    def learn(self, late: float) -> None:
        """An interaction that came so many seconds late was answered."""
        self.time.learn(id_made(START + self.passed - late), 5.0 + self.passed)


def test_at_first_the_machines_clock_is_believed_if_by_it_an_interaction_is_young() -> None:
    age = Clocks().age_after(0.5)
    assert age is not None
    assert abs(age - 0.5) < 0.01
    assert Clocks().age_after(YOUNG_SECONDS + 0.1) is None


def test_by_a_clock_that_is_an_hour_off_the_first_age_is_not_known() -> None:
    for wrong in (HOUR, -HOUR):
        assert Clocks(wrong).age_after(0.1) is None


@given(st.lists(seconds, min_size=1, max_size=20), seconds, st.floats(-2 * HOUR, 2 * HOUR))
def test_the_age_is_what_came_beyond_the_smallest_delay(
    delays: list[float], late: float, wrong: float
) -> None:
    clocks = Clocks(wrong)
    for one in delays:
        clocks.learn(one)
    age = clocks.age_after(late)
    assert age is not None
    assert abs(age - max(0.0, late - min(delays))) < 0.01


def test_what_was_learnt_counts_for_a_while_and_is_forgotten() -> None:
    clocks = Clocks(HOUR)
    clocks.learn(0.1)
    clocks.passed = LEARNT_SECONDS
    assert clocks.age_after(0.1) is not None
    clocks.passed = 2 * LEARNT_SECONDS + 1
    assert clocks.age_after(0.1) is None


def test_a_clock_that_runs_faster_than_discords_is_learnt_again() -> None:
    clocks = Clocks()
    clocks.learn(0.0)
    clocks.passed = LEARNT_SECONDS + 1
    clocks.learn(0.4)
    assert (clocks.age_after(0.4) or 0.0) > 0.3, "the older difference counts still"
    clocks.passed = 2 * LEARNT_SECONDS + 2
    assert (clocks.age_after(0.4) or 0.0) < 0.01, "but not any more"


async def test_what_an_interaction_asks_for_may_be_written_up_to_an_age() -> None:
    made = time.time() - 0.5
    response = SimpleNamespace(is_done=lambda: False)
    interaction: Any = SimpleNamespace(id=id_made(made), type=None, extras={}, response=response)
    late = LateInteractions()
    late.arrived(interaction)
    until = await not_after(interaction)
    assert abs(until.at - (made + LAST_SECONDS - time.time() + steady_time())) < 0.1
    await late.close()
