"""The showdown: each player is settled against the banker, and the next round opens (G17)."""

from collections.abc import Mapping
from dataclasses import replace

from bot.games.settle import Duel, settle
from bot.table.accounts import chips_after
from bot.table.arranging import hand_of
from bot.table.bank_succession import continue_bank
from bot.table.commands import Showdown
from bot.table.deadlines import DueAction, due_action
from bot.table.draft import Draft
from bot.table.events import RoundSettled, SeatLeft
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_record import receipt_of
from bot.table.round_result import Opening, PlayerResult, RoundResult, SideResult
from bot.table.seats import LeaveReason
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, SideBet, TableState


def showdown(draft: Draft, command: Showdown, now: float, wallets: Mapping[int, int]) -> Refused | None:
    """Settles the round, lets players leave, and opens the next under new house rules (B03)."""
    if due_action(draft.state, now) is not DueAction.SHOWDOWN:
        return refuse(Refusal.NOT_DUE)
    draft.add(RoundSettled(round_result(draft.state)))
    chips = chips_after(wallets, draft.moves)
    for seat in draft.state.seats:
        if seat.leaves_after_round or seat.rounds_missed >= ROUNDS_MISSED_IN_A_ROW:
            reason = seat.leave_reason if seat.leaves_after_round else LeaveReason.IDLE
            draft.add(SeatLeft(seat.party, reason))
    continue_bank(draft, command.rules, chips)
    return None


def round_result(state: TableState) -> RoundResult:
    """What the hands bring everybody (G17 to G20); a backer gains as the player does (B01).

    A hand is what its player declared, or else the strongest that it can be (B04).
    """
    assert state.bank is not None
    bank, rules = state.bank, state.rules
    banker = hand_of(bank.pieces, bank.declared_ox, rules)
    players, duels = [], {}
    for seat in state.bets:
        assert seat.stake is not None
        duel = settle(hand_of(seat.pieces, seat.declared_ox, rules), banker, rules)
        duels[seat.party] = duel
        players.append(
            PlayerResult(
                seat.number,
                seat.party,
                seat.stake,
                seat.pieces,
                duel.outcome,
                duel.units * seat.stake,
                seat.declared_ox,
            )
        )
    side_bets = tuple(_backed(side, duels[side.backed]) for side in state.side_bets)
    opening = None
    if state.secret is not None and state.sheet is not None:
        opening = Opening(state.secret, state.sheet)
    result = RoundResult(
        state.round_number,
        rules,
        bank.party,
        bank.pieces,
        tuple(players),
        side_bets,
        bank.declared_ox,
        opening,
    )
    return result if opening is None else replace(result, receipt=receipt_of(result))


def _backed(side: SideBet, duel: Duel) -> SideResult:
    return SideResult(side.party, side.backed, side.stake, duel.outcome, duel.units * side.stake)
