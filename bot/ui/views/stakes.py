"""The stakes that buttons offer."""

from typing import Final

_ROUND: Final = tuple(digit * 10**zeros for zeros in range(10) for digit in (1, 2, 5))


def quick_stakes(lowest: int, highest: int, count: int = 5) -> tuple[int, ...]:
    """A few stakes from the lowest to the highest, round ones between, ascending.

    Args:
        lowest: the smallest stake taken, in chips.
        highest: the largest stake taken, in chips.
        count: how many at the most, two or more.
    """
    between = [chips for chips in _ROUND if lowest < chips < highest]
    stakes = [lowest, *between, highest] if highest > lowest else [lowest]
    if len(stakes) <= count:
        return tuple(stakes)
    step = (len(stakes) - 1) / (count - 1)
    return tuple(stakes[round(place * step)] for place in range(count))
