"""Hands in any game: the pack they are dealt from, and how five pieces are arranged and ranked.

`evaluate` tries all ten ways to take three pieces of five, and keeps the strongest (G06). Its cache serves
all hands that differ only in their order or in what the rules ignore.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Final

from bot.games.contract import Game
from bot.games.register import game_of
from bot.games.settle import multiples_of, worth_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, SuitedBonus
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Hand, HandRank, Piece, possible_totals
from bot.rules.shuffle import RandomBelow, shuffled, system_random

_FEWEST_HANDS: Final = 2
"""A player's and the banker's."""


def decks_in_play(rules: HouseRules, hands: int = _FEWEST_HANDS) -> int:
    """How many whole decks, or woodpiles, this many hands are dealt from."""
    sets: int = game_of(rules).sets(hands, rules)
    return sets


def shuffled_pack(hands: int, rules: HouseRules, below: RandomBelow = system_random) -> tuple[Piece, ...]:
    """The shuffled pack for a round (G02, T03)."""
    pack: tuple[Piece, ...] = game_of(rules).pack(hands, rules)
    return shuffled(pack, below)


_HANDS_KEPT: Final = 1 << 13
"""Hands in the cache, about 4 MB: one deck has about 8,000 different ones. A miss takes 50 µs."""
_PLACES: Final = tuple(range(HAND_SIZE))
_SPLITS: Final = tuple(
    (ox, tuple(place for place in _PLACES if place not in ox)) for ox in combinations(_PLACES, OX_SIZE)
)
"""Every choice of three places, and the two places that it leaves over."""


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """A rank, what it wins, and the places of the ox and the power pieces that give it."""

    rank: HandRank
    multiple: int
    ox: tuple[int, ...] = ()
    power: tuple[int, ...] = ()


def evaluate(pieces: Sequence[Piece], rules: HouseRules) -> Hand:
    """The strongest hand that five pieces make (G06, G16, N03, T05).

    If several arrangements are equally strong, one that pays double comes first (G21), then one in which the
    fewest pieces count otherwise than they look. The order in which the pieces were dealt does not matter.
    """
    game, rules = game_of(rules), worth_of(rules)
    dealt = _five(pieces, game)
    order = sorted(_PLACES, key=dealt.__getitem__)
    strongest = _strongest(tuple([game.face(dealt[at]) for at in order]), rules)
    if game.bonus(rules) is SuitedBonus.OFF:
        return _hand(strongest[0], dealt, order, rules)
    hands = [_hand(one, dealt, order, rules) for one in strongest]
    return next((hand for hand in hands if hand.suited), hands[0])


def arrangements(pieces: Sequence[Piece], rules: HouseRules) -> Iterator[Hand]:
    """Every hand that five pieces make, in any order; one without an ox only if they make no other."""
    game, rules = game_of(rules), worth_of(rules)
    dealt = _five(pieces, game)
    return (_hand(one, dealt, _PLACES, rules) for one in _arrangements(_faces(dealt, game), rules))


def declared(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that five pieces make if the player says which three are the ox (B04).

    A hand that needs no ox counts whatever they say. Three pieces that are not an ox leave them without one.

    Args:
        three: the places of the declared ox in `pieces`, from 0.
    """
    game, rules = game_of(rules), worth_of(rules)
    dealt = _five(pieces, game)
    ox = tuple(sorted(three))
    split = next((split for split in _SPLITS if split[0] == ox), None)
    if split is None:
        raise ValueError(f"an ox is {OX_SIZE} different places from 0 to {HAND_SIZE - 1}, not {tuple(three)}")
    found = _arrangements(_faces(dealt, game), rules, (split,))
    return _hand(max(found, key=_strength), dealt, _PLACES, rules)


def is_ox(three: Sequence[Piece], rules: HouseRules) -> bool:
    """Whether three pieces are an ox, or what the game calls one (G05, G07, N02, T05)."""
    game = game_of(rules)
    return game.is_ox(sorted(_faces(three, game)), worth_of(rules))


def totals(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...]:
    """Every total that some pieces can have as an ox, ascending (G04, N01, T05)."""
    game = game_of(rules)
    worth = worth_of(rules)
    return tuple(sorted(possible_totals(game.points(face, worth) for face in _faces(pieces, game))))


def counts(hand: Hand, rules: HouseRules) -> tuple[int | None, ...]:
    """What each piece of an ox, and then of the two left over, counts in a hand; its own points if possible.

    None stands for a piece that counts nothing there: of three of a rank (G07), of a double (G11). A hand
    without an ox has no counts at all.
    """
    if not hand.ox:
        return ()
    game, worth = game_of(rules), worth_of(rules)
    return _counts(_faces(hand.ox, game), _faces(hand.power, game), hand.rank, worth)


def _counts(
    ox: Sequence[Piece], power: Sequence[Piece], rank: HandRank, rules: HouseRules
) -> tuple[int | None, ...]:
    """As `counts`, of the faces of an ox and of the two left over, in a hand of this rank."""
    game = game_of(rules)

    def digits(faces: Sequence[Piece], digit: int | None) -> tuple[int | None, ...]:
        options = [game.points(face, rules) for face in faces]
        found = (values for values in product(*options) if sum(values) % 10 == digit)
        return next(found, (None,) * len(faces))

    return digits(ox, 0) + digits(power, game.digit(rank))


def own_points(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...]:
    """The points of each piece alone."""
    game, worth = game_of(rules), worth_of(rules)
    return tuple(game.points(game.face(piece), worth)[0] for piece in pieces)


def odd_counts(hand: Hand, rules: HouseRules) -> tuple[int | None, ...]:
    """As `counts`, with None for every piece that counts its own points too."""
    own = own_points(hand.ox + hand.power, rules)
    return tuple(
        None if count == points else count for count, points in zip(counts(hand, rules), own, strict=False)
    )


def is_worse(hand: Hand, strongest: Hand) -> bool:
    """Whether a hand ranks lower or wins less than its strongest arrangement (B08)."""
    return (hand.strength, hand.multiple) < (strongest.strength, strongest.multiple)


def is_suited(ox: tuple[Piece, ...], power: tuple[Piece, ...], rules: HouseRules) -> bool:
    """Whether a hand pays double: it has an ox, and the pieces that the house chose are of one suit (G21).

    A hand that needs no ox never pays double.
    """
    game = game_of(rules)
    suit = game.pieces.suit
    if suit is None or not ox:
        return False
    match game.bonus(worth_of(rules)):
        case SuitedBonus.OX:
            chosen = ox
        case SuitedBonus.POWER:
            chosen = power
        case SuitedBonus.FIVE:
            chosen = ox + power
        case SuitedBonus.OFF:
            return False
    return len({suit(piece) for piece in chosen}) == 1


def _five(pieces: Sequence[Piece], game: Game[Any, Any]) -> tuple[Piece, ...]:
    if len(pieces) != HAND_SIZE:
        raise ValueError(f"a hand is {HAND_SIZE} {game.pieces.name}s, not {len(pieces)}")
    return tuple(pieces)


def _faces(pieces: Sequence[Piece], game: Game[Any, Any]) -> tuple[Piece, ...]:
    return tuple([game.face(piece) for piece in pieces])


def _strength(one: _Arrangement) -> int:
    return one.rank.strength


@lru_cache(maxsize=_HANDS_KEPT)
def _strongest(faces: tuple[Piece, ...], rules: HouseRules) -> tuple[_Arrangement, ...]:
    """The strongest arrangements, all equally strong; of one rank, those with the fewest swaps first."""
    every = _arrangements(faces, rules)
    most = max(map(_strength, every))
    strongest = [one for one in every if _strength(one) == most]
    if len(strongest) > 1:
        rank = strongest[0].rank
        strongest.sort(key=lambda one: (one.rank != rank, _swaps(one, faces, rules)))
    return tuple(strongest)


def _swaps(one: _Arrangement, faces: tuple[Piece, ...], rules: HouseRules) -> int:
    """How many pieces count otherwise than they look (G04, T05)."""
    if not one.ox:
        return 0
    ox, power = [faces[place] for place in one.ox], [faces[place] for place in one.power]
    own = [game_of(rules).points(face, rules)[0] for face in (*ox, *power)]
    counted = _counts(ox, power, one.rank, rules)
    return sum(count not in (None, points) for count, points in zip(counted, own, strict=True))


def _arrangements(
    faces: tuple[Piece, ...],
    rules: HouseRules,
    splits: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = _SPLITS,
) -> list[_Arrangement]:
    """Every arrangement with one of these splits or without an ox; at least one."""
    game, multiples = game_of(rules), multiples_of(rules)
    found = []
    if game.whole_hands is not None:
        ranks = game.whole_hands(sorted(faces), rules)
        in_force = (rank for rank in ranks if rank.strength in multiples)
        found += [_Arrangement(rank, multiples[rank.strength]) for rank in in_force]
    for ox, power in splits:
        if game.is_ox(sorted([faces[place] for place in ox]), rules):
            low, high = sorted([faces[place] for place in power])
            rank = game.power(low, high, rules)
            found.append(_Arrangement(rank, multiples[rank.strength], ox, power))
    return found or [_Arrangement(game.no_ox, multiples[game.no_ox.strength])]


def _hand(one: _Arrangement, dealt: tuple[Piece, ...], order: Sequence[int], rules: HouseRules) -> Hand:
    """The hand that an arrangement gives, its ox and its power pieces in the order dealt.

    Args:
        order: for each place of the arrangement, the index in `dealt`.
    """
    game = game_of(rules)
    ox = tuple([dealt[at] for at in sorted([order[place] for place in one.ox])])
    power = tuple([dealt[at] for at in sorted([order[place] for place in one.power])])
    suited = game.bonus(rules) is not SuitedBonus.OFF and is_suited(ox, power, rules)
    multiple = one.multiple * SUITED_TIMES if suited else one.multiple
    hand = Hand(rules.game, dealt, one.rank, multiple, ox, power, suited)
    order_in_ties = game.order_in_ties(rules)
    if order_in_ties is None:
        return hand
    high = max(dealt, key=order_in_ties)
    return replace(hand, high=high, tie_break=order_in_ties(high))


HANDS_KEPT: Final = 1 << 12


def hand_of(pieces: Sequence[Piece], declared_ox: tuple[int, ...] | None, rules: HouseRules) -> Hand:
    """The hand that five pieces make, as it is settled.

    Args:
        declared_ox: the places of the ox that the player declared; None for the strongest hand.
    """
    return _hand_of(tuple(pieces), declared_ox, worth_of(rules))


@lru_cache(maxsize=HANDS_KEPT)
def _hand_of(pieces: tuple[Piece, ...], declared_ox: tuple[int, ...] | None, worth: HouseRules) -> Hand:
    """Kept for a while: a hand is shown many times between its deal and the end of the next round."""
    return evaluate(pieces, worth) if declared_ox is None else declared(pieces, declared_ox, worth)
