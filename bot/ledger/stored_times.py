"""Stored times beside the clock of the machine, which was wrong when they were stored, or is wrong now."""


def is_recent(at: float, seconds: float, now: float) -> bool:
    """Whether a stored time lies in the last seconds; one in the future does not.

    Args:
        at: the stored time, in seconds since the epoch, UTC.
        seconds: how many.
        now: the time, as `at`.
    """
    return 0 <= now - at < seconds
