"""What hands win, and so the most that a bet can lose (B02)."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from bot.games.contract import RankedHands
from bot.games.register import game_of
from bot.rules.hand import HandRank
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, SuitedBonus

_RULES_KEPT: Final = 256


@lru_cache(maxsize=_RULES_KEPT)
def ranking_of(rules: HouseRules) -> tuple[RankedHands, ...]:
    """The ranks in force, strongest first, with what each wins."""
    return tuple(game_of(rules).ranking(rules))


def ranked_as(rank: HandRank, rules: HouseRules) -> RankedHands:
    """The row of the ranking that a rank is in."""
    return next(
        row for row in ranking_of(rules) if row.hand_class is rank.hand_class and rank.value in row.values
    )


@lru_cache(maxsize=_RULES_KEPT)
def multiples_of(rules: HouseRules) -> Mapping[int, int]:
    """What each rank wins, in stakes, by its strength, without the suited bonus."""
    return MappingProxyType(
        {
            HandRank(row.hand_class, value).strength: row.multiple
            for row in ranking_of(rules)
            for value in row.values
        }
    )


@lru_cache(maxsize=_RULES_KEPT)
def largest_multiple(rules: HouseRules) -> int:
    """The largest multiple in force: the most that a bet can lose, in stakes (B02)."""
    bonus = 1 if game_of(rules).suited_bonus(rules) is SuitedBonus.OFF else SUITED_TIMES
    return max(row.multiple * (bonus if row.has_ox else 1) for row in ranking_of(rules))
