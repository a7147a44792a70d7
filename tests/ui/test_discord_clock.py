"""How old interactions are, by the dates of Discord's responses: never younger than in truth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.practice.world import EPOCH_MS
from bot.ui.press.discord_clock import DATE_SECONDS, DRIFT, UNEVEN_SECONDS, DiscordClock
from bot.ui.press.late_interactions import YOUNG_SECONDS
from cogs.clock import MINUTES

START = 1_800_000_000.0
"""What Discord's clock shows at first, in seconds since the epoch, UTC."""
HOUR = 3600.0
ANSWERED = 3.0
"""How long Discord waits for an answer, in seconds."""
delays = st.floats(0, 20)
requests = st.lists(st.tuples(st.floats(0, 5000), st.floats(0, 2), st.floats(0, 2)), min_size=1, max_size=20)
"""The seconds before each request, of its way there, and of the way back."""


def id_made(at: float) -> int:
    """An id that Discord made at a time of its clock."""
    return int(at * 1000 - EPOCH_MS) << 22


class Clocks:
    """Discord's clock and ours, which is ahead of it, and may run at another speed."""

    def __init__(self, ahead: float = 0.0, drift: float = 0.0) -> None:
        self.discords = START
        self.ours = START + ahead
        self._drift = drift
        self.clock = DiscordClock(lambda: self.ours)

    def pass_by(self, seconds: float) -> None:
        """Lets time pass, by Discord's clock."""
        self.discords += seconds
        self.ours += seconds * (1 + self._drift)

    def request(self, there: float = 0.05, back: float = 0.05) -> None:
        """A request, whose response has a date."""
        sent = self.ours
        self.pass_by(there)
        date = float(int(self.discords))
        self.pass_by(back)
        self.clock.note(date, sent, self.ours)

    def age_after(self, late: float) -> float | None:
        """How old an interaction seems that comes so many seconds late."""
        made = id_made(self.discords)
        self.pass_by(late)
        return self.clock.age_of(made, self.ours)


def test_before_the_first_response_an_age_is_not_known_and_a_warning_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clocks = Clocks()
    assert [clocks.age_after(0.1), clocks.age_after(0.1)] == [None, None]
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_while_requests_fail_no_age_is_known(caplog: pytest.LogCaptureFixture) -> None:
    clocks = Clocks()
    clocks.request()
    clocks.clock.note_failure()
    assert clocks.age_after(0.1) is None
    clocks.request()
    assert clocks.age_after(0.1) is not None
    assert caplog.records == [], "the date was not missing"


def test_an_interaction_from_the_future_is_new_as_far_as_discords_clocks_differ() -> None:
    clock = DiscordClock()
    # The request was sent as the second of its date ended, so the clocks are known to be even.
    clock.note(START, START + DATE_SECONDS, START + DATE_SECONDS)
    for ahead, age in ((UNEVEN_SECONDS - 0.1, 0.0), (UNEVEN_SECONDS + 0.1, None)):
        assert clock.age_of(id_made(START + DATE_SECONDS + ahead), START + DATE_SECONDS) == age


@given(requests, delays, st.floats(-2 * HOUR, 2 * HOUR), st.floats(-DRIFT, DRIFT))
def test_an_interaction_is_never_taken_for_younger_than_it_is(
    made: list[tuple[float, float, float]], late: float, ahead: float, drift: float
) -> None:
    clocks = Clocks(ahead, drift)
    for before, there, back in made:
        clocks.pass_by(before)
        clocks.request(there, back)
    age = clocks.age_after(late)
    assert age is not None
    assert age >= late - 0.01
    _, there, _ = made[-1]
    assert age <= late + 1 + there + 0.01


def test_an_interaction_is_taken_for_a_little_older_the_more_responses_there_are_the_less() -> None:
    clocks = Clocks(HOUR)
    ages = []
    for _ in range(40):
        clocks.pass_by(0.37)
        clocks.request()
        ages.append(clocks.age_after(0.2))
    assert ages[-1] is not None
    assert 0.2 <= ages[-1] < 0.4


def test_after_a_silent_night_an_interaction_is_taken_for_older_by_what_clocks_may_drift() -> None:
    clocks = Clocks()
    clocks.request(0.0, 0.0)
    age = clocks.age_after(0.2)
    assert age is not None
    clocks.pass_by(8 * HOUR)
    later = clocks.age_after(0.2)
    assert later is not None
    assert abs(later - age - 8 * HOUR * DRIFT) < 0.01
    clocks.request(0.0, 0.0)
    assert (clocks.age_after(0.2) or 0.0) < 1.3, "a response tells it again"


@given(st.floats(2, HOUR), st.floats(0, HOUR))
def test_after_our_clock_stood_still_a_response_tells_that_what_is_late_is_not_young(
    stood: float, late: float
) -> None:
    """A paused virtual machine: Discord's clock goes on, and ours does not."""
    clocks = Clocks()
    clocks.request()
    made = id_made(clocks.discords)
    clocks.discords += stood
    asked = id_made(clocks.discords)
    assert clocks.clock.age_of(asked, clocks.ours) is None
    clocks.request()
    clocks.pass_by(late)
    age = clocks.clock.age_of(made, clocks.ours)
    assert age is None or age >= stood + late - 0.01


def test_after_our_clock_was_put_forward_interactions_are_young_again() -> None:
    clocks = Clocks()
    clocks.request()
    clocks.ours += HOUR
    assert (clocks.age_after(0.2) or HOUR) > ANSWERED
    clocks.request()
    assert (clocks.age_after(0.2) or HOUR) < ANSWERED


@given(st.floats(0, 60), st.floats(-DRIFT, DRIFT))
def test_with_a_request_now_and_then_a_press_is_young_after_hours_without_another(
    ahead: float, drift: float
) -> None:
    clocks = Clocks(ahead, drift)
    for _ in range(24 * 60 // MINUTES):
        clocks.request()
        clocks.pass_by(MINUTES * 60)
    age = clocks.age_after(0.2)
    assert age is not None
    assert 0.2 - UNEVEN_SECONDS <= age <= YOUNG_SECONDS
