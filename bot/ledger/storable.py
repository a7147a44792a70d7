"""What can be stored: what every engine keeps and reads back unchanged."""

from collections.abc import Callable
from functools import cache
from itertools import chain
from math import inf
from operator import attrgetter
from types import UnionType
from typing import Any, Final, get_args, get_type_hints

from bot.ledger.changes import Change, Fact, PlanChanged, RoundsCounted, SeasonChanged, TournamentChanged
from bot.ledger.errors import Unstorable
from bot.ledger.schema import LARGEST, commands, events, seed_words

_Values = list[Any]
_Read = Callable[[Any], Any]


def _are_integers(values: _Values) -> bool:
    return set(map(type, values)) <= {int} and min(values) >= -LARGEST - 1 and max(values) <= LARGEST


def _are_times(values: _Values) -> bool:
    """Whether none is infinite, or no number: that one is not smaller than anything."""
    return set(map(type, values)) <= {float, int} and all(-inf < value < inf for value in values)


def _are_texts(values: _Values) -> bool:
    return all(isinstance(value, str) and "\0" not in value and _is_unicode(value) for value in values)


def _is_unicode(text: str) -> bool:
    """Whether it has no half of a character."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


_KINDS: Final[dict[object, tuple[Callable[[_Values], bool], str]]] = {
    bool: (lambda values: set(map(type, values)) <= {bool}, "something is neither true nor false"),
    float: (_are_times, "a time is no number"),
    int: (_are_integers, "a number is no integer of 64 bits"),
    str: (_are_texts, "a text has a character that no database stores"),
}
_BOUNDED: Final[dict[str, int]] = {
    column.name: getattr(column.type, "length", 0)
    for column in (commands.c.key, events.c.kind, seed_words.c.client_seed, seed_words.c.salt)
}
"""The most characters of fields with these names; other text may be of any length."""


def refuse_unstorable(work: Change | Fact) -> None:
    """Raises Unstorable for what not every engine would store and read back unchanged.

    They differ: one rounds a fraction or keeps a time that is no number, where another refuses it.
    """
    key = work.key if isinstance(work, Change) else type(work).__name__
    found: dict[object, _Values] = {kind: [] for kind in _KINDS}
    for parts in filter(None, _parts(work)):
        readers, bounded = _fields(parts[0].__class__)
        for kind, read in readers:
            found[kind] += chain.from_iterable(map(read, parts))
        for name, read_text, most in bounded:
            if any(len(text) > most for text in map(read_text, parts)):
                raise Unstorable(key, f"the {name} has more than {most} characters")
    for kind, (are_storable, otherwise) in _KINDS.items():
        if (values := [value for value in found[kind] if value is not None]) and not are_storable(values):
            raise Unstorable(key, otherwise)


def _parts(work: Change | Fact) -> list[tuple[Any, ...]]:
    """What it is made of: each time parts of one type."""
    if isinstance(work, PlanChanged | TournamentChanged):
        return [tuple(filter(None, (work.before, work.after)))]
    if isinstance(work, SeasonChanged):
        return [tuple(filter(None, (work.before, work.after, work.following)))]
    if not isinstance(work, Change):
        return [work.standings, work.tallies, work.flows] if isinstance(work, RoundsCounted) else [(work,)]
    alone = [(part,) for part in (work, work.table, work.house, work.note, work.plan) if part is not None]
    season = [] if work.season is None else _parts(work.season)
    tournament = [] if work.tournament is None else _parts(work.tournament)
    return [*alone, *season, *tournament, work.moves, work.events, work.words, work.erasures]


@cache
def _fields(kind: Any) -> tuple[list[tuple[object, _Read]], list[tuple[str, _Read, int]]]:
    """What reads a dataclass's values of each kind, and each of its texts of bounded length."""
    names: dict[object, list[str]] = {one: [] for one in _KINDS}
    for name, hint in get_type_hints(kind).items():
        # Of what may be None, the other type comes first.
        of = get_args(hint)[0] if isinstance(hint, UnionType) else hint
        if of in names:
            names[of].append(name)
    # With one name alone, it would read a value instead of several.
    readers: list[tuple[object, _Read]] = [(one, attrgetter(*of, of[0])) for one, of in names.items() if of]
    return readers, [(name, attrgetter(name), _BOUNDED[name]) for name in names[str] if name in _BOUNDED]
