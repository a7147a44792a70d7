"""A second evaluator of Gnau, written from the clauses alone: slow, plain, without code of the first.

It tries every three of the five cards, and every reading of each 3 and 6, and keeps the strongest
result. A card is a word: its rank, `"A"`, `"2"` … `"K"`, and `"A♠"` for the ace of spades, the only card
whose suit matters (G10).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from bot.games.gnau.rules import GnauRules
from bot.rules.cards import RANKS, Card, card_text, rank_of

ORDER = ("No Ox", "Single-Ox", "Double-Ox", "Ngau Tonku", "Five Small", "Five Dukes")
"""The classes from the weakest to the strongest (G16)."""
PAIR_ORDER = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The pairs from the weakest to the strongest (G12)."""


class Verdict(NamedTuple):
    """The class of a hand, by name, and the value within it: higher is stronger.

    A Single-Ox has its points, 1 to 10; a Double-Ox the pair's rank, ace 1 to king 13; the rest have 0.
    """

    name: str
    number: int


def plain_verdict(cards: tuple[str, ...], rules: GnauRules) -> Verdict:
    """The strongest verdict on five cards (G06, G16)."""
    return max(_every_verdict(cards, rules), key=lambda verdict: (ORDER.index(verdict.name), verdict.number))


def _every_verdict(cards: tuple[str, ...], rules: GnauRules) -> Iterator[Verdict]:
    ranks = [card.removesuffix("♠") for card in cards]
    dukes = ["J", "Q", "K", "10"] if rules.five_dukes_tens else ["J", "Q", "K"]

    yield Verdict("No Ox", 0)  # G15
    if all(rank in dukes for rank in ranks):  # G08
        yield Verdict("Five Dukes", 0)
    if rules.five_small and all(rank in ["A", "2", "3", "4"] for rank in ranks):  # G09
        yield Verdict("Five Small", 0)
    for three in combinations(range(5), 3):
        if plain_ox([ranks[place] for place in three], rules):
            left_over = [cards[place] for place in range(5) if place not in three]
            yield from plain_power(left_over, rules)


def plain_ox(ranks: Sequence[str], rules: GnauRules) -> bool:
    """Whether three ranks are an ox (G05, G07)."""
    same_rank = ranks[0] == ranks[1] == ranks[2]
    return (rules.triple_ox and same_rank) or any(total % 10 == 0 for total in _totals(ranks, rules))


def plain_power(power: Sequence[str], rules: GnauRules) -> Iterator[Verdict]:
    """Every verdict on two power cards (G10 to G14)."""
    ranks = [card.removesuffix("♠") for card in power]

    for total in _totals(ranks, rules):  # G14
        yield Verdict("Single-Ox", 10 if total % 10 == 0 else total % 10)
    if ranks[0] == ranks[1]:  # G12
        yield Verdict("Double-Ox", PAIR_ORDER.index(ranks[0]) + 1)
    if rules.mixed_double and sorted(ranks) == ["3", "6"]:  # G13
        yield Verdict("Double-Ox", 6)
    tonku_dukes = ["J", "Q", "K", "10"] if rules.tonku_tens else ["J", "Q", "K"]
    if rules.ngau_tonku and "A♠" in power and any(rank in tonku_dukes for rank in ranks):  # G10
        yield Verdict("Ngau Tonku", 0)


def _totals(ranks: Sequence[str], rules: GnauRules) -> list[int]:
    """Every total that these ranks can have (G04)."""
    return [sum(reading) for reading in product(*(_readings(rank, rules) for rank in ranks))]


def _readings(rank: str, rules: GnauRules) -> list[int]:
    if rules.flex_3_6 and rank in ["3", "6"]:
        return [3, 6]
    if rank == "A":
        return [1]
    if rank in ["10", "J", "Q", "K"]:
        return [10]
    return [int(rank)]


def plain_word(card: Card) -> str:
    """The word for a card."""
    return "A♠" if card_text(card) == "AS" else RANKS[rank_of(card)]
