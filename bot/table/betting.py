"""Placing, changing and taking back a bet, and sitting a round out."""

from collections.abc import Mapping

from bot.table.commands import PlaceBet, SitOut, WithdrawBet
from bot.table.events import BetPlaced, BetWithdrawn, Event, SatOut, SeatTaken
from bot.table.obstacles import Action, obstacle, other_round
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Phase, TableState


def place_bet(
    state: TableState, command: PlaceBet, wallets: Mapping[int, int]
) -> tuple[Event, ...] | Refused:
    """Bets, where player and bank can both cover the worst case (B02)."""
    member_id = command.member.member_id
    if refused := (
        other_round(state, command.round_number)
        or _seatless(state, command)
        or _kept_from_betting(state, member_id)
        or _unfit(state, member_id, command.stake, wallets)
    ):
        return refused
    bet = BetPlaced(member_id, command.stake)
    if seat := state.seat_of(member_id):
        return () if seat.stake == command.stake else (bet,)
    assert state.free_seat is not None
    return (SeatTaken(state.free_seat, command.member), bet)


def largest_stake(state: TableState, member_id: int, wallets: Mapping[int, int]) -> int:
    """The largest stake that this member could bet now, in chips; 0 where none would do (B02)."""
    if state.bank is None or _kept_from_betting(state, member_id):
        return 0
    most = min(*_covered(state, member_id, wallets), state.bank.highest)
    return most if most >= state.bank.lowest else 0


def bank_covers(state: TableState, wallets: Mapping[int, int]) -> int:
    """How many chips of stakes the bank could still cover beyond those that stand (B02)."""
    if state.bank is None:
        return 0
    return wallets.get(state.bank.member.member_id, 0) // state.rules.largest_multiple


def withdraw_bet(state: TableState, command: WithdrawBet) -> tuple[Event, ...] | Refused:
    """Takes the bet back before the deal."""
    if refused := other_round(state, command.round_number):
        return refused
    seat = state.seat_of(command.member_id)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    if seat is None or seat.stake is None:
        return refuse(Refusal.NO_BET_OF_YOURS)
    return (BetWithdrawn(command.member_id),)


def sit_out(state: TableState, command: SitOut) -> tuple[Event, ...] | Refused:
    """Sits this round out, and takes back what was bet."""
    if refused := other_round(state, command.round_number):
        return refused
    seat = state.seat_of(command.member_id)
    if state.is_banker(command.member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if seat is None:
        return refuse(Refusal.NOT_SEATED)
    if refused := obstacle(state, Action.BET):
        return refused
    if seat.out:
        return ()
    taken_back = (BetWithdrawn(command.member_id),) if seat.stake is not None else ()
    return (*taken_back, SatOut(command.member_id))


def _seatless(state: TableState, command: PlaceBet) -> Refused | None:
    """Why a bet that may not take a seat will not do; None where the member sits at the table already."""
    if command.takes_seat or state.has(command.member.member_id):
        return None
    return refuse(Refusal.NOT_SEATED)


def _kept_from_betting(state: TableState, member_id: int) -> Refused | None:
    """Why this member could bet no stake at all, however many chips there were."""
    if state.is_banker(member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    seated = state.seat_of(member_id) is not None
    return obstacle(state, Action.BET) or (None if seated else obstacle(state, Action.JOIN))


def _free_chips(state: TableState, member_id: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """What player and bank can have held for the player's bet: what his old one holds comes back first."""
    assert state.bank is not None
    seat = state.seat_of(member_id)
    old = (seat.stake or 0) * state.rules.largest_multiple if seat else 0
    return wallets.get(member_id, 0) + old, wallets.get(state.bank.member.member_id, 0) + old


def _covered(state: TableState, member_id: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """The largest stakes that the player's and the bank's chips cover."""
    own, banks = _free_chips(state, member_id, wallets)
    return own // state.rules.largest_multiple, banks // state.rules.largest_multiple


def _unfit(state: TableState, member_id: int, stake: int, wallets: Mapping[int, int]) -> Refused | None:
    """Why this stake will not do; the `most` of a refusal is one that would (B02)."""
    assert state.bank is not None
    lowest, highest = state.bank.lowest, state.bank.highest
    multiple = state.rules.largest_multiple
    own, _ = _free_chips(state, member_id, wallets)
    by_player, by_bank = _covered(state, member_id, wallets)
    if by_player < lowest:
        return refuse(Refusal.PLAYER_TOO_POOR, lowest=lowest, needed=lowest * multiple, wallet=own)
    if by_bank < lowest:
        return refuse(Refusal.BANK_EXHAUSTED, lowest=lowest)
    if stake < lowest:
        return refuse(Refusal.STAKE_BELOW_LOWEST, stake=stake, lowest=lowest, highest=highest)
    most = min(by_player, by_bank, highest)
    if stake > by_player:
        return refuse(
            Refusal.PLAYER_CANNOT_COVER, stake=stake, needed=stake * multiple, wallet=own, most=most
        )
    if stake > by_bank:
        return refuse(Refusal.BANK_CANNOT_COVER, stake=stake, most=most)
    if stake > highest:
        return refuse(Refusal.STAKE_ABOVE_HIGHEST, stake=stake, lowest=lowest, highest=highest)
    return None
