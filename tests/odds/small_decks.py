"""Small decks and woodpiles, whose odds can be counted by dealing every pair, for any game."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from _pytest.mark import ParameterSet

from bot.games.contract import Game
from bot.games.hands import evaluate
from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.games.settle import Duel, Outcome, settle
from bot.rules.cards import parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName, Knob
from bot.rules.pieces import HAND_SIZE, Hand, HandClass, Piece
from bot.rules.tiles import parse_tiles
from tests.sizes import sample

_DRAWN: Final = 12
"""Pieces in a small deck that is drawn at random: 16,632 pairs of hands."""
_OTHER_NUMBER: Final = 13
"""A value that no preset gives to a multiple."""

SMALL_DECKS = MappingProxyType(
    {
        "one deck": parse_cards("AS AH 2C 3D 3H 6S 6C 4D 10H 10S JC KS KH"),
        "two decks": parse_cards("AS AS AD 3C 3C 6D 6D KH KH QS JS JS 10C"),
        "dukes": parse_cards("JC JD JH JS QC QD QH KC KD KH AS 3H"),
        "suited": parse_cards("AS 2S 7S 9S KS KS 10S 10S 5C 5C 3C 6C"),
    }
)
"""Cards by the name of their deck. "dukes" has the ten cards that two Five Dukes need."""

SMALL_WOODPILES = MappingProxyType(
    {
        "wild": parse_tiles("4-2 2-1 6-6 6-6 1-1 1-1 5-5 5-5 6-4 6-1 5-2 4-1 3-1"),
        "military": parse_tiles("6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1 4-4"),
    }
)
"""Tiles by the name of their woodpile."""

CHOSEN: Final = MappingProxyType({"card": SMALL_DECKS, "tile": SMALL_WOODPILES})
"""What to count by the name of its set of pieces: the hands that are rare by chance are in these."""


def _drawn(game: Game[Any, Any]) -> tuple[Piece, ...]:
    """Pieces at random, among which some are in a pack twice."""
    pack = list(game.pack(game.most_players + 1, game.rules()))
    return tuple(sorted(random.Random(game.name).sample(pack, _DRAWN // 2) * 2))


def _other_values(knob: Knob) -> list[Any]:
    match knob.kind:
        case "on or off":
            return [not knob.default]
        case "number":
            return [_OTHER_NUMBER]
        case _:
            return [choice for choice in knob.choices if choice != knob.default]


def changed_rules(game: GameName) -> dict[str, HouseRules]:
    """The default preset of a game, plain and with one other value of each knob that odds depend on."""
    rules = GAMES[game].rules
    changed: dict[str, HouseRules] = {GAMES[game].default_preset: rules()}
    for knob in knobs_of(game, About.WORTH):
        values = _other_values(knob)
        for value in values:
            name = f"{knob.name} {value}" if len(values) > 1 else knob.name
            changed[name] = rules.model_validate({knob.name: value})
    return changed


CHANGED = MappingProxyType(changed_rules("gnau"))
CHANGED_TAU_NGAU = MappingProxyType(changed_rules("tau-ngau"))

EVERY_PILE: Final = MappingProxyType(
    {
        f"{game.name}, {name}": pieces
        for game in GAMES.values()
        for name, pieces in [*CHOSEN[game.pieces.name].items(), ("drawn", _drawn(game))]
    }
)
"""All small decks and woodpiles of every game."""


def cases(quick: int) -> list[ParameterSet]:
    """Small decks or woodpiles with rule sets of their game; all but a few of each game are `thorough`.

    The default preset meets every pile, and each other rule set two of them.
    """
    params = []
    for game in GAMES:
        piles = [pile for pile in EVERY_PILE if pile.startswith(f"{game}, ")]
        of_game: dict[str, tuple[str, HouseRules]] = {}
        for number, (name, rules) in enumerate(changed_rules(game).items()):
            met = piles if number == 0 else [piles[(number + other) % len(piles)] for other in range(2)]
            of_game |= {f"{pile}, {name}": (pile, rules) for pile in met}
        params += sample(of_game.values(), quick, ids=of_game)
    return params


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
        outcomes: how many pairs have each outcome.
        gains: how many pairs have each gain of the player, in chips for each chip bet.
    """

    def __init__(self, pile: str, rules: HouseRules) -> None:
        hands: list[Hand] = [evaluate(pieces, rules) for pieces in hands_of(pile)]
        self.classes: Counter[tuple[HandClass, int]] = Counter(
            (hand.hand_class, hand.value) for hand in hands
        )
        self.outcomes: Counter[Outcome] = Counter()
        self.gains: Counter[int] = Counter()
        for player, banker in pairs_of(pile):
            duel: Duel = settle(hands[player], hands[banker], rules)
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
