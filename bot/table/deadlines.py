"""When a table stops waiting for its members, and what it does then."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.table.state import EMPTY_TABLE_SECONDS, Bank, Phase, Seat, TableState, is_member

LAST_CALLS_TO_READ: Final = 2
"""How many last calls a banker has at least from the opening of a round to its deal; and a spectator from the
opening of the page for side bets."""
LEAST_SECONDS_TO_CHOOSE: Final = 12
"""How long a spectator has at least for that page: a newcomer on a phone reads it in seven to ten."""
LEAST_SECONDS_TO_READ: Final = 5
"""How long a banker has at least, where the last call is short, or there is none."""


class DueAction(StrEnum):
    """What a table does when nobody asks."""

    DEAL = "deal"
    FREE_BANK = "free_bank"
    """The bank came to a member who has pressed nothing: it is free, and nothing is dealt."""
    SHOWDOWN = "showdown"
    WIND_UP = "wind_up"
    BET_LOWEST = "bet_lowest"
    """Players of a tournament have not bet in time."""
    SHORTEN_WAIT = "shorten_wait"
    """The clock was set back since the deadline was set."""
    WAIT_AGAIN = "wait_again"
    """Discord was away, as only the croupier knows."""


@dataclass(frozen=True, slots=True)
class Attention:
    """What members do and leave undone of which nothing is in the table's record.

    Attributes:
        present: who has pressed something here since the last deal, and is waited for again.
        left_hands: who did not reveal their hand in the last round.
        left_to_back: who gave up their seat in this round to back a player. They are waited for like somebody
            with a seat until they do.
        reads_until: until when the banker has time to read what the last round brought, or to give up a bank
            that came to them, in seconds since the epoch, UTC; 0 if neither.
        choosing: the spectators who look at side bets.
        choose_until: until when they have time to place one; 0 if nobody looks at them.
        bank_came_to: to whom the bank came in this round, by dice (T03) or by rule (B05).
    """

    present: frozenset[int] = frozenset()
    left_hands: frozenset[int] = frozenset()
    left_to_back: frozenset[int] = frozenset()
    reads_until: float = 0.0
    choosing: frozenset[int] = frozenset()
    choose_until: float = 0.0
    bank_came_to: int | None = None


NOTHING_NOTED: Final = Attention()


def due_action(state: TableState, now: float, attention: Attention = NOTHING_NOTED) -> DueAction | None:
    """What the table does now without being asked; None if it waits.

    Hands are dealt when the time to bet is up; it starts when enough have bet (T02), or with the round of a
    tournament, where the lowest is bet then for those who have not bet. `deadline_after`
    cuts it short once everybody has decided. The house deals at once then (B07), unless a spectator is about
    to back somebody. For a banker who may not know that they bank, nothing is dealt: the bank is free then.
    Hands are settled when all are revealed, or time is up (B04).
    """
    late = state.deadline is not None and now >= state.deadline
    if state.phase is Phase.CLOSED:
        return None
    if state.phase is Phase.DEALT:
        bank_revealed = state.bank is None or state.bank.revealed
        if late or (bank_revealed and all(seat.revealed for seat in state.seats if seat.pieces)):
            return DueAction.SHOWDOWN
    elif state.heat is not None and state.phase is Phase.BETTING and late and state.undecided:
        return DueAction.BET_LOWEST
    elif state.phase is Phase.BETTING and state.can_be_dealt:
        is_choosing = state.deadline is not None and not all(map(state.has, attention.choosing))
        at_once = state.house_banks and not (state.undecided or is_choosing)
        if late or at_once:
            is_unheard = awaited_banker(state, attention) is not None
            return DueAction.FREE_BANK if is_unheard else DueAction.DEAL
    elif late and state.empty:
        return DueAction.WIND_UP
    left = seconds_left(state, now)
    too_far = left is not None and state.deadline is not None and state.deadline > now + left
    return DueAction.SHORTEN_WAIT if too_far else None


def awaited_banker(state: TableState, attention: Attention) -> int | None:
    """The banker to whom the bank came, if they have pressed nothing since the last deal: are they there?"""
    party = attention.bank_came_to
    if state.phase is not Phase.BETTING or party is None or not state.is_banker(party):
        return None
    return None if party in attention.present else party


def seconds_left(state: TableState, now: float) -> float | None:
    """How long the table still waits: never longer than the time of its rules; None without a deadline."""
    waits = _waits(state)
    if state.deadline is None or waits is None:
        return None
    return min(state.deadline - now, waits[0])


def deadline_after(
    before: TableState | None, after: TableState, now: float, attention: Attention = NOTHING_NOTED
) -> float | None:
    """The deadline of the table `after` a command: a deadline for the same thing stays.

    Two things move it, both to an earlier time. Once every member in a seat has bet or sits out, the last
    call is all that is left (B04), but no less than the banker has to read, and a spectator to choose a side
    bet; who left their seat to back a player is waited for until they have, and a banker to whom the bank
    came until they press something. Who did nothing in the last
    round is not waited for; nor is the hand of such a banker, once all others are revealed. For a player who
    left theirs unrevealed, half the time is left then, or the last call if that is longer. And after the
    clock was set back, no more is left than the whole time.
    But for `deadline_for_backers`, nothing that a member does moves it to a later time, neither joining nor
    taking a bet back, or they could hold up the table. While only computer players have bet, the whole time
    runs, for the banker and for a member who joins.

    Args:
        before: the table before it; None if the whole time runs again.
    """
    waits = _waits(after)
    if waits is None:
        return None
    whole, what = waits
    seconds = _cut_short(after, whole, now, attention)
    started = _waits(before) if before is not None else None
    if before is None or started is None or started[1] != what or after.deadline is None:
        return now + seconds
    return min(after.deadline, now + seconds)


def deadline_for_backers(state: TableState, attention: Attention) -> float | None:
    """The deadline if a spectator is about to back somebody: not before their time is up."""
    if state.deadline is None or state.phase is not Phase.BETTING:
        return state.deadline
    return max(state.deadline, attention.choose_until)


def seconds_to_choose(state: TableState) -> int:
    """How long a spectator has at least until the deal, from the opening of the page for side bets."""
    return max(LEAST_SECONDS_TO_CHOOSE, state.rules.last_call_seconds * LAST_CALLS_TO_READ)


def chooses_until(state: TableState, party: int, attention: Attention) -> float:
    """Until when a spectator surely has time for a first side bet in this round; 0 if not sure."""
    if state.deadline is None or party not in attention.choosing or state.side_bets_of(party):
        return 0.0
    return min(state.deadline, attention.choose_until)


def is_cut_short(before: TableState | None, after: TableState, now: float) -> bool:
    """Whether betting or arranging ends earlier than it did before, but not yet, as at the last call."""
    if before is None or before.phase is not after.phase or after.phase not in (Phase.BETTING, Phase.DEALT):
        return False
    was, until = before.deadline, after.deadline
    return was is not None and until is not None and now < until < was


def is_last_call(state: TableState, attention: Attention | None) -> bool:
    """Whether all who are waited for have bet or revealed their hands, so that only the last call is left.

    Args:
        attention: of its members; None if everybody is waited for.
    """

    def is_away(place: Seat | Bank, missed: int) -> bool:
        if attention is None or place.party in attention.present:
            return False
        left_hand = bool(place.pieces) and place.party in attention.left_hands
        return left_hand or place.rounds_missed >= missed

    if state.phase is Phase.DEALT:
        places = [place for place in (*state.seats, state.bank) if place is not None and place.pieces]
        # This round counts as missed by a banker who did not ask for the deal, until they reveal their hand.
        awaited = [place for place in places if not is_away(place, 2)]
        somebody_waits = any(is_member(place.party) for place in awaited)
        return somebody_waits and len(awaited) < len(places) and all(place.revealed for place in awaited)
    if state.phase is not Phase.BETTING or not state.can_be_dealt:
        return False
    if attention is not None and awaited_banker(state, attention) is not None:
        return False
    # Members have bet, and no other is to bet.
    all_decided = all(is_away(seat, 1) for seat in state.undecided)
    if attention is not None and not all(state.concerns(party) for party in attention.left_to_back):
        return False
    return all_decided and any(seat.stake is not None for seat in state.members)


def _waits(state: TableState) -> tuple[int, tuple[str, int]] | None:
    """The seconds that a table in this state waits, and for what; None if there is no deadline."""
    if state.phase is Phase.DEALT:
        return state.rules.arranging_seconds, ("hands", state.round_number)
    if state.phase is Phase.BETTING and (state.can_be_dealt or (state.heat is not None and state.seats)):
        return state.rules.betting_seconds, ("bets", state.round_number)
    is_waiting = state.phase is not Phase.CLOSED and state.empty
    return (EMPTY_TABLE_SECONDS, ("members", 0)) if is_waiting else None


def seconds_to_read(before: TableState | None, after: TableState) -> int:
    """How long a member who banks has at least until the deal, from the opening of a round.

    It runs again from the first press of somebody who was away when the bank came to them.
    They read the last round, and why the bank is theirs, if it came to them; with nothing to press, they
    would have only the last call after others who bet at once. Who has just pressed for it has read it.
    """
    if after.bank is None or not is_member(after.bank.party):
        return 0
    had_banker = before is not None and before.bank is not None and is_member(before.bank.party)
    has_come = had_banker or bool(after.throws)
    if not has_come:
        return 0
    return max(LEAST_SECONDS_TO_READ, after.rules.last_call_seconds * LAST_CALLS_TO_READ)


def _cut_short(state: TableState, seconds: int, now: float, attention: Attention) -> float:
    """What is left of the time that a table waits: at the last call less than all of it."""
    if not is_last_call(state, attention):
        return seconds
    # A player has bet just now, and may be looking at their hand.
    waits_for_player = any(seat.pieces and not seat.revealed for seat in state.members)
    short = _last_call(state, seconds)
    if state.phase is Phase.BETTING:
        is_choosing = not all(state.concerns(party) for party in attention.choosing)
        choose_until = attention.choose_until if is_choosing else 0.0
        return min(seconds, max(short, attention.reads_until - now, choose_until - now))
    return max(seconds // 2, short) if waits_for_player else short


def _last_call(state: TableState, seconds: int) -> int:
    return min(state.rules.last_call_seconds, seconds)
