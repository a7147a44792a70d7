"""What the ledger writes for a decision, and whether a stored table agrees with its state."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from bot.ledger.changes import Change, EventRow, SeedWords, TableRow
from bot.ledger.not_after import NotAfter
from bot.ledger.records import StoredTable
from bot.table.commands import Command, SetClientSeed
from bot.table.commitment import one_line
from bot.table.decide import Decision
from bot.table.events import ClientSeedSet, event_json
from bot.table.state import Phase, TableState, state_json

_COLUMNS: Final = tuple(field.name for field in fields(TableRow) if field.name != "state")
"""The stored columns of a table beside its state, whose JSON can be written in several ways."""


def seed_words(command: Command, decision: Decision) -> tuple[SeedWords, ...]:
    """The words that a command chooses; the decision's event has their code."""
    if not isinstance(command, SetClientSeed):
        return ()
    words = one_line(command.words)
    return tuple(
        SeedWords(event.text, event.party, command.salt, words)
        for event in decision.events
        if isinstance(event, ClientSeedSet)
    )


def change_of(
    decision: Decision,
    key: str,
    now: float,
    words: tuple[SeedWords, ...] = (),
    not_after: NotAfter | None = None,
) -> Change:
    """What the ledger writes in one transaction: the table, its events, the moved chips and chosen words.

    Args:
        decision: what a command changes.
        key: what makes the command unique.
        now: when, in seconds since the epoch, UTC.
        words: the words that a member chose.
        not_after: until when it may be written; None if at any time.
    """
    events, after = decision.events, decision.state
    first = after.sequence - len(events) + 1
    return Change(
        key=key,
        server_id=after.server_id,
        at=now,
        moves=decision.moves,
        table=_row(after),
        events=tuple(
            EventRow(sequence, event.kind, event_json(event), after.round_number)
            for sequence, event in enumerate(events, first)
        ),
        deadline=after.deadline,
        words=words,
        not_after=not_after,
    )


def wrong_columns(stored: StoredTable, state: TableState) -> Iterator[tuple[str, object, object]]:
    """The columns of a stored table that disagree with its state.

    Returns:
        For each such column its name, its stored value, and the value that it should have.
    """
    due = _row(state)
    for name in _COLUMNS:
        if getattr(stored, name) != getattr(due, name):
            yield name, getattr(stored, name), getattr(due, name)


def _row(state: TableState) -> TableRow:
    return TableRow(
        table_id=state.table_id,
        server_id=state.server_id,
        channel_id=state.channel_id,
        number=state.number,
        is_open=state.phase is not Phase.CLOSED,
        is_playing=bool(state.held),
        state=state_json(state),
        sequence=state.sequence,
    )
