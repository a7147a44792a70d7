"""When a table opens that somebody has planned, once or every week, by the clock of a place."""

import json
import re
import unicodedata
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from bot.clock import DAY_SECONDS
from bot.rules.knobs import GameName

_CLOCK: Final = re.compile(r"(\d{1,2})(?:\s*[:.h時时点點]\s*(\d{2})?\s*分?)?\s*([ap]m)?", re.ASCII)
FURTHEST_SECONDS: Final = 365.0 * DAY_SECONDS
"""How far ahead a table may be scheduled."""
_BY_LOCALE: Final = {
    "de": "Europe/Berlin",
    "en-US": "America/New_York",
    "en-GB": "Europe/London",
    "ja": "Asia/Tokyo",
    "ms": "Asia/Kuala_Lumpur",
    "zh-CN": "Asia/Shanghai",
    "zh-TW": "Asia/Taipei",
}
"""The first zone that is suggested to who has Discord in a language."""
_COMMON: Final = (
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Sao_Paulo",
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "Europe/Istanbul",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Jakarta",
    "Asia/Kuala_Lumpur",
    "Asia/Singapore",
    "Asia/Hong_Kong",
    "Asia/Shanghai",
    "Asia/Taipei",
    "Asia/Tokyo",
    "Australia/Brisbane",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""What is suggested before somebody types: a zone for nearly every hour, from west to east."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What opens, and when.

    Attributes:
        local: date and time of the first table as a clock in the zone shows them, in ISO 8601.
        zone: the name of a time zone, such as Europe/Berlin.
        event_id: Discord's scheduled event for the next table; None without one.
        notice_id: the message that tells the channel of it; None while that is not known.
    """

    game: GameName
    play: str
    local: str
    zone: str
    is_weekly: bool
    event_id: int | None = None
    notice_id: int | None = None

    def next_after(self, now: float) -> float | None:
        """When a table opens next after a time; None if never again.

        Every week it is the same time on the clock there, whatever summer time does. A time that the clock
        skips is an hour later that day, and of one that it shows twice the first counts.
        """
        first, zone = datetime.fromisoformat(self.local), ZoneInfo(self.zone)
        at = first.replace(tzinfo=zone).timestamp()
        if at > now or not self.is_weekly:
            return at if at > now else None
        weeks = int((now - at) / timedelta(weeks=1).total_seconds())
        while (first + timedelta(weeks=weeks)).replace(tzinfo=zone).timestamp() <= now:
            weeks += 1
        return (first + timedelta(weeks=weeks)).replace(tzinfo=zone).timestamp()

    @property
    def as_json(self) -> str:
        """What `read_schedule` reads."""
        return json.dumps(asdict(self))


def read_schedule(text: str) -> Schedule:
    """A schedule from its JSON."""
    fields: dict[str, Any] = json.loads(text)
    return Schedule(**fields)


def clock_time(typed: str) -> time | None:
    """The time of day that somebody typed, such as 20:00, 8 pm or 20; None if it is none."""
    match = _CLOCK.fullmatch(unicodedata.normalize("NFKC", typed).strip().lower())
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), match[3]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "pm")
    return time(hour, minute) if hour < 24 and minute < 60 else None


def first_time(at: time, day: date | None, zone: str, now: float) -> datetime | None:
    """Date and time on the clock of a zone; without a day, the next time that it is so late.

    None if that is over, or too far ahead.
    """
    here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone))
    local = datetime.combine(day or here.date(), at)
    if day is None and local <= here.replace(tzinfo=None):
        local += timedelta(days=1)
    seconds = local.replace(tzinfo=ZoneInfo(zone)).timestamp() - now
    return local if 0 < seconds < FURTHEST_SECONDS else None


def next_days(zone: str | None, now: float, most: int) -> list[date]:
    """Today in a zone, and the days after it."""
    today = datetime.fromtimestamp(now, UTC).astimezone(UTC if zone is None else ZoneInfo(zone)).date()
    return [today + timedelta(days=later) for later in range(most)]


@cache
def _zones() -> tuple[str, ...]:
    """The time zones that people know by the name of a city, in order."""
    names = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (*sorted(names), "UTC")


def is_zone(name: str) -> bool:
    """Whether there is such a time zone."""
    return name in _zones()


def zones_like(typed: str, locale: str, now: float, most: int) -> list[tuple[str, str]]:
    """Time zones whose name has what is typed, each with the time that it is there.

    The reader's comes first, then what many people live in.
    """
    words, usual = typed.strip().lower().replace(" ", "_"), _BY_LOCALE.get(locale)
    found = [name for name in _zones() if words in name.lower()]
    rank = {name: place for place, name in enumerate(_COMMON)}
    found.sort(key=lambda name: (name != usual, rank.get(name, len(rank))))
    here = datetime.fromtimestamp(now, UTC)
    return [(name, f"{here.astimezone(ZoneInfo(name)):%H:%M}") for name in found[:most]]
