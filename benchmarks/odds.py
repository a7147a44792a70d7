"""The time of exact odds: in a new process, for new rules, and from the cache.

A plain count deals every pair of hands of a small deck, and must give the same odds. Its time per pair gives
the least time that it would take for all pairs of a whole deck.

Run it with `uv run python benchmarks/odds.py`. The contestants take turns within one run, so that other load
on the machine slows all of them. Compare the ratios, not the milliseconds.
"""

import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Final

from rich.console import Console
from rich.table import Table

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.register import GAMES
from bot.games.settle import Outcome, settle
from bot.odds.odds import odds_among, odds_of
from bot.rules.cards import Card, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import HAND_SIZE

_SMALL_DECK: Final = parse_cards("AS AH 2C 3D 3H 6S 6C 4D 10H 10S JC QD KS KH")
_TURNS: Final = 9
_DECKS: Final = (1, 2, 8)
_SECONDS_A_DAY: Final = 86_400

_ASKED: Final = {
    **{
        f"{game.name}, {decks} × {game.pieces.size} {game.pieces.name}s": (
            f"PRESETS[{game.default_preset!r}]",
            decks,
        )
        for game in GAMES.values()
        for decks in _DECKS
        if decks <= game.most_sets
    },
    **{
        f"suited_bonus {bonus}": (f"GnauRules(suited_bonus='{bonus}')", 1)
        for bonus in SuitedBonus
        if bonus is not SuitedBonus.OFF
    },
}
"""The rules and the number of decks that a new process asks for, by name."""
_FRESH: Final = """
import time
start = time.perf_counter()
from bot.odds.odds import odds_of
from bot.games.gnau.rules import GnauRules
from bot.games.knobs import PRESETS
rules = {rules}
ready = time.perf_counter()
odds_of(rules, {decks})
print(ready - start, time.perf_counter() - ready)
"""
"""A program that prints how many seconds its imports and then its first odds took."""


def _fresh(rules: str, decks: int) -> tuple[float, float]:
    """The seconds that a new process takes for its imports, and then for its first odds."""
    # S603: it runs this interpreter with a program from this file.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _FRESH.format(rules=rules, decks=decks)],
        capture_output=True,
        check=True,
        text=True,
    )
    imports, first = done.stdout.split()
    return float(imports), float(first)


def _never_asked(turn: int, bonus: SuitedBonus) -> HouseRules:
    """Rules that no other turn uses, since odds are cached."""
    return GnauRules(multiple_five_dukes=8 + turn, suited_bonus=bonus)


def _seconds(way: Callable[[], object]) -> float:
    before = time.perf_counter()
    way()
    return time.perf_counter() - before


def _plain_win(cards: Sequence[Card]) -> Fraction:
    """How often a player wins, by dealing every pair. In its favour, each hand is evaluated only once."""
    indices = range(len(cards))
    hands = {
        five: evaluate([cards[index] for index in five], PRESETS["wikipedia"])
        for five in combinations(indices, HAND_SIZE)
    }
    outcomes = Counter(
        settle(hand, hands[banker], PRESETS["wikipedia"]).outcome
        for five, hand in hands.items()
        for banker in combinations([index for index in indices if index not in five], HAND_SIZE)
    )
    return Fraction(outcomes[Outcome.PLAYER], outcomes.total())


def _milliseconds(spent: Sequence[float]) -> str:
    return f"{statistics.median(spent) * 1000:,.3f}"


def main() -> None:
    """Measures, and prints the tables."""
    small = odds_among(_SMALL_DECK, PRESETS["wikipedia"])
    if _plain_win(_SMALL_DECK) != small.win:
        raise SystemExit("the plain count and the exact odds of the small deck differ")

    spent: dict[str, list[float]] = {}
    for turn in range(_TURNS):
        for name, asked in _ASKED.items():
            imports, first = _fresh(*asked)
            spent.setdefault("a new process: imports", []).append(imports)
            spent.setdefault(f"then its first odds, with all tables: {name}", []).append(first)
        for bonus in SuitedBonus:
            for decks in _DECKS:
                rules = _never_asked(turn, bonus)
                spent.setdefault(f"new rules, {decks} × 52 cards, suited_bonus {bonus}", []).append(
                    _seconds(partial(odds_of, rules, decks))
                )
        rules = _never_asked(turn, SuitedBonus.OFF)
        spent.setdefault("from the cache", []).append(_seconds(partial(odds_of, rules)))
        spent.setdefault("14 cards, exact", []).append(
            _seconds(lambda: odds_among(_SMALL_DECK, PRESETS["wikipedia"]))
        )
        spent.setdefault("14 cards, every pair dealt", []).append(_seconds(lambda: _plain_win(_SMALL_DECK)))

    table = Table("way", "ms", title=f"Exact odds, medians of {_TURNS}")
    for way, times in spent.items():
        table.add_row(way, _milliseconds(times))
    a_pair = statistics.median(spent["14 cards, every pair dealt"]) / small.pairs
    odds = odds_of(PRESETS["wikipedia"])
    console = Console()
    console.print(table)
    console.print(
        f"At {a_pair * 1e6:.2f} µs a pair, dealing all {odds.pairs:,} pairs of one deck would take "
        f"{a_pair * odds.pairs / _SECONDS_A_DAY:,.0f} days."
    )
    console.print(
        f"Edge of the bank, wikipedia, one deck: {odds.bank_edge} = {float(odds.bank_edge):.12f}; "
        f"standard deviation {odds.standard_deviation:.12f} chips per chip staked."
    )


if __name__ == "__main__":
    main()
