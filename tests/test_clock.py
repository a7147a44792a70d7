"""When something counts as out of work."""

from datetime import timedelta

from bot.clock import Outage


def test_failures_hours_apart_are_no_outage() -> None:
    at = 0.0
    outage = Outage(patience_seconds=3.0, clock=lambda: at)
    assert not outage.failed()
    at = 7200.0
    assert not outage.failed()
    at = 7204.0
    assert outage.failed()
    at = 7210.0
    over = outage.worked()
    assert over is not None
    assert (over.lasted, over.failures, over.was_said) == (timedelta(seconds=10), 2, True)
