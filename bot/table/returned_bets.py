"""Bets that go back before the deal, with the side bets on them."""

from collections.abc import Iterable, Mapping

from bot.games.multiples import largest_multiple
from bot.table.accounts import chips_after
from bot.table.draft import Draft
from bot.table.events import BetWithdrawn, SideBetWithdrawn
from bot.table.state import Phase, SideBet


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
        draft: the table, and what the command changed.
        more: by how much the member's bet grows, in chips.
        wallets: free chips before the command, the banker's at least.
        backed: whose bet stays, since the member backs it.
    """
    state = draft.state
    if state.bank is None or state.for_points:
        return
    needed = more * largest_multiple(state.rules)
    for seat in sorted(state.computers, key=lambda seat: (bool(state.side_bets_on(seat.party)), -seat.party)):
        if chips_after(wallets, draft.moves).get(state.bank.party, 0) >= needed:
            return
        if seat.party != backed:
            return_bet(draft, seat.party)
