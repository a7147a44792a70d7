"""How every kind of hand of Gnau stands under a rule set: what it is called, and what beats what.

What an ox is and what two power cards make is asked of `bot.rules` for the few kinds of three and of two
cards there are; what five cards are follows for all of them at once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.odds.kinds import Numbers, kinds, parts
from bot.rules.cards import RANKS, TEN, Card, card_of, rank_of
from bot.rules.game import HAND_SIZE, OX_SIZE, Hand
from bot.rules.gnau import ACE_OF_SPADES, GnauClass, is_ox
from bot.rules.hands import arrangements
from bot.rules.knobs import HouseRules

FACES: Final = (*(card_of(rank, 0) for rank in range(len(RANKS))), ACE_OF_SPADES)
"""A card of each face: class and value ask the rank, and whether it is the ace of spades (G10)."""
POWER_SIZE: Final = HAND_SIZE - OX_SIZE

_THREE_TENS: Final = tuple(card_of(TEN, suit) for suit in range(OX_SIZE))
"""An ox under any rules: 30 is a multiple of ten (G05)."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """What every kind of hand is under one rule set.

    Attributes:
        calls: a hand of each strength that the rules know, weakest first.
        places: for each kind of hand, by its number, the place in `calls` of what it is.
    """

    calls: tuple[Hand, ...]
    places: Numbers


def copies_of(cards: Iterable[Card]) -> tuple[int, ...]:
    """How many of these cards show each face, in the order of `FACES`."""
    counts = [0] * len(FACES)
    for card in cards:
        counts[-1 if card == ACE_OF_SPADES else rank_of(card)] += 1
    return tuple(counts)


def standings_of(rules: HouseRules) -> Standings:
    """How every kind of hand stands under these rules (G04 to G16)."""
    no_ox = Hand((), GnauClass.NO_OX)
    powers = [_with_power(two, rules) for two in _cards_of_kinds(POWER_SIZE)]
    oxen = np.array([is_ox(three, rules) for three in _cards_of_kinds(OX_SIZE)])
    strengths = np.array([power.strength for power in powers])

    # The places that are left over by the first choice of three are the last choice of two, and so on.
    left_over = parts(len(FACES), HAND_SIZE, POWER_SIZE)[::-1]
    with_ox = oxen[parts(len(FACES), HAND_SIZE, OX_SIZE)]
    best = np.where(with_ox, strengths[left_over], no_ox.strength).max(axis=0)

    # These classes ask one thing of every card and nothing of the five together (G08, G09): so five cards are
    # of one where five of each of their faces would be.
    wholes = [{whole.strength: whole for whole in _wholes(face, rules)} for face in FACES]
    for strength in set().union(*wholes):
        serves = np.array([strength in of_face for of_face in wholes])
        whole_hands = serves[kinds(len(FACES), HAND_SIZE)].all(axis=1)
        best = np.where(whole_hands, np.maximum(best, strength), best)

    calls = (no_ox, *powers, *(whole for of_face in wholes for whole in of_face.values()))
    by_strength = {call.strength: call for call in calls}
    order = sorted(by_strength)
    return Standings(tuple(by_strength[strength] for strength in order), np.searchsorted(order, best))


def _cards_of_kinds(size: int) -> Iterator[tuple[Card, ...]]:
    for faces in kinds(len(FACES), size).tolist():
        yield tuple(FACES[face] for face in faces)


def _with_power(two: tuple[Card, ...], rules: HouseRules) -> Hand:
    """What these power cards make of a hand that has an ox."""
    return next(call for call in arrangements((*_THREE_TENS, *two), rules) if call.ox == _THREE_TENS)


def _wholes(face: Card, rules: HouseRules) -> Iterator[Hand]:
    """What five cards of this face are called without an ox (G08, G09)."""
    for call in arrangements((face,) * HAND_SIZE, rules):
        if call.hand_class is not GnauClass.NO_OX and not call.ox:
            yield call
