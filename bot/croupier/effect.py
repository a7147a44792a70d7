"""A command's whole effect, as the ledger writes it."""

from bot.ledger.changes import Change, EventRow, TableRow
from bot.table.events import Event, event_json
from bot.table.moves import moves_of
from bot.table.state import Phase, TableState, state_json


def change_of(
    before: TableState | None, events: tuple[Event, ...], after: TableState, key: str, now: float
) -> Change:
    """What the ledger is to write, all of it or nothing: the table, its events, and the chips they move.

    Args:
        before: the table before; None where it was just opened.
        events: what happened, in order.
        after: the table that they make of it.
        key: what makes the command unique.
        now: when, in seconds since the epoch, UTC.
    """
    first = after.sequence - len(events) + 1
    return Change(
        key=key,
        server_id=after.server_id,
        at=now,
        moves=moves_of(before, events),
        table=TableRow(
            table_id=after.table_id,
            server_id=after.server_id,
            channel_id=after.channel_id,
            number=after.number,
            is_open=after.phase is not Phase.CLOSED,
            is_playing=bool(after.held),
            state=state_json(after),
            sequence=after.sequence,
        ),
        events=tuple(
            EventRow(sequence, event.kind, event_json(event), after.round_number)
            for sequence, event in enumerate(events, first)
        ),
        deadline=after.deadline,
    )
