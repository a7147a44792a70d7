"""The house rules of every server: in memory for reading, changed through the ledger.

A change starts as a draft, which can be previewed and then confirmed. A draft is a row of the ledger: it
survives a restart, and applies once. If the rules change after the preview, it must be previewed again.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter, ValidationError

from bot.croupier.open_tables import Locks
from bot.games.house import UNCHANGED, House, Values, house_json, read_house
from bot.games.knobs import SETTINGS, knob_text, knobs_of
from bot.games.register import GAMES
from bot.ledger.changes import Change, HouseDraft, HouseRow, NotAfter
from bot.ledger.errors import AlreadyDone, LedgerError, StaleHouse
from bot.ledger.ledger import Ledger
from bot.ledger.records import StoredHouse
from bot.rules.knobs import OF_ALL_GAMES, About, GameName, Knob, WrongRule, WrongRuleError

log = logging.getLogger(__name__)


class Verb(StrEnum):
    """Ways to change house rules."""

    PRESET = "preset"
    SET = "set"
    RESET = "reset"
    REPLACE = "replace"
    """Has another whole house."""
    # In drafts of earlier versions, `take_back` is a return to a whole house: none is to be read as this.
    TAKE_BACK = "take_back_one"
    """Sets what one past change had set to what it was before."""


@dataclass(frozen=True, slots=True)
class HouseChange:
    """A requested change of house rules.

    Attributes:
        knob: which knob; None for a preset, or to reset all knobs.
        text: the preset's name, the knob's new value as text, or the whole house as JSON; to take back a
            change, a JSON list of the house before and after it; None for a reset.
        game: the only game to change; None for every game that has the preset or knob.
    """

    verb: Verb
    knob: str | None = None
    text: str | None = None
    game: GameName | None = None

    def applied_to(self, house: House) -> House:
        """The house after this change.

        Raises:
            WrongRuleError: there is no such preset or knob, the value is not allowed, or knobs would
                contradict each other.
        """
        if self.verb is Verb.RESET:
            return _reset(house, self.knob, self.game)
        if self.text is None:
            raise WrongRuleError(WrongRule.NO_VALUE)
        if self.verb is Verb.PRESET:
            return house.with_preset(self.text)
        if self.verb is Verb.REPLACE:
            return read_house(self.text)[0]
        if self.verb is Verb.TAKE_BACK:
            return house.with_taken_back(*_taken_back(self.text))
        if self.knob is None:
            raise WrongRuleError(WrongRule.NO_KNOB)
        return house.with_knob(self.knob, self.text, self.game)

    def overrules(self, house: House) -> "tuple[Altered, ...]":
        """What taking back a change also undoes of later ones, which have set the same knob or preset again.

        Raises:
            As `applied_to`.
        """
        if self.verb is not Verb.TAKE_BACK or self.text is None:
            return ()
        had_set = {(one.game, one.knob): one.new for one in altered(*_taken_back(self.text))}
        undone = altered(house, self.applied_to(house))
        return tuple(one for one in undone if had_set.get((one.game, one.knob)) != one.old)


def _taken_back(text: str) -> tuple[House, House]:
    """The houses before and after the change that is to be taken back."""
    before, after = json.loads(text)
    return read_house(before)[0], read_house(after)[0]


@dataclass(frozen=True, slots=True)
class Altered:
    """One effect of a change, as text, since later versions may not know the knob.

    Attributes:
        game: for which game; None for all games.
        knob: which knob; None for the preset.
    """

    game: str | None
    knob: str | None
    old: str
    new: str


def altered(before: House, after: House) -> tuple[Altered, ...]:
    """The differences between two houses: presets first, then knobs in the order of the rules."""
    presets = [Altered(game, None, before.preset(game), after.preset(game)) for game in GAMES]
    rules = {game: (before.rules(game), after.rules(game)) for game in GAMES}
    of_all = [one for game in GAMES for one in _values(rules[game], None, knobs_of(game, *OF_ALL_GAMES))]
    server = _values((before.server, after.server), None, SETTINGS)
    of_one = About.WORTH, About.ROUND
    of_games = [one for game in GAMES for one in _values(rules[game], game, knobs_of(game, *of_one))]
    every = (*presets, *dict.fromkeys(of_all), *server, *of_games)
    return tuple(one for one in every if one.old != one.new)


def _values(both: tuple[Values, Values], game: GameName | None, knobs: Iterable[Knob]) -> Iterator[Altered]:
    """What was and is the value of each knob."""
    for knob in knobs:
        was, now = (knob_text(getattr(of, knob.name), knob.empty) for of in both)
        yield Altered(game, knob.name, was, now)


def _reset(house: House, knob: str | None, game: GameName | None) -> House:
    if knob is not None:
        return house.without_knob(knob, game)
    if game is not None:
        return replace(house, overrides={**house.overrides, game: {}})
    return replace(house, overrides={}, hosting={})


_CHANGE: Final = TypeAdapter(HouseChange)
_ALTERED: Final = TypeAdapter(tuple[Altered, ...])


def altered_json(effects: tuple[Altered, ...]) -> str:
    """The effects of a change as JSON text."""
    return _ALTERED.dump_json(effects).decode()


def parse_altered(text: str) -> tuple[Altered, ...]:
    """Reads the effects of a stored change."""
    return _ALTERED.validate_json(text)


HouseOf = Callable[[int], House]


class NoSuchDraftError(Exception):
    """There is no such draft: it is too old, from another server, or not readable by this version."""


class HouseChangedError(Exception):
    """The house rules changed after the draft was previewed."""

    def __init__(self, change: HouseChange) -> None:
        super().__init__("the house rules changed after the preview")
        self.change = change


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that can be confirmed.

    Attributes:
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
        number: the first of a server has 1.
        things: its effects; None if they are not readable by this version.
    """

    number: int
    party: int
    at: float
    things: tuple[Altered, ...] | None


def unchanged(_server_id: int) -> House:
    """The default house, for every server."""
    return UNCHANGED


class Houses:
    """The house rules of every server."""

    def __init__(
        self, ledger: Ledger, at_first: HouseOf = unchanged, clock: Callable[[], float] = time.time
    ) -> None:
        self._ledger = ledger
        self._at_first = at_first
        self._now = clock
        self._houses: dict[int, tuple[int, House, bytes | None]] = {}
        self._locks: Locks[int] = Locks()
        self._listeners: list[Callable[[int], None]] = []

    async def load(self) -> None:
        """Reads the rules of every server; logs and skips what this version cannot read."""
        rows = await self._ledger.houses()
        self._houses.clear()
        for row in rows:
            for note in self._cache(row):
                log.warning("house of server %s: %s", row.server_id, note)

    def house_of(self, server_id: int) -> House:
        """The current house rules of a server."""
        return self._current(server_id)[1]

    async def draft(self, draft_id: int, server_id: int, change: HouseChange) -> Draft:
        """Stores a change that can be confirmed.

        Raises:
            WrongRuleError: it is not possible; the text says why.
        """
        number, before, _ = self._current(server_id)
        after = change.applied_to(before)
        if altered(before, after):
            text = _CHANGE.dump_json(change).decode()
            await self._ledger.record(HouseDraft(draft_id, server_id, self._now(), number, text))
        return Draft(draft_id, change, before, after)

    async def confirm(
        self,
        draft_id: int,
        server_id: int,
        party: int,
        not_after: NotAfter | None = None,
        check: Callable[[House, House], None] | None = None,
    ) -> tuple[Altered, ...]:
        """Applies a draft once; confirming it again returns the same.

        Args:
            check: raises what refuses the change, by the houses before and after it.

        Raises:
            NoSuchDraftError: there is none.
            HouseChangedError: the house rules changed after the preview.
            WrongRuleError: it is no longer possible.
        """
        draft, change = await self._stored_draft(draft_id, server_id)
        key = f"house:{draft_id}"
        async with self._locks[server_id]:
            if (done := await self._ledger.answer(key)) is not None:
                await self.reload(server_id)
                return parse_altered(done)
            number, before, last_hash = self._current(server_id)
            if number != draft.based_on:
                raise HouseChangedError(change)
            after = change.applied_to(before)
            if check is not None:
                check(before, after)
            things = altered(before, after)
            row = HouseRow(number + 1, party, altered_json(things), house_json(after), last_hash)
            try:
                its_hash = await self._ledger.commit(
                    Change(key, server_id, self._now(), answer=row.what, house=row, not_after=not_after)
                )
            except AlreadyDone:
                # By another process, at the same time.
                await self.reload(server_id)
                return things
            except StaleHouse as stale:
                await self.reload(server_id)
                raise HouseChangedError(change) from stale
            except LedgerError:
                # It may be on disk: use what the ledger has, if it can be read.
                with suppress(LedgerError):
                    await self.reload(server_id)
                raise
            self._houses[server_id] = (row.number, after, its_hash)
            for listener in self._listeners:
                listener(server_id)
            return things

    def on_change(self, listener: Callable[[int], None]) -> None:
        """Has this called with every server whose rules this process changes; it must not raise."""
        self._listeners.append(listener)

    async def drafted(self, draft_id: int, server_id: int) -> Draft:
        """A draft, compared with the house as it is now.

        Raises:
            NoSuchDraftError: there is none, or it is no longer possible.
        """
        _, change = await self._stored_draft(draft_id, server_id)
        before = self.house_of(server_id)
        try:
            return Draft(draft_id, change, before, change.applied_to(before))
        except WrongRuleError as wrong:
            raise NoSuchDraftError(f"draft {draft_id} is no longer possible: {wrong.code}") from wrong

    async def _stored_draft(self, draft_id: int, server_id: int) -> tuple[HouseDraft, HouseChange]:
        draft = await self._ledger.house_draft(draft_id)
        if draft is None or draft.server_id != server_id:
            raise NoSuchDraftError(f"there is no draft {draft_id} in server {server_id}")
        try:
            return draft, _CHANGE.validate_json(draft.what)
        except ValidationError as outdated:
            raise NoSuchDraftError(f"draft {draft_id} cannot be read") from outdated

    async def history(self, server_id: int, limit: int) -> list[PastChange]:
        """The last changes of a server's house, the newest first."""
        return [_past(row) for row in await self._ledger.house_history(server_id, limit)]

    async def taking_back(self, server_id: int, number: int) -> HouseChange:
        """The change that takes back the one with this number, and no other.

        Raises:
            NoSuchDraftError: the house has no change of this number.
        """
        rows = await self._ledger.house_changes(server_id, (number - 1, number))
        houses = {row.number: row.house for row in rows}
        if number not in houses:
            raise NoSuchDraftError(f"there is no change {number} in server {server_id}")
        before = house_json(self._at_first(server_id)) if number == 1 else houses[number - 1]
        return HouseChange(Verb.TAKE_BACK, text=json.dumps([before, houses[number]]))

    def _current(self, server_id: int) -> tuple[int, House, bytes | None]:
        """The number of the house's last change, the house after it, and the change's hash."""
        return self._houses.get(server_id) or (0, self._at_first(server_id), None)

    async def reload(self, *server_ids: int) -> None:
        """Reads the rules of servers again."""
        rows = await self._ledger.houses_of(server_ids)
        # After a failover, the only change may never have happened.
        for server_id in server_ids:
            self._houses.pop(server_id, None)
        for row in rows:
            self._cache(row)

    def _cache(self, row: StoredHouse) -> tuple[str, ...]:
        house, notes = read_house(row.house)
        self._houses[row.server_id] = (row.number, house, row.hash)
        return notes


def _past(row: StoredHouse) -> PastChange:
    try:
        things = parse_altered(row.what)
    except ValidationError:
        log.warning("change %s of the house of server %s cannot be read", row.number, row.server_id)
        things = None
    return PastChange(row.number, row.party, row.at, things)
