"""How every kind of hand of a game stands under a rule set: what it is called, and what beats what.

What an ox is and what two power pieces make is asked of `bot.rules` for the few kinds of three and of two
pieces there are; what five pieces are follows for all of them at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.faces import Faces, faces_of
from bot.odds.kinds import Numbers, kinds, parts
from bot.rules.declarations import KNOBS, knobs_of
from bot.rules.game import HAND_SIZE, OX_SIZE, POWER_SIZE, Hand, Worth
from bot.rules.knobs import SUITED_TIMES, About, HouseRules, SuitedBonus
from bot.rules.pieces import Piece

_RULES_KEPT: Final = 16
"""Of the rule sets last asked for: each takes up to a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """What every kind of hand is under one rule set.

    Attributes:
        rules: the rule set, with whatever no hand's worth hangs on as it is by default.
        calls: a hand of each strength that the rules know, weakest first; without its pieces.
        doubled: the same hands where they pay double; as in `calls` where that cannot be (G21).
        strengths: the strength of each call.
        places: for each kind of hand, by its number, the place in `calls` of what it is.
        oxen: whether the pieces are an ox, for each kind of three.
        powers: the strength that the pieces give a hand with an ox, for each kind of two.
        splits: a row for each choice of three places among five, in the order of `itertools.combinations`;
            in it for each kind of hand whether these three are the ox of a strongest arrangement.
    """

    rules: HouseRules
    calls: tuple[Hand, ...]
    doubled: tuple[Hand, ...]
    strengths: Numbers
    places: Numbers
    oxen: NDArray[np.bool_]
    powers: Numbers
    splits: NDArray[np.bool_]

    @property
    def faces(self) -> Faces:
        """What the kinds are kinds of."""
        return faces_of(self.rules.game)

    @property
    def suits_matter(self) -> bool:
        """Whether a hand may pay double for its suits (G21)."""
        return self.rules.suited_bonus is not SuitedBonus.OFF


def worth_alone(rules: HouseRules) -> HouseRules:
    """These rules with all else as by default: houses that differ in that alone share every count."""
    kept = {"game", *(knob.name for knob in knobs_of(rules.game, About.WORTH))}
    fields = HouseRules.model_fields
    return rules.model_copy(update={name: fields[name].default for name in KNOBS if name not in kept})


def standings_of(rules: HouseRules) -> Standings:
    """How every kind of hand stands under these rules (G04 to G16, T05 to T08); remembered."""
    return _remembered(worth_alone(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Standings:
    faces = faces_of(rules.game)
    game, number = faces.game, len(faces.faces)
    no_ox = Worth(game.no_ox)
    worths = [game.power(one, other, rules) for one, other in _pieces_of_kinds(faces, POWER_SIZE)]
    powers = np.array([worth.strength for worth in worths])
    oxen = np.array([game.is_ox(three, rules) for three in _pieces_of_kinds(faces, OX_SIZE)])

    # The places that are left over by the first choice of three are the last choice of two, and so on.
    left_over = parts(number, HAND_SIZE, POWER_SIZE)[::-1]
    with_ox = np.where(oxen[parts(number, HAND_SIZE, OX_SIZE)], powers[left_over], no_ox.strength)
    best = with_ox.max(axis=0)

    # These classes ask one thing of every piece and nothing of the five together (G08, G09): so five pieces
    # are of one where five of each of their faces would be.
    wholes = [
        {worth.strength: worth for worth in game.without_ox((face,) * HAND_SIZE, rules)}
        for face in faces.faces
    ]
    for strength in set().union(*wholes):
        serves = np.array([strength in of_face for of_face in wholes])
        whole_hands = serves[kinds(number, HAND_SIZE)].all(axis=1)
        best = np.where(whole_hands, np.maximum(best, strength), best)

    needing_none = [worth for of_face in wholes for worth in of_face.values()]
    by_strength = {worth.strength: worth for worth in (no_ox, *worths, *needing_none)}
    strengths = np.array(sorted(by_strength))
    calls = tuple(_called(by_strength[strength], rules) for strength in strengths.tolist())
    may_double = set(powers.tolist())
    return Standings(
        rules=rules,
        calls=calls,
        doubled=tuple(_paying_double(call) if call.strength in may_double else call for call in calls),
        strengths=strengths,
        places=np.searchsorted(strengths, best),
        oxen=oxen,
        powers=powers,
        splits=(with_ox == best) & (with_ox != no_ox.strength),
    )


def _pieces_of_kinds(faces: Faces, size: int) -> Iterator[tuple[Piece, ...]]:
    for row in kinds(len(faces.faces), size).tolist():
        yield tuple([faces.faces[face] for face in row])


def _called(worth: Worth, rules: HouseRules) -> Hand:
    return Hand((), worth.hand_class, worth.value, multiple=worth.multiple, game=rules.game)


def _paying_double(call: Hand) -> Hand:
    return replace(call, multiple=call.multiple * SUITED_TIMES, suited=True)
