"""Invariants of a table: of each state, and of deadlines and seats from one to the next."""

from collections.abc import Callable
from typing import Final

from bot.table.deadlines import seconds_left
from bot.table.state import COMPUTERS, LeaveReason, Phase, TableState, is_computer


def everybody_has_one_place(state: TableState) -> None:
    """Nobody has two places, and no seat has two members."""
    places = [seat.party for seat in state.seats]
    places += [state.bank.party] if state.bank else []
    numbers = [seat.number for seat in state.seats]
    assert len(set(places)) == len(places)
    assert numbers == sorted(set(numbers))


def departures_are_gone_and_listed_once(state: TableState) -> None:
    """Departures list members who left without asking and are not back."""
    gone = [departure.party for departure in state.departures]
    assert len(set(gone)) == len(gone)
    assert not any(map(state.has, gone))
    assert all(departure.leave_reason is not LeaveReason.ASKED for departure in state.departures)


def the_phase_goes_with_bank_bets_and_cards(state: TableState) -> None:
    """There are hands in the phase `dealt` only, and bets only with a banker."""
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


def only_a_hand_delays_leaving(state: TableState) -> None:
    """A member without a hand leaves at once, and has nothing to reveal; the house waits for bets on it."""
    assert all(seat.pieces or not (seat.leaves_after_round or seat.revealed) for seat in state.seats)
    if state.bank is not None and not state.bank.pieces:
        assert not state.bank.revealed
        assert state.house_banks or not state.bank.leaves_after_round


def only_a_hand_delays_closing(state: TableState) -> None:
    """A table without hands closes at once."""
    assert not state.closes_after_round or state.phase in (Phase.DEALT, Phase.CLOSED)


def a_deadline_is_set_exactly_if_the_table_waits_for_one(state: TableState) -> None:
    """Enough bets, dealt hands and an empty table have a deadline; nothing else has."""
    pressed = (
        state.phase is Phase.DEALT
        or (state.phase is Phase.BETTING and state.can_be_dealt)
        or (state.phase is not Phase.CLOSED and state.empty)
    )
    assert (state.deadline is not None) == pressed


def an_ox_is_declared_of_a_hand(state: TableState) -> None:
    """Only a hand has a declared ox."""
    assert all(seat.pieces or seat.declared_ox is None for seat in state.seats)
    assert state.bank is None or state.bank.pieces or state.bank.declared_ox is None


def side_bets_are_on_bets_of_others(state: TableState) -> None:
    """A backer backs a bet once, for chips, and has no seat before the deal."""
    backed = [(side.party, side.backed) for side in state.side_bets]
    assert len(set(backed)) == len(backed)
    assert {player for _, player in backed} <= {seat.party for seat in state.bets}
    assert not backed or (state.phase in (Phase.BETTING, Phase.DEALT) and not state.for_points)
    assert state.phase is Phase.DEALT or not any(state.has(backer) for backer, _ in backed)


def a_bank_has_limits_that_make_sense(state: TableState) -> None:
    """The lowest bet is at least one chip, and no higher than the highest."""
    assert state.bank is None or 1 <= state.bank.lowest <= state.bank.highest


def dice_lie_on_the_table_until_the_deal(state: TableState) -> None:
    """Throws are kept until the deal, and their dice are 1 to 6."""
    assert not state.throws or state.phase is not Phase.DEALT
    assert all(1 <= die <= 6 for throw in state.throws for die in throw.dice)


def computer_players_only_keep_company(state: TableState) -> None:
    """They sit and bet where a member does, choose nothing, and leave a seat free before they bet (B07)."""
    bets = [seat for seat in state.computers if seat.stake is not None]
    members_bet = any(seat.stake is not None for seat in state.members)
    assert {seat.party for seat in state.computers} <= set(COMPUTERS)
    assert not state.computers or not state.empty
    assert not bets or members_bet or not state.house_banks
    nobody_joins = state.phase is Phase.DEALT or state.heat is not None
    assert bets or not state.computers or nobody_joins or state.free_seat is not None
    assert not any(is_computer(seat.party) for seat in state.undecided)
    assert all(seat.revealed for seat in state.computers if seat.pieces)
    assert all(seat.declared_ox is None and not seat.rounds_missed for seat in state.computers)
    elsewhere = {side.party for side in state.side_bets} | {gone.party for gone in state.departures}
    elsewhere |= {throw.party for throw in state.throws} | {seed.party for seed in state.client_seeds}
    elsewhere |= set() if state.bank is None else {state.bank.party}
    assert not any(map(is_computer, elsewhere))


ALWAYS: Final[tuple[Callable[[TableState], None], ...]] = (
    everybody_has_one_place,
    departures_are_gone_and_listed_once,
    the_phase_goes_with_bank_bets_and_cards,
    only_a_hand_delays_leaving,
    only_a_hand_delays_closing,
    a_deadline_is_set_exactly_if_the_table_waits_for_one,
    an_ox_is_declared_of_a_hand,
    side_bets_are_on_bets_of_others,
    a_bank_has_limits_that_make_sense,
    dice_lie_on_the_table_until_the_deal,
    computer_players_only_keep_company,
)
"""Each of them fails if the state contradicts itself."""


def nobody_moved(before: TableState, after: TableState) -> None:
    """Everybody who is still here has the same neighbours, apart from computer players who sat down."""
    here = [party for party in _round_the_table(before) if after.has(party)]
    now = [party for party in _round_the_table(after) if before.has(party)]
    turns = [here[start:] + here[:start] for start in range(len(here))]
    assert now in turns


def _round_the_table(state: TableState) -> list[int]:
    """Everybody who sits here, clockwise from the banker."""
    banker = [state.bank.party] if state.bank else []
    return banker + [seat.party for seat in state.seats]


def is_last_call(state: TableState) -> bool:
    """Whether only who did nothing in the last round is to act; nobody has pressed anything else."""
    if state.phase is Phase.DEALT:
        others_revealed = all(seat.revealed for seat in state.seats if seat.pieces)
        return others_revealed and state.bank is not None and state.bank.rounds_missed > 1
    undecided = [seat for seat in state.undecided if not seat.rounds_missed]
    return not undecided and any(seat.stake is not None for seat in state.members)


def the_deadline_stayed_or_came_sooner(before: TableState, after: TableState, now: float) -> None:
    """A last call shortens the time to bet, as a clock that is set back does, and nothing lengthens it."""
    assert before.deadline is not None
    assert after.deadline is not None
    if seconds_left(before, now) != before.deadline - now:
        assert after.deadline <= before.deadline
        return
    if is_last_call(after):
        # Of one that runs already, a clock that was set back has left more.
        assert after.deadline <= before.deadline
        assert after.deadline in (before.deadline, now + after.rules.last_call_seconds)
    else:
        assert after.deadline == before.deadline
