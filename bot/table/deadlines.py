"""When a table stops waiting for its members, and what it does then."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.table.state import EMPTY_TABLE_SECONDS, Bank, Phase, Seat, TableState, is_member


class DueAction(StrEnum):
    """What a table does when nobody asks."""

    DEAL = "deal"
    SHOWDOWN = "showdown"
    WIND_UP = "wind_up"
    SHORTEN_WAIT = "shorten_wait"
    """The clock was set back since the deadline was set."""
    WAIT_AGAIN = "wait_again"
    """Discord was away, as only the croupier knows."""


def due_action(state: TableState, now: float, *, is_choosing: bool = False) -> DueAction | None:
    """What the table does now without being asked; None if it waits.

    Hands are dealt when the time to bet is up; it starts when enough have bet (T02), and `deadline_after`
    cuts it short once everybody has decided. The house deals at once then (B07). Hands are settled when all
    are revealed, or time is up (B04).

    Args:
        is_choosing: whether a spectator is about to back somebody, so that the house does not deal at once.
    """
    late = state.deadline is not None and now >= state.deadline
    if state.phase is Phase.CLOSED:
        return None
    if state.phase is Phase.DEALT:
        bank_revealed = state.bank is None or state.bank.revealed
        if late or (bank_revealed and all(seat.revealed for seat in state.seats if seat.pieces)):
            return DueAction.SHOWDOWN
    elif state.phase is Phase.BETTING and state.can_be_dealt:
        at_once = state.house_banks and not (state.undecided or is_choosing)
        if late or at_once:
            return DueAction.DEAL
    elif late and state.empty:
        return DueAction.WIND_UP
    left = seconds_left(state, now)
    too_far = left is not None and state.deadline is not None and state.deadline > now + left
    return DueAction.SHORTEN_WAIT if too_far else None


def seconds_left(state: TableState, now: float) -> float | None:
    """How long the table still waits: never longer than its rules say; None without a deadline."""
    waits = _waits(state)
    if state.deadline is None or waits is None:
        return None
    return min(state.deadline - now, waits[0])


@dataclass(frozen=True, slots=True)
class Attention:
    """What members do and leave undone of which nothing is in the table's record.

    Attributes:
        present: who has pressed something here since the last deal, and is waited for again.
        left_hands: who did not reveal their hand in the last round.
    """

    present: frozenset[int] = frozenset()
    left_hands: frozenset[int] = frozenset()


NOTHING_NOTED: Final = Attention()


def deadline_after(
    before: TableState | None, after: TableState, now: float, attention: Attention = NOTHING_NOTED
) -> float | None:
    """The deadline of the table `after` a command: a deadline for the same thing stays.

    Two things move it, both to an earlier time. Once every member in a seat has bet or sits out, the last
    call is all that is left (B04). Who did nothing in the last round is not waited for; nor is the hand of
    such a banker, or of who left theirs unrevealed, once all others are revealed. And after the clock was
    set back, no more is left than the whole time.
    But for `deadline_for_backers`, nothing that a member does moves it to a later time, neither joining nor
    taking a bet back, or they could hold up the table. While only computer players have bet, the whole time
    runs, for the banker and for a member who joins.

    Args:
        before: the table before it; None if the whole time runs again.
    """
    waits = _waits(after, attention)
    if waits is None:
        return None
    seconds, what = waits
    started = _waits(before) if before is not None else None
    if before is None or started is None or started[1] != what or after.deadline is None:
        return now + seconds
    return min(after.deadline, now + seconds)


def deadline_for_backers(state: TableState, now: float) -> float | None:
    """The deadline if a spectator is about to back somebody: the last call is left once more."""
    if state.deadline is None or state.phase is not Phase.BETTING:
        return state.deadline
    return max(state.deadline, now + _shortened(state, state.rules.betting_seconds, is_last_call=True))


def _waits(state: TableState, attention: Attention | None = None) -> tuple[int, tuple[str, int]] | None:
    """The seconds that a table in this state waits, and for what; None if there is no deadline.

    Args:
        attention: of its members; None if everybody is waited for.
    """

    def is_away(place: Seat | Bank, missed: int) -> bool:
        if attention is None or place.party in attention.present:
            return False
        left_hand = bool(place.pieces) and place.party in attention.left_hands
        return left_hand or place.rounds_missed >= missed

    rules = state.rules
    if state.phase is Phase.CLOSED:
        return None
    if state.phase is Phase.DEALT:
        places = [place for place in (*state.seats, state.bank) if place is not None and place.pieces]
        # This round counts as missed by a banker who did not ask for the deal, until they reveal their hand.
        awaited = [place for place in places if not is_away(place, 2)]
        somebody_waits = any(is_member(place.party) for place in awaited)
        is_last_call = somebody_waits and len(awaited) < len(places) and all(p.revealed for p in awaited)
        return _shortened(state, rules.arranging_seconds, is_last_call), ("hands", state.round_number)
    if state.phase is Phase.BETTING and state.can_be_dealt:
        # Members have bet, and no other is to bet.
        all_decided = all(is_away(seat, 1) for seat in state.undecided) and any(
            seat.stake is not None for seat in state.members
        )
        return _shortened(state, rules.betting_seconds, all_decided), ("bets", state.round_number)
    return (EMPTY_TABLE_SECONDS, ("members", 0)) if state.empty else None


def _shortened(state: TableState, seconds: int, is_last_call: bool) -> int:
    return min(state.rules.last_call_seconds, seconds) if is_last_call else seconds
