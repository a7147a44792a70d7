"""The odds of a rule set: how often each hand comes, how often a player wins, and what the bank keeps."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final

from bot.games.register import GAMES, MOST_PIECES
from bot.games.settle import Outcome, settle, worth_of
from bot.odds.combinatorics import ways
from bot.odds.pairs import disjoint_pairs, hands_of_each
from bot.odds.ranking import Ranking, faces_of, ranking_of
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

    The first call counts for some hundredths of a second: do not make it on the event loop.

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
    return odds_among(faces_of(rules.game).pack * decks, rules)


def odds_among(pieces: Iterable[Piece], rules: HouseRules) -> Odds:
    """The odds if hands are dealt from these pieces. Equal pieces count as separate physical pieces."""
    ranking = ranking_of(rules)
    pieces = tuple(pieces)
    copies = ranking.faces.copies(pieces)
    if not _TWO_HANDS <= sum(copies) <= MOST_PIECES:
        word = ranking.faces.game.pieces.name
        raise ValueError(f"odds need {_TWO_HANDS} to {MOST_PIECES} {word}s, not {sum(copies)}")

    hands, groups = ways(copies, HAND_SIZE), len(ranking.ranks)
    choices = [doubled_hands(ranking.faces.copies_by_suit(pieces), ranking)] if ranking.suits_matter else []
    joint, *doubled = disjoint_pairs(copies, ranking.places, groups, HAND_SIZE, *choices)
    order = ranking.faces.game.order_in_ties(rules)
    equal = None if order is None else equal_highest(pieces, ranking, order, copies)
    outcomes, gains = _settled(ranking, joint, doubled[0] if doubled else None, equal)

    total = outcomes.total()
    mean = Fraction(sum(gain * pairs for gain, pairs in gains.items()), total)
    variance = Fraction(sum(gain**2 * pairs for gain, pairs in gains.items()), total) - mean**2
    counts = hands_of_each(hands, ranking.places, groups)
    return Odds(
        hands=sum(counts),
        classes=tuple(
            ClassCount(rank.hand_class, rank.value, count)
            for rank, count in zip(ranking.ranks, counts, strict=True)
            if count
        ),
        pairs=total,
        win=Fraction(outcomes[Outcome.PLAYER], total),
        lose=Fraction(outcomes[Outcome.BANKER], total),
        push=Fraction(outcomes[Outcome.PUSH], total),
        bank_edge=-mean,
        variance=variance,
        standard_deviation=sqrt(variance),
    )


def _settled(
    ranking: Ranking,
    joint: list[list[int]],
    doubled: list[list[int]] | None,
    equal: list[int] | None,
) -> tuple[Counter[Outcome], Counter[int]]:
    """Counts the pairs by outcome, and by the player's gain in chips.

    Only the winner's multiple counts (G17). So it is enough to know how often the winner's hand pays double,
    never how often both hands do.

    Args:
        joint: the number of pairs for each two groups.
        doubled: how many of them have a first hand that pays double; None if no hand does.
        equal: for each group, how many pairs within it the highest piece does not decide; None if it decides
            no pairs.
    """
    outcomes: Counter[Outcome] = Counter()
    gains: Counter[int] = Counter()
    for first, player in enumerate(ranking.ranks):
        for second, banker in enumerate(ranking.ranks):
            pairs = joint[first][second]
            if equal is not None and first == second:
                # Each hand of a pair is as likely to be the player's, so each wins half.
                decided = (pairs - equal[first]) // 2
                for won in (
                    settle(replace(player, tie_break=1), banker, ranking.rules),
                    settle(player, replace(banker, tie_break=1), ranking.rules),
                ):
                    outcomes[won.outcome] += decided
                    gains[won.units] += decided
                pairs = equal[first]
            duel = settle(player, banker, ranking.rules)
            outcomes[duel.outcome] += pairs
            if doubled is not None and duel.outcome is not Outcome.PUSH:
                won_by_player = duel.outcome is Outcome.PLAYER
                double = doubled[first][second] if won_by_player else doubled[second][first]
                dearer = settle(ranking.doubled[first], ranking.doubled[second], ranking.rules)
                gains[dearer.units] += double
                pairs -= double
            gains[duel.units] += pairs
    return outcomes, gains
