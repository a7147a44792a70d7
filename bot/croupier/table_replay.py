"""Replays one table event by event, and lists what is wrong with its stored events and state."""

from collections.abc import Iterator
from dataclasses import fields

from pydantic import ValidationError

from bot.croupier.round_verification import is_dealt_from_secret, is_rolled_from_secret, round_mismatch
from bot.croupier.stored_rows import wrong_columns
from bot.croupier.transfer_check import table_transfer_problems
from bot.ledger.audit import Finding
from bot.ledger.journal import StoredCommand
from bot.ledger.records import StoredEvent, StoredTable
from bot.rules.house_rules import PassedOver
from bot.table.accounts import Move
from bot.table.events import DiceRolled, Event, HandsDealt, RoundSettled, parse_event
from bot.table.evolve import evolve
from bot.table.moves import moves_of
from bot.table.state import TableState, parse_state


class TableReplay:
    """The replay of one table.

    Args:
        table: the stored table.
        deadline: its stored deadline, in seconds since the epoch, UTC.

    Attributes:
        table: as given.
    """

    def __init__(self, table: StoredTable, deadline: float | None) -> None:
        self.table = table
        self._deadline = deadline
        self._name = f"table {table.table_id}"
        self._state: TableState | None = None
        self._caveat = ""
        self._stopped = False

    def apply(self, command: StoredCommand) -> Iterator[Finding]:
        """Replays the next command, and yields what is wrong with it.

        Args:
            command: the command.
        """
        if self._stopped:
            return
        moves: list[tuple[int, Move]] = []
        try:
            for row in command.events:
                event = self._read(row)
                yield from self._follow(row, event, moves)
        except _ReplayStoppedError as stopped:
            self._stopped = True
            yield self._finding(str(stopped))
            return
        if self._state is None:
            return
        number = self._state.round_number
        for row in command.events:
            if row.round_number != number:
                yield self._wrong_event(row, f"under round {row.round_number}", f"of round {number}")
        for finding in table_transfer_problems(
            self.table.server_id, self.table.table_id, moves, command.transfers
        ):
            yield Finding(finding.server_id, finding.what + self._caveat)

    def finish(self) -> Iterator[Finding]:
        """Yields what is wrong with the stored table; call it after the last command."""
        if self._stopped:
            return
        if self._state is None:
            yield self._finding(f"{self._name} is stored, but has no events")
            return
        yield from self._state_problems(self._state)
        wrong = list(wrong_columns(self.table, self._state))
        if self._deadline != self._state.deadline:
            wrong.append(("deadline", self._deadline, self._state.deadline))
        for name, filed, due in wrong:
            yield self._finding(f"{self._name} is stored with {name} {filed}, and should have {due}")

    def _state_problems(self, state: TableState) -> Iterator[Finding]:
        passed_over = PassedOver()
        try:
            stored = parse_state(self.table.state, passed_over)
        except ValidationError as wrong:
            yield self._finding(f"the state of {self._name} cannot be read: {_reason(wrong)}")
            return
        self._note_unknown_rules(passed_over)
        parts = [field.name for field in fields(TableState)]
        differing = [name for name in parts if getattr(stored, name) != getattr(state, name)]
        if differing:
            # Only the names: the values may be a sealed secret, or a hand that is not revealed.
            what = f"the state of {self._name} does not follow from its events: {', '.join(differing)}"
            yield self._finding(what)

    def _read(self, row: StoredEvent) -> Event:
        passed_over = PassedOver()
        try:
            event = parse_event(row.body, passed_over)
        except ValidationError as wrong:
            what = f"event {row.sequence} of {self._name} cannot be read: {_reason(wrong)}"
            raise _ReplayStoppedError(what) from wrong
        self._note_unknown_rules(passed_over)
        return event

    def _follow(self, row: StoredEvent, event: Event, moves: list[tuple[int, Move]]) -> Iterator[Finding]:
        """Applies an event, and adds its moves."""
        try:
            mismatch = self._mismatch(row, event)
            moves.extend((row.sequence, move) for move in moves_of(self._state, (event,)))
            self._state = evolve(self._state, event)
        except Exception as impossible:
            # Whatever the error is, nobody can have played this.
            raise _ReplayStoppedError(self._does_not_follow(row)) from impossible
        if self._state.sequence != row.sequence:
            raise _ReplayStoppedError(self._does_not_follow(row))
        if mismatch is not None:
            yield self._finding(mismatch)
        if row.kind != event.kind:
            yield self._wrong_event(row, f"as {row.kind}", event.kind)

    def _mismatch(self, row: StoredEvent, event: Event) -> str | None:
        """What does not match in dealt hands or a settled round, or None."""
        match self._state, event:
            case TableState() as before, HandsDealt():
                if not is_dealt_from_secret(before, event, row.at, row.command_key):
                    return f"event {row.sequence} of {self._name} has other hands than its secret deals"
            case TableState() as before, DiceRolled():
                if not is_rolled_from_secret(before, event, row.command_key):
                    return f"event {row.sequence} of {self._name} has other dice than its secret rolls"
            case TableState() as before, RoundSettled(result):
                if (mismatch := round_mismatch(before, result)) is not None:
                    return f"round {result.round_number} of {self._name} is not proved: {mismatch}"
        return None

    def _does_not_follow(self, row: StoredEvent) -> str:
        return f"event {row.sequence} of {self._name} cannot follow the events before it"

    def _wrong_event(self, row: StoredEvent, filed: str, due: str) -> Finding:
        return self._finding(f"event {row.sequence} of {self._name} is stored {filed}, but is {due}")

    def _note_unknown_rules(self, passed_over: PassedOver) -> None:
        """Adds to all later findings which rules of this table are unknown to this version."""
        if passed_over.notes and not self._caveat:
            self._caveat = f" (as far as its rules are known: {passed_over.notes[0]})"

    def _finding(self, what: str) -> Finding:
        return Finding(self.table.server_id, what + self._caveat)


class _ReplayStoppedError(Exception):
    """The replay cannot continue; the text says why."""


def _reason(wrong: ValidationError) -> str:
    """The first problem, without the value, which may be sealed."""
    first = wrong.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]
