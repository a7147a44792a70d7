"""A second evaluator of Niu Niu, written from the clauses alone: slow, plain, without code of the first.

A card is a word, its rank and its suit: `"10S"` is the ten of spades.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from bot.games.niu_niu.rules import NiuNiuRules

ORDER = ("No Niu", "Niu", "Five Flowers", "Bomb", "Five Small")
"""The classes from the weakest to the strongest (N04)."""
RANK_ORDER = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The ranks from the lowest to the highest (N06, N09)."""
SUIT_ORDER = ("D", "C", "H", "S")
"""The suits from the lowest to the highest (N09)."""


class Verdict(NamedTuple):
    """The class of a hand, by name, and the value within it: higher is stronger.

    A niu has its number, 1 to 9, and Niu Niu 10; a Bomb has the rank of the four, ace 1 to king 13; the rest
    have 0.
    """

    name: str
    number: int


def plain_verdict(cards: Sequence[str], rules: NiuNiuRules) -> Verdict:
    """The verdict on five cards (N04)."""
    ranks = [plain_rank(card) for card in cards]
    points = [plain_points(rank) for rank in ranks]

    if rules.five_small and all(rank in ["A", "2", "3", "4"] for rank in ranks) and sum(points) <= 10:  # N05
        return Verdict("Five Small", 0)
    for rank in RANK_ORDER:
        if rules.bomb and ranks.count(rank) >= 4:  # N06
            return Verdict("Bomb", RANK_ORDER.index(rank) + 1)
    if rules.five_flowers and all(rank in ["J", "Q", "K"] for rank in ranks):  # N07
        return Verdict("Five Flowers", 0)
    for one, two, three in combinations(points, 3):
        if (one + two + three) % 10 == 0:  # N02
            digit = (sum(points) - one - two - three) % 10  # N03
            return Verdict("Niu", 10 if digit == 0 else digit)
    return Verdict("No Niu", 0)


def plain_rank(card: str) -> str:
    """The rank of a card."""
    return card[:-1]


def plain_points(rank: str) -> int:
    """The points of a rank (N01)."""
    if rank == "A":
        return 1
    return 10 if rank in ["J", "Q", "K"] else int(rank)


def plain_multiple(verdict: Verdict, rules: NiuNiuRules) -> int:
    """What a hand wins, in stakes (N08)."""
    match verdict:
        case ("Five Small", _):
            return rules.multiple_five_small
        case ("Bomb", _):
            return rules.multiple_bomb
        case ("Five Flowers", _):
            return rules.multiple_five_flowers
        case ("Niu", 10):
            return rules.multiple_niu_niu
        case ("Niu", 9):
            return rules.multiple_niu_9
        case ("Niu", 8):
            return rules.multiple_niu_8
        case ("Niu", 7):
            return rules.multiple_niu_7
        case ("Niu", _):
            return rules.multiple_low_niu
    return rules.multiple_no_niu


def plain_settle(player: Sequence[str], banker: Sequence[str], rules: NiuNiuRules) -> tuple[str, int]:
    """Who wins, `"player"`, `"banker"` or `"push"`, and the player's gain in stakes (N08 to N10)."""
    mine, theirs = plain_verdict(player, rules), plain_verdict(banker, rules)
    winner = _winner(mine, theirs)
    if winner == "push":
        match rules.niu_ties.value:
            case "cards":
                winner = _holder_of_the_higher_card(player, banker)
            case "banker":
                winner = "banker"
    if winner == "player":
        return "player", plain_multiple(mine, rules)
    if winner == "banker":
        return "banker", -plain_multiple(theirs, rules)
    return "push", 0


def _winner(mine: Verdict, theirs: Verdict) -> str:
    if mine == theirs:
        return "push"
    stronger = max(mine, theirs, key=lambda verdict: (ORDER.index(verdict.name), verdict.number))
    return "player" if stronger == mine else "banker"


def _holder_of_the_higher_card(player: Sequence[str], banker: Sequence[str]) -> str:
    mine, theirs = max(map(_place, player)), max(map(_place, banker))
    if mine == theirs:
        return "push"
    return "player" if mine > theirs else "banker"


def _place(card: str) -> tuple[int, int]:
    """The place of a card in the order of all cards: by rank, then by suit (N09)."""
    return RANK_ORDER.index(plain_rank(card)), SUIT_ORDER.index(card[-1])
