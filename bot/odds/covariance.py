"""How the bets of one round hang together: every player's hand is compared with the same banker's hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.combinatorics import Numbers, kinds, numbers_of, ways
from bot.odds.evaluator import evaluator_of
from bot.odds.odds import odds_of
from bot.odds.ranking import Ranking, faces_of, ranking_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Piece

Amounts = NDArray[np.float64]

_PRECISION: Final = 1_000_000_000
_AT_ONCE: Final = 64
"""Banker's hands that are looked at together, so that the arrays stay in the processor's cache."""


def covariance_of(rules: HouseRules, decks: int) -> Fraction | None:
    """The covariance of two players' gains for each chip staked; None if suits matter (G21).

    It counts for some seconds.
    """
    if ranking_of(rules).suits_matter:
        return None
    mean = -float(odds_of(rules, decks).bank_edge)
    found = covariance_among(faces_of(rules.game).pack * decks, rules, mean)
    # Rounded, so that every machine has the same.
    return Fraction(round(found * _PRECISION), _PRECISION)


def covariance_among(pieces: tuple[Piece, ...], rules: HouseRules, mean: float) -> float:
    """The covariance of two players' gains for each chip staked, in chips squared.

    For each kind of banker's hand, two players' hands come from the pieces left. As in `pairs`, the pairs of
    them that share no piece are counted by inclusion and exclusion. Floating point is exact enough here: the
    terms are all of one size, and the sum is right to ten digits.

    Args:
        mean: the average gain for each chip staked.

    Raises:
        ValueError: if hands may pay double for their suits (G21): the kinds of hands do not tell suits.
    """
    ranking = ranking_of(rules)
    if ranking.suits_matter:
        raise ValueError("suits are not in the kinds of hands, so their covariance cannot be counted")
    number = len(pieces)
    rounds = comb(number, HAND_SIZE) * comb(number - HAND_SIZE, HAND_SIZE)
    rounds *= comb(number - 2 * HAND_SIZE, HAND_SIZE)
    sets: dict[int, _Sets] = {}
    both = 0.0
    for copies, bankers, hands, gains in _bankers(pieces, ranking):
        if (faces := len(copies)) not in sets:
            sets[faces] = _Sets.of(faces)
        both += float(hands @ _of_both(sets[faces], copies, bankers, gains))
    return both / rounds - mean**2


def _bankers(
    pieces: tuple[Piece, ...], ranking: Ranking
) -> Iterator[tuple[Numbers, Numbers, Amounts, Amounts]]:
    """Kinds of banker's hands that a player's hand gains the same against.

    Yields:
        The copies of each face; the faces of each kind of banker's hand, in rows; how many hands are of each;
        and what each kind of player's hand gains.
    """
    evaluator, faces = evaluator_of(ranking.rules), ranking.faces
    of_piece = _alike(ranking)[faces.of_piece[np.array(pieces)]]
    if evaluator.tie_order is None:
        labels, tie_order = [np.zeros(len(pieces), dtype=np.int64)], None
    else:
        # Whether a piece is lower than the banker's highest, as high, or higher decides ties, so faces are
        # told apart by that too.
        tie_order = evaluator.tie_order[np.array(pieces)]
        labels = [np.sign(tie_order - highest) for highest in np.unique(tie_order)]
    for label in labels:
        sorts, sort_of_piece = np.unique(of_piece * 3 + label + 1, return_inverse=True)
        copies, face, compared = np.bincount(sort_of_piece), sorts // 3, sorts % 3 - 1
        rows = kinds(len(sorts), HAND_SIZE)
        places = ranking.places[numbers_of(face[rows], len(faces.faces))]
        hands = ways(copies.tolist(), HAND_SIZE)
        highest = compared[rows].max(axis=1)
        is_banker = (hands > 0) & (highest == 0)
        for place in np.unique(places[is_banker]).tolist():
            gains = evaluator.units[places, place].astype(np.float64)
            if tie_order is not None:
                for side, sign in enumerate((-1, 1)):
                    gains[(places == place) & (highest == sign)] = evaluator.units_of_higher[side, place]
            of_place = np.flatnonzero(is_banker & (places == place))
            for first in range(0, len(of_place), _AT_ONCE):
                some = of_place[first : first + _AT_ONCE]
                yield copies, rows[some], hands[some].astype(np.float64), gains


def _alike(ranking: Ranking) -> Numbers:
    """For each face, the first one that every hand is worth the same with."""
    number = len(ranking.faces.faces)
    four = kinds(number, HAND_SIZE - 1)
    with_face = [
        ranking.places[numbers_of(np.column_stack([four, np.full(len(four), face)]), number)]
        for face in range(number)
    ]
    _, first, sort = np.unique(with_face, axis=0, return_index=True, return_inverse=True)
    return first[sort]


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """The kinds of up to five pieces of a number of faces, each with the kinds that one piece more makes.

    Attributes:
        prefix: for each size from 1, the number of each kind without its last piece.
        last: for each size from 1, the last face of each kind, and how often it is there before.
        with_one: for each size up to 4, by face: the number of each kind with that face added, and how often
            the face is in it then.
    """

    prefix: list[Numbers]
    last: list[tuple[Numbers, Numbers]]
    with_one: list[list[tuple[Numbers, Amounts]]]

    @classmethod
    def of(cls, faces: int) -> "_Sets":
        """The kinds of this many faces."""
        prefix, last, with_one = [], [], []
        for size in range(HAND_SIZE):
            rows, more = kinds(faces, size), kinds(faces, size + 1)
            prefix.append(numbers_of(more[:, :-1], faces))
            last.append((more[:, -1], (more[:, :-1] == more[:, -1:]).sum(axis=1)))
            of_faces = []
            for face in range(faces):
                added = np.column_stack([rows, np.full(len(rows), face)])
                times = ((rows == face).sum(axis=1) + 1).astype(np.float64)
                of_faces.append((numbers_of(added, faces), times[:, np.newaxis]))
            with_one.append(of_faces)
        return cls(prefix, last, with_one)


def _of_both(sets: _Sets, copies: Numbers, bankers: Numbers, gains: Amounts) -> Amounts:
    """For each banker's hand, the sum of the product of two players' gains over all their hands."""
    left = np.repeat(copies[:, np.newaxis], len(bankers), axis=1)
    np.subtract.at(left, (bankers, np.arange(len(bankers))[:, np.newaxis]), 1)
    # For a face of which some pieces are taken: how many choices the next one has, over their number.
    choices = np.array([(left - taken) / (taken + 1) for taken in range(HAND_SIZE)]).clip(min=0)
    hands = [np.ones((1, len(bankers)))]
    for prefix, (face, taken) in zip(sets.prefix, sets.last, strict=True):
        hands.append(hands[-1][prefix] * choices[taken, face])
    gained = hands[HAND_SIZE] * gains[:, np.newaxis]
    # Hands that share all their pieces are the same hand.
    total: Amounts = (-1) ** HAND_SIZE * (gains @ gained)
    for size in reversed(range(HAND_SIZE)):
        # What the hands with a set gain, added up over the sets of each kind. A hand of five with such a set
        # has `HAND_SIZE - size` sets of one piece more with it.
        with_one = np.zeros((len(hands[size]), len(bankers)))
        for kind, times in sets.with_one[size]:
            with_one += gained[kind] * times
        gained = with_one / (HAND_SIZE - size)
        total += (-1) ** size * (gained**2 / np.maximum(hands[size], 1)).sum(axis=0)
    return total
