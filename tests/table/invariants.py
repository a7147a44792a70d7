"""What holds of a table whatever happens: of its state at any time, and of its clock from one to the next."""

from collections.abc import Callable
from typing import Final

from bot.table.seats import LeaveReason
from bot.table.state import Phase, TableState


def everybody_has_one_place(state: TableState) -> None:
    """Nobody sits in two seats, nor in a seat and at the bank, and no two in one."""
    places = [seat.member.member_id for seat in state.seats]
    places += [state.bank.member.member_id] if state.bank else []
    numbers = [seat.number for seat in state.seats]
    assert len(set(places)) == len(places)
    assert numbers == sorted(set(numbers))


def who_is_told_of_as_gone_is_gone_and_told_once(state: TableState) -> None:
    """Departures tell of those who did not ask to go, and are not here again."""
    gone = [departure.member.member_id for departure in state.departures]
    assert len(set(gone)) == len(gone)
    assert not any(map(state.has, gone))
    assert all(departure.leave_reason is not LeaveReason.ASKED for departure in state.departures)


def the_phase_goes_with_bank_bets_and_cards(state: TableState) -> None:
    """Cards are out in the phase `dealt` and only then, and nobody bets where there is no bank."""
    dealt = state.phase is Phase.DEALT
    assert (state.bank is not None) == (state.phase in (Phase.BETTING, Phase.DEALT))
    assert state.bank is not None or not state.bets
    assert not dealt or state.bets
    assert state.bank is None or bool(state.bank.pieces) == dealt
    assert state.phase is not Phase.CLOSED or state.empty
    for seat in state.seats:
        assert bool(seat.pieces) == (dealt and seat.stake is not None)
        assert not (seat.sitting_out and seat.stake is not None)
        assert not seat.sitting_out or state.bank is not None


def who_wants_to_go_has_cards_out(state: TableState) -> None:
    """Who has no cards goes at once, and has nothing to turn up."""
    assert all(seat.pieces or not (seat.leaves_after_round or seat.revealed) for seat in state.seats)
    assert (
        state.bank is None or state.bank.pieces or not (state.bank.leaves_after_round or state.bank.revealed)
    )


def a_clock_runs_where_one_is_waited_for(state: TableState) -> None:
    """Bets enough for a deal, cards that are out, and an empty table have a deadline; nothing else has."""
    pressed = (
        state.phase is Phase.DEALT
        or (state.phase is Phase.BETTING and state.can_be_dealt)
        or (state.phase is Phase.OPEN and state.empty)
    )
    assert (state.deadline is not None) == pressed


def an_ox_is_declared_of_a_hand(state: TableState) -> None:
    """Who has no pieces has declared nothing."""
    assert all(seat.pieces or seat.declared_ox is None for seat in state.seats)
    assert state.bank is None or state.bank.pieces or state.bank.declared_ox is None


def a_side_bet_is_an_on_lookers_on_a_bet_that_stands(state: TableState) -> None:
    """Nobody backs a hand twice, or one without a bet, or for points, or sits here before the deal."""
    backed = [(side.member.member_id, side.backed) for side in state.side_bets]
    assert len(set(backed)) == len(backed)
    assert {player for _, player in backed} <= {seat.member.member_id for seat in state.bets}
    assert not backed or (state.phase in (Phase.BETTING, Phase.DEALT) and not state.for_points)
    assert state.phase is Phase.DEALT or not any(state.has(backer) for backer, _ in backed)


def a_bank_has_limits_that_make_sense(state: TableState) -> None:
    """The lowest stake is one chip at least, and no higher than the highest."""
    assert state.bank is None or 1 <= state.bank.lowest <= state.bank.highest


def dice_lie_on_the_table_until_the_deal(state: TableState) -> None:
    """They are shown while bets are taken, and each shows what a die can."""
    assert not state.throws or state.phase is not Phase.DEALT
    assert all(1 <= die <= 6 for throw in state.throws for die in throw.dice)


ALWAYS: Final[tuple[Callable[[TableState], None], ...]] = (
    everybody_has_one_place,
    who_is_told_of_as_gone_is_gone_and_told_once,
    the_phase_goes_with_bank_bets_and_cards,
    who_wants_to_go_has_cards_out,
    a_clock_runs_where_one_is_waited_for,
    an_ox_is_declared_of_a_hand,
    a_side_bet_is_an_on_lookers_on_a_bet_that_stands,
    a_bank_has_limits_that_make_sense,
    dice_lie_on_the_table_until_the_deal,
)
"""Each of them fails where the state contradicts itself."""


def everybody_kept_his_place(before: TableState, after: TableState) -> None:
    """Who is still here sits between the same neighbours, however the seats are counted now."""
    here = [member_id for member_id in _round_the_table(before) if after.has(member_id)]
    now = _round_the_table(after)
    turns = [here[start:] + here[:start] for start in range(len(here))]
    assert now in turns


def _round_the_table(state: TableState) -> list[int]:
    """Who sits here, clockwise from the banker on."""
    banker = [state.bank.member.member_id] if state.bank else []
    return banker + [seat.member.member_id for seat in state.seats]


def the_clock_ran_on(before: TableState, after: TableState, now: float) -> None:
    """Bets stood and stand: a last call shortens the wait, and nothing lengthens it."""
    assert before.deadline is not None
    assert after.deadline is not None
    if after.phase is Phase.BETTING and before.undecided and not after.undecided:
        assert after.deadline <= before.deadline
        assert after.deadline in (before.deadline, now + after.rules.last_call_seconds)
    else:
        assert after.deadline == before.deadline
