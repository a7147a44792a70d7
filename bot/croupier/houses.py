"""The house rules of every server: in memory for reading, changed through the ledger.

A change starts as a draft, which can be previewed and then confirmed. A draft is a row of the ledger: it
survives a restart, and applies once. If the rules change after the preview, it must be previewed again.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pydantic import ValidationError

from bot.croupier.house_changes import (
    Altered,
    HouseChange,
    altered,
    altered_json,
    change_json,
    parse_altered,
    parse_change,
)
from bot.games.house import UNCHANGED, House, house_json, read_house
from bot.ledger.changes import Change, HouseDraft, HouseRow
from bot.ledger.errors import LedgerError, StaleHouse
from bot.ledger.ledger import Ledger
from bot.ledger.not_after import NotAfter
from bot.ledger.records import StoredHouse

log = logging.getLogger(__name__)

HouseOf = Callable[[int], House]


class NoSuchDraftError(Exception):
    """There is no such draft: it is too old, from another server, or not readable by this version."""


class HouseChangedError(Exception):
    """The house rules changed after the draft was previewed.

    Attributes:
        change: the draft's change.
    """

    def __init__(self, change: HouseChange) -> None:
        super().__init__("the house rules changed after the preview")
        self.change = change


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that can be confirmed.

    Attributes:
        draft_id: its id.
        change: the requested change.
        before: the house now.
        after: the house after the change; equal if nothing would change.
    """

    draft_id: int
    change: HouseChange
    before: House
    after: House


@dataclass(frozen=True, slots=True)
class PastChange:
    """A confirmed change.

    Attributes:
        party: who confirmed it.
        at: when, in seconds since the epoch, UTC.
        things: its effects; None if they are not readable by this version.
    """

    party: int
    at: float
    things: tuple[Altered, ...] | None


def unchanged(_server_id: int) -> House:
    """The default house, for every server."""
    return UNCHANGED


class Houses:
    """The house rules of every server.

    Args:
        ledger: stores them; must stay open as long as this is used.
        at_first: returns the initial house of a server, by its id.
        clock: seconds since the epoch, UTC.
    """

    def __init__(
        self, ledger: Ledger, at_first: HouseOf = unchanged, clock: Callable[[], float] = time.time
    ) -> None:
        self._ledger = ledger
        self._at_first = at_first
        self._now = clock
        self._houses: dict[int, tuple[int, House]] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def load(self) -> None:
        """Reads the rules of every server; logs and skips what this version cannot read.

        Raises:
            LedgerUnavailable: the ledger cannot be read.
        """
        for row in await self._ledger.houses():
            for note in self._cache(row):
                log.warning("house of server %s: %s", row.server_id, note)

    def house_of(self, server_id: int) -> House:
        """The current house rules of a server."""
        return self._current(server_id)[1]

    async def draft(self, draft_id: int, server_id: int, change: HouseChange) -> Draft:
        """Stores a change that can be confirmed.

        Args:
            draft_id: its id, such as a Discord interaction's id.
            server_id: whose house.
            change: the change.

        Raises:
            WrongRuleError: it is not possible; the text says why.
            LedgerError: it could not be stored.
        """
        number, before = self._current(server_id)
        after = change.applied_to(before)
        if altered(before, after):
            fact = HouseDraft(draft_id, server_id, self._now(), number, change_json(change))
            await self._ledger.record(fact)
        return Draft(draft_id, change, before, after)

    async def confirm(
        self, draft_id: int, server_id: int, party: int, not_after: NotAfter | None = None
    ) -> tuple[Altered, ...]:
        """Applies a draft once; confirming it again returns the same.

        Args:
            draft_id: which one.
            server_id: whose house.
            party: who confirms.
            not_after: until when it may be applied; None if at any time.

        Returns:
            Its effects.

        Raises:
            NoSuchDraftError: there is none.
            HouseChangedError: the house rules changed after the preview.
            WrongRuleError: it is no longer possible.
            TooLate: it was not to be applied any more.
            LedgerError: it may not have been written.
        """
        draft = await self._ledger.house_draft(draft_id)
        if draft is None or draft.server_id != server_id:
            raise NoSuchDraftError(f"there is no draft {draft_id} in server {server_id}")
        try:
            change = parse_change(draft.what)
        except ValidationError as outdated:
            raise NoSuchDraftError(f"draft {draft_id} cannot be read") from outdated
        key = f"house:{draft_id}"
        async with self._locks[server_id]:
            if (done := await self._ledger.answer(key)) is not None:
                await self._reload(server_id)
                return parse_altered(done)
            number, before = self._current(server_id)
            if number != draft.based_on:
                raise HouseChangedError(change)
            after = change.applied_to(before)
            things = altered(before, after)
            row = HouseRow(number + 1, party, altered_json(things), house_json(after))
            try:
                await self._ledger.commit(
                    Change(key, server_id, self._now(), answer=row.what, house=row, not_after=not_after)
                )
            except StaleHouse as stale:
                await self._reload(server_id)
                raise HouseChangedError(change) from stale
            except LedgerError:
                # It may be on disk: use what the ledger has, if it can be read.
                with suppress(LedgerError):
                    await self._reload(server_id)
                raise
            self._houses[server_id] = (row.number, after)
            return things

    async def history(self, server_id: int, limit: int) -> list[PastChange]:
        """The last changes of a server's house, the newest first.

        Raises:
            LedgerUnavailable: the ledger cannot be read.
        """
        return [_past(row) for row in await self._ledger.house_history(server_id, limit)]

    def _current(self, server_id: int) -> tuple[int, House]:
        """The number of the house's last change, and the house after it."""
        return self._houses.get(server_id) or (0, self._at_first(server_id))

    async def _reload(self, server_id: int) -> None:
        for row in await self._ledger.house_history(server_id, 1):
            self._cache(row)

    def _cache(self, row: StoredHouse) -> tuple[str, ...]:
        house, notes = read_house(row.house)
        self._houses[row.server_id] = (row.number, house)
        return notes


def _past(row: StoredHouse) -> PastChange:
    try:
        things = parse_altered(row.what)
    except ValidationError:
        log.warning("change %s of the house of server %s cannot be read", row.number, row.server_id)
        things = None
    return PastChange(row.party, row.at, things)
