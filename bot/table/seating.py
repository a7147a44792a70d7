"""Taking and leaving seats and the bank, and closing the table (G03, B06)."""

from collections.abc import Mapping

from bot.rules.knobs import HouseBank, Play
from bot.table.bank import default_limits, limits_refused, seat_last_banker
from bot.table.betting import return_bet, return_side_bets, take_free_seat
from bot.table.commands import CloseTable, FreeBank, GiveUpBank, Join, KeepOpen, Leave, MemberLeft, TakeBank
from bot.table.deadlines import DueAction, due_action
from bot.table.events import (
    BankGivenUp,
    BankTaken,
    ClosingSet,
    LeaveRequested,
    RoundCalledOff,
    RoundOpened,
    SeatLeft,
    TableClosed,
)
from bot.table.evolve import Draft
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import THE_HOUSE, LeaveReason, Phase, TableState


def join(draft: Draft, command: Join) -> Refused | None:
    """Takes the first free seat."""
    state = draft.state
    party = command.party
    if state.is_banker(party):
        return refuse(Refusal.HOLDS_THE_BANK)
    if seat := state.seat_of(party):
        return refuse(Refusal.ALREADY_SEATED, seat=seat.number)
    if refused := unmet_precondition(state, Action.JOIN):
        return refused
    take_free_seat(draft, command.party)
    return None


def leave(draft: Draft, command: Leave) -> Refused | None:
    """Leaves the seat or the bank; after the round, if the member has a hand in it.

    Who means only the time before a deal, to back a player, keeps their place once it is dealt (B01).
    """
    state = draft.state
    if not state.has(command.party):
        return refuse(Refusal.NOT_SEATED)
    if refused := other_round(state, command.round_number):
        return refused
    if command.round_number is not None and state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    leave_place(draft, command.party, LeaveReason.ASKED)
    return None


def take_bank(draft: Draft, command: TakeBank, wallets: Mapping[int, int]) -> Refused | None:
    """Takes the bank, free or from the house (G03, B07), and opens betting under current house rules (B03).

    With bets against it, the house leaves the bank after the round: the limits must be possible, and are set
    by who takes the bank then. At a table for points anybody may, and the limits are one point, whatever the
    command says (G22).
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.TAKE_BANK):
        return refused
    if command.rules.house_bank is HouseBank.ONLY:
        return refuse(Refusal.HOUSE_ALWAYS_BANKS)
    party = command.party
    # What is held of theirs is settled before the bank is theirs.
    chips = wallets.get(party, 0) + state.held.get(party, 0)
    limits = (command.lowest, command.highest)
    dice_pick = bool(state.bets) and state.game.rolls_for_bank
    if command.rules.play is Play.POINTS:
        limits = default_limits(command.rules, chips)
    elif not dice_pick and (refused := limits_refused(command.rules, limits, chips)):
        return refused
    if state.bets:
        leave_after_round(draft, THE_HOUSE, LeaveReason.ASKED)
        return None
    if state.house_banks:
        draft.add(BankGivenUp(THE_HOUSE, LeaveReason.ASKED))
    if state.seat_of(party):
        draft.add(SeatLeft(party, LeaveReason.ASKED))
    draft.add(BankTaken(command.party, *limits), RoundOpened(state.round_number + 1, command.rules))
    return None


def give_up_bank(draft: Draft, command: GiveUpBank) -> Refused | None:
    """Gives up the bank, and returns every bet; after the round, once it is dealt. They keep a free seat."""
    state = draft.state
    if state.bank is None:
        return refuse(Refusal.NO_BANK)
    if not state.is_banker(command.party):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.party)
    if state.phase is Phase.DEALT:
        leave_after_round(draft, command.party, LeaveReason.BANK_GIVEN_UP)
    else:
        leave_place(draft, command.party, LeaveReason.ASKED)
        seat_last_banker(draft, command.party)
    return None


def free_bank(draft: Draft, command: FreeBank, now: float) -> Refused | None:
    """Takes the bank from a banker who is away when hands would be dealt, and returns every bet."""
    if due_action(draft.state, now) is not DueAction.DEAL or not draft.state.is_banker(command.party):
        return refuse(Refusal.NOT_DUE)
    leave_place(draft, command.party, LeaveReason.AWAY)
    return None


def leave_place(draft: Draft, party: int, leave_reason: LeaveReason) -> None:
    """Has a member leave their seat or the bank; after the round, if they have a hand in it."""
    state = draft.state
    place = state.place_of(party)
    if place is None:
        return
    if place.pieces:
        leave_after_round(draft, party, leave_reason)
    elif state.is_banker(party):
        if state.bets:
            draft.add(RoundCalledOff())
        draft.add(BankGivenUp(party, leave_reason))
    else:
        return_bet(draft, party)
        draft.add(SeatLeft(party, leave_reason))


def leave_after_round(draft: Draft, party: int, leave_reason: LeaveReason) -> None:
    """Has a member, or the house, leave their seat or the bank when the round is over.

    Who would keep a seat may still leave the table, or be removed from it.
    """
    place = draft.state.place_of(party)
    if place is None:
        return
    keeps_seat = place.leave_reason is LeaveReason.BANK_GIVEN_UP
    if not place.leaves_after_round or (keeps_seat and leave_reason is not LeaveReason.BANK_GIVEN_UP):
        draft.add(LeaveRequested(party, leave_reason))


def close_table(draft: Draft, command: CloseTable) -> Refused | None:
    """Closes the table for its opener, its banker or a server manager; after the round, once it is dealt.

    A table of a tournament closes when its part of it is over.
    """
    state = draft.state
    if refused := may_not_close(state, command):
        return refused
    by_admin = not state.belongs_to(command.party)
    if state.phase is Phase.DEALT:
        if not state.closes_after_round:
            draft.add(ClosingSet(closes=True, by_admin=by_admin))
        return None
    if state.held and not command.with_bets:
        number, channel, chips = state.number, state.channel_id, state.staked_in_all
        return refuse(Refusal.BETS_ARE_DOWN, number=number, channel=channel, chips=chips)
    close(draft, LeaveReason.BY_ADMIN if by_admin else LeaveReason.ASKED)
    return None


def keep_open(draft: Draft, command: KeepOpen) -> Refused | None:
    """Takes back that the table closes after the round."""
    if refused := may_not_close(draft.state, command):
        return refused
    if draft.state.closes_after_round:
        draft.add(ClosingSet(closes=False))
    return None


def may_not_close(state: TableState, command: CloseTable | KeepOpen) -> Refused | None:
    """Why who asks may not close the table; None if they may."""
    if state.heat is not None:
        return refuse(Refusal.TOURNAMENT_GOES_ON)
    if command.manages or state.belongs_to(command.party):
        return None
    return refuse(Refusal.MAY_NOT_CLOSE, opener=state.opener)


def member_left(draft: Draft, command: MemberLeft) -> None:
    """Removes a member; closes a table that is empty then, if they left the server."""
    return_side_bets(draft, draft.state.side_bets_of(command.party))
    leave_place(draft, command.party, command.leave_reason)
    if draft.events and draft.state.empty and command.leave_reason is LeaveReason.GONE:
        close(draft, LeaveReason.GONE)


def close(draft: Draft, leave_reason: LeaveReason) -> None:
    """Closes the table in any phase, and returns every bet."""
    if draft.state.bets:
        draft.add(RoundCalledOff())
    draft.add(TableClosed(leave_reason))
