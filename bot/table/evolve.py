"""What a table is after an event: the fold that makes a state of a record."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bot.table.events import (
    BankGivenUp,
    BankPassed,
    BankTaken,
    BetPlaced,
    BetWithdrawn,
    ClockSet,
    Contributed,
    DiceRolled,
    Event,
    HandArranged,
    HandRevealed,
    HandsDealt,
    LeaveRequested,
    LimitsSet,
    RoundCalledOff,
    RoundOpened,
    RoundSettled,
    SatOut,
    SeatLeft,
    SeatTaken,
    ShuffleSealed,
    SideBetPlaced,
    SideBetWithdrawn,
    TableClosed,
    TableOpened,
)
from bot.table.leave_reason import LeaveReason
from bot.table.state import Bank, Departure, Member, Phase, Said, Seat, SideBet, TableState


def evolve(state: TableState | None, event: Event) -> TableState:
    """The state after one event.

    Args:
        state: the table before it; None before `TableOpened`.
        event: what happened, as `decide` said it.

    Raises:
        ValueError: where any other event is told of a table that was never opened.
    """
    if isinstance(event, TableOpened):
        return TableState(
            table_id=event.table_id,
            server_id=event.server_id,
            channel_id=event.channel_id,
            number=event.number,
            opener=event.opener,
            rules=event.rules,
            sequence=1,
        )
    if state is None:
        raise ValueError(f"a table begins with {TableOpened.__name__}, not with {type(event).__name__}")
    return replace(_after(state, event), sequence=state.sequence + 1)


def fold(state: TableState | None, events: Iterable[Event]) -> TableState:
    """The state after these events, one after another.

    Raises:
        ValueError: where nothing ever opened the table.
    """
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a table without events is none")
    return state


def _after(state: TableState, event: Event) -> TableState:
    match event:
        case SeatTaken(number, member):
            seats = sorted((*state.seats, Seat(number, member)), key=lambda seat: seat.number)
            return replace(_back(state, member), seats=tuple(seats))
        case SeatLeft(member_id, why):
            seats = [seat for seat in state.seats if seat.member.member_id != member_id]
            return replace(_departed(state, member_id, why), seats=tuple(seats))
        case BankTaken(member, lowest, highest):
            return replace(_back(state, member), bank=Bank(member, lowest, highest))
        case DiceRolled(throws):
            return replace(state, throws=throws, contributed=())
        case ShuffleSealed(secret):
            return replace(state, secret=secret)
        case Contributed():
            return _contributed(state, event)
        case LimitsSet(lowest, highest):
            return replace(state, bank=state.bank and replace(state.bank, lowest=lowest, highest=highest))
        case BankPassed(member_id):
            return _passed(state, member_id)
        case BankGivenUp(member_id, why):
            # Who sat out did so for this banker's round; the next one, under whomever, has him again.
            back_in = tuple(replace(seat, out=False) for seat in state.seats)
            return replace(_departed(state, member_id, why), bank=None, phase=Phase.OPEN, seats=back_in)
        case LeaveRequested(member_id, why):
            if state.bank is not None and state.is_banker(member_id):
                return replace(state, bank=replace(state.bank, leaving=True, leave_reason=why))
            return _seat(state, member_id, lambda seat: replace(seat, leaving=True, leave_reason=why))
        case RoundOpened(round_number, rules):
            return replace(state, phase=Phase.BETTING, round_number=round_number, rules=rules)
        case BetPlaced(member_id, stake):
            return _seat(
                state,
                member_id,
                lambda seat: replace(seat, stake=stake, last_stake=stake, out=False, missed=0),
            )
        case BetWithdrawn(member_id):
            return _seat(state, member_id, lambda seat: replace(seat, stake=None))
        case SideBetPlaced():
            return _backed(state, event)
        case SideBetWithdrawn(member_id, backed):
            taken_back = state.side_bet_of(member_id, backed)
            return replace(state, side_bets=tuple(side for side in state.side_bets if side is not taken_back))
        case SatOut(member_id):
            return _seat(state, member_id, lambda seat: replace(seat, out=True, missed=0))
        case ClockSet(at):
            return replace(state, deadline=at)
        case HandsDealt():
            return _dealt(state, event)
        case HandArranged(member_id, three):
            if state.bank is not None and state.is_banker(member_id):
                return replace(state, bank=replace(state.bank, three=three, missed=0))
            return _seat(state, member_id, lambda seat: replace(seat, three=three))
        case HandRevealed(member_id):
            if state.bank is not None and state.is_banker(member_id):
                return replace(state, bank=replace(state.bank, revealed=True, missed=0))
            return _seat(state, member_id, lambda seat: replace(seat, revealed=True))
        case RoundSettled(result):
            return replace(_cleared(state), phase=Phase.OPEN, last=result)
        case RoundCalledOff():
            return replace(_cleared(state), phase=Phase.OPEN)
        case TableClosed():
            return replace(state, phase=Phase.CLOSED, seats=(), bank=None, deadline=None)
        case TableOpened():
            raise ValueError("a table is opened once")


def _seat(state: TableState, member_id: int, change: Callable[[Seat], Seat]) -> TableState:
    return replace(
        state,
        seats=tuple(change(seat) if seat.member.member_id == member_id else seat for seat in state.seats),
    )


def _contributed(state: TableState, event: Contributed) -> TableState:
    """One text a member: the newest, but what he chose himself gives way to nothing else."""
    said = Said(event.member_id, event.text, event.own)
    earlier = next((one for one in state.contributed if one.member_id == event.member_id), None)
    if earlier is not None and earlier.own and not said.own:
        return state
    others = tuple(one for one in state.contributed if one is not earlier)
    return replace(state, contributed=(*others, said))


def _backed(state: TableState, event: SideBetPlaced) -> TableState:
    """A side bet takes the place of the same backer's earlier one on the same hand."""
    placed = SideBet(event.member, event.backed, event.stake)
    earlier = state.side_bet_of(event.member.member_id, event.backed)
    if earlier is None:
        return replace(state, side_bets=(*state.side_bets, placed))
    side_bets = tuple(placed if side is earlier else side for side in state.side_bets)
    return replace(state, side_bets=side_bets)


def _dealt(state: TableState, event: HandsDealt) -> TableState:
    """Cards for who has bet; one round more missed by who neither bet nor sits out, or let the table deal.

    It is counted here and not at the showdown, so that who sits down in between has missed nothing; a banker
    who arranges or turns up his hand after all takes it back.
    """
    hands = {hand.member_id: hand.pieces for hand in event.hands}
    seats = tuple(
        replace(
            seat,
            pieces=hands.get(seat.member.member_id, ()),
            missed=seat.missed + 1 if seat.undecided else seat.missed,
        )
        for seat in state.seats
    )
    bank = state.bank and replace(
        state.bank,
        pieces=hands.get(state.bank.member.member_id, ()),
        missed=state.bank.missed + 1 if event.by is None else 0,
    )
    return replace(state, phase=Phase.DEALT, seats=seats, bank=bank, departures=(), throws=())


def _passed(state: TableState, member_id: int) -> TableState:
    """Everybody stays where he sits; the seats are counted from the new banker's left on."""
    heir = state.seat_of(member_id)
    assert state.bank is not None
    assert heir is not None
    old = state.bank
    at = state.seats.index(heir)
    seated = Seat(1, old.member, missed=old.missed, last_stake=old.last_stake)
    round_the_table = (*state.seats[at + 1 :], seated, *state.seats[:at])
    return replace(
        state,
        seats=tuple(replace(seat, number=number) for number, seat in enumerate(round_the_table, 1)),
        bank=Bank(heir.member, old.lowest, old.highest, missed=heir.missed, last_stake=heir.last_stake),
    )


def _departed(state: TableState, member_id: int, why: LeaveReason) -> TableState:
    """Remembers who goes, while he still has his place, unless that is what he asked for."""
    place = state.place_of(member_id)
    if place is None or why is LeaveReason.ASKED:
        return state
    departure = Departure(place.member, why, was_banker=state.is_banker(member_id))
    return replace(state, departures=(*state.departures, departure))


def _back(state: TableState, member: Member) -> TableState:
    """Who is at the table again is no longer told of as gone."""
    still = tuple(gone for gone in state.departures if gone.member.member_id != member.member_id)
    return replace(state, departures=still)


def _cleared(state: TableState) -> TableState:
    """Everybody without stake and cards, ready for another round."""
    seats = tuple(
        replace(seat, stake=None, out=False, pieces=(), revealed=False, three=None) for seat in state.seats
    )
    bank = state.bank and replace(state.bank, pieces=(), revealed=False, three=None)
    return replace(state, seats=seats, bank=bank, side_bets=(), contributed=())
