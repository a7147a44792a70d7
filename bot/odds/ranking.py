"""The faces of a game's pieces (what its rules see of them), and the rank of every kind of hand.

The game says which kinds of three pieces are an ox, and how the kinds of two power pieces rank. These are
few, and the ranks of all kinds of five pieces follow from them. Only hands that need no ox are asked for one
by one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from operator import attrgetter
from typing import Any, Final

from bot.games.contract import Game
from bot.games.register import GAMES
from bot.games.settle import multiples_of, worth_of
from bot.odds.pairs import Five, times_of, units
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, SuitedBonus
from bot.rules.pieces import HAND_SIZE, OX_SIZE, POWER_SIZE, Hand, HandRank, Piece

_RULES_KEPT: Final = 16
"""Rule sets in the cache: each takes up to two megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranks under one rule set, and the rank of every kind of hand. Ranks are numbered, weakest first.

    Attributes:
        ranks: a hand of each rank, without its pieces.
        doubled: the same hands if they pay double; as in `ranks` if they cannot (G21).
        faces: the unit of the face of each piece, by piece. Pieces that count the same have the same.
        places: the rank of each kind of hand; without those of the weakest, 0, which have no ox.
        oxen: the kinds of three pieces that are an ox.
        powers: for each kind of two pieces, the rank that they give a hand with an ox.
        order: the order of the pieces in which the higher highest piece wins between hands of one rank, by
            face first; None if such hands tie.
    """

    rules: HouseRules
    game: Game[Any, Any]
    ranks: tuple[Hand, ...]
    doubled: tuple[Hand, ...]
    faces: Mapping[Piece, int]
    places: Mapping[int, int]
    oxen: frozenset[int]
    powers: Mapping[int, int]
    order: Callable[[Piece], int] | None

    @property
    def suits_matter(self) -> bool:
        """Whether a hand may pay double for its suits (G21)."""
        return self.game.bonus(self.rules) is not SuitedBonus.OFF

    def copies(self, pieces: Iterable[Piece]) -> dict[int, int]:
        """How many of these pieces have each face, for all faces of the game."""
        copies = dict.fromkeys(self.faces.values(), 0)
        for piece in pieces:
            copies[self.faces[piece]] += 1
        return copies

    def by_rank(self, hands: Mapping[Five, int]) -> list[list[tuple[Five, int]]]:
        """The kinds of hands of each rank, and how many hands are of each."""
        found: list[list[tuple[Five, int]]] = [[] for _ in self.ranks]
        for five, number in hands.items():
            found[self.places.get(sum(five), 0)].append((five, number))
        return found


def ranking_of(rules: HouseRules) -> Ranking:
    """The ranking under these rules (G04 to G16, T05 to T08), cached."""
    return _remembered(worth_of(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Ranking:
    game = GAMES[rules.game]
    unit_of = dict(zip(game.faces, units(len(game.faces)), strict=True))

    def kinds(size: int) -> dict[int, tuple[Piece, ...]]:
        rows = combinations_with_replacement(game.faces, size)
        return {sum([unit_of[face] for face in row]): row for row in rows}

    oxen = {kind: 1 for kind, three in kinds(OX_SIZE).items() if game.is_ox(three, rules)}
    of_powers = {kind: game.power(low, high, rules) for kind, (low, high) in kinds(POWER_SIZE).items()}
    of_wholes = _whole_hands(game, rules, kinds)
    by_strength = {rank.strength: rank for rank in (game.no_ox, *of_powers.values(), *of_wholes.values())}
    place_of = {strength: place for place, strength in enumerate(sorted(by_strength))}
    powers = {kind: place_of[rank.strength] for kind, rank in of_powers.items()}
    wholes = {kind: place_of[rank.strength] for kind, rank in of_wholes.items()}
    order = game.order_in_ties(rules)

    # Faces are alike if all others make the same with both: one of them stands for them.
    alike: dict[object, int] = {}
    for face, unit in unit_of.items():
        made = [
            frozenset((kind - unit, place) for kind, place in ranked.items() if times_of(unit, kind))
            for ranked in (oxen, powers, wholes)
        ]
        unit_of[face] = alike.setdefault((*made, order and order(face)), unit)

    def of_alike(ranked: Mapping[int, int], size: int) -> dict[int, int]:
        rows = combinations_with_replacement(alike.values(), size)
        return {kind: ranked[kind] for kind in map(sum, rows) if kind in ranked}

    oxen, powers = of_alike(oxen, OX_SIZE), of_alike(powers, POWER_SIZE)
    places = of_alike(wholes, HAND_SIZE)
    for ox in oxen:
        for power, place in powers.items():
            if place > places.get(ox + power, 0):
                places[ox + power] = place
    ranks = tuple(_ranked_hand(by_strength[strength], rules) for strength in place_of)
    may_double = {*powers.values()}
    return Ranking(
        rules=rules,
        game=game,
        ranks=ranks,
        doubled=tuple(
            _paying_double(hand) if place in may_double else hand for place, hand in enumerate(ranks)
        ),
        faces={piece: unit_of[game.face(piece)] for piece in game.pieces.pieces},
        places=places,
        oxen=frozenset(oxen),
        powers=powers,
        order=order,
    )


def _whole_hands(
    game: Game[Any, Any], rules: HouseRules, kinds: Callable[[int], Mapping[int, tuple[Piece, ...]]]
) -> dict[int, HandRank]:
    """The best rank that each kind of hand reaches without an ox; without those that reach none."""
    found = {}
    if game.whole_hands is not None:
        in_force = multiples_of(rules)
        for kind, five in kinds(HAND_SIZE).items():
            ranks = [rank for rank in game.whole_hands(five, rules) if rank.strength in in_force]
            if ranks:
                found[kind] = max(ranks, key=attrgetter("strength"))
    return found


def _ranked_hand(rank: HandRank, rules: HouseRules) -> Hand:
    # The name does not matter to odds, and ranks of the same strength must be equal.
    return Hand(rules.game, (), replace(rank, alias=""), multiples_of(rules)[rank.strength])


def _paying_double(hand: Hand) -> Hand:
    return replace(hand, multiple=hand.multiple * SUITED_TIMES, suited=True)
