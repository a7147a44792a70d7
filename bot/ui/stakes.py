"""The stakes that buttons and modals offer."""

from typing import Final

from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules

DEFAULT_LIMITS: Final = (5, 100)
"""The bets that a new banker is offered if nothing else follows from chips and house."""
PLAYERS_COVERED: Final = 6
"""For how many highest bets at once a new bank has the chips, if its banker keeps what is offered."""
_ROUND: Final = tuple(digit * 10**zeros for zeros in range(10) for digit in (1, 2, 5))


def offered_limits(rules: HouseRules, chips: int) -> tuple[int, int]:
    """The lowest and the highest bet that a new banker is offered: six players can bet the highest (B02).

    Args:
        chips: the banker's free chips.
    """
    each = chips // largest_multiple(rules)
    lowest, highest = DEFAULT_LIMITS
    lowest = max(rules.lowest_stake, min(lowest, rules.highest_stake, each))
    covered = max((stake for stake in _ROUND if stake * PLAYERS_COVERED <= each), default=0)
    return lowest, max(lowest, min(highest, rules.highest_stake, covered))


def quick_stakes(lowest: int, highest: int, count: int = 4) -> tuple[int, ...]:
    """A few stakes from the lowest to the highest, round ones between, ascending.

    Args:
        count: how many at the most, two or more.
    """
    between = [chips for chips in _ROUND if lowest < chips < highest]
    stakes = [lowest, *between, highest] if highest > lowest else [lowest]
    if len(stakes) <= count:
        return tuple(stakes)
    last = len(stakes) - 1
    return tuple(stakes[place * last // (count - 1)] for place in range(count))
