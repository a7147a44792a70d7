"""Computer players: they keep members company with chips of the house (B07).

They follow what members do, by rule and never by chance, so that a host who knows the secret cannot choose
for them.
"""

from collections.abc import Mapping

from bot.games.settle import largest_multiple
from bot.rules.knobs import HouseBank
from bot.table.accounts import chips_after, payer
from bot.table.betting import A_POINT, return_bet, take_free_seat
from bot.table.commands import Command, PlayHouse, RollForBank, Showdown, TakeBank
from bot.table.events import BetPlaced, SeatLeft
from bot.table.evolve import Draft
from bot.table.state import COMPUTERS, LeaveReason, Phase, TableState, computer_number


def may_play(state: TableState, command: Command) -> bool:
    """Whether computer players may sit at the table after this command, so that they need chips."""
    match command:
        case PlayHouse(rules=rules) | TakeBank(rules=rules) | RollForBank(rules=rules) | Showdown(rules):
            pass
        case _:
            rules = state.rules
    return bool(state.computers) or rules.computer_players > 0


def follow_members(draft: Draft, wallets: Mapping[int, int]) -> None:
    """Has computer players sit down, leave, bet and take bets back, after what members did.

    Args:
        wallets: free chips before that, by payer, the house's and the banker's at least.
    """
    if draft.state.phase not in (Phase.OPEN, Phase.BETTING):
        return
    bet = computers_bet(draft.state)
    if not bet:
        for seat in draft.state.computers:
            return_bet(draft, seat.party)
    _seat(draft)
    if bet:
        for seat in draft.state.computers:
            stake = _stake(draft.state, seat.party, chips_after(wallets, draft.moves))
            if seat.stake is None and stake:
                draft.add(BetPlaced(seat.party, stake))


def computers_bet(state: TableState) -> bool:
    """Whether computer players bet now: against a member at once, against the house once a member has."""
    if state.phase is not Phase.BETTING:
        return False
    return not state.house_banks or any(seat.stake is not None for seat in state.members)


def _seat(draft: Draft) -> None:
    """Seats as many computer players as may sit there; one that has bet stays."""
    state = draft.state
    # None without a member. A seat stays free for another one, who can't join a table of a tournament.
    room = state.most_seats - len(state.members) - (state.heat is None)
    most = 0 if state.empty else max(0, min(state.rules.computer_players, room))
    without_bet = [seat.party for seat in draft.state.computers if seat.stake is None]
    for party in reversed(without_bet):
        if len(draft.state.computers) > most:
            draft.add(SeatLeft(party, LeaveReason.ASKED))
    for party in COMPUTERS:
        if len(draft.state.computers) < most and draft.state.seat_of(party) is None:
            take_free_seat(draft, party)


def _stake(state: TableState, party: int, chips: Mapping[int, int]) -> int:
    """What a computer player bets: its number times the lowest bet, or less; 0 to sit it out.

    Never more than the house takes. The bank can then still cover the lowest bet of every member who is to
    bet, and of one more (B02); and at a member's bank, the house can still bank elsewhere.
    """
    if state.for_points:
        return A_POINT
    assert state.bank is not None
    lowest, multiple = state.bank.lowest, largest_multiple(state.rules)
    rules = state.rules
    kept = 0 if state.house_banks or rules.house_bank is HouseBank.OFF else rules.house_highest
    if state.heat is not None:
        return min(computer_number(party) * lowest, state.bank.highest)
    own = chips.get(payer(party), 0) // multiple - kept
    banks = chips.get(state.bank.party, 0) // multiple - lowest * (len(state.undecided) + 1)
    # The chips of the house cover both sides of a bet against the house.
    covered = banks // 2 if state.house_banks else min(own, banks)
    stake = min(computer_number(party) * lowest, state.bank.highest, rules.house_highest, covered)
    return stake if stake >= lowest else 0
