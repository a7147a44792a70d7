"""What the last piece can make of a hand whose other four are known, counted over every piece it can be.

Only the four are asked for: nothing here can give the last piece away.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.games.hands import arrangements, decks_in_play, evaluate
from bot.games.register import game_of
from bot.games.settle import ranked_as, ranked_hands, worth_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Hand, HandClass, Piece

_MOST_HOPES: Final = 2
_OUTLOOKS_KEPT: Final = 1 << 11
"""Hands of four in the cache, about 2 MB. A miss takes a millisecond."""


@dataclass(frozen=True, slots=True)
class Hope:
    """A kind of hand that the last piece can make.

    Attributes:
        best: the strongest hand of the kind.
        pieces: what makes it, the one that makes the strongest first, then the highest; each once.
        count: how many unseen pieces make it.
        is_best_only: whether they all make a hand as strong as `best`.
    """

    best: Hand
    pieces: tuple[Piece, ...]
    count: int
    is_best_only: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a hand can become.

    Attributes:
        hopes: the best kinds of hands, best first; none if every piece leaves a hand without an ox.
        oxen: how many unseen pieces make an ox.
        unseen: the pieces that the last one can be, each once.
        unseen_count: how many these are, in all decks.
    """

    hopes: tuple[Hope, ...]
    oxen: int
    unseen: frozenset[Piece]
    unseen_count: int


def outlook(four: Sequence[Piece], rules: HouseRules, hands: int) -> Outlook:
    """What the last piece can make of four, under these rules.

    Kinds that win more than others come first, each a row of the ranking. If they are fewer than two, the
    strongest hand that wins least follows.

    Args:
        hands: how many were dealt (the banker's included): it decides how many decks are in play.
    """
    return _outlook(tuple(sorted(four)), worth_of(rules), decks_in_play(rules, hands))


@lru_cache(maxsize=_OUTLOOKS_KEPT)
def _outlook(four: tuple[Piece, ...], worth: HouseRules, decks: int) -> Outlook:
    game = game_of(worth)
    unseen = Counter(game.pieces.pieces * decks)
    unseen.subtract(four)
    made = {piece: evaluate((*four, piece), worth) for piece, count in unseen.items() if count}
    least = min(row.multiple for row in ranked_hands(worth)[:-1])
    kinds: dict[tuple[HandClass, range, int], dict[Piece, Hand]] = {}
    for piece, hand in made.items():
        if hand.rank != game.no_ox:
            values = ranked_as(hand.rank, worth).values
            kinds.setdefault((hand.hand_class, values, hand.multiple), {})[piece] = hand
    hopes = [_hope(kind, unseen) for (*_, multiple), kind in kinds.items() if multiple > least]
    plain = {piece: hand for kind in kinds.values() for piece, hand in kind.items() if hand.multiple <= least}
    if plain:
        most = max(hand.strength for hand in plain.values())
        best = {piece: hand for piece, hand in plain.items() if hand.strength == most}
        hopes.append(_hope(best, unseen))
    hopes.sort(key=lambda hope: (hope.best.multiple > least, hope.best.strength), reverse=True)
    return Outlook(
        hopes=tuple(hopes[:_MOST_HOPES]),
        oxen=sum(unseen[piece] for piece, hand in made.items() if _has_ox(hand, worth)),
        unseen=frozenset(made),
        unseen_count=unseen.total(),
    )


def _hope(kind: dict[Piece, Hand], unseen: Counter[Piece]) -> Hope:
    pieces = sorted(kind, key=lambda piece: (kind[piece].strength, piece), reverse=True)
    return Hope(
        best=kind[pieces[0]],
        pieces=tuple(pieces),
        count=sum(unseen[piece] for piece in kind),
        is_best_only=len({hand.strength for hand in kind.values()}) == 1,
    )


def _has_ox(hand: Hand, worth: HouseRules) -> bool:
    """Whether three of the five are an ox, also if the hand is stronger without it."""
    return bool(hand.ox) or any(way.ox for way in arrangements(hand.pieces, worth))
