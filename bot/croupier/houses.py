"""The house rules of every server: kept in mind, changed through the ledger alone.

A change is drafted first, so that whoever asks for it can be shown what it would do, and then confirmed. A
draft is a row of the ledger: it outlives a restart, and is carried out once. It counts for the house that it
was shown for; where that was changed meanwhile, it has to be shown anew.
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
from bot.ledger.changes import Change, HouseDraft, HouseRow
from bot.ledger.errors import LedgerError, StaleHouse
from bot.ledger.ledger import Ledger
from bot.ledger.records import StoredHouse
from bot.rules.house import UNCHANGED, House, house_json, read_house

log = logging.getLogger(__name__)

HouseOf = Callable[[int], House]


class NoSuchDraftError(Exception):
    """There is no such draft: it is too old, of another server, or of a kind that there is no more."""


class HouseMovedError(Exception):
    """The house was changed since the draft was shown.

    Attributes:
        change: what the draft asked for.
    """

    def __init__(self, change: HouseChange) -> None:
        super().__init__("the house was changed since the draft was shown")
        self.change = change


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that may be confirmed.

    Attributes:
        draft_id: its identity.
        change: what was asked for.
        before: the house as it is.
        after: the house as it would be; the same where nothing would change.
    """

    draft_id: int
    change: HouseChange
    before: House
    after: House


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change that was made.

    Attributes:
        member_id: by whom.
        at: when, in seconds since the epoch, UTC.
        things: what it made otherwise; None where that cannot be read any more.
    """

    member_id: int
    at: float
    things: tuple[Altered, ...] | None


def unchanged(_server_id: int) -> House:
    """A house that has chosen nothing, for every server."""
    return UNCHANGED


class Houses:
    """Keeps the house rules of every server.

    Args:
        ledger: where they are kept; stays open as long as this.
        at_first: the house of a server that has changed nothing, by its id.
        clock: seconds since the epoch, UTC.
    """

    def __init__(
        self, ledger: Ledger, at_first: HouseOf = unchanged, clock: Callable[[], float] = time.time
    ) -> None:
        self._ledger = ledger
        self._at_first = at_first
        self._now = clock
        self._kept: dict[int, tuple[int, House]] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def load(self) -> None:
        """Takes up what every server has chosen; what cannot be read any more is reported, and left out.

        Raises:
            LedgerUnavailable: where the ledger cannot be read.
        """
        for row in await self._ledger.houses():
            for note in self._keep(row):
                log.warning("house of server %s: %s", row.server_id, note)

    def house_of(self, server_id: int) -> House:
        """The house rules of a server, as they are now."""
        return self._now_at(server_id)[1]

    async def draft(self, draft_id: int, server_id: int, member_id: int, change: HouseChange) -> Draft:
        """Keeps a change that somebody may confirm.

        Args:
            draft_id: its identity, such as Discord's interaction id.
            server_id: whose house.
            member_id: who asks.
            change: for what.

        Raises:
            WrongRuleError: where it cannot be carried out; its text says why.
            LedgerError: where it could not be kept.
        """
        number, before = self._now_at(server_id)
        after = change.carried_out(before)
        if altered(before, after):
            note = HouseDraft(draft_id, server_id, member_id, self._now(), number, change_json(change))
            await self._ledger.keep(note)
        return Draft(draft_id, change, before, after)

    async def confirm(self, draft_id: int, server_id: int, member_id: int) -> tuple[Altered, ...]:
        """Carries a draft out, once; confirmed again, it tells the same.

        Args:
            draft_id: which one.
            server_id: whose house.
            member_id: who confirms.

        Returns:
            What it made otherwise.

        Raises:
            NoSuchDraftError: where there is none.
            HouseMovedError: where the house was changed since the draft was shown.
            WrongRuleError: where it cannot be carried out any more.
            LedgerError: where it could not be written, as far as is known.
        """
        draft = await self._ledger.house_draft(draft_id)
        if draft is None or draft.server_id != server_id:
            raise NoSuchDraftError(f"there is no draft {draft_id} in server {server_id}")
        try:
            change = parse_change(draft.what)
        except ValidationError as outdated:
            raise NoSuchDraftError(f"draft {draft_id} cannot be read any more") from outdated
        key = f"house:{draft_id}"
        async with self._locks[server_id]:
            if (done := await self._ledger.answer(key)) is not None:
                await self._look_again(server_id)
                return parse_altered(done)
            number, before = self._now_at(server_id)
            if number != draft.based_on:
                raise HouseMovedError(change)
            after = change.carried_out(before)
            things = altered(before, after)
            row = HouseRow(number + 1, member_id, altered_json(things), house_json(after))
            try:
                await self._ledger.commit(Change(key, server_id, self._now(), answer=row.what, house=row))
            except StaleHouse as stale:
                await self._look_again(server_id)
                raise HouseMovedError(change) from stale
            except LedgerError:
                # Whether it is on disk is not known: what the ledger says holds, if it can be asked.
                with suppress(LedgerError):
                    await self._look_again(server_id)
                raise
            self._kept[server_id] = (row.number, after)
            return things

    async def history(self, server_id: int, limit: int) -> list[PastChange]:
        """The last changes of a server's house, the newest first.

        Raises:
            LedgerUnavailable: where the ledger cannot be read.
        """
        return [_past(row) for row in await self._ledger.house_history(server_id, limit)]

    def _now_at(self, server_id: int) -> tuple[int, House]:
        """The number of the house's last change, and the house since."""
        return self._kept.get(server_id) or (0, self._at_first(server_id))

    async def _look_again(self, server_id: int) -> None:
        for row in await self._ledger.house_history(server_id, 1):
            self._keep(row)

    def _keep(self, row: StoredHouse) -> tuple[str, ...]:
        house, notes = read_house(row.house)
        self._kept[row.server_id] = (row.number, house)
        return notes


def _past(row: StoredHouse) -> PastChange:
    try:
        things = parse_altered(row.what)
    except ValidationError:
        log.warning("change %s of the house of server %s cannot be read", row.number, row.server_id)
        things = None
    return PastChange(row.member_id, row.at, things)
