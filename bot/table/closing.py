"""Closing a table, when somebody asks or nobody is left (B06)."""

from bot.table.commands import CloseTable, MemberLeft
from bot.table.draft import Draft
from bot.table.events import RoundCalledOff, TableClosed
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.returned_bets import return_side_bets
from bot.table.seating import leave_place
from bot.table.seats import LeaveReason
from bot.table.state import Phase


def close_table(draft: Draft, command: CloseTable) -> Refused | None:
    """Closes the table for its opener, its banker or a server manager; never after the deal."""
    state = draft.state
    may = command.manages or command.party == state.opener
    if not may and not state.is_banker(command.party):
        return refuse(Refusal.MAY_NOT_CLOSE, opener=state.opener)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    close(draft, LeaveReason.ASKED)
    return None


def member_left(draft: Draft, command: MemberLeft) -> None:
    """Removes a member who left the server; closes a table that is empty then."""
    return_side_bets(draft, draft.state.side_bets_of(command.party))
    leave_place(draft, command.party, LeaveReason.GONE)
    if draft.events and draft.state.empty:
        close(draft, LeaveReason.GONE)


def close(draft: Draft, leave_reason: LeaveReason) -> None:
    """Closes the table in any phase, and returns every bet."""
    if draft.state.bets:
        draft.add(RoundCalledOff())
    draft.add(TableClosed(leave_reason))
