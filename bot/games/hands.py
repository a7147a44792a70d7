"""Evaluating a hand in any game: the strongest arrangement of five pieces, all of them, or a declared one.

`evaluate` tries all ten ways to take three pieces of five, and keeps the strongest (G06). Its cache serves
all hands that differ only in their order or in what the rules ignore.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from bot.games.register import game_of
from bot.rules.hand import HAND_SIZE, OX_SIZE, Hand, HandRank
from bot.rules.knobs import SUITED_TIMES, HouseRules, SuitedBonus
from bot.rules.pieces import Piece, possible_totals

_HANDS_KEPT: Final = 1 << 15
"""Hands in the cache. One deck has about 8,000 different ones, so several houses fit."""
_PLACES: Final = tuple(range(HAND_SIZE))
_SPLITS: Final = tuple(
    (ox, tuple(place for place in _PLACES if place not in ox)) for ox in combinations(_PLACES, OX_SIZE)
)
"""Every choice of three places, and the two places that it leaves over."""


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """A rank, and the places of the ox and the power pieces that give it."""

    rank: HandRank
    ox: tuple[int, ...] = ()
    power: tuple[int, ...] = ()


def evaluate(pieces: Sequence[Piece], rules: HouseRules) -> Hand:
    """The strongest hand that five pieces make (G06, G16, T05).

    If several arrangements are equally strong, one that pays double comes first (G21). Otherwise the order in
    which the pieces were dealt does not matter.

    Raises:
        ValueError: if there are not five pieces.
    """
    dealt = _five(pieces, rules)
    game = game_of(rules)
    order = sorted(_PLACES, key=dealt.__getitem__)
    strongest = _strongest(tuple([game.face(dealt[at]) for at in order]), rules)
    if rules.suited_bonus is SuitedBonus.OFF:
        return _hand(strongest[0], dealt, order, rules)
    hands = [_hand(one, dealt, order, rules) for one in strongest]
    return next((hand for hand in hands if hand.suited), hands[0])


def arrangements(pieces: Sequence[Piece], rules: HouseRules) -> Iterator[Hand]:
    """Every hand that five pieces make, in no particular order; the hand without an ox if there is no ox.

    Raises:
        ValueError: if there are not five pieces.
    """
    dealt = _five(pieces, rules)
    return (_hand(one, dealt, _PLACES, rules) for one in _arrangements(dealt, rules))


def declared(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that five pieces make if the player says which three are the ox (B04).

    A hand that needs no ox counts whatever they say. Three pieces that are not an ox leave them without one.

    Args:
        pieces: the five pieces.
        three: the places of the three among them, from 0.
        rules: the rules in force.

    Raises:
        ValueError: if there are not five pieces, or `three` is not three of their places.
    """
    dealt = _five(pieces, rules)
    ox = tuple(sorted(set(three)))
    split = next((split for split in _SPLITS if split[0] == ox), None)
    if split is None:
        raise ValueError(f"an ox is {OX_SIZE} different places from 0 to {HAND_SIZE - 1}, not {tuple(three)}")
    game = game_of(rules)
    found = [_Arrangement(rank) for rank in game.without_ox(dealt, rules)]
    if game.is_ox([dealt[place] for place in ox], rules):
        power = split[1]
        found.append(_Arrangement(game.power(dealt[power[0]], dealt[power[1]], rules), ox, power))
    best = max(found, key=_strength, default=_Arrangement(HandRank(game.no_ox)))
    return _hand(best, dealt, _PLACES, rules)


def totals(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...]:
    """Every total that some pieces can have as an ox, ascending (G04, T05)."""
    points = game_of(rules).points
    return tuple(sorted(possible_totals(points(piece, rules) for piece in pieces)))


def is_suited(ox: tuple[Piece, ...], power: tuple[Piece, ...], rules: HouseRules) -> bool:
    """Whether a hand pays double: it has an ox, and the pieces that the house chose are of one suit (G21).

    Five Dukes and Five Small need no ox, so they never pay double.
    """
    suit = game_of(rules).suit
    if suit is None or not ox:
        return False
    match rules.suited_bonus:
        case SuitedBonus.OX:
            chosen = ox
        case SuitedBonus.POWER:
            chosen = power
        case SuitedBonus.FIVE:
            chosen = ox + power
        case SuitedBonus.OFF:
            return False
    return len({suit(piece) for piece in chosen}) == 1


def _five(pieces: Sequence[Piece], rules: HouseRules) -> tuple[Piece, ...]:
    if len(pieces) != HAND_SIZE:
        raise ValueError(f"a hand is {HAND_SIZE} {game_of(rules).piece_word}s, not {len(pieces)}")
    return tuple(pieces)


def _strength(one: _Arrangement) -> int:
    return one.rank.strength


@lru_cache(maxsize=_HANDS_KEPT)
def _strongest(faces: tuple[Piece, ...], rules: HouseRules) -> tuple[_Arrangement, ...]:
    """The strongest arrangements, all equally strong."""
    every = tuple(_arrangements(faces, rules))
    most = max(map(_strength, every))
    return tuple(one for one in every if _strength(one) == most)


def _arrangements(five: tuple[Piece, ...], rules: HouseRules) -> Iterator[_Arrangement]:
    game = game_of(rules)
    for rank in game.without_ox(five, rules):
        yield _Arrangement(rank)
    has_ox = False
    for ox, power in _SPLITS:
        if game.is_ox([five[place] for place in ox], rules):
            has_ox = True
            yield _Arrangement(game.power(five[power[0]], five[power[1]], rules), ox, power)
    if not has_ox:
        yield _Arrangement(HandRank(game.no_ox))


def _hand(one: _Arrangement, dealt: tuple[Piece, ...], order: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that an arrangement gives, its ox and its power pieces in the order dealt.

    Args:
        one: the arrangement.
        dealt: the five pieces.
        order: for each place of the arrangement, the index in `dealt`.
        rules: the rules in force.
    """
    rank = one.rank
    ox = tuple([dealt[at] for at in sorted([order[place] for place in one.ox])])
    power = tuple([dealt[at] for at in sorted([order[place] for place in one.power])])
    suited = rules.suited_bonus is not SuitedBonus.OFF and is_suited(ox, power, rules)
    multiple = rank.multiple * SUITED_TIMES if suited else rank.multiple
    return Hand(dealt, rank.hand_class, rank.value, ox, power, multiple, rank.nenku, suited, rules.game)
