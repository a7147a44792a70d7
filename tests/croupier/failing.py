"""What tests of a failing ledger share: how it is made to fail, and what was told meanwhile."""

from collections.abc import Callable

from tests.croupier.house import House

FailAt = Callable[[int], None]
"""Makes the so-manieth change of a table from now on fail, from 1 on."""


def as_ledger_errors(house: House, kind: type) -> int:
    """How often listeners were told of an event of this kind."""
    return sum(isinstance(event, kind) for news in house.news for event in news.events)
