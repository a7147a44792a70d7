"""From the deal to the showdown: cards go out, hands are turned up, and each player is settled (G17)."""

from collections.abc import Mapping

from bot.rules.knobs import Direction
from bot.rules.settle import Duel, settle
from bot.rules.shuffle import deal
from bot.table.arranging import hand_of
from bot.table.clock import Due, due
from bot.table.commands import Deal, RevealHand, Showdown
from bot.table.commitment import deal_opening
from bot.table.events import (
    DealtHand,
    Event,
    HandRevealed,
    HandsDealt,
    RoundSettled,
    SeatLeft,
)
from bot.table.evolve import evolve, fold
from bot.table.leave_reason import LeaveReason
from bot.table.passing import bank_goes_on, chips_after
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.results import PlayerResult, RoundResult, SideResult
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, SideBet, TableState


def hands_to_deal(state: TableState) -> int:
    """How many hands the round takes: one for each bet, and the banker's."""
    return len(state.bets) + 1


def deal_hands(state: TableState, command: Deal, now: float) -> tuple[Event, ...] | Refused:
    """Deals to everybody with a bet, one piece at a time, the banker last (G03).

    Raises:
        ValueError: where the command brings too few pieces.
    """
    if refused := other_round(state, command.round_number) or unmet_precondition(state, Action.DEAL):
        return refused
    assert state.bank is not None
    if command.member_id is None:
        if due(state, now) is not Due.DEAL:
            return refuse(Refusal.NOT_DUE)
    elif not state.is_banker(command.member_id):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.member.name)
    players = [seat.member.member_id for seat in state.bets]
    if state.rules.direction is Direction.COUNTER_CLOCKWISE:
        players.reverse()
    served = [*players, state.bank.member.member_id]
    hands = deal(command.pieces, len(served))
    dealt = tuple(DealtHand(member, hand) for member, hand in zip(served, hands, strict=True))
    return (HandsDealt(dealt, by=command.member_id),)


def reveal_hand(state: TableState, command: RevealHand) -> tuple[Event, ...] | Refused:
    """Turns up the member's hand for everybody."""
    if refused := other_round(state, command.round_number) or unmet_precondition(state, Action.REVEAL):
        return refused
    if not state.pieces_of(command.member_id):
        return refuse(Refusal.NO_HAND)
    place = state.place_of(command.member_id)
    assert place is not None
    return refuse(Refusal.ALREADY_REVEALED) if place.revealed else (HandRevealed(command.member_id),)


def showdown(
    state: TableState, command: Showdown, now: float, wallets: Mapping[int, int]
) -> tuple[Event, ...] | Refused:
    """Settles the round, lets go who wants to, and opens the next under the house's rules of now (B03)."""
    if due(state, now) is not Due.SHOWDOWN:
        return refuse(Refusal.NOT_DUE)
    settled = RoundSettled(round_result(state))
    chips = chips_after(state, settled, wallets)
    after = evolve(state, settled)
    departures_now = tuple(
        SeatLeft(seat.member.member_id, seat.leave_reason if seat.leaving else LeaveReason.IDLE)
        for seat in after.seats
        if seat.leaving or seat.missed >= ROUNDS_MISSED_IN_A_ROW
    )
    return (settled, *departures_now, *bank_goes_on(fold(after, departures_now), command.rules, chips))


def round_result(state: TableState) -> RoundResult:
    """What the hands that are out bring everybody (G17 to G20), whoever backs one as its player (B01).

    A hand is what its player declared, or else the strongest that it can be (B04).
    """
    assert state.bank is not None
    bank, rules = state.bank, state.rules
    banker = hand_of(bank.pieces, bank.three, rules)
    players, duels = [], {}
    for seat in state.bets:
        assert seat.stake is not None
        duel = settle(hand_of(seat.pieces, seat.three, rules), banker, rules)
        duels[seat.member.member_id] = duel
        players.append(
            PlayerResult(
                seat.number,
                seat.member,
                seat.stake,
                seat.pieces,
                duel.outcome,
                duel.units * seat.stake,
                seat.three,
            )
        )
    side_bets = tuple(_backed(side, duels[side.backed]) for side in state.side_bets)
    return RoundResult(
        state.round_number,
        rules,
        bank.member,
        bank.pieces,
        tuple(players),
        side_bets,
        bank.three,
        deal_opening(state),
    )


def _backed(side: SideBet, duel: Duel) -> SideResult:
    return SideResult(side.member, side.backed, side.stake, duel.outcome, duel.units * side.stake)
