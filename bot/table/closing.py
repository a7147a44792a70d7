"""Closing a table, and winding up one that nobody can play at any more (B06)."""

from bot.table.commands import CloseTable, MemberLeft
from bot.table.draft import Draft
from bot.table.events import RoundCalledOff, TableClosed
from bot.table.leave_reason import LeaveReason
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seating import get_up
from bot.table.side_betting import return_side_bets
from bot.table.state import Phase


def close_table(draft: Draft, command: CloseTable) -> Refused | None:
    """Closes the table for its opener, its banker and managers of the server; never after the deal."""
    state = draft.state
    may = command.manages or command.member_id == state.opener.member_id
    if not may and not state.is_banker(command.member_id):
        return refuse(Refusal.MAY_NOT_CLOSE, opener=state.opener.name)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    close(draft, LeaveReason.ASKED)
    return None


def member_left(draft: Draft, command: MemberLeft) -> None:
    """Removes a member who left the server, with their side bets; closes a table that this empties."""
    return_side_bets(draft, draft.state.side_bets_of(command.member_id))
    get_up(draft, command.member_id, LeaveReason.GONE)
    if draft.events and draft.state.empty:
        close(draft, LeaveReason.GONE)


def close(draft: Draft, why: LeaveReason) -> None:
    """Closes the table in any phase, and returns every bet."""
    if draft.state.bets:
        draft.add(RoundCalledOff())
    draft.add(TableClosed(why))
