"""Our bot under test, which always takes the newest press first; to compare with."""

from bot.wire import intake
from clicking.gnau_bot import connected
from clicking.under_test import run

if __name__ == "__main__":
    intake.OVERLOAD_SECONDS = 0.0  # type: ignore[misc]  # in this process alone
    run(connected)
