"""What hands win, and so the most that a bet can lose (B02)."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from bot.games.contract import RankedHands
from bot.games.register import game_of
from bot.games.worth import worth_of
from bot.rules.hand import HandRank
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, SuitedBonus

_RULES_KEPT: Final = 256


def ranked_hands(rules: HouseRules) -> tuple[RankedHands, ...]:
    """The ranks in force, strongest first, with what each wins."""
    return _ranked_hands(worth_of(rules))


def ranked_as(rank: HandRank, rules: HouseRules) -> RankedHands:
    """The row of the ranking that a rank is in."""
    return next(
        row for row in ranked_hands(rules) if row.hand_class is rank.hand_class and rank.value in row.values
    )


def multiples_of(rules: HouseRules) -> Mapping[int, int]:
    """What each rank in force wins, in stakes, by its strength, without the suited bonus."""
    return _multiples(worth_of(rules))


def largest_multiple(rules: HouseRules) -> int:
    """The largest multiple in force: the most that a bet can lose, in stakes (B02)."""
    return _largest(worth_of(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _ranked_hands(rules: HouseRules) -> tuple[RankedHands, ...]:
    return tuple(game_of(rules).ranking(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _multiples(rules: HouseRules) -> Mapping[int, int]:
    return MappingProxyType(
        {
            HandRank(row.hand_class, value).strength: row.multiple
            for row in _ranked_hands(rules)
            for value in row.values
        }
    )


@lru_cache(maxsize=_RULES_KEPT)
def _largest(rules: HouseRules) -> int:
    game, multiples = game_of(rules), _multiples(rules)
    largest = max(multiples.values())
    if game.bonus(rules) is SuitedBonus.OFF:
        return largest
    return max(largest, *(SUITED_TIMES * multiples[rank.strength] for rank in game.power_ranks(rules)))
