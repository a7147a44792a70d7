"""What happens to the bank after a round: it stays, passes on or ends (B05, T10)."""

from collections.abc import Mapping

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank
from bot.table.bank_passing import passes_on as passes_on
from bot.table.bet_limits import can_bank, limits_within
from bot.table.draft import Draft
from bot.table.events import BankGivenUp, BankPassed, LimitsSet, RoundOpened, SeatLeft
from bot.table.house_bank import continue_house
from bot.table.seats import THE_HOUSE, LeaveReason
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Seat, TableState


def continue_bank(draft: Draft, rules: HouseRules, chips: Mapping[int, int]) -> None:
    """Opens the next round, with the same or the next banker, or ends the bank.

    The limits stay with the bank, within the house rules. A banker who passes the bank on leaves the table
    only if they asked to, or missed too many rounds; one who keeps it must also cover its lowest bet. A
    banker who plays computer players only keeps it: they never bank (B07).

    Args:
        draft: the table; the round is settled, and players who leave have left their seats.
        rules: the current house rules, for the next round (B03).
        chips: free chips of everybody at the table, by member.
    """
    state = draft.state
    assert state.bank is not None
    assert state.last is not None
    banker_id = state.bank.party
    if state.house_banks:
        continue_house(draft, rules, chips.get(THE_HOUSE, 0))
        return
    limits = limits_within(rules, state.bank)
    going = _why_going(state)
    if rules.house_bank is HouseBank.ONLY:
        draft.add(BankGivenUp(banker_id, LeaveReason.HOUSE_BANKS if going is None else going))
        return
    alone_with_computers = bool(state.computers) and not state.members
    if passes_on(state.last) and not alone_with_computers:
        heir = _next_banker(state, rules, limits[0], chips)
        if heir is None:
            draft.add(BankGivenUp(banker_id, LeaveReason.NO_SUCCESSOR if going is None else going))
            return
        draft.add(BankPassed(heir.party))
        if going is not None:
            draft.add(SeatLeft(banker_id, going))
    else:
        if not state.bank.leaves_after_round and not can_bank(rules, limits[0], chips.get(banker_id, 0)):
            going = LeaveReason.CANNOT_COVER
        if going is not None:
            draft.add(BankGivenUp(banker_id, going))
            return
    if limits != (state.bank.lowest, state.bank.highest):
        draft.add(LimitsSet(*limits))
    draft.add(RoundOpened(state.round_number + 1, rules))


def _why_going(state: TableState) -> LeaveReason | None:
    """Why the banker leaves the table now; None if they stay."""
    assert state.bank is not None
    if state.bank.leaves_after_round:
        return state.bank.leave_reason
    return LeaveReason.IDLE if state.bank.rounds_missed >= ROUNDS_MISSED_IN_A_ROW else None


def _next_banker(state: TableState, rules: HouseRules, lowest: int, chips: Mapping[int, int]) -> Seat | None:
    """The first member on the banker's right who can cover the lowest bet; None if nobody can.

    Seats are numbered clockwise from the banker's left, so the neighbour on the right has the last one.
    """
    to_the_right = reversed(state.members)
    return next((seat for seat in to_the_right if can_bank(rules, lowest, chips.get(seat.party, 0))), None)
