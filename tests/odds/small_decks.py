"""Decks so small that every pair of hands can be dealt, and the odds counted with no cleverness at all."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from types import MappingProxyType

from bot.rules.cards import Card, parse_cards
from bot.rules.game import HAND_SIZE, Hand, HandClass
from bot.rules.hands import evaluate
from bot.rules.knobs import HouseRules, Ties
from bot.rules.presets import WIKIPEDIA
from bot.rules.settle import Duel, Outcome, settle

SMALL_DECKS = MappingProxyType(
    {
        "one deck": parse_cards("AS AH 2C 3D 3H 6S 6C 4D 10H 10S JC KS KH"),
        "two decks": parse_cards("AS AS AD 3C 3C 6D 6D KH KH QS JS JS 10C"),
        "dukes": parse_cards("JC JD JH JS QC QD QH KC KD KH AS 3H"),
    }
)
"""Cards by a name that says what they are taken from; all ten that two Five Dukes need are in the last."""

TURNED = MappingProxyType(
    {
        "wikipedia": WIKIPEDIA,
        "flex_3_6": HouseRules(flex_3_6=False),
        "triple_ox": HouseRules(triple_ox=False),
        "five_dukes_tens": HouseRules(five_dukes_tens=True),
        "five_small": HouseRules(five_small=False),
        "ngau_tonku": HouseRules(ngau_tonku=False),
        "tonku_tens": HouseRules(tonku_tens=True),
        "mixed_double": HouseRules(mixed_double=True),
        "multiple_five_dukes": HouseRules(multiple_five_dukes=13),
        "multiple_five_small": HouseRules(multiple_five_small=13),
        "multiple_ngau_tonku": HouseRules(multiple_ngau_tonku=13),
        "multiple_double_ox": HouseRules(multiple_double_ox=13),
        "multiple_ox_of_ten": HouseRules(multiple_ox_of_ten=13),
        "multiple_single_ox": HouseRules(multiple_single_ox=13),
        "ties": HouseRules(ties=Ties.PUSH),
    }
)
"""The preset `wikipedia`, and with each knob that odds depend on turned, by the name of the knob."""


@cache
def hands_of(deck: str) -> list[tuple[Card, ...]]:
    """Every hand of a small deck, each physical card by itself."""
    return list(combinations(SMALL_DECKS[deck], HAND_SIZE))


@cache
def pairs_of(deck: str) -> list[tuple[int, int]]:
    """Every ordered pair of hands that share no physical card, as places in `hands_of`."""
    cards = range(len(SMALL_DECKS[deck]))
    places = {hand: place for place, hand in enumerate(combinations(cards, HAND_SIZE))}
    return [
        (places[player], places[banker])
        for player in places
        for banker in combinations([card for card in cards if card not in player], HAND_SIZE)
    ]


class PlainCount:
    """What comes of dealing every pair of a small deck, one after the other.

    Attributes:
        classes: how many hands are of each class and value.
        strengths: how many pairs there are of each two strengths.
        outcomes: how many pairs end so.
        gains: how many pairs gain the player so many chips for each one staked.
    """

    def __init__(self, deck: str, rules: HouseRules) -> None:
        hands: list[Hand] = [evaluate(cards, rules) for cards in hands_of(deck)]
        self.classes: Counter[tuple[HandClass, int]] = Counter(
            (hand.hand_class, hand.value) for hand in hands
        )
        self.strengths: Counter[tuple[int, int]] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.gains: Counter[int] = Counter()
        for player, banker in pairs_of(deck):
            duel: Duel = settle(hands[player], hands[banker], rules)
            self.strengths[hands[player].strength, hands[banker].strength] += 1
            self.outcomes[duel.outcome] += 1
            self.gains[duel.units] += 1

    def part(self, outcome: Outcome) -> Fraction:
        """How much of all the pairs ends so."""
        return Fraction(self.outcomes[outcome], self.outcomes.total())

    @property
    def mean(self) -> Fraction:
        """What the player gains on average."""
        return Fraction(sum(gain * pairs for gain, pairs in self.gains.items()), self.gains.total())

    @property
    def variance(self) -> Fraction:
        """The average of the squared distance from the mean."""
        squares = ((gain - self.mean) ** 2 * pairs for gain, pairs in self.gains.items())
        return sum(squares, Fraction()) / self.gains.total()
