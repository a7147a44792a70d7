"""Side bets: watchers back a player's hand against the banker, before the deal (B01)."""

from collections.abc import Mapping
from typing import Final

from bot.games.multiples import largest_multiple
from bot.table.commands import PlaceSideBet, WithdrawSideBet
from bot.table.draft import Draft
from bot.table.events import SideBetPlaced, SideBetWithdrawn
from bot.table.exposure import chips_of_bank, largest_covered, uncovered
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.returned_bets import make_room
from bot.table.state import Phase, TableState

MOST_SIDE_BETS: Final = 500
"""The most side bets of a round: its record, which has them all, must stay small enough to be verified."""


def place_side_bet(draft: Draft, command: PlaceSideBet, wallets: Mapping[int, int]) -> Refused | None:
    """Backs a player's hand, if backer and bank can both cover the worst case (B01, B02).

    Computer players make room for it (B07).
    """
    state = draft.state
    party = command.party
    if refused := (
        other_round(state, command.round_number)
        or _cannot_back(state, party, command.backed)
        or uncovered(state, command.stake, *_free_chips(state, party, command.backed, wallets))
    ):
        return refused
    earlier = state.side_bet_of(party, command.backed)
    if earlier is None or earlier.stake != command.stake:
        more = command.stake - (earlier.stake if earlier else 0)
        make_room(draft, more, wallets, command.backed)
        draft.add(SideBetPlaced(command.party, command.backed, command.stake))
    return None


def largest_side_stake(
    state: TableState, party: int, backed: int, wallets: Mapping[int, int]
) -> int | Refused:
    """The largest side bet of this member on that player, in chips, or why none is possible (B02).

    Args:
        state: the table.
        party: the backer.
        backed: the player.
        wallets: free chips by member, the backer's and the banker's at least.
    """
    if refused := _cannot_back(state, party, backed):
        return refused
    return largest_covered(state, *_free_chips(state, party, backed, wallets))


def withdraw_side_bet(draft: Draft, command: WithdrawSideBet) -> Refused | None:
    """Takes a side bet back before the deal."""
    state = draft.state
    if refused := other_round(state, command.round_number):
        return refused
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    if state.side_bet_of(command.party, command.backed) is None:
        return refuse(Refusal.NO_SIDE_BET_OF_YOURS)
    draft.add(SideBetWithdrawn(command.party, command.backed))
    return None


def gave_way(before: TableState, after: TableState, party: int) -> bool:
    """Whether a member's side bets of this round went back because they took a seat (B01)."""
    same_round = before.round_number == after.round_number
    went_back = bool(before.side_bets_of(party)) and not after.side_bets_of(party)
    return same_round and went_back and after.has(party)


def _cannot_back(state: TableState, party: int, backed: int) -> Refused | None:
    """Why this member cannot back that player, with any number of chips; None if they can."""
    if refused := unmet_precondition(state, Action.SIDE_BET):
        return refused
    if state.has(party):
        return refuse(Refusal.SITS_AT_TABLE)
    seat = state.seat_of(backed)
    if seat is None or seat.stake is None:
        return refuse(Refusal.NO_BET_TO_BACK)
    if len(state.side_bets) >= MOST_SIDE_BETS and state.side_bet_of(party, backed) is None:
        return refuse(Refusal.SIDE_BETS_FULL, most=MOST_SIDE_BETS)
    return None


def _free_chips(state: TableState, party: int, backed: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """The chips that can cover a side bet, of backer and bank: the old one is returned first."""
    earlier = state.side_bet_of(party, backed)
    old = earlier.stake * largest_multiple(state.rules) if earlier else 0
    return wallets.get(party, 0) + old, chips_of_bank(state, wallets, backed) + old
