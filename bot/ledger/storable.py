"""Checks the numbers of everything that is to be written: SQLite itself would store a fraction of a chip."""

import math
from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Final, get_args, get_type_hints

from bot.ledger.changes import (
    BoardPosted,
    Change,
    DirectChannel,
    EventRow,
    Fact,
    HouseDraft,
    HouseRow,
    TableRow,
)
from bot.ledger.errors import Unstorable
from bot.table.money import Account, Move

LARGEST: Final = (1 << 63) - 1
"""The largest number that SQLite stores as an integer."""

_Check = tuple[str, Callable[[object], object], Callable[[object], bool]]
"""A field's name, its getter, and the check of its value."""


def check_storable(work: Change | Fact) -> None:
    """Raises unless each number has the type of its field, and fits into its column.

    Raises:
        Unstorable: an integer field has something else (also 10.0 or True) or needs more than 64 bits, or a
            time is not a finite float.
    """
    for part in _parts(work):
        for name, get, fits in _CHECKS[type(part)]:
            if not fits(value := get(part)):
                key = work.key if isinstance(work, Change) else type(work).__name__
                raise Unstorable(key, f"{value!r} is no value for {type(part).__name__}.{name}")


def is_whole(value: object) -> bool:
    """Whether SQLite stores and returns exactly this value as an integer."""
    return type(value) is int and -LARGEST - 1 <= value <= LARGEST


def _parts(work: Change | Fact) -> Iterator[object]:
    yield work
    if isinstance(work, Change):
        yield from work.events
        for move in work.moves:
            yield move
            yield move.source
            yield move.target
        if work.table is not None:
            yield work.table
        if work.house is not None:
            yield work.house


def _is_time(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _checks(kind: type) -> list[_Check]:
    """The checks of those fields of a dataclass that are numbers."""
    checks: list[_Check] = []
    hints = get_type_hints(kind)
    for field in fields(kind):
        allowed = {hints[field.name], *get_args(hints[field.name])}
        fits = is_whole if int in allowed else _is_time if float in allowed else None
        if fits is not None:
            checks.append(
                (field.name, attrgetter(field.name), _or_none(fits) if type(None) in allowed else fits)
            )
    return checks


def _or_none(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value)


_CHECKS: Final[dict[type, list[_Check]]] = {
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
    )
}
