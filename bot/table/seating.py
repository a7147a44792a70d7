"""Sitting down and getting up, in a seat and at the bank (G03)."""

from collections.abc import Mapping

from bot.rules.knobs import Play
from bot.table.betting import bet_goes_back
from bot.table.commands import GiveUpBank, Join, Leave, TakeBank
from bot.table.events import (
    BankGivenUp,
    BankTaken,
    Event,
    LeaveRequested,
    RoundCalledOff,
    RoundOpened,
    SeatLeft,
    SeatTaken,
)
from bot.table.leave_reason import LeaveReason
from bot.table.limits import unfit_limits, usual_limits
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.side_betting import backs_no_more
from bot.table.state import Phase, TableState


def join(state: TableState, command: Join) -> tuple[Event, ...] | Refused:
    """Takes the first free seat."""
    member_id = command.member.member_id
    if state.is_banker(member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if seat := state.seat_of(member_id):
        return refuse(Refusal.ALREADY_SEATED, seat=seat.number)
    if refused := unmet_precondition(state, Action.JOIN):
        return refused
    assert state.free_seat is not None
    return (*backs_no_more(state, member_id), SeatTaken(state.free_seat, command.member))


def leave(state: TableState, command: Leave) -> tuple[Event, ...] | Refused:
    """Gets up from the seat or the bank; after the round where the member's cards are out."""
    if not state.has(command.member_id):
        return refuse(Refusal.NOT_SEATED)
    return got_up(state, command.member_id, LeaveReason.ASKED)


def take_bank(
    state: TableState, command: TakeBank, wallets: Mapping[int, int]
) -> tuple[Event, ...] | Refused:
    """Takes the bank that nobody holds (G03), and opens betting under the house's rules of now (B03).

    Where points are played for, whoever wants it has it, for a point a player, whatever limits he says (G22).
    """
    if refused := unmet_precondition(state, Action.TAKE_BANK):
        return refused
    member_id = command.member.member_id
    chips = wallets.get(member_id, 0)
    limits = (command.lowest, command.highest)
    if command.rules.play is Play.POINTS:
        limits = usual_limits(command.rules, chips)
    elif refused := unfit_limits(command.rules, limits, chips):
        return refused
    got_up_first = (SeatLeft(member_id, LeaveReason.ASKED),) if state.seat_of(member_id) else ()
    return (
        *got_up_first,
        BankTaken(command.member, *limits),
        RoundOpened(state.round_number + 1, command.rules),
    )


def give_up_bank(state: TableState, command: GiveUpBank) -> tuple[Event, ...] | Refused:
    """Gets up from the bank, and every bet goes back; after the round where the cards are out."""
    if state.bank is None:
        return refuse(Refusal.NO_BANK)
    if not state.is_banker(command.member_id):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.member.name)
    return got_up(state, command.member_id, LeaveReason.ASKED)


def got_up(state: TableState, member_id: int, why: LeaveReason) -> tuple[Event, ...]:
    """What it means that a member gets up from wherever he sits; nothing where he sits nowhere."""
    if state.phase is Phase.DEALT and state.pieces_of(member_id):
        seat = state.seat_of(member_id)
        told = seat.leaving if seat else state.bank is not None and state.bank.leaving
        return () if told else (LeaveRequested(member_id, why),)
    if state.is_banker(member_id):
        called_off = (RoundCalledOff(),) if state.bets else ()
        return (*called_off, BankGivenUp(member_id, why))
    if seat := state.seat_of(member_id):
        return (*bet_goes_back(state, member_id), SeatLeft(member_id, why))
    return ()
