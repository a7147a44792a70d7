"""What a table does by itself: until when it waits, and what it does then."""

from enum import StrEnum

from bot.table.state import EMPTY_TABLE_SECONDS, Phase, TableState


class Due(StrEnum):
    """What a table does without being asked."""

    DEAL = "deal"
    SHOWDOWN = "showdown"
    WIND_UP = "wind_up"


def due(state: TableState, now: float) -> Due | None:
    """What the table does by itself at this time (seconds since the epoch, UTC); None where it waits on.

    Nobody who does nothing is waited for: cards are dealt when the time to bet is up, which runs once as many
    have bet as the game needs (T02), and which `deadline_after` cuts short where nobody is left to wait for.
    Hands are settled when everybody has turned up, or when the time is up (B04).
    """
    late = state.deadline is not None and now >= state.deadline
    if state.phase is Phase.CLOSED:
        return None
    if state.phase is Phase.DEALT:
        return Due.SHOWDOWN if late or _all_revealed(state) else None
    if state.phase is Phase.BETTING and state.can_be_dealt:
        return Due.DEAL if late else None
    return Due.WIND_UP if late and state.empty else None


def deadline_after(before: TableState | None, after: TableState, now: float) -> float | None:
    """Until when a table waits, once it has become `after`: a clock that runs already runs on.

    One thing moves the end of betting, and only to an earlier time (B04): once everybody seated has bet or
    sits out, the last call is all that is left of it. Nobody puts it off again, neither by sitting down nor
    by taking a bet back, or he could hold up the table for as long as he liked.

    Args:
        before: the table before the command; None where it was only opened.
        after: the table after it.
        now: seconds since the epoch, UTC.
    """
    waits = _waits(after)
    if waits is None:
        return None
    seconds, what = waits
    started = _waits(before) if before is not None else None
    if before is None or started is None or started[1] != what or after.deadline is None:
        return now + seconds
    if after.phase is Phase.BETTING and before.undecided and not after.undecided:
        return min(after.deadline, now + seconds)
    return after.deadline


def _waits(state: TableState) -> tuple[int, tuple[str, int]] | None:
    """For how many seconds a table in this state waits, and for what; None where nothing presses it."""
    rules = state.rules
    if state.phase is Phase.CLOSED:
        return None
    if state.phase is Phase.DEALT:
        return rules.arranging_seconds, ("hands", state.round_number)
    if state.phase is Phase.BETTING and state.can_be_dealt:
        last_call = min(rules.last_call_seconds, rules.betting_seconds)
        return rules.betting_seconds if state.undecided else last_call, ("bets", state.round_number)
    return (EMPTY_TABLE_SECONDS, ("company", 0)) if state.empty else None


def _all_revealed(state: TableState) -> bool:
    bank_revealed = state.bank is None or state.bank.revealed
    return bank_revealed and all(seat.revealed for seat in state.seats if seat.pieces)
