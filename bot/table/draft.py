"""A decision in progress: applies each event once, and collects the chips that it moves."""

from bot.table.accounts import Move
from bot.table.events import Event
from bot.table.evolve import evolve
from bot.table.moves import moves_by
from bot.table.state import TableState


class Draft:
    """What a command has changed so far.

    Args:
        before: the table before the command; None if the command opens it.

    Attributes:
        before: as given.
        events: the events so far, in order.
        moves: the chips that they move, in order.
    """

    def __init__(self, before: TableState | None) -> None:
        self.before = before
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self._state = before

    @property
    def state(self) -> TableState:
        """The table after the events so far; not there before the event that opens it."""
        assert self._state is not None
        return self._state

    def add(self, *events: Event) -> None:
        """Applies these events, one after another."""
        for event in events:
            before, self._state = self._state, evolve(self._state, event)
            if before is not None:
                self.moves.extend(moves_by(before, event, self._state))
            self.events.append(event)
