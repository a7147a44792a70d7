"""Evaluated hands a second, one per call and many at once, compared with evaluators of poker hands.

eval7 (in C) and treys (in Python) are well-known packages that rank five cards at poker, which is about as
much work. Each gets its own cards, made beforehand, and its fastest function for five cards. `bot.rules`,
which builds nothing beforehand, is measured too.

Run it with `uv run --group bench python benchmarks/evaluation.py`. The contestants take turns within one run,
so that other load on the machine slows all of them. Compare the ratios, not the rates.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

import eval7
import numpy as np
import treys
from rich.console import Console
from rich.table import Table

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.odds.evaluator import Evaluator, evaluator_of
from bot.odds.ranking import faces_of
from bot.rules.cards import RANKS, SUITS, Card, deck, rank_of, suit_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus

_TURNS: Final = 9
_CALLS: Final = 200_000
_PLAIN_CALLS: Final = 20_000
"""Fewer calls, because they take longer."""
_AT_ONCE: Final = 4_000_000
_SEED: Final = 2_598_960
_SUITED: Final = GnauRules(suited_bonus=SuitedBonus.OX)
_BUILT: Final = {
    "wikipedia": "from bot.games.knobs import PRESETS; rules = PRESETS['wikipedia']",
    "with a suited bonus": "from bot.games.gnau.rules import GnauRules; rules = GnauRules(suited_bonus='ox')",
    "tau-ngau": "from bot.games.knobs import PRESETS; rules = PRESETS['tau-ngau']",
}
"""The line of `_FRESH` that makes the rules."""
_FRESH: Final = """
import time
from bot.odds.evaluator import evaluator_of
{rules}
ready = time.perf_counter()
evaluator_of(rules)
print(time.perf_counter() - ready)
"""
"""A program that prints how many seconds its first evaluator took."""


def _random_hands(rules: HouseRules, count: int) -> np.ndarray:
    """Random hands of one deck or woodpile, unsorted, each dealt from a full pack."""
    pack = np.array(faces_of(rules.game).pack, dtype=np.uint8)
    chance = np.random.default_rng(_SEED)
    # Five random places, rejected unless all differ, are as fair as a deal, and faster.
    places = chance.integers(len(pack), size=(count * 2, 5), dtype=np.uint8)
    places = places[(np.diff(np.sort(places, axis=1), axis=1) != 0).all(axis=1)][:count]
    return pack[places]


def _poker_name(card: Card) -> str:
    return RANKS[rank_of(card)].replace("10", "T") + SUITS[suit_of(card)].lower()


def _one_by_one(way: Callable[[Sequence], object], hands: Sequence[Sequence]) -> float:
    """Hands a second, one per call."""
    before = time.perf_counter()
    for hand in hands:
        way(hand)
    return len(hands) / (time.perf_counter() - before)


def _at_once(way: Callable[[np.ndarray], object], hands: np.ndarray) -> float:
    """Hands a second, all in one call."""
    before = time.perf_counter()
    way(hands)
    return len(hands) / (time.perf_counter() - before)


def _fresh(rules: str) -> float:
    """The seconds that a new process takes to build the tables of these rules."""
    # S603: it runs this interpreter with a program from this file.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _FRESH.format(rules=rules)], capture_output=True, check=True, text=True
    )
    return float(done.stdout)


def _check(evaluator: Evaluator, rules: HouseRules, hands: np.ndarray) -> None:
    """Fails if fast and plain evaluation differ."""
    some = hands[:_PLAIN_CALLS]
    plain = [evaluate(hand, rules).strength for hand in some.tolist()]
    if plain != [evaluator.ranks[place].strength for place in evaluator.places(some)]:
        raise SystemExit(f"the fast and the plain evaluation of {rules.game} differ")


def main() -> None:
    """Measures, and prints the tables."""
    ways: dict[str, Callable[[], float]] = {}
    at_once: dict[str, Callable[[], float]] = {}
    for name, rules in (
        ("Gnau", PRESETS["wikipedia"]),
        ("Gnau, suited bonus", _SUITED),
        ("Tau Ngau", PRESETS["tau-ngau"]),
    ):
        evaluator, array = evaluator_of(rules), _random_hands(rules, _AT_ONCE)
        _check(evaluator, rules, array)
        hands = list(map(tuple, array[:_CALLS].tolist()))
        wide = array.astype(np.int64)
        ways[f"{name}: bot.rules.evaluate"] = lambda r=rules, h=hands[:_PLAIN_CALLS]: _one_by_one(
            lambda hand: evaluate(hand, r), h
        )
        at_once[f"{name}: a byte a piece"] = lambda e=evaluator, a=array: _at_once(e.places, a)
        at_once[f"{name}: 64 bits a piece"] = lambda e=evaluator, a=wide: _at_once(e.places, a)

    names = {card: _poker_name(card) for card in deck()}
    dealt = _random_hands(PRESETS["wikipedia"], _CALLS).tolist()
    for library, card_made, quickest in (
        ("eval7: evaluate", eval7.Card, eval7.evaluate),
        ("treys: hand_size_map[5]", treys.Card.new, treys.Evaluator().hand_size_map[5]),
    ):
        cards = {card: card_made(name) for card, name in names.items()}
        hands = [[cards[card] for card in hand] for hand in dealt]
        ways[library] = lambda q=quickest, h=hands: _one_by_one(q, h)

    rates: dict[str, list[float]] = {}
    built: dict[str, list[float]] = {}
    for _ in range(_TURNS):
        for name, way in (ways | at_once).items():
            rates.setdefault(name, []).append(way())
        for name, rules_made in _BUILT.items():
            built.setdefault(name, []).append(_fresh(rules_made))

    console = Console()
    medians = {name: statistics.median(found) for name, found in rates.items()}
    for title, shown in (("One hand per call", ways), (f"{_AT_ONCE:,} hands at once", at_once)):
        table = Table("way", "million hands a second", "times eval7", title=f"{title}, medians of {_TURNS}")
        for name in shown:
            times_eval7 = medians[name] / medians["eval7: evaluate"]
            table.add_row(name, f"{medians[name] / 1e6:,.2f}", f"{times_eval7:,.2f}")
        console.print(table)
    table = Table("rules", "ms", title=f"Tables built in a fresh process, medians of {_TURNS}")
    for name, seconds in built.items():
        table.add_row(name, f"{statistics.median(seconds) * 1000:,.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
