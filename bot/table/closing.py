"""Closing a table, and winding up one that nobody can play at any more (B06)."""

from bot.table.commands import CloseTable, MemberLeft, WindUp
from bot.table.events import Event, RoundCalledOff, TableClosed
from bot.table.evolve import fold
from bot.table.leave_reason import LeaveReason
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seating import got_up
from bot.table.side_betting import backs_no_more
from bot.table.state import Phase, TableState


def close_table(state: TableState, command: CloseTable) -> tuple[Event, ...] | Refused:
    """Closes the table for whoever opened it, holds its bank, or manages the server; never with cards out."""
    may = command.manages or command.member_id == state.opener.member_id
    if not may and not state.is_banker(command.member_id):
        return refuse(Refusal.MAY_NOT_CLOSE, opener=state.opener.name)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    return _closed(state, LeaveReason.ASKED)


def member_left(state: TableState, command: MemberLeft) -> tuple[Event, ...]:
    """Gets up a member who left the server, gives back his side bets, and winds up a table left by all."""
    events = (
        *backs_no_more(state, command.member_id),
        *got_up(state, command.member_id, LeaveReason.GONE),
    )
    if not events:
        return ()
    after = fold(state, events)
    return (*events, *_closed(after, LeaveReason.GONE)) if after.empty else events


def wind_up(state: TableState, command: WindUp) -> tuple[Event, ...]:
    """Ends the table in whatever phase it is."""
    return _closed(state, command.why)


def _closed(state: TableState, why: LeaveReason) -> tuple[Event, ...]:
    """The end of a table: what was held goes back."""
    return (*((RoundCalledOff(),) if state.bets else ()), TableClosed(why))
