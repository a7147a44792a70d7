"""Which dates of responses are understood."""

import pytest

from bot.wire.response_dates import seconds_of


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("Mon, 23 Nov 2026 17:00:00 GMT", 1_795_453_200),
        ("Mon, 23 Nov 2026 18:00:00 +0100", 1_795_453_200),
        ("", None),
        ("yesterday", None),
        ("Mon, 99 Nov 999999999 17:00:00 GMT", None),
    ],
)
def test_a_date_is_understood_or_passed_over(date: str, seconds: int | None) -> None:
    assert seconds_of(date) == seconds
