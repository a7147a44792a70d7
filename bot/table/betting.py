"""Bets and side bets: what may be bet, placing it, taking it back, and making room (B01, B02)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.table.accounts import chips_after
from bot.table.commands import PlaceBet, PlaceSideBet, SitOut, WithdrawBet, WithdrawSideBet
from bot.table.events import BetPlaced, BetWithdrawn, SatOut, SeatTaken, SideBetPlaced, SideBetWithdrawn
from bot.table.evolve import Draft
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Phase, SideBet, TableState, is_computer


def chips_of_bank(state: TableState, wallets: Mapping[int, int], backed: int | None = None) -> int:
    """The chips that can be held from the bank: computer players make room for members (B07).

    What they hold against the house is the bank's too.

    Args:
        backed: the player whom the member backs, and who so makes no room.
    """
    assert state.bank is not None
    if state.heat is not None:
        # The house covers the player with the most chips.
        return max((one.chips for one in state.heat.contenders), default=0)
    stakes = sum(seat.stake or 0 for seat in state.computers if seat.party != backed)
    sides = 2 if state.house_banks else 1
    return wallets.get(state.bank.party, 0) + stakes * sides * largest_multiple(state.rules)


def largest_covered(state: TableState, own: int, banks: int) -> int | Refused:
    """The largest bet that the banker takes and both can cover, in chips, or why there is none.

    Args:
        own: the chips that can be held from the bettor.
        banks: the chips that can be held from the bank.
    """
    assert state.bank is not None
    lowest = state.bank.lowest
    by_player, by_bank = _covered(state, own), _covered(state, banks)
    if by_player < lowest:
        needed = lowest * largest_multiple(state.rules)
        return refuse(Refusal.PLAYER_TOO_POOR, lowest=lowest, needed=needed, wallet=own)
    if by_bank < lowest:
        return refuse(Refusal.BANK_EXHAUSTED, lowest=lowest)
    return min(by_player, by_bank, state.bank.highest)


def uncovered(state: TableState, stake: int, own: int, banks: int) -> Refused | None:
    """Why the banker does not take this bet, or who cannot cover it; None if all is well."""
    most = largest_covered(state, own, banks)
    if isinstance(most, Refused):
        return most
    assert state.bank is not None
    lowest, highest = state.bank.lowest, state.bank.highest
    if stake < lowest:
        return refuse(Refusal.STAKE_BELOW_LOWEST, stake=stake, lowest=lowest, highest=most)
    if stake <= most:
        return None
    if most == highest:
        return refuse(Refusal.STAKE_ABOVE_HIGHEST, stake=stake, lowest=lowest, highest=highest)
    if most == _covered(state, own):
        needed = stake * largest_multiple(state.rules)
        return refuse(Refusal.PLAYER_CANNOT_COVER, stake=stake, needed=needed, wallet=own, most=most)
    return refuse(Refusal.BANK_CANNOT_COVER, stake=stake, most=most)


def _covered(state: TableState, chips: int) -> int:
    """The largest bet whose worst case these chips cover."""
    return chips // largest_multiple(state.rules)


def return_bet(draft: Draft, party: int) -> None:
    """Returns a player's bet, if there is one, after the side bets on it (B01)."""
    seat = draft.state.seat_of(party)
    if seat is not None and seat.stake is not None:
        return_side_bets(draft, draft.state.side_bets_on(party))
        draft.add(BetWithdrawn(party))


def return_side_bets(draft: Draft, side_bets: Iterable[SideBet]) -> None:
    """Returns these side bets; after the deal they stay (B01)."""
    if draft.state.phase is not Phase.DEALT:
        draft.add(*(SideBetWithdrawn(side.party, side.backed) for side in side_bets))


def make_room(draft: Draft, more: int, wallets: Mapping[int, int], backed: int | None = None) -> None:
    """Returns bets of computer players until the bank covers a member's bet (B02, B07).

    Those that nobody backs go first, since side bets go back with them; among these the largest.

    Args:
        more: by how much the member's bet grows, in chips.
        backed: whose bet stays, since the member backs it.
    """
    state = draft.state
    if state.bank is None or not state.for_chips:
        return
    needed = more * largest_multiple(state.rules)
    for seat in sorted(state.computers, key=lambda seat: (bool(state.side_bets_on(seat.party)), -seat.party)):
        if chips_after(wallets, draft.moves).get(state.bank.party, 0) >= needed:
            return
        if seat.party != backed:
            return_bet(draft, seat.party)


ALL_IN_PARTS: Final = 10
"""Who holds all their chips for a bet but this fraction of it, a tenth, is all in."""
A_POINT: Final = 1
"""The bet of everybody at a table that plays for points (G22)."""


def place_bet(draft: Draft, command: PlaceBet, wallets: Mapping[int, int]) -> Refused | None:
    """Bets, if player and bank can both cover the worst case (B02); points need no cover (G22).

    Computer players make room for it (B07).
    """
    state = draft.state
    party = command.party
    stake = _stake_of(state, command, wallets)
    if refused := (
        other_round(state, command.round_number)
        or _needs_seat(state, command)
        or _cannot_bet(state, party)
        or not_covered(state, party, stake, wallets)
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


def _stake_of(state: TableState, command: PlaceBet, wallets: Mapping[int, int]) -> int:
    """The chips that this command bets: never more than it says."""
    if state.for_points:
        return A_POINT
    most = largest_stake(state, command.party, wallets) if command.or_less else command.stake
    return command.stake if isinstance(most, Refused) else min(command.stake, most)


def largest_stake(state: TableState, party: int, wallets: Mapping[int, int]) -> int | Refused:
    """The largest bet that this member could place now, in chips, or why none is possible (B02)."""
    if refused := _cannot_bet(state, party):
        return refused
    if state.for_points:
        return A_POINT
    return largest_covered(state, *_free_chips(state, party, wallets))


def too_poor(state: TableState, party: int, own: int) -> Refused | None:
    """Why a member who has nothing at a table cannot bet there, in any round; None if they can.

    Args:
        own: their free chips.
    """
    lowest = state.rules.lowest_stake if state.bank is None else state.bank.lowest
    needed = lowest * largest_multiple(state.rules)
    has_place = state.is_banker(party) or party in state.held
    if (
        not state.for_chips
        or state.heat is not None
        or state.phase is Phase.CLOSED
        or has_place
        or own >= needed
    ):
        return None
    return refuse(Refusal.PLAYER_TOO_POOR, lowest=lowest, needed=needed, wallet=own)


def chips_left(state: TableState, party: int, stake: int, beside: int) -> int:
    """The chips of their own that a bet would leave this member beside what it holds (B02).

    Args:
        beside: their chips beside what this table holds now.
    """
    return _free_chips(state, party, {party: beside})[0] - stake * largest_multiple(state.rules)


def is_all_in(rules: HouseRules, stake: int, left: int) -> bool:
    """Whether a bet holds all that a member has; the chips that are left may be a tenth of it, but no bet."""
    times = largest_multiple(rules)
    return left < times and left * ALL_IN_PARTS <= stake * times


def bank_covers(state: TableState, wallets: Mapping[int, int]) -> int:
    """The chips in further bets of members that the bank can cover (B02); 0 for points."""
    if state.bank is None or state.for_points:
        return 0
    return chips_of_bank(state, wallets) // largest_multiple(state.rules)


def largest_to_offer(state: TableState, wallets: Mapping[int, int]) -> int:
    """The largest bet that is offered to everybody, in chips: what the bank has room for (B02).

    With less room than a member has bet, they may still bet as much again, or less: the old bet is returned
    first.
    """
    returned = Counter({seat.party: seat.stake or 0 for seat in state.members})
    if state.free_seat is not None:
        for side in state.side_bets:
            returned[side.party] += side.stake
    return max(bank_covers(state, wallets), *returned.values(), 0)


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
    if refused := unmet_precondition(state, Action.SIT_OUT):
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
    if state.heat is not None:
        return state.heat.chips_of(party), chips_of_bank(state, wallets)
    seat = state.seat_of(party)
    stakes = (seat.stake or 0) if seat else sum(side.stake for side in state.side_bets_of(party))
    old = stakes * largest_multiple(state.rules)
    return wallets.get(party, 0) + old, chips_of_bank(state, wallets) + old


def not_covered(state: TableState, party: int, stake: int, wallets: Mapping[int, int]) -> Refused | None:
    """Why this bet, in place of an earlier one, is not covered; None if it is, and for points (G22)."""
    if state.for_points:
        return None
    return uncovered(state, stake, *_free_chips(state, party, wallets))


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
        or uncovered(state, command.stake, *_free_to_back(state, party, command.backed, wallets))
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
    """The largest side bet of this member on that player, in chips, or why none is possible (B02)."""
    if refused := _cannot_back(state, party, backed):
        return refused
    return largest_covered(state, *_free_to_back(state, party, backed, wallets))


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


def backs_nobody(state: TableState, party: int) -> Refused | None:
    """Why this member can back no player at all; None if they can, or only that player or chips hinder."""
    refused = unmet_precondition(state, Action.SIDE_BET)
    # Who sits here can back nobody, also before the first bet.
    if refused is not None and refused.code is not Refusal.NOBODY_HAS_BET:
        return refused
    if state.is_banker(party):
        return refuse(Refusal.HOLDS_THE_BANK)
    seat = state.seat_of(party)
    if seat is not None and seat.stake is not None:
        return refuse(Refusal.HAS_OWN_BET, stake=seat.stake)
    return refused if seat is None else refuse(Refusal.SITS_AT_TABLE)


def backed_without(state: TableState, party: int) -> bool:
    """Whether there is a bet to back once this player has left.

    Against the house, computer players bet only beside a member (B07).
    """
    others = [seat.party for seat in state.bets if seat.party != party]
    return any(not (state.house_banks and is_computer(one)) for one in others)


def _cannot_back(state: TableState, party: int, backed: int) -> Refused | None:
    """Why this member cannot back that player, with any number of chips; None if they can."""
    if refused := backs_nobody(state, party):
        return refused
    seat = state.seat_of(backed)
    if seat is None or seat.stake is None:
        return refuse(Refusal.NO_BET_TO_BACK)
    if len(state.side_bets) >= MOST_SIDE_BETS and state.side_bet_of(party, backed) is None:
        return refuse(Refusal.SIDE_BETS_FULL, most=MOST_SIDE_BETS)
    return None


def _free_to_back(state: TableState, party: int, backed: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """The chips that can cover a side bet, of backer and bank: the old one is returned first."""
    earlier = state.side_bet_of(party, backed)
    old = earlier.stake * largest_multiple(state.rules) if earlier else 0
    return wallets.get(party, 0) + old, chips_of_bank(state, wallets, backed) + old
