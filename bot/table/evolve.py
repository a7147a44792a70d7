"""What events do to a table: the state after them, and the chips that they move."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bot.table.accounts import Move, Reason, hold, score, wallet
from bot.table.events import (
    BankGivenUp,
    BankPassed,
    BankTaken,
    BetPlaced,
    BetWithdrawn,
    ClientSeedSet,
    ClosingSet,
    DeadlineSet,
    DiceRolled,
    Event,
    HandArranged,
    HandRevealed,
    HandsDealt,
    LeaveRequested,
    LimitsSet,
    LowestBet,
    RoundCalledOff,
    RoundOpened,
    RoundSettled,
    SatOut,
    SeatLeft,
    SeatTaken,
    SecretCommitted,
    SideBetPlaced,
    SideBetWithdrawn,
    TableClosed,
    TableOpened,
)
from bot.table.state import (
    STAKES_KEPT,
    Bank,
    Departure,
    Heat,
    LeaveReason,
    MemberSeed,
    Phase,
    PlayerResult,
    RoundResult,
    Seat,
    SideBet,
    SideResult,
    TableState,
)


def evolve(state: TableState | None, event: Event) -> TableState:
    """The state after one event."""
    if isinstance(event, TableOpened):
        return TableState(
            table_id=event.table_id,
            server_id=event.server_id,
            channel_id=event.channel_id,
            number=event.number,
            opener=event.opener,
            rules=event.rules,
            heat=event.heat,
            sequence=1,
        )
    if state is None:
        raise ValueError(f"a table begins with {TableOpened.__name__}, not with {type(event).__name__}")
    return replace(_after(state, event), sequence=state.sequence + 1)


def fold(state: TableState | None, events: Iterable[Event]) -> TableState:
    """The state after these events, in order."""
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a table without events is none")
    return state


def _after(state: TableState, event: Event) -> TableState:
    match event:
        case SeatTaken(number, party):
            seats = sorted((*state.seats, Seat(number, party)), key=lambda seat: seat.number)
            return replace(_returned(state, party), seats=tuple(seats))
        case SeatLeft(party, leave_reason):
            seats = [seat for seat in state.seats if seat.party != party]
            if leave_reason is not LeaveReason.CANNOT_COVER:
                state = _given_up(state, party)
            return replace(_departed(state, party, leave_reason), seats=tuple(seats))
        case BankTaken(party, lowest, highest):
            return replace(_returned(state, party), bank=Bank(party, lowest, highest))
        case DiceRolled(throws, opening):
            return replace(state, throws=throws, dice=opening, client_seeds=_used(state.client_seeds))
        case SecretCommitted(secret):
            # A banker who presses nothing in a round still has the client seed of an earlier one.
            there = tuple(seed for seed in state.client_seeds if state.has(seed.party))
            return replace(state, secret=secret, client_seeds=there)
        case ClientSeedSet():
            return _with_client_seed(state, event)
        case LimitsSet(lowest, highest):
            return replace(state, bank=state.bank and replace(state.bank, lowest=lowest, highest=highest))
        case BankPassed(party):
            return _passed(state, party)
        case BankGivenUp(party, leave_reason):
            # A player sits out one round of this banker; the next round has them again.
            back_in = tuple(replace(seat, sitting_out=False) for seat in state.seats)
            state = _departed(_gives_up_bank(state, party, leave_reason), party, leave_reason)
            return replace(state, bank=None, phase=Phase.OPEN, seats=back_in, throws=(), dice=None)
        case LeaveRequested(party, leave_reason):
            state = _gives_up_bank(state, party, leave_reason)
            return _place(state, party, leaves_after_round=True, leave_reason=leave_reason)
        case RoundOpened(round_number, rules):
            return replace(state, phase=Phase.BETTING, round_number=round_number, rules=rules)
        case BetPlaced(party, stake):
            return _place(state, party, stake=stake, sitting_out=False, rounds_missed=0)
        case LowestBet(party, stake):
            seat = state.seat_of(party)
            assert seat is not None
            return _place(state, party, stake=stake, rounds_missed=seat.rounds_missed + 1)
        case BetWithdrawn(party):
            noted = _noted(state, (seat for seat in state.bets if seat.party == party))
            return _place(noted, party, stake=None)
        case SideBetPlaced():
            return _with_side_bet(state, event)
        case SideBetWithdrawn(party, backed):
            taken_back = state.side_bet_of(party, backed)
            return replace(state, side_bets=tuple(side for side in state.side_bets if side is not taken_back))
        case SatOut(party):
            return _place(state, party, sitting_out=True, rounds_missed=0)
        case DeadlineSet(at):
            return replace(state, deadline=at)
        case HandsDealt():
            return _dealt(state, event)
        case HandArranged(party, declared_ox):
            return _place(state, party, declared_ox=declared_ox, rounds_missed=0)
        case HandRevealed(party):
            return _place(state, party, revealed=True, rounds_missed=0)
        case RoundSettled(result):
            return replace(_cleared(state), phase=Phase.OPEN, last=result, heat=_played(state.heat, result))
        case RoundCalledOff():
            return replace(_cleared(state), phase=Phase.OPEN)
        case ClosingSet(closes, by_admin):
            return replace(state, closes_after_round=closes, closed_by_admin=by_admin)
        case TableClosed(leave_reason):
            is_over = leave_reason is LeaveReason.HEAT_OVER
            heat = state.heat and replace(state.heat, is_over=is_over)
            by_admin = leave_reason is LeaveReason.BY_ADMIN
            closed = replace(state, phase=Phase.CLOSED, seats=(), bank=None, deadline=None, heat=heat)
            return replace(closed, closed_by_admin=by_admin)
        case TableOpened():
            raise ValueError("a table is opened once")


def _place(state: TableState, party: int, **changed: Any) -> TableState:
    """Changes a member's seat or bank."""
    if state.bank is not None and state.is_banker(party):
        return replace(state, bank=replace(state.bank, **changed))
    seats = tuple(replace(seat, **changed) if seat.party == party else seat for seat in state.seats)
    return replace(state, seats=seats)


def _with_client_seed(state: TableState, event: ClientSeedSet) -> TableState:
    """Keeps one client seed a member: the newest, except that a chosen one stays."""
    seed = MemberSeed(event.party, event.text, event.chosen)
    earlier = next((one for one in state.client_seeds if one.party == event.party), None)
    if earlier is not None and earlier.chosen and not seed.chosen:
        return state
    others = tuple(one for one in state.client_seeds if one is not earlier)
    return replace(state, client_seeds=(*others, seed))


def _with_side_bet(state: TableState, event: SideBetPlaced) -> TableState:
    """Puts a side bet in place of the same backer's earlier one on the same hand."""
    placed = SideBet(event.party, event.backed, event.stake)
    earlier = state.side_bet_of(event.party, event.backed)
    if earlier is None:
        return replace(state, side_bets=(*state.side_bets, placed))
    side_bets = tuple(placed if side is earlier else side for side in state.side_bets)
    return replace(state, side_bets=side_bets)


def _dealt(state: TableState, event: HandsDealt) -> TableState:
    """Gives out the hands, and counts the round as missed by everybody who did nothing in it.

    The banker did nothing if the table dealt; arranging or revealing a hand makes up for it, as does any
    press since the last deal, even a refused one. This is counted at the deal, so that somebody who sits down
    after it has missed nothing.
    """
    hands = {hand.party: hand.pieces for hand in event.hands}

    def missed(place: Seat | Bank, *, nothing_done: bool) -> int:
        return 0 if place.party in event.present else place.rounds_missed + nothing_done

    seats = tuple(
        replace(
            seat,
            pieces=hands.get(seat.party, ()),
            rounds_missed=missed(seat, nothing_done=seat.undecided),
        )
        for seat in state.seats
    )
    bank = state.bank and replace(
        state.bank,
        pieces=hands.get(state.bank.party, ()),
        rounds_missed=missed(state.bank, nothing_done=True) if event.asked_by is None else 0,
    )
    return replace(
        state,
        phase=Phase.DEALT,
        seats=seats,
        bank=bank,
        gave_up=(),
        departures=(),
        throws=(),
        dice=None,
        sheet=event.sheet,
        client_seeds=_used(state.client_seeds),
    )


def _passed(state: TableState, party: int) -> TableState:
    """Numbers the seats again from the new banker's left; nobody moves."""
    heir = state.seat_of(party)
    assert state.bank is not None
    assert heir is not None
    old = state.bank
    at = state.seats.index(heir)
    seated = Seat(1, old.party, rounds_missed=old.rounds_missed)
    round_the_table = (*state.seats[at + 1 :], seated, *state.seats[:at])
    return replace(
        state,
        seats=tuple(replace(seat, number=number) for number, seat in enumerate(round_the_table, 1)),
        bank=Bank(heir.party, old.lowest, old.highest, rounds_missed=heir.rounds_missed),
    )


def _gives_up_bank(state: TableState, party: int, leave_reason: LeaveReason) -> TableState:
    """Remembers a banker who asked to give up the bank; call it while they still have it."""
    asked = leave_reason in (LeaveReason.ASKED, LeaveReason.BANK_GIVEN_UP)
    if not asked or not state.is_banker(party) or party in state.gave_up:
        return state
    return replace(state, gave_up=(*state.gave_up, party))


def _departed(state: TableState, party: int, leave_reason: LeaveReason) -> TableState:
    """Remembers a member who leaves without asking; call it while they still have their place."""
    place = state.place_of(party)
    if place is None or leave_reason is LeaveReason.ASKED:
        return state
    departure = Departure(place.party, leave_reason, was_banker=state.is_banker(party))
    return replace(state, departures=(*state.departures, departure))


def _returned(state: TableState, party: int) -> TableState:
    """Forgets the departure of a member who is back."""
    departures = tuple(gone for gone in state.departures if gone.party != party)
    return replace(state, departures=departures)


def _noted(state: TableState, seats: Iterable[Seat]) -> TableState:
    """Notes what members have bet in these seats, before the bets go."""
    stakes = {seat.party: seat.stake for seat in seats if seat.stake is not None}
    before = {party: stake for party, stake in state.last_stakes.items() if party not in stakes}
    newest = list((before | stakes).items())[-STAKES_KEPT:]
    return replace(state, last_stakes=dict(newest)) if stakes else state


def _cleared(state: TableState) -> TableState:
    """Clears bets and hands for the next round."""
    state = _noted(state, state.seats)
    seats = tuple(
        replace(seat, stake=None, sitting_out=False, pieces=(), revealed=False, declared_ox=None)
        for seat in state.seats
    )
    bank = state.bank and replace(state.bank, pieces=(), revealed=False, declared_ox=None)
    return replace(state, seats=seats, bank=bank, side_bets=(), sheet=None)


def _played(heat: Heat | None, result: RoundResult) -> Heat | None:
    """A tournament's table with what a round brought its players."""
    if heat is None:
        return None
    gains = dict(result.gains)
    contenders = (replace(one, chips=one.chips + gains.get(one.party, 0)) for one in heat.contenders)
    return replace(heat, contenders=tuple(contenders))


def _given_up(state: TableState, party: int) -> TableState:
    """Takes who leaves a table of a tournament out of it."""
    if state.heat is None:
        return state
    staying = tuple(one for one in state.heat.contenders if one.party != party)
    return replace(state, heat=replace(state.heat, contenders=staying))


def _used(seeds: tuple[MemberSeed, ...]) -> tuple[MemberSeed, ...]:
    """Client seeds after a shuffle or a roll: the next press replaces chosen words too."""
    return tuple(replace(seed, chosen=False) for seed in seeds)


def moves_of(state: TableState | None, events: Iterable[Event]) -> tuple[Move, ...]:
    """The chips that these events move, in order, worked out from the events alone.

    At any time a member's exposure is held, which is `TableState.held` (B02).
    """
    draft = Draft(state)
    draft.add(*events)
    return tuple(draft.moves)


def _moves_by(before: TableState, event: Event, after: TableState) -> Iterator[Move]:
    """The chips that one event moves, in order."""
    match event:
        case RoundSettled(result):
            if before.for_points:
                yield from _score_points(result)
            elif before.for_chips:
                yield from _settle_chips(before, result)
        case BetPlaced() | BetWithdrawn() | SideBetPlaced() | SideBetWithdrawn() | RoundCalledOff():
            yield from _hold_difference(before, after)
        case _:
            pass


def _hold_difference(before: TableState, after: TableState) -> Iterator[Move]:
    """Moves the difference between two exposures into each member's hold, or back."""
    was, now = before.held, after.held
    for party in sorted(was.keys() | now.keys()):
        more = now.get(party, 0) - was.get(party, 0)
        if not more:
            continue
        own, held = wallet(party), hold(before.table_id, party)
        bank = before.is_banker(party)
        if more > 0:
            yield Move(own, held, more, Reason.BANK_HELD if bank else Reason.BET_HELD, before.round_number)
        else:
            returned = Reason.BANK_RETURNED if bank else Reason.BET_RETURNED
            yield Move(held, own, -more, returned, before.round_number)


def _score_points(result: RoundResult) -> Iterator[Move]:
    """Moves points from score to score; nothing was held (G22)."""
    banks = score(result.banker)
    for player in result.players:
        own = score(player.party)
        if player.chips > 0:
            yield Move(banks, own, player.chips, Reason.POINTS_WON, result.round_number)
        elif player.chips < 0:
            yield Move(own, banks, -player.chips, Reason.POINTS_LOST, result.round_number)


def _settle_chips(state: TableState, result: RoundResult) -> Iterator[Move]:
    """Moves winnings from hold to wallet; then returns what is left of each hold."""
    held = state.held
    banker_id = result.banker
    outcomes: list[tuple[PlayerResult | SideResult, Reason, Reason]] = [
        *((player, Reason.PLAYER_WON, Reason.BANKER_WON) for player in result.players),
        *((side, Reason.SIDE_BET_WON, Reason.SIDE_BET_LOST) for side in result.side_bets),
    ]
    for one, won, lost in outcomes:
        party = one.party
        if one.chips > 0:
            held[banker_id] -= one.chips
            source, target = hold(state.table_id, banker_id), wallet(party)
            yield Move(source, target, one.chips, won, result.round_number)
        elif one.chips < 0:
            held[party] += one.chips
            source, target = hold(state.table_id, party), wallet(banker_id)
            yield Move(source, target, -one.chips, lost, result.round_number)
    for party, chips in held.items():
        if chips:
            returned = Reason.BANK_RETURNED if party == banker_id else Reason.BET_RETURNED
            yield Move(hold(state.table_id, party), wallet(party), chips, returned, result.round_number)


class Draft:
    """What a command has changed so far."""

    def __init__(self, before: TableState | None) -> None:
        self.before = before
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self._state = before

    @property
    def state(self) -> TableState:
        """The table after the events so far; not there before the event that opens it."""
        assert self._state is not None
        return self._state

    def add(self, *events: Event) -> None:
        """Applies these events, one after another."""
        for event in events:
            before, self._state = self._state, evolve(self._state, event)
            if before is not None:
                self.moves.extend(_moves_by(before, event, self._state))
            self.events.append(event)
