"""Seasons of servers, in memory for reading, and when they end.

The end of one is carried out by `season_ends.py`.
"""

import logging
from calendar import monthrange
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.ledger.changes import NotAfter, Season, SeasonChanged
from bot.ledger.errors import Overtaken, Unstorable
from bot.ledger.ledger import Ledger
from bot.rules.typed_text import clean

log = logging.getLogger(__name__)

LONGEST_NAME: Final = 40
"""The most characters of a season's name."""


class SeasonEndsError(Exception):
    """No round begins in a server until those that are on are settled: its season is at its end."""


class Seasons:
    """Begins seasons and changes them; in memory are those that are not over."""

    def __init__(self, ledger: Ledger, now: Callable[[], float]) -> None:
        self._ledger = ledger
        self._now = now
        self._running: dict[int, Season] = {}

    async def load(self) -> None:
        """Reads which seasons are on."""
        self._running = {one.server_id: one for one in await self._ledger.running_seasons()}

    def running(self, server_id: int) -> Season | None:
        """The season of a server that is not over; None without one."""
        return self._running.get(server_id)

    def refuse_new_round(self, server_id: int) -> None:
        """Raises SeasonEndsError if none may begin in a server."""
        if self.is_ending(server_id):
            raise SeasonEndsError

    def refuse_new_entry(self, server_id: int) -> None:
        """Raises SeasonEndsError if an entry to a tournament would escape the reset of a server's chips."""
        season = self.running(server_id)
        if season is not None and season.resets:
            self.refuse_new_round(server_id)

    def is_ending(self, server_id: int) -> bool:
        """Whether the end of a server's season has come, and it is not over yet."""
        season = self._running.get(server_id)
        return season is not None and season.ends_at is not None and season.ends_at <= self._now()

    @property
    def ending(self) -> list[Season]:
        """The seasons whose end has come."""
        return [one for one in self._running.values() if self.is_ending(one.server_id)]

    async def start(
        self,
        server_id: int,
        name: str,
        channel_id: int | None,
        role_id: int | None = None,
        not_after: NotAfter | None = None,
        *,
        resets: bool,
    ) -> Season | None:
        """Begins a season; returns it, or None if one is on."""
        await self.load()
        if self.running(server_id) is not None:
            return None
        past = await self._ledger.seasons(server_id)
        number = past[0].number + 1 if past else 1
        season = Season(server_id, number, name, resets, channel_id, role_id, self._now())
        if not await self._change(SeasonChanged(None, season, not_after=not_after)):
            return None
        return self.running(server_id)

    async def set_end(
        self,
        season: Season,
        at: float | None,
        repeat_day: int | None = None,
        not_after: NotAfter | None = None,
    ) -> Season | None:
        """Says when a season ends; returns it as it is now, or None if it has changed meanwhile."""
        after = replace(season, ends_at=at, repeat_day=repeat_day)
        changed = SeasonChanged(season, after, not_after=not_after)
        return after if await self._change(changed) else None

    async def note(self, season: Season, after: Season) -> bool:
        """Notes what was told of a season; returns False if another process did."""
        return await self._change(SeasonChanged(season, after))

    async def _change(self, changed: SeasonChanged) -> bool:
        try:
            await self._ledger.record(changed)
        except (Overtaken, Unstorable) as other:
            log.info("a season of server %s has changed meanwhile: %s", changed.after.server_id, other)
            return False
        finally:
            await self.load()
        return True


def following(season: Season, now: float) -> Season | None:
    """The season that begins when one ends; None without one."""
    if season.repeat_day is None or season.ends_at is None:
        return None
    day = datetime.fromtimestamp(season.ends_at, UTC).date()
    while (ends_at := midnight(day)) <= now:
        day = _month_after(day, season.repeat_day)
    return replace(
        season,
        number=season.number + 1,
        name=next_name(season.name),
        started_at=now,
        ends_at=ends_at,
        first_link=None,
    )


def midnight(day: date) -> float:
    """When a day begins, in UTC."""
    return datetime.combine(day, time(), UTC).timestamp()


def days_to_end(now: float) -> list[str]:
    """Days on which a season may end: the first ones of the next months, then the next weeks."""
    today = datetime.fromtimestamp(now, UTC).date()
    firsts = [_month_after(today, 1)]
    while len(firsts) < 12:
        firsts.append(_month_after(firsts[-1], 1))
    days = [today + timedelta(days=later) for later in range(1, 15)]
    return [day.isoformat() for day in [*firsts[:3], *days, *firsts[3:]]]


def _month_after(day: date, repeat_day: int) -> date:
    """That day of the next month, or its last one if it is shorter."""
    year, month = (day.year + 1, 1) if day.month == 12 else (day.year, day.month + 1)
    return date(year, month, min(repeat_day, monthrange(year, month)[1]))


def next_name(name: str) -> str:
    """What the season after one is called: a number at the end counts on."""
    words, _, number = name.rpartition(" ")
    if words and number.isascii() and number.isdecimal():
        return clean(f"{words} {int(number) + 1}", LONGEST_NAME)
    return clean(f"{name} 2", LONGEST_NAME)
