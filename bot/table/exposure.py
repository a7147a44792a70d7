"""The exposure of bets: the most that they can lose, which bettor and bank must cover (B02)."""

from collections.abc import Mapping

from bot.games.multiples import largest_multiple
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import TableState


def chips_of_bank(state: TableState, wallets: Mapping[int, int], backed: int | None = None) -> int:
    """The chips that can be held from the bank: computer players make room for members (B07).

    What they hold against the house is the bank's too.

    Args:
        state: the table; it has a banker.
        wallets: free chips by member, the banker's at least.
        backed: the player whom the member backs, and who so makes no room.
    """
    assert state.bank is not None
    stakes = sum(seat.stake or 0 for seat in state.computers if seat.party != backed)
    sides = 2 if state.house_banks else 1
    return wallets.get(state.bank.party, 0) + stakes * sides * largest_multiple(state.rules)


def largest_covered(state: TableState, own: int, banks: int) -> int | Refused:
    """The largest bet that the banker takes and both can cover, in chips, or why there is none.

    Args:
        state: the table; it has a banker.
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
    """Why the banker does not take this bet, or who cannot cover it; None if all is well.

    Args:
        state: the table; it has a banker.
        stake: the bet, in chips.
        own: the chips that can be held from the bettor.
        banks: the chips that can be held from the bank.
    """
    most = largest_covered(state, own, banks)
    if isinstance(most, Refused):
        return most
    assert state.bank is not None
    lowest, highest = state.bank.lowest, state.bank.highest
    if stake < lowest:
        return refuse(Refusal.STAKE_BELOW_LOWEST, stake=stake, lowest=lowest, highest=highest)
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
