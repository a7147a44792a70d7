"""Shared by tests of a failing ledger: how it fails, and what listeners were notified of."""

from collections.abc import Callable

from tests.croupier.croupier_house import House

FailAt = Callable[[int], None]
"""Makes the n-th change of a table from now on fail, counted from 1."""


def times_notified(house: House, kind: type) -> int:
    """How often listeners were notified of an event of this kind."""
    return sum(isinstance(event, kind) for change in house.changes for event in change.events)
