"""The odds of a rule set: how often each hand comes, how often a player wins, and what the bank keeps."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, sqrt
from typing import Final

from bot.games.register import GAMES, MOST_PIECES
from bot.games.settle import Outcome, settle, worth_of
from bot.odds.pairs import Five, Sets, kinds_of, sets_in
from bot.odds.ranking import Ranking, ranking_of
from bot.odds.suits import doubled_hands
from bot.odds.ties import equal_highest
from bot.rules.cards import DECK_SIZE
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, HandClass, Piece

MOST_DECKS: Final = MOST_PIECES // DECK_SIZE
_TWO_HANDS: Final = 2 * HAND_SIZE
_RULES_KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class ClassCount:
    """How many hands are of one class and value.

    Attributes:
        hands: how many hands, at least 1. A hand is five physical pieces, in any order.
    """

    hand_class: HandClass
    value: int
    hands: int


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact odds of one player against the banker.

    Attributes:
        classes: how many of them are of each class and value, weakest first; without classes that never
            occur.
        pairs: the number of ordered pairs of a player's hand and a banker's hand that share no piece.
        bank_edge: the bank's average gain for each chip staked.
        variance: the variance of a player's gain for each chip staked, in chips squared.
    """

    hands: int
    classes: tuple[ClassCount, ...]
    pairs: int
    win: Fraction
    lose: Fraction
    push: Fraction
    bank_edge: Fraction
    variance: Fraction
    standard_deviation: float


def odds_of(rules: HouseRules, decks: int = 1) -> Odds:
    """The odds under these rules, cached.

    The first call counts for some tenths of a second: do not make it on the event loop.

    Args:
        rules: the rules; their own number of decks does not matter, since more players bring more (G02).
    """
    most = GAMES[rules.game].most_sets
    if not 1 <= decks <= most:
        possible = f"1 to {most} decks" if most > 1 else "one set of its pieces"
        raise ValueError(f"odds of {rules.game} are for {possible}, not {decks}")
    return _remembered(worth_of(rules), decks)


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules, decks: int) -> Odds:
    return odds_among(GAMES[rules.game].pieces.pieces * decks, rules)


def odds_among(pieces: Iterable[Piece], rules: HouseRules) -> Odds:
    """The odds if hands are dealt from these pieces. Equal pieces count as separate physical pieces."""
    ranking = ranking_of(rules)
    pieces = tuple(pieces)
    if not _TWO_HANDS <= len(pieces) <= MOST_PIECES:
        word = ranking.game.pieces.name
        raise ValueError(f"odds need {_TWO_HANDS} to {MOST_PIECES} {word}s, not {len(pieces)}")
    copies = ranking.copies(pieces)
    hands = kinds_of(copies)
    by_rank = ranking.by_rank(hands)
    duels = _counted(ranking, Sets(copies), by_rank, pieces, hands)

    total = comb(len(pieces), HAND_SIZE) * comb(len(pieces) - HAND_SIZE, HAND_SIZE)
    won, tied = duels.won.total(), duels.tied.total()
    # The rest is symmetric: what one side wins with a pair of hands, it loses with the swapped pair.
    edge = Fraction(sum(multiple * pairs for multiple, pairs in duels.tied.items()), total)
    moved = duels.won + duels.won + duels.tied
    variance = Fraction(sum(multiple**2 * pairs for multiple, pairs in moved.items()), total) - edge**2
    counts = [sum(number for _, number in of_rank) for of_rank in by_rank]
    return Odds(
        hands=sum(counts),
        classes=tuple(
            ClassCount(rank.hand_class, rank.value, count)
            for rank, count in zip(ranking.ranks, counts, strict=True)
            if count
        ),
        pairs=total,
        win=Fraction(won, total),
        lose=Fraction(won + tied, total),
        push=Fraction(total - 2 * won - tied, total),
        bank_edge=edge,
        variance=variance,
        standard_deviation=sqrt(variance),
    )


@dataclass(frozen=True, slots=True)
class _Duels:
    """How many ordered pairs of hands are decided, by the multiple that the winner's hand has.

    Attributes:
        won: the pairs whose first hand wins, which are as many as those whose second hand wins.
        tied: the pairs that tie, where the banker wins ties.
    """

    won: Counter[int]
    tied: Counter[int]


def _counted(
    ranking: Ranking,
    sets: Sets,
    by_rank: Sequence[Sequence[tuple[Five, int]]],
    pieces: Sequence[Piece],
    hands: Mapping[Five, int],
) -> _Duels:
    """Goes through the ranks from the weakest up: a hand wins against those of the ranks before.

    Only the winner's multiple counts (G17). So it is enough to know how often the winner's hand pays double,
    never how often both hands do.
    """
    won, tied = Counter[int](), Counter[int]()
    double = doubled_hands(hands, pieces, ranking) if ranking.suits_matter else {}
    lower: dict[int, int] = {}
    for hand, doubled, of_rank in zip(ranking.ranks, ranking.doubled, by_rank, strict=True):
        in_rank = sets_in(of_rank)
        beaten, equal = sets.disjoint(in_rank, lower), sets.disjoint(in_rank, in_rank)
        if ranking.order is not None:
            # The highest piece decides the others. Each hand of a pair is as likely to have it.
            decided = equal - equal_highest(of_rank, pieces, ranking, sets)
            beaten, equal = beaten + decided // 2, equal - decided
        dearer = sets_in((five, double[five]) for five, _ in of_rank if five in double)
        won[doubled.multiple] += (beaten_double := sets.disjoint(dearer, lower))
        won[hand.multiple] += beaten - beaten_double
        if settle(hand, hand, ranking.rules).outcome is Outcome.BANKER:
            tied[doubled.multiple] += (equal_double := sets.disjoint(dearer, in_rank))
            tied[hand.multiple] += equal - equal_double
        for kind, number in in_rank.items():
            lower[kind] = lower.get(kind, 0) + number
    return _Duels(won, tied)
