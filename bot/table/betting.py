"""Placing, changing and taking back a bet; sitting a round out."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from bot.games.multiples import largest_multiple
from bot.table.commands import PlaceBet, SitOut, WithdrawBet
from bot.table.draft import Draft
from bot.table.events import BetPlaced, SatOut, SeatTaken
from bot.table.exposure import chips_of_bank, largest_covered, uncovered
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.returned_bets import make_room, return_bet, return_side_bets
from bot.table.state import Phase, TableState

A_POINT: Final = 1
"""The bet of everybody at a table that plays for points (G22)."""


def place_bet(draft: Draft, command: PlaceBet, wallets: Mapping[int, int]) -> Refused | None:
    """Bets, if player and bank can both cover the worst case (B02); points need no cover (G22).

    Computer players make room for it (B07).
    """
    state = draft.state
    party = command.party
    stake = A_POINT if state.for_points else command.stake
    if refused := (
        other_round(state, command.round_number)
        or _needs_seat(state, command)
        or _cannot_bet(state, party)
        or _not_covered(state, party, stake, wallets)
    ):
        return refused
    seat = state.seat_of(party)
    if seat is None:
        take_free_seat(draft, command.party)
    earlier = seat.stake if seat else None
    if earlier != stake:
        make_room(draft, stake - (earlier or 0), wallets)
        draft.add(BetPlaced(party, stake))
    return None


def largest_stake(state: TableState, party: int, wallets: Mapping[int, int]) -> int | Refused:
    """The largest bet that this member could place now, in chips, or why none is possible (B02).

    Args:
        state: the table.
        party: the member.
        wallets: free chips by member, the member's and the banker's at least.
    """
    if refused := _cannot_bet(state, party):
        return refused
    if state.for_points:
        return A_POINT
    return largest_covered(state, *_free_chips(state, party, wallets))


def bank_covers(state: TableState, wallets: Mapping[int, int]) -> int:
    """The chips in further bets of members that the bank can cover (B02); 0 for points."""
    if state.bank is None or state.for_points:
        return 0
    return chips_of_bank(state, wallets) // largest_multiple(state.rules)


def largest_for_anybody(state: TableState, wallets: Mapping[int, int]) -> int:
    """The largest bet that the bank could cover for any one member, in chips (B02).

    A changed bet returns the old one first. Everybody is refused a larger bet; some may be refused a smaller
    one.

    Args:
        state: the table; it plays for chips.
        wallets: free chips by member, the banker's at least.
    """
    returned = Counter({seat.party: seat.stake or 0 for seat in state.members})
    if state.free_seat is not None:
        for side in state.side_bets:
            returned[side.party] += side.stake
    return bank_covers(state, wallets) + max(returned.values(), default=0)


def withdraw_bet(draft: Draft, command: WithdrawBet) -> Refused | None:
    """Takes the bet back before the deal."""
    state = draft.state
    if refused := other_round(state, command.round_number):
        return refused
    seat = state.seat_of(command.party)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    if seat is None or seat.stake is None:
        return refuse(Refusal.NO_BET_OF_YOURS)
    return_bet(draft, command.party)
    return None


def take_free_seat(draft: Draft, party: int) -> None:
    """Seats a member or a computer player in the first free seat; side bets of theirs go back (B01)."""
    assert draft.state.free_seat is not None
    return_side_bets(draft, draft.state.side_bets_of(party))
    draft.add(SeatTaken(draft.state.free_seat, party))


def sit_out(draft: Draft, command: SitOut) -> Refused | None:
    """Sits this round out, and returns the bet."""
    state = draft.state
    if refused := other_round(state, command.round_number):
        return refused
    seat = state.seat_of(command.party)
    if state.is_banker(command.party):
        return refuse(Refusal.HOLDS_THE_BANK)
    if seat is None:
        return refuse(Refusal.NOT_SEATED)
    if refused := unmet_precondition(state, Action.BET):
        return refused
    if not seat.sitting_out:
        return_bet(draft, command.party)
        draft.add(SatOut(command.party))
    return None


def _needs_seat(state: TableState, command: PlaceBet) -> Refused | None:
    """Why a bet that may not take a seat is refused; None if the member has one."""
    if command.takes_seat or state.has(command.party):
        return None
    return refuse(Refusal.NOT_SEATED)


def _cannot_bet(state: TableState, party: int) -> Refused | None:
    """Why this member cannot bet at all, with any number of chips; None if they can."""
    if state.is_banker(party):
        return refuse(Refusal.HOLDS_THE_BANK)
    seated = state.seat_of(party) is not None
    return unmet_precondition(state, Action.BET) or (
        None if seated else unmet_precondition(state, Action.JOIN)
    )


def _free_chips(state: TableState, party: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """The chips that can cover a bet, of player and bank: old bets are returned first."""
    seat = state.seat_of(party)
    stakes = (seat.stake or 0) if seat else sum(side.stake for side in state.side_bets_of(party))
    old = stakes * largest_multiple(state.rules)
    return wallets.get(party, 0) + old, chips_of_bank(state, wallets) + old


def _not_covered(state: TableState, party: int, stake: int, wallets: Mapping[int, int]) -> Refused | None:
    """Why this bet is not covered; None if it is, and for points (G22)."""
    if state.for_points:
        return None
    return uncovered(state, stake, *_free_chips(state, party, wallets))
