"""How the bets of one round hang together: every player's hand is compared with the same banker's hand."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, groupby
from math import comb, prod
from operator import itemgetter, mul, sub
from time import sleep
from typing import Final

from bot.games.register import GAMES
from bot.games.settle import settle, worth_of
from bot.odds.odds import odds_of
from bot.odds.pairs import Five, Sets, kinds_of, sets_in, times_of, units
from bot.odds.ranking import Ranking, ranking_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Piece

OfKinds = Sequence[tuple[Five, int]]
"""Kinds of hands, and how many hands are of each."""

_RULES_KEPT: Final = 256
_PRECISION: Final = 1_000_000_000
_THREE_HANDS: Final = 3


def covariance_of(rules: HouseRules, decks: int) -> Fraction | None:
    """The covariance of two players' gains for each chip staked, cached; None if suits matter (G21).

    The first call counts for some seconds.
    """
    return _remembered(worth_of(rules), decks)


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules, decks: int) -> Fraction | None:
    if ranking_of(rules).suits_matter:
        return None
    mean = -float(odds_of(rules, decks).bank_edge)
    found = covariance_among(GAMES[rules.game].pieces.pieces * decks, rules, mean)
    # Rounded, so that every machine has the same.
    return Fraction(round(found * _PRECISION), _PRECISION)


def covariance_among(pieces: tuple[Piece, ...], rules: HouseRules, mean: float) -> float:
    """The covariance of two players' gains for each chip staked, in chips squared.

    Ties that the highest piece decides are counted as if they were a push, and then made up for. Say three
    hands of one rank win m each. If the lowest or the highest of them is the banker's, both players win m or
    both lose m; if the middle one is, one wins m and one loses m. The products m², m² and -m² come to a third
    of m² on average. Two hands of one rank and one of another bring what they would with a push. Three hands
    whose highest pieces are equal are a push.

    Args:
        mean: the average gain for each chip staked.

    Raises:
        ValueError: if hands may pay double for their suits (G21): the kinds of hands do not tell suits.
    """
    ranking = ranking_of(rules)
    if ranking.suits_matter:
        raise ValueError("suits are not in the kinds of hands, so their covariance cannot be counted")
    sets = Sets(ranking.copies(pieces))
    by_rank = ranking.by_rank(kinds_of(sets.copies))
    largest = max(range(len(by_rank)), key=lambda place: len(by_rank[place]))
    both = 0.0
    for place, (banker, of_rank) in enumerate(zip(ranking.ranks, by_rank, strict=True)):
        tie = settle(banker, banker, rules).units if ranking.order is None else 0
        gains = [-banker.multiple] * place + [tie] + [hand.multiple for hand in ranking.ranks[place + 1 :]]
        both += _of_both(sets, of_rank, zip(by_rank, gains, strict=True), gains[largest])
    if ranking.order is not None:
        both += _of_three(ranking, sets, by_rank) - sum(_undecided(pieces, ranking))
    rounds = prod(
        [comb(len(pieces) - taken, HAND_SIZE) for taken in range(0, _THREE_HANDS * HAND_SIZE, HAND_SIZE)]
    )
    return both / rounds - mean**2


def _of_three(ranking: Ranking, sets: Sets, by_rank: Sequence[OfKinds]) -> float:
    """For all three hands of one rank that share no piece, the sum of a third of what it wins, squared."""
    threes = [_of_both(sets, of_rank, [(of_rank, 1)]) for of_rank in by_rank]
    return sum(hand.multiple**2 * three / 3 for hand, three in zip(ranking.ranks, threes, strict=True))


def _undecided(pieces: Sequence[Piece], ranking: Ranking) -> Iterator[float]:
    """As `_of_three`, for the hands whose highest piece is the same, by that piece."""
    order = ranking.order
    assert order is not None
    own = units(len(ranking.game.faces) + 1)[-1]
    for highest, copies in Counter(pieces).items():
        if copies < _THREE_HANDS:
            continue
        # A face of its own, beside the lower pieces of its face.
        face, lower = ranking.faces[highest], [piece for piece in pieces if order(piece) < order(highest)]
        sets = Sets(ranking.copies(lower) | {own: copies})
        by_rank: list[list[tuple[Five, int]]] = [[] for _ in ranking.ranks]
        for five, number in kinds_of(sets.copies).items():
            if times := five.count(own):
                by_rank[ranking.places.get(sum(five) - times * (own - face), 0)].append((five, number))
        yield _of_three(ranking, sets, by_rank)


def _of_both(sets: Sets, bankers: OfKinds, players: Iterable[tuple[OfKinds, int]], usual: int = 0) -> float:
    """The sum, over these banker's hands and all pairs of players' hands, of the product of both gains.

    The three hands share no piece. As in `pairs`, inclusion and exclusion goes over the sets that both
    players' hands could share. The banker's hand takes its pieces away one by one: then the hands with a set
    gain what they gained before, less what those of them gained that have the piece too. Floating point is
    exact enough here: the terms are all of one size, and the sum is right to ten digits.

    Args:
        players: kinds of player's hands, and what each of them gains.
        usual: what all others gain. Only hands that gain something else are looked at piece by piece.
    """
    number = sum(sets.copies.values())
    if number < _THREE_HANDS * HAND_SIZE:
        return 0.0
    others = [
        (five, times, gain - usual) for hands, gain in players for five, times in hands if gain != usual
    ]
    left = comb(number - 2 * HAND_SIZE, HAND_SIZE)
    of_bankers = sets_in(bankers)
    gained = sets_in((five, times * gain) for five, times, gain in others)
    squares = sets_in((five, times * gain**2) for five, times, gain in others)
    found = float(usual**2 * sum(times for _, times in bankers) * comb(number - HAND_SIZE, HAND_SIZE) * left)
    found += 2 * usual * left * sets.disjoint(of_bankers, gained)
    # Hands that share all their pieces are the same hand.
    found -= sets.disjoint(of_bankers, squares)
    if not others or not bankers:
        return found

    # What the hands with a set and one piece more gain is looked up among the sets. Four pieces and one more
    # are a single hand, whose gain stays what it is.
    of_five = {sum(five): float(gain) for five, _, gain in others}
    small = [kind for kinds in sets.of_size[: HAND_SIZE - 1] for kind in kinds if kind in gained]
    of_four = [kind for kind in sets.of_size[HAND_SIZE - 1] if kind in gained]
    parts = small + of_four
    at = {kind: place for place, kind in enumerate(parts)}
    with_one = {
        face: (
            itemgetter(*[at.get(kind + face, len(parts)) for kind in small]),
            [of_five.get(kind + face, 0.0) for kind in of_four],
        )
        for face in sets.copies
    }
    times_in = {face: [times_of(face, kind) for kind in parts] for face in sets.copies}

    @cache
    def staying(face: int, copies: int) -> list[float]:
        """The share of the sets of each kind that stay when one of this many pieces of a face is taken."""
        shares = [1 - taken / copies for taken in range(HAND_SIZE)]
        return [shares[taken] for taken in times_in[face]]

    def without(
        bankers: Iterable[tuple[Five, int]], place: int, with_set: list[float], ways: list[float]
    ) -> float:
        # Lets the event loop's thread go first: it would wait for this one for 5 ms each time.
        sleep(0)
        found = 0.0
        for face, some in groupby(bankers, lambda banker: banker[0][place]):
            those = list(some)
            five, times = those[0]
            of_small, of_whole = with_one[face]
            fewer = list(map(sub, with_set, chain(of_small(with_set), of_whole)))
            sets_left = list(map(mul, ways, staying(face, sets.copies[face] - five[:place].count(face))))
            if place + 1 < HAND_SIZE:
                found += without(those, place + 1, [*fewer, 0.0], sets_left)
            else:
                found += times * sum(map(mul, map(mul, fewer, fewer), sets_left))
        return found

    with_set = [gained[kind] / abs(sets.signed[kind]) for kind in parts] + [0.0]
    return found + without(bankers, 0, with_set, [float(sets.signed[kind]) for kind in parts])
