"""Placing, changing and taking back a bet, and sitting a round out."""

from collections.abc import Mapping

from bot.table.commands import PlaceBet, SitOut, WithdrawBet
from bot.table.events import BetPlaced, BetWithdrawn, Event, SatOut, SeatTaken
from bot.table.obstacles import Action, obstacle
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Phase, TableState


def place_bet(
    state: TableState, command: PlaceBet, wallets: Mapping[int, int]
) -> tuple[Event, ...] | Refused:
    """Bets, where player and bank can both cover the worst case (B02)."""
    member_id = command.member.member_id
    if command.round_number not in (None, state.round_number):
        return refuse(Refusal.ROUND_IS_OVER, meant=command.round_number or 0, now=state.round_number)
    if state.is_banker(member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if refused := obstacle(state, Action.BET):
        return refused
    if refused := _uncovered(state, member_id, command.stake, wallets):
        return refused
    seat = state.seat_of(member_id)
    if seat is not None:
        return () if seat.stake == command.stake else (BetPlaced(member_id, command.stake),)
    if refused := obstacle(state, Action.JOIN):
        return refused
    assert state.free_seat is not None
    return (SeatTaken(state.free_seat, command.member), BetPlaced(member_id, command.stake))


def largest_stake(state: TableState, member_id: int, wallets: Mapping[int, int]) -> int:
    """The largest stake that this member could bet now, in chips; 0 where none would do (B02)."""
    if state.bank is None:
        return 0
    by_player, by_bank = _covered(state, member_id, wallets)
    most = min(by_player, by_bank, state.bank.highest)
    return most if most >= state.bank.lowest else 0


def bank_covers(state: TableState, wallets: Mapping[int, int]) -> int:
    """How many chips of stakes the bank could still cover beyond those that stand (B02)."""
    if state.bank is None:
        return 0
    return wallets.get(state.bank.member.member_id, 0) // state.rules.largest_multiple


def withdraw_bet(state: TableState, command: WithdrawBet) -> tuple[Event, ...] | Refused:
    """Takes the bet back before the deal."""
    seat = state.seat_of(command.member_id)
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    if seat is None or seat.stake is None:
        return refuse(Refusal.NO_BET_OF_YOURS)
    return (BetWithdrawn(command.member_id),)


def sit_out(state: TableState, command: SitOut) -> tuple[Event, ...] | Refused:
    """Sits this round out, and takes back what was bet."""
    seat = state.seat_of(command.member_id)
    if state.is_banker(command.member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if seat is None:
        return refuse(Refusal.NOT_SEATED)
    if seat.out:
        return ()
    if refused := obstacle(state, Action.BET):
        return refused
    taken_back = (BetWithdrawn(command.member_id),) if seat.stake is not None else ()
    return (*taken_back, SatOut(command.member_id))


def _covered(state: TableState, member_id: int, wallets: Mapping[int, int]) -> tuple[int, int]:
    """The largest stakes that the player's and the bank's chips cover, what the old bet holds included."""
    assert state.bank is not None
    most = state.rules.largest_multiple
    seat = state.seat_of(member_id)
    standing = (seat.stake or 0) if seat else 0
    return (
        wallets.get(member_id, 0) // most + standing,
        wallets.get(state.bank.member.member_id, 0) // most + standing,
    )


def _uncovered(state: TableState, member_id: int, stake: int, wallets: Mapping[int, int]) -> Refused | None:
    assert state.bank is not None
    lowest, highest = state.bank.lowest, state.bank.highest
    if stake < lowest:
        return refuse(Refusal.STAKE_BELOW_LOWEST, stake=stake, lowest=lowest, highest=highest)
    if stake > highest:
        return refuse(Refusal.STAKE_ABOVE_HIGHEST, stake=stake, lowest=lowest, highest=highest)
    multiple = state.rules.largest_multiple
    chips = wallets.get(member_id, 0)
    by_player, by_bank = _covered(state, member_id, wallets)
    if by_player < lowest:
        return refuse(Refusal.PLAYER_TOO_POOR, lowest=lowest, needed=lowest * multiple, wallet=chips)
    if by_bank < lowest:
        return refuse(Refusal.BANK_EXHAUSTED, lowest=lowest)
    most = min(by_player, by_bank)
    if stake > by_player:
        return refuse(
            Refusal.PLAYER_CANNOT_COVER, stake=stake, needed=stake * multiple, wallet=chips, most=most
        )
    if stake > by_bank:
        return refuse(Refusal.BANK_CANNOT_COVER, stake=stake, most=most)
    return None
