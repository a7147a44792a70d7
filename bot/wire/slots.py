"""Slots of presses that are carried out at once; one ends where only Discord is waited for."""

from collections.abc import Callable
from contextvars import ContextVar


class Slot:
    """One of a limited number.

    Args:
        freed: called once, when it is given back.
    """

    def __init__(self, freed: Callable[[], None]) -> None:
        self._freed: Callable[[], None] | None = freed

    def give_back(self) -> None:
        """Lets the next press have it; a second call does nothing."""
        freed, self._freed = self._freed, None
        if freed is not None:
            freed()


_SLOT: ContextVar[Slot | None] = ContextVar("slot", default=None)


def occupy(slot: Slot) -> None:
    """Gives a slot to the current task, and to tasks that it starts."""
    _SLOT.set(slot)


def give_back_slot() -> None:
    """Gives back the slot of the current task, if it has one."""
    if (slot := _SLOT.get()) is not None:
        slot.give_back()
