"""How the bank goes on after a round: it stays, passes to the banker's right, or is given up (B05, T10)."""

from collections import Counter
from collections.abc import Iterable, Mapping

from bot.rules.games import game_of
from bot.rules.knobs import BankPasses, HouseRules
from bot.table.arranging import hand_of
from bot.table.draft import Draft
from bot.table.events import BankGivenUp, BankPassed, LimitsSet, RoundOpened, SeatLeft
from bot.table.leave_reason import LeaveReason
from bot.table.limits import can_bank, limits_within
from bot.table.money import AccountKind, Move
from bot.table.results import RoundResult
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Seat, TableState


def passes_on(result: RoundResult) -> bool:
    """Whether the bank passes after this round, by the rules it was played under (B05).

    The banker's hand counts as it was played: who declared a wrong ox had none. What needs no ox is as good
    as one.
    """
    when = result.rules.bank_passes
    if when in (BankPasses.STAYS, BankPasses.EVERY_ROUND):
        return when is BankPasses.EVERY_ROUND
    hand = hand_of(result.pieces, result.three, result.rules)
    had_ox = hand.hand_class is not game_of(result.rules).no_ox
    return had_ox is (when is BankPasses.AFTER_OX)


def chips_after(wallets: Mapping[int, int], moves: Iterable[Move]) -> dict[int, int]:
    """The free chips of each member after these moves.

    Args:
        wallets: free chips before them, by member.
        moves: the chips that move.
    """
    chips = Counter(wallets)
    for move in moves:
        for account, change in ((move.source, -move.chips), (move.target, move.chips)):
            if account.kind is AccountKind.WALLET and account.member_id is not None:
                chips[account.member_id] += change
    return dict(chips)


def continue_bank(draft: Draft, rules: HouseRules, chips: Mapping[int, int]) -> None:
    """The next round, under whomever, or the end of the bank.

    Limits go on with the bank, within what the house allows by now. A banker who passes the bank on goes only
    where he wants to, or was not heard of for too long; one who keeps it must cover its lowest stake too.

    Args:
        draft: the table; the round is settled, and everybody who leaves a seat has left it.
        rules: the house's rules, as they come into force now (B03).
        chips: what each who sits here has free.
    """
    state = draft.state
    assert state.bank is not None
    assert state.last is not None
    banker_id = state.bank.member.member_id
    limits = limits_within(rules, state.bank)
    going = _why_going(state)
    if passes_on(state.last):
        heir = _next_banker(state, rules, limits[0], chips)
        if heir is None:
            draft.add(BankGivenUp(banker_id, LeaveReason.NO_SUCCESSOR if going is None else going))
            return
        draft.add(BankPassed(heir.member.member_id))
        if going is not None:
            draft.add(SeatLeft(banker_id, going))
    else:
        if not state.bank.leaving and not can_bank(rules, limits[0], chips.get(banker_id, 0)):
            going = LeaveReason.CANNOT_COVER
        if going is not None:
            draft.add(BankGivenUp(banker_id, going))
            return
    if limits != (state.bank.lowest, state.bank.highest):
        draft.add(LimitsSet(*limits))
    draft.add(RoundOpened(state.round_number + 1, rules))


def _why_going(state: TableState) -> LeaveReason | None:
    """Why the banker leaves the table now; None where he does not."""
    assert state.bank is not None
    if state.bank.leaving:
        return state.bank.leave_reason
    return LeaveReason.IDLE if state.bank.missed >= ROUNDS_MISSED_IN_A_ROW else None


def _next_banker(state: TableState, rules: HouseRules, lowest: int, chips: Mapping[int, int]) -> Seat | None:
    """The first on the banker's right who can cover the lowest stake.

    Seats go round clockwise from the banker's left, so his right hand neighbour has the last one.
    """
    on_his_right = reversed(state.seats)
    return next(
        (seat for seat in on_his_right if can_bank(rules, lowest, chips.get(seat.member.member_id, 0))), None
    )
