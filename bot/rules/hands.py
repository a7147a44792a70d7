"""What five pieces are worth, in every game: the strongest arrangement, all of them, or the one declared.

`evaluate` looks at all ten ways to take three pieces of five and keeps the strongest (G06). Hands that differ
in what the rules cannot see, or in their order, share one look.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from bot.rules.game import HAND_SIZE, OX_SIZE, Hand, Worth
from bot.rules.games import game_of
from bot.rules.knobs import SUITED_TIMES, HouseRules, SuitedBonus
from bot.rules.pieces import Piece
from bot.rules.totals import totals_of

_CALLS_KEPT: Final = 1 << 15
"""Hands remembered: one deck has some 8,000 kinds, so this is room for the rules of several houses."""
_PLACES: Final = tuple(range(HAND_SIZE))
_SPLITS: Final = tuple(
    (ox, tuple(place for place in _PLACES if place not in ox)) for ox in combinations(_PLACES, OX_SIZE)
)
"""The places of three pieces, and of the two that they leave over."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A hand whose pieces are still places among any five."""

    worth: Worth
    ox: tuple[int, ...] = ()
    power: tuple[int, ...] = ()


def evaluate(pieces: Sequence[Piece], rules: HouseRules) -> Hand:
    """The strongest hand that these five pieces can be called (G06, G16, T05).

    Where several arrangements are equally strong, one that pays double goes first (G21); else the order in
    which the pieces were dealt does not decide.

    Raises:
        ValueError: where they are not five.
    """
    dealt = _five(pieces, rules)
    game = game_of(rules)
    order = sorted(_PLACES, key=dealt.__getitem__)
    calls = _strongest(tuple([game.face(dealt[at]) for at in order]), rules)
    if rules.suited_bonus is SuitedBonus.OFF:
        return _hand(calls[0], dealt, order, rules)
    hands = [_hand(call, dealt, order, rules) for call in calls]
    return next((hand for hand in hands if hand.suited), hands[0])


def arrangements(pieces: Sequence[Piece], rules: HouseRules) -> Iterator[Hand]:
    """Every hand that these five pieces can be called, in no order; that of no ox where there is none.

    Raises:
        ValueError: where they are not five.
    """
    dealt = _five(pieces, rules)
    return (_hand(call, dealt, _PLACES, rules) for call in _calls(dealt, rules))


def declared(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that five pieces are where a player says which three are his ox (B04).

    What needs no ox counts whatever he says; three that make none leave him without one.

    Args:
        pieces: the five.
        three: the places of the three among them, from 0.
        rules: the rules.

    Raises:
        ValueError: where the pieces are not five, or the places not three of theirs.
    """
    dealt = _five(pieces, rules)
    ox = tuple(sorted(set(three)))
    split = next((split for split in _SPLITS if split[0] == ox), None)
    if split is None:
        raise ValueError(f"an ox is {OX_SIZE} different places from 0 to {HAND_SIZE - 1}, not {tuple(three)}")
    game = game_of(rules)
    calls = [_Call(worth) for worth in game.without_ox(dealt, rules)]
    if game.is_ox([dealt[place] for place in ox], rules):
        power = split[1]
        calls.append(_Call(game.power(dealt[power[0]], dealt[power[1]], rules), ox, power))
    best = max(calls, key=_strength, default=_Call(Worth(game.no_ox)))
    return _hand(best, dealt, _PLACES, rules)


def totals(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...]:
    """Everything that these pieces can total as an ox, ascending (G04, T05)."""
    points = game_of(rules).points
    return tuple(sorted(totals_of(points(piece, rules) for piece in pieces)))


def _five(pieces: Sequence[Piece], rules: HouseRules) -> tuple[Piece, ...]:
    if len(pieces) != HAND_SIZE:
        raise ValueError(f"a hand is {HAND_SIZE} {game_of(rules).piece_word}s, not {len(pieces)}")
    return tuple(pieces)


def _strength(call: _Call) -> int:
    return call.worth.strength


@lru_cache(maxsize=_CALLS_KEPT)
def _strongest(faces: tuple[Piece, ...], rules: HouseRules) -> tuple[_Call, ...]:
    """Every call that none is stronger than."""
    calls = tuple(_calls(faces, rules))
    most = max(map(_strength, calls))
    return tuple(call for call in calls if _strength(call) == most)


def _calls(five: tuple[Piece, ...], rules: HouseRules) -> Iterator[_Call]:
    game = game_of(rules)
    for worth in game.without_ox(five, rules):
        yield _Call(worth)
    found = False
    for ox, power in _SPLITS:
        if game.is_ox([five[place] for place in ox], rules):
            found = True
            yield _Call(game.power(five[power[0]], five[power[1]], rules), ox, power)
    if not found:
        yield _Call(Worth(game.no_ox))


def _hand(call: _Call, dealt: tuple[Piece, ...], order: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that five pieces are when they are called so, its ox and its power in the order dealt.

    Args:
        call: what they are called.
        dealt: the five pieces.
        order: where in `dealt` each of the places is.
        rules: the rules.
    """
    worth = call.worth
    ox = tuple([dealt[at] for at in sorted([order[place] for place in call.ox])])
    power = tuple([dealt[at] for at in sorted([order[place] for place in call.power])])
    suited = rules.suited_bonus is not SuitedBonus.OFF and is_suited(ox, power, rules)
    multiple = worth.multiple * SUITED_TIMES if suited else worth.multiple
    return Hand(dealt, worth.hand_class, worth.value, ox, power, multiple, worth.nenku, suited, rules.game)


def is_suited(ox: tuple[Piece, ...], power: tuple[Piece, ...], rules: HouseRules) -> bool:
    """Whether a hand pays double: it has an ox, and the pieces that the house names are of one suit (G21).

    Five Dukes and Five Small, which need no ox, pay the same in any suits: the bonus is for a suited ox.
    """
    suit = game_of(rules).suit
    if suit is None or not ox:
        return False
    match rules.suited_bonus:
        case SuitedBonus.OX:
            named = ox
        case SuitedBonus.POWER:
            named = power
        case SuitedBonus.FIVE:
            named = ox + power
        case SuitedBonus.OFF:
            return False
    return len({suit(piece) for piece in named}) == 1
