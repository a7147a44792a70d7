"""When scheduled tables open: by the clock of their zone, whatever summer time does there."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from bot.croupier.schedules import (
    Schedule,
    clock_time,
    first_time,
    is_zone,
    next_days,
    read_schedule,
    zones_like,
)

BERLIN = "Europe/Berlin"


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0, zone: str = BERLIN) -> float:
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone)).timestamp()


def schedule(local: str, *, is_weekly: bool = True) -> Schedule:
    return Schedule("gnau", "chips", local, BERLIN, is_weekly)


def test_every_week_it_is_the_same_time_on_the_clock_there() -> None:
    evening, now = schedule("2026-03-22T20:00:00"), at(2026, 3, 1)
    opened = []
    for _ in range(3):
        now = evening.next_after(now) or 0.0
        opened.append(datetime.fromtimestamp(now, UTC).isoformat())
    # Clocks go forward on 29 March.
    assert [one[:16] for one in opened] == ["2026-03-22T19:00", "2026-03-29T18:00", "2026-04-05T18:00"]
    years_later = evening.next_after(at(2036, 12, 31, 23))
    assert years_later == at(2037, 1, 4, 20)
    assert read_schedule(evening.as_json) == evening


def test_a_time_that_the_clock_skips_is_an_hour_later_and_of_two_the_first_counts() -> None:
    night = schedule("2026-03-22T02:30:00")
    assert night.next_after(at(2026, 3, 23)) == at(2026, 3, 29, 3, 30)
    assert night.next_after(at(2026, 3, 30)) == at(2026, 4, 5, 2, 30)
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC).timestamp()
    assert schedule("2026-10-18T02:30:00").next_after(at(2026, 10, 19)) == first


def test_once_is_once() -> None:
    once = schedule("2026-03-22T20:00:00", is_weekly=False)
    assert once.next_after(at(2026, 3, 22, 19)) == at(2026, 3, 22, 20)
    assert once.next_after(at(2026, 3, 22, 20)) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("20:00", time(20)),
        ("8 pm", time(20)),
        ("8:15PM", time(20, 15)),
        ("12 am", time(0)),
        ("12:05 pm", time(12, 5)),
        ("20", time(20)),
        ("9.30", time(9, 30)),
        ("\uff12\uff10\uff1a\uff13\uff10", time(20, 30)),
        ("20時30分", time(20, 30)),
        ("8点", time(8)),
        ("20h", time(20)),
        ("24:00", None),
        ("20:60", None),
        ("13 pm", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_time_is_understood_as_people_write_it(typed: str, meant: time | None) -> None:
    assert clock_time(typed) == meant


def test_without_a_day_it_is_the_next_time_that_it_is_so_late_there() -> None:
    now = at(2026, 11, 28, 20)
    assert first_time(time(20, 1), None, BERLIN, now) == datetime(2026, 11, 28, 20, 1)  # noqa: DTZ001
    assert first_time(time(20), None, BERLIN, now) == datetime(2026, 11, 29, 20)  # noqa: DTZ001
    # There it is tomorrow already.
    assert first_time(time(5), None, "Asia/Tokyo", now) == datetime(2026, 11, 29, 5)  # noqa: DTZ001
    assert first_time(time(20), date(2026, 11, 28), BERLIN, now) is None
    assert first_time(time(20), date(2028, 1, 1), BERLIN, now) is None
    assert next_days("Asia/Tokyo", now, 2) == [date(2026, 11, 29), date(2026, 11, 30)]
    assert next_days(None, now, 1) == [date(2026, 11, 28)]


def test_zones_are_found_by_city_with_the_time_there_and_the_readers_first() -> None:
    now = at(2026, 11, 28, 20)
    assert zones_like("", "de", now, 1) == [(BERLIN, "20:00")]
    assert zones_like("", "ms", now, 1) == [("Asia/Kuala_Lumpur", "03:00")]
    assert zones_like("kuala lum", "de", now, 5) == [("Asia/Kuala_Lumpur", "03:00")]
    assert {name for name, _ in zones_like("", "de", now, 25)} >= {"America/Los_Angeles", "Pacific/Auckland"}
    assert zones_like("nowhere", "de", now, 5) == []
    assert is_zone(BERLIN)
    assert not is_zone("../../etc/passwd")
