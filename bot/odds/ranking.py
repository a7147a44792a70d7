"""The faces of a game's pieces (what its rules see of them), and the rank of every kind of hand.

The game says which kinds of three pieces are an ox, and how the kinds of two power pieces rank. These are
few, and the ranks of all kinds of five pieces follow from them at once. Only hands that need no ox are asked
for one by one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.games.contract import Game
from bot.games.register import GAMES
from bot.games.settle import multiples_of, worth_of
from bot.odds.combinatorics import Numbers, kinds, parts
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, GameName, SuitedBonus
from bot.rules.pieces import HAND_SIZE, OX_SIZE, POWER_SIZE, Hand, HandRank, Piece


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The pieces of a game, grouped by face. Pieces with the same face count the same.

    Attributes:
        faces: one piece of each face, ascending. A face's number is its index here.
        of_piece: the number of the face of each piece, by piece.
        suit_of_piece: the suit of each piece, from 0, by piece; all 0 if the game has no suits.
    """

    game: Game[Any, Any]
    pack: tuple[Piece, ...]
    faces: tuple[Piece, ...]
    of_piece: Numbers
    suit_of_piece: Numbers
    suits: int

    def copies_by_suit(self, pieces: Iterable[Piece]) -> Numbers:
        """How many of these pieces have each face (rows) in each suit (columns)."""
        counts = np.zeros((len(self.faces), self.suits), dtype=np.int64)
        held = np.fromiter(pieces, dtype=np.int64)
        np.add.at(counts, (self.of_piece[held], self.suit_of_piece[held]), 1)
        return counts

    def copies(self, pieces: Iterable[Piece]) -> tuple[int, ...]:
        """How many of these pieces have each face, in the order of `faces`."""
        return tuple(self.copies_by_suit(pieces).sum(axis=1).tolist())


@cache
def faces_of(name: GameName) -> Faces:
    """The faces of a game's pieces."""
    game = GAMES[name]
    pack, faces = game.pieces.pieces, game.faces
    pieces, suit = sorted(set(pack)), game.pieces.suit
    suits = [0 if suit is None else suit(piece) for piece in pieces]
    return Faces(
        game=game,
        pack=pack,
        faces=faces,
        of_piece=np.array([faces.index(game.face(piece)) for piece in pieces]),
        suit_of_piece=np.array(suits),
        suits=max(suits) + 1,
    )


_RULES_KEPT: Final = 16
"""Rule sets in the cache: each takes up to a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranks under one rule set, and the rank of every kind of hand.

    Attributes:
        ranks: a hand of each rank, weakest first, without its pieces.
        doubled: the same hands if they pay double; as in `ranks` if they cannot (G21).
        places: for each kind of hand, the index of its rank in `ranks`.
        oxen: for each kind of three pieces, whether they are an ox.
        powers: for each kind of two pieces, the strength that they give a hand with an ox.
        splits: whether three pieces are the ox of a strongest arrangement: a row for each choice of three
            places among five, in the order of `itertools.combinations`, a column for each kind of hand.
    """

    rules: HouseRules
    ranks: tuple[Hand, ...]
    doubled: tuple[Hand, ...]
    strengths: Numbers
    places: Numbers
    oxen: NDArray[np.bool_]
    powers: Numbers
    splits: NDArray[np.bool_]

    @property
    def faces(self) -> Faces:
        """The faces that the kinds consist of."""
        return faces_of(self.rules.game)

    @property
    def suits_matter(self) -> bool:
        """Whether a hand may pay double for its suits (G21)."""
        return self.faces.game.bonus(self.rules) is not SuitedBonus.OFF


def ranking_of(rules: HouseRules) -> Ranking:
    """The ranking under these rules (G04 to G16, T05 to T08), cached."""
    return _remembered(worth_of(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Ranking:
    faces = faces_of(rules.game)
    game, number = faces.game, len(faces.faces)
    of_powers = [game.power(one, other, rules) for one, other in _pieces_of_kinds(faces, POWER_SIZE)]
    powers = np.array([rank.strength for rank in of_powers])
    oxen = np.array([game.is_ox(three, rules) for three in _pieces_of_kinds(faces, OX_SIZE)])

    # The first choice of three places leaves over the last choice of two, and so on.
    left_over = parts(number, HAND_SIZE, POWER_SIZE)[::-1]
    no_ox = game.no_ox.strength
    with_ox = np.where(oxen[parts(number, HAND_SIZE, OX_SIZE)], powers[left_over], no_ox)
    of_wholes, wholes = _whole_hands(faces, rules)
    best = np.maximum(with_ox.max(axis=0), wholes)

    by_strength = {rank.strength: rank for rank in (game.no_ox, *of_powers, *of_wholes)}
    strengths = np.array(sorted(by_strength))
    ranks = tuple(_ranked_hand(by_strength[strength], rules) for strength in strengths.tolist())
    may_double = set(powers.tolist())
    return Ranking(
        rules=rules,
        ranks=ranks,
        doubled=tuple(_paying_double(rank) if rank.strength in may_double else rank for rank in ranks),
        strengths=strengths,
        places=np.searchsorted(strengths, best),
        oxen=oxen,
        powers=powers,
        splits=(with_ox == best) & (with_ox != no_ox),
    )


def _whole_hands(faces: Faces, rules: HouseRules) -> tuple[set[HandRank], Numbers]:
    """The ranks that hands reach without an ox, and for each kind of hand the strength of the best one."""
    game = faces.game
    if game.whole_hands is None:
        return set(), np.array(game.no_ox.strength)
    found, strengths, in_force = set[HandRank](), [], multiples_of(rules)
    for five in _pieces_of_kinds(faces, HAND_SIZE):
        best = game.no_ox
        for rank in game.whole_hands(five, rules):
            if rank.strength in in_force:
                found.add(rank)
                best = max(best, rank, key=attrgetter("strength"))
        strengths.append(best.strength)
    return found, np.array(strengths)


def _pieces_of_kinds(faces: Faces, size: int) -> Iterator[tuple[Piece, ...]]:
    for row in kinds(len(faces.faces), size).tolist():
        yield tuple([faces.faces[face] for face in row])


def _ranked_hand(rank: HandRank, rules: HouseRules) -> Hand:
    # The name does not matter to odds, and ranks of the same strength must be equal.
    return Hand(rules.game, (), replace(rank, alias=""), multiples_of(rules)[rank.strength])


def _paying_double(hand: Hand) -> Hand:
    return replace(hand, multiple=hand.multiple * SUITED_TIMES, suited=True)
