"""One table told again, event by event, and what is wrong with its record on the way."""

from collections.abc import Iterator
from dataclasses import fields

from pydantic import ValidationError

from bot.croupier.effect import misfiled
from bot.croupier.postings import wrong_at_table
from bot.croupier.proving import is_drawn, unproved
from bot.ledger.audit import Finding
from bot.ledger.journal import Deed
from bot.ledger.records import StoredEvent, StoredTable
from bot.rules.knobs import PassedOver
from bot.table.events import DiceRolled, Event, HandsDealt, RoundSettled, parse_event
from bot.table.evolve import evolve
from bot.table.money import Move
from bot.table.moves import moves_of
from bot.table.state import TableState, parse_state


class Telling:
    """A table, as far as it is told.

    Args:
        table: the table, as it is stored.
        deadline: when it goes on by itself, as that is stored, in seconds since the epoch, UTC.

    Attributes:
        table: as given.
    """

    def __init__(self, table: StoredTable, deadline: float | None) -> None:
        self.table = table
        self._deadline = deadline
        self._name = f"table {table.table_id}"
        self._state: TableState | None = None
        self._rolled: dict[int, DiceRolled] = {}
        self._proviso = ""
        self._broken_off = False

    def go_on(self, deed: Deed) -> Iterator[Finding]:
        """Tells what one command did, and what is wrong with that.

        Args:
            deed: the command, which follows the one before it.
        """
        if self._broken_off:
            return
        moves: list[tuple[int, Move]] = []
        dice: DiceRolled | None = None
        try:
            for row in deed.events:
                event = self._read(row)
                yield from self._follow(row, event, moves)
                dice = event if isinstance(event, DiceRolled) else dice
        except _BrokenOffError as broken_off:
            self._broken_off = True
            yield self._finding(str(broken_off))
            return
        if self._state is None:
            return
        number = self._state.round_number
        for row in deed.events:
            if row.round_number != number:
                yield self._misfiled(row, f"under round {row.round_number}", f"of round {number}")
        if dice is not None:
            self._rolled = {number: dice}
        for finding in wrong_at_table(self.table.server_id, self.table.table_id, moves, deed.transfers):
            yield Finding(finding.server_id, finding.what + self._proviso)

    def end(self) -> Iterator[Finding]:
        """What is wrong with the table as it is stored, once all that happened there is told."""
        if self._broken_off:
            return
        if self._state is None:
            yield self._finding(f"{self._name} is stored, but nothing ever happened there")
            return
        yield from self._wrong_in_state(self._state)
        wrong = list(misfiled(self.table, self._state))
        if self._deadline != self._state.deadline:
            wrong.append(("deadline", self._deadline, self._state.deadline))
        for name, filed, due in wrong:
            yield self._finding(f"{self._name} is filed with {name} {filed}, and should be with {due}")

    def _wrong_in_state(self, state: TableState) -> Iterator[Finding]:
        passed_over = PassedOver()
        try:
            stored = parse_state(self.table.state, passed_over)
        except ValidationError as wrong:
            yield self._finding(f"the state of {self._name} cannot be read: {_reason(wrong)}")
            return
        self._provide(passed_over)
        parts = [field.name for field in fields(TableState)]
        differing = [name for name in parts if getattr(stored, name) != getattr(state, name)]
        if differing:
            # By name alone: what differs may be a sealed secret, or a hand that nobody has turned up.
            what = f"the state of {self._name} is not what its events lead to: {', '.join(differing)}"
            yield self._finding(what)

    def _read(self, row: StoredEvent) -> Event:
        passed_over = PassedOver()
        try:
            event = parse_event(row.body, passed_over)
        except ValidationError as wrong:
            what = f"event {row.sequence} of {self._name} cannot be read: {_reason(wrong)}"
            raise _BrokenOffError(what) from wrong
        self._provide(passed_over)
        return event

    def _follow(self, row: StoredEvent, event: Event, moves: list[tuple[int, Move]]) -> Iterator[Finding]:
        """Has an event happen, and adds what it moves."""
        try:
            unfit = self._unproved(row, event)
            moves.extend((row.sequence, move) for move in moves_of(self._state, (event,)))
            self._state = evolve(self._state, event)
        except Exception as impossible:
            # Whatever it is that a record stumbles over, nobody can have played it so.
            raise _BrokenOffError(self._does_not_follow(row)) from impossible
        if self._state.sequence != row.sequence:
            raise _BrokenOffError(self._does_not_follow(row))
        if unfit is not None:
            yield self._finding(unfit)
        if row.kind != event.kind:
            yield self._misfiled(row, f"as {row.kind}", event.kind)

    def _unproved(self, row: StoredEvent, event: Event) -> str | None:
        """What is not proved of hands that were dealt, or of a round that was settled."""
        match self._state, event:
            case TableState() as before, HandsDealt():
                if not is_drawn(before, event, row.at):
                    return f"event {row.sequence} of {self._name} deals other hands than were drawn"
            case TableState() as before, RoundSettled(result):
                rolled = self._rolled.get(result.round_number)
                if (unfit := unproved(before, result, rolled)) is not None:
                    return f"round {result.round_number} of {self._name} is not proved: {unfit}"
        return None

    def _does_not_follow(self, row: StoredEvent) -> str:
        return f"event {row.sequence} of {self._name} cannot have happened after what is stored before it"

    def _misfiled(self, row: StoredEvent, filed: str, due: str) -> Finding:
        return self._finding(f"event {row.sequence} of {self._name} is filed {filed}, but is {due}")

    def _provide(self, passed_over: PassedOver) -> None:
        """From here on tells what the rules of this table had that this version does not know any more."""
        if passed_over.notes and not self._proviso:
            self._proviso = f" (as far as its rules can be read: {passed_over.notes[0]})"

    def _finding(self, what: str) -> Finding:
        return Finding(self.table.server_id, what + self._proviso)


class _BrokenOffError(Exception):
    """A record cannot be followed any further; the text says why, in a sentence."""


def _reason(wrong: ValidationError) -> str:
    """The first thing that is wrong, without what stands there: it may be sealed."""
    first = wrong.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]
