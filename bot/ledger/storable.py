"""Checks the numbers of everything that is to be written: SQLite itself would store 10.0 as 10."""

import math
from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Final, get_args, get_type_hints

from bot.ledger.changes import (
    BoardPosted,
    Change,
    DirectChannel,
    Erasure,
    EventRow,
    Fact,
    HeadPosted,
    HouseDraft,
    HouseRow,
    Identity,
    LocaleChosen,
    OpeningsOutdated,
    OwnApplication,
    SeedWords,
    ServerErasure,
    ServerGreeted,
    TableRow,
)
from bot.ledger.errors import Unstorable
from bot.table.accounts import Account, Move

LARGEST: Final = (1 << 63) - 1
"""The largest number that SQLite stores as an integer."""

_Check = tuple[str, Callable[[object], bool]]
"""A field's name, and the check of its value."""


def check_storable(work: Change | Fact) -> None:
    """Raises unless each number has the type of its field, and fits into its column.

    Raises:
        Unstorable: an integer field has something else (also 10.0 or True) or needs more than 64 bits, or a
            time is not a finite float.
    """
    for part in _parts(work):
        values_of, checks = _CHECKS[type(part)]
        for value, (name, fits) in zip(values_of(part), checks, strict=False):
            if not fits(value):
                key = work.key if isinstance(work, Change) else type(work).__name__
                raise Unstorable(key, f"{value!r} is no value for {type(part).__name__}.{name}")


def is_whole(value: object) -> bool:
    """Whether SQLite stores and returns exactly this value as an integer."""
    return type(value) is int and -LARGEST - 1 <= value <= LARGEST


def _parts(work: Change | Fact) -> Iterator[object]:
    yield work
    if isinstance(work, Change):
        yield from work.events
        yield from work.words
        yield from work.erasures
        for move in work.moves:
            if not _is_storable(move):
                yield move
                yield move.source
                yield move.target
        if work.table is not None:
            yield work.table
        if work.house is not None:
            yield work.house


def _is_storable(move: Move) -> bool:
    """Whether a move passes; many moves per change make this worth a faster check than that by field."""
    source, target, chips = move.source, move.target, move.chips
    if type(chips) is not int or not 0 < chips <= LARGEST:
        return False
    for value in (source.party, source.table_id, target.party, target.table_id, move.round_number):
        if value is not None and (type(value) is not int or not -LARGEST <= value <= LARGEST):
            return False
    return True


def _is_time(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _is_whole_or_none(value: object) -> bool:
    return value is None or (type(value) is int and -LARGEST - 1 <= value <= LARGEST)


def _is_time_or_none(value: object) -> bool:
    return value is None or _is_time(value)


def _checks(kind: type) -> tuple[Callable[[object], tuple[object, ...]], list[_Check]]:
    """A getter of those fields of a dataclass that are numbers, and their checks."""
    checks: list[_Check] = []
    hints = get_type_hints(kind)
    for field in fields(kind):
        allowed = {hints[field.name], *get_args(hints[field.name])}
        if int in allowed:
            checks.append((field.name, _is_whole_or_none if type(None) in allowed else is_whole))
        elif float in allowed:
            checks.append((field.name, _is_time_or_none if type(None) in allowed else _is_time))
    if len(checks) == 1:
        only = attrgetter(checks[0][0])
        return lambda part: (only(part),), checks
    return attrgetter(*(name for name, _ in checks)), checks


_CHECKS: Final[dict[type, tuple[Callable[[object], tuple[object, ...]], list[_Check]]]] = {
    kind: _checks(kind)
    for kind in (
        Change,
        TableRow,
        EventRow,
        HouseRow,
        Move,
        Account,
        BoardPosted,
        DirectChannel,
        HouseDraft,
        Identity,
        LocaleChosen,
        ServerErasure,
        HeadPosted,
        ServerGreeted,
        OpeningsOutdated,
        OwnApplication,
        SeedWords,
        Erasure,
    )
}
