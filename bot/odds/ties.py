"""Ties broken by each hand's highest piece, and how often even those are equal (N09).

If the hands of a pair have the same rank, the higher highest piece wins. Swapping the two hands turns a win
into a loss, so of the pairs that are no push each hand wins half. What is left to count are the pushes: pairs
on the same rank whose highest pieces are equal. One deck has none, since it has every piece once.

The order of the pieces goes by face first. So equal highest pieces have the same face, and which pieces of
that face the hands hold does not depend on their other pieces. Pairs whose hands hold a given number of it
are counted by faces alone, and the share of pushes among them by the pieces of that face alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement, pairwise
from math import comb

from bot.odds.pairs import Five, Sets, sets_in
from bot.odds.ranking import Ranking
from bot.rules.pieces import Piece


def equal_highest(
    of_rank: Iterable[tuple[Five, int]], pieces: Sequence[Piece], ranking: Ranking, sets: Sets
) -> int:
    """The number of ordered pairs of these hands, of one rank, whose highest pieces are equal."""
    order = ranking.order
    assert order is not None
    of_face: dict[int, Counter[int]] = defaultdict(Counter)
    for piece in pieces:
        of_face[ranking.faces[piece]][order(piece)] += 1
    # The hands by their highest face, and by how many pieces of it they hold.
    held: dict[int, dict[int, list[tuple[Five, int]]]] = defaultdict(lambda: defaultdict(list))
    for five, number in of_rank:
        highest = max(five, key=lambda face: max(of_face[face]))
        if max(of_face[highest].values()) > 1:
            held[highest][five.count(highest)].append((five, number))
    equal = 0
    for highest, by_number in held.items():
        in_order = tuple(times for _, times in sorted(of_face[highest].items()))
        groups = {number: sets_in(hands) for number, hands in by_number.items()}
        for mine, theirs in combinations_with_replacement(groups, 2):
            same, every = _same_highest(in_order, mine, theirs)
            pairs = sets.disjoint(groups[mine], groups[theirs])
            if pairs:
                equal += pairs * same // every * (1 if mine == theirs else 2)
    return equal


@cache
def _same_highest(copies: tuple[int, ...], mine: int, theirs: int) -> tuple[int, int]:
    """Of the ways to deal `mine` and then `theirs` pieces, those with equal highest ones, and all.

    Args:
        copies: how many pieces there are of each place in the order, the lowest first.
    """
    up_to = [0, *accumulate(copies)]

    def dealt(most_mine: int, most_theirs: int) -> int:
        """Both within their first pieces in the order; the narrower hand is dealt first."""
        if most_mine <= most_theirs:
            return comb(most_mine, mine) * comb(most_theirs - mine, theirs) if most_mine >= mine else 0
        return comb(most_theirs, theirs) * comb(most_mine - theirs, mine) if most_theirs >= theirs else 0

    same = sum(
        dealt(most, most) - dealt(most, less) - dealt(less, most) + dealt(less, less)
        for less, most in pairwise(up_to)
    )
    return same, dealt(up_to[-1], up_to[-1])
