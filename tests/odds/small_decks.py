"""Small decks and woodpiles, whose odds can be counted by dealing every pair."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from types import MappingProxyType

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.settle import Duel, Outcome, settle
from bot.rules.cards import parse_cards
from bot.rules.hand import HAND_SIZE, Hand, HandClass
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus, Ties
from bot.rules.pieces import Piece
from bot.rules.tiles import parse_tiles
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA

SMALL_DECKS = MappingProxyType(
    {
        "one deck": parse_cards("AS AH 2C 3D 3H 6S 6C 4D 10H 10S JC KS KH"),
        "two decks": parse_cards("AS AS AD 3C 3C 6D 6D KH KH QS JS JS 10C"),
        "dukes": parse_cards("JC JD JH JS QC QD QH KC KD KH AS 3H"),
        "suited": parse_cards("AS 2S 7S 9S KS KS 10S 10S 5C 5C 3C 6C"),
    }
)
"""Cards by the name of their deck. "dukes" has the ten cards that two Five Dukes need."""

CHANGED = MappingProxyType(
    {
        "wikipedia": WIKIPEDIA,
        "flex_3_6": GnauRules(flex_3_6=False),
        "triple_ox": GnauRules(triple_ox=False),
        "five_dukes_tens": GnauRules(five_dukes_tens=True),
        "five_small": GnauRules(five_small=False),
        "ngau_tonku": GnauRules(ngau_tonku=False),
        "tonku_tens": GnauRules(tonku_tens=True),
        "mixed_double": GnauRules(mixed_double=True),
        "multiple_five_dukes": GnauRules(multiple_five_dukes=13),
        "multiple_five_small": GnauRules(multiple_five_small=13),
        "multiple_ngau_tonku": GnauRules(multiple_ngau_tonku=13),
        "multiple_double_ox": GnauRules(multiple_double_ox=13),
        "multiple_ox_of_ten": GnauRules(multiple_ox_of_ten=13),
        "multiple_single_ox": GnauRules(multiple_single_ox=13),
        "ties": GnauRules(ties=Ties.PUSH),
        "suited_bonus": GnauRules(suited_bonus=SuitedBonus.OX),
        "suited_bonus power": GnauRules(suited_bonus=SuitedBonus.POWER),
        "suited_bonus five": GnauRules(suited_bonus=SuitedBonus.FIVE),
    }
)
"""The preset `wikipedia`, plain and with one changed knob each, by the name of the knob."""

SMALL_WOODPILES = MappingProxyType(
    {
        "wild": parse_tiles("4-2 2-1 6-6 6-6 1-1 1-1 5-5 5-5 6-4 6-1 5-2 4-1 3-1"),
        "military": parse_tiles("6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1 4-4"),
    }
)
"""Tiles by the name of their woodpile."""

CHANGED_TAU_NGAU = MappingProxyType(
    {
        "tau-ngau": TAU_NGAU_PRESET,
        "wild_in_score": TAU_NGAU_PRESET.model_copy(update={"wild_in_score": False}),
        "ties": TAU_NGAU_PRESET.model_copy(update={"ties": Ties.BANKER}),
    }
)
"""The preset `tau-ngau`, plain and with one changed knob each, by the name of the knob."""

EVERY_PILE = MappingProxyType(dict[str, tuple[Piece, ...]](**SMALL_DECKS, **SMALL_WOODPILES))
"""All small decks and woodpiles."""

CASES = (
    *((deck, rules) for deck in SMALL_DECKS for rules in CHANGED.values()),
    *((pile, rules) for pile in SMALL_WOODPILES for rules in CHANGED_TAU_NGAU.values()),
)
"""Every small deck or woodpile with every rule set of its game."""
CASE_NAMES = (
    *(f"{deck}, {knob}" for deck in SMALL_DECKS for knob in CHANGED),
    *(f"{pile}, {knob}" for pile in SMALL_WOODPILES for knob in CHANGED_TAU_NGAU),
)


@cache
def hands_of(pile: str) -> list[tuple[Piece, ...]]:
    """Every hand of a small deck or woodpile; equal pieces are separate."""
    return list(combinations(EVERY_PILE[pile], HAND_SIZE))


@cache
def pairs_of(pile: str) -> list[tuple[int, int]]:
    """Every ordered pair of hands that share no physical piece, as indexes in `hands_of`."""
    pieces = range(len(EVERY_PILE[pile]))
    places = {hand: place for place, hand in enumerate(combinations(pieces, HAND_SIZE))}
    return [
        (places[player], places[banker])
        for player in places
        for banker in combinations([piece for piece in pieces if piece not in player], HAND_SIZE)
    ]


class PlainCount:
    """The counts from dealing every pair of a small deck or woodpile.

    Attributes:
        classes: how many hands are of each class and value.
        strengths: how many pairs have each two strengths.
        outcomes: how many pairs have each outcome.
        gains: how many pairs have each gain of the player, in chips for each chip bet.
    """

    def __init__(self, pile: str, rules: HouseRules) -> None:
        hands: list[Hand] = [evaluate(pieces, rules) for pieces in hands_of(pile)]
        self.classes: Counter[tuple[HandClass, int]] = Counter(
            (hand.hand_class, hand.value) for hand in hands
        )
        self.strengths: Counter[tuple[int, int]] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.gains: Counter[int] = Counter()
        for player, banker in pairs_of(pile):
            duel: Duel = settle(hands[player], hands[banker], rules)
            self.strengths[hands[player].strength, hands[banker].strength] += 1
            self.outcomes[duel.outcome] += 1
            self.gains[duel.units] += 1

    def part(self, outcome: Outcome) -> Fraction:
        """The share of pairs with this outcome."""
        return Fraction(self.outcomes[outcome], self.outcomes.total())

    @property
    def mean(self) -> Fraction:
        """The average gain of the player."""
        return Fraction(sum(gain * pairs for gain, pairs in self.gains.items()), self.gains.total())

    @property
    def variance(self) -> Fraction:
        """The average of the squared distance from the mean."""
        squares = ((gain - self.mean) ** 2 * pairs for gain, pairs in self.gains.items())
        return sum(squares, Fraction()) / self.gains.total()
