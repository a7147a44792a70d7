"""The rank of every kind of hand under a rule set.

`bot.rules` says which kinds of three pieces are an ox, and how the kinds of two power pieces rank. These are
few, and the ranks of all kinds of five pieces follow from them at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.games.knob_list import KNOBS, knobs_of
from bot.odds.combinatorics import Numbers, kinds, parts
from bot.odds.faces import Faces, faces_of
from bot.rules.hand import HAND_SIZE, OX_SIZE, POWER_SIZE, Hand, HandRank
from bot.rules.knobs import SUITED_TIMES, About, HouseRules, SuitedBonus
from bot.rules.pieces import Piece

_RULES_KEPT: Final = 16
"""Rule sets in the cache: each takes up to a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranks under one rule set, and the rank of every kind of hand.

    Attributes:
        rules: the rule set, as `odds_rules` returns it.
        ranks: a hand of each rank, weakest first, without its pieces.
        doubled: the same hands if they pay double; as in `ranks` if they cannot (G21).
        strengths: the strength of each rank.
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
        return self.rules.suited_bonus is not SuitedBonus.OFF


def odds_rules(rules: HouseRules) -> HouseRules:
    """These rules, with every knob that odds do not depend on at its default, so that houses share counts."""
    kept = {"game", *(knob.name for knob in knobs_of(rules.game, About.WORTH))}
    fields = HouseRules.model_fields
    return rules.model_copy(update={name: fields[name].default for name in KNOBS if name not in kept})


def ranking_of(rules: HouseRules) -> Ranking:
    """The ranking under these rules (G04 to G16, T05 to T08), cached."""
    return _remembered(odds_rules(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Ranking:
    faces = faces_of(rules.game)
    game, number = faces.game, len(faces.faces)
    no_ox = HandRank(game.no_ox)
    of_powers = [game.power(one, other, rules) for one, other in _pieces_of_kinds(faces, POWER_SIZE)]
    powers = np.array([rank.strength for rank in of_powers])
    oxen = np.array([game.is_ox(three, rules) for three in _pieces_of_kinds(faces, OX_SIZE)])

    # The first choice of three places leaves over the last choice of two, and so on.
    left_over = parts(number, HAND_SIZE, POWER_SIZE)[::-1]
    with_ox = np.where(oxen[parts(number, HAND_SIZE, OX_SIZE)], powers[left_over], no_ox.strength)
    best = with_ox.max(axis=0)

    # These classes ask one thing of every single piece (G08, G09). So five pieces are in such a class if five
    # copies of each of their faces are.
    wholes = [
        {rank.strength: rank for rank in game.without_ox((face,) * HAND_SIZE, rules)} for face in faces.faces
    ]
    for strength in set().union(*wholes):
        serves = np.array([strength in of_face for of_face in wholes])
        whole_hands = serves[kinds(number, HAND_SIZE)].all(axis=1)
        best = np.where(whole_hands, np.maximum(best, strength), best)

    without_ox = [rank for of_face in wholes for rank in of_face.values()]
    by_strength = {rank.strength: rank for rank in (no_ox, *of_powers, *without_ox)}
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
        splits=(with_ox == best) & (with_ox != no_ox.strength),
    )


def _pieces_of_kinds(faces: Faces, size: int) -> Iterator[tuple[Piece, ...]]:
    for row in kinds(len(faces.faces), size).tolist():
        yield tuple([faces.faces[face] for face in row])


def _ranked_hand(rank: HandRank, rules: HouseRules) -> Hand:
    return Hand((), rank.hand_class, rank.value, multiple=rank.multiple, game=rules.game)


def _paying_double(hand: Hand) -> Hand:
    return replace(hand, multiple=hand.multiple * SUITED_TIMES, suited=True)
