"""Evaluated hands a second, compared with evaluators of poker hands.

eval7 (in C) and treys (in Python) are well-known packages that rank five cards at poker, which is about as
much work. Each gets its own cards, made beforehand, and its fastest function for five cards.

Run it with `uv run --group bench python benchmarks/evaluation.py`. The contestants take turns within one run,
so that other load on the machine slows all of them. Compare the ratios, not the rates.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import eval7
import treys
from rich.console import Console
from rich.table import Table

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.register import GAMES
from bot.rules.cards import RANKS, SUITS, Card, rank_of, suit_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE, Piece

_TURNS: Final = 9
_CALLS: Final = 20_000
_SEED: Final = 2_598_960
_SUITED: Final = GnauRules(suited_bonus=SuitedBonus.OX)


def _random_hands(rules: HouseRules) -> list[list[Piece]]:
    """Hands of one deck or woodpile, each dealt from a full pack."""
    chance, pack = random.Random(_SEED), GAMES[rules.game].pieces.pieces
    return [chance.sample(pack, HAND_SIZE) for _ in range(_CALLS)]


def _poker_name(card: Card) -> str:
    return RANKS[rank_of(card)].replace("10", "T") + SUITS[suit_of(card)].lower()


def _rate(way: Callable[[Sequence], object], hands: Sequence[Sequence]) -> float:
    """Hands a second, one per call."""
    before = time.perf_counter()
    for hand in hands:
        way(hand)
    return len(hands) / (time.perf_counter() - before)


def main() -> None:
    """Measures, and prints the table."""
    ways: dict[str, Callable[[], float]] = {}
    for name, rules in (
        ("Gnau", PRESETS["wikipedia"]),
        ("Gnau, suited bonus", _SUITED),
        ("Tau Ngau", PRESETS["tau-ngau"]),
    ):
        ways[f"{name}: bot.games.hands.evaluate"] = partial(
            _rate, partial(evaluate, rules=rules), _random_hands(rules)
        )
    for library, card_made, quickest in (
        ("eval7: evaluate", eval7.Card, eval7.evaluate),
        ("treys: hand_size_map[5]", treys.Card.new, treys.Evaluator().hand_size_map[5]),
    ):
        dealt = _random_hands(PRESETS["wikipedia"])
        hands = [[card_made(_poker_name(card)) for card in hand] for hand in dealt]
        ways[library] = partial(_rate, quickest, hands)

    rates: dict[str, list[float]] = {}
    for _ in range(_TURNS):
        for name, way in ways.items():
            rates.setdefault(name, []).append(way())
    medians = {name: statistics.median(found) for name, found in rates.items()}
    table = Table("way", "thousand hands a second", "times eval7", title=f"Medians of {_TURNS}")
    for name, rate in medians.items():
        table.add_row(name, f"{rate / 1e3:,.0f}", f"{rate / medians['eval7: evaluate']:,.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
