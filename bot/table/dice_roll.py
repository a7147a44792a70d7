"""Rolling for the bank: the highest roll becomes banker (T03)."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.multiples import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank
from bot.table.bet_limits import can_bank, default_limits
from bot.table.commands import RollForBank
from bot.table.draft import Draft
from bot.table.events import BankTaken, DiceRolled, RoundOpened, SeatLeft
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_result import Opening
from bot.table.seats import LeaveReason
from bot.table.sheets import dice_sheet
from bot.table.state import TableState, Throw

DICE: Final = 2
"""How many dice each member rolls."""
THROWS: Final = 16
"""How many rolls of everybody there are dice for; two members tie this often once in 10¹⁵ evenings."""
_SIDES: Final = range(1, 7)


def dice_needed(state: TableState) -> int:
    """How many dice a command to roll must have, for the case of ties; most are not used."""
    return DICE * THROWS * len(state.seats)


def rolling(state: TableState, rules: HouseRules, wallets: Mapping[int, int]) -> list[int]:
    """Who rolls for the bank: the members who can cover the lowest bet, by seat."""
    lowest = rules.lowest_stake
    return [seat.party for seat in state.members if can_bank(rules, lowest, wallets.get(seat.party, 0))]


def roll_for_bank(draft: Draft, command: RollForBank, wallets: Mapping[int, int]) -> Refused | None:
    """Rolls for all members who can cover the lowest bet; the highest takes the bank (T03).

    They roll in the order of their seats. Those who tie for the highest total roll again.

    Raises:
        ValueError: if the command has too few dice for one roll of each, or an impossible die.
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.ROLL):
        return refused
    if state.seat_of(command.party) is None:
        return refuse(Refusal.NOT_SEATED)
    rules, lowest = command.rules, command.rules.lowest_stake
    if rules.house_bank is HouseBank.ONLY:
        return refuse(Refusal.HOUSE_ALWAYS_BANKS)
    throwing = rolling(state, rules, wallets)
    if not throwing:
        return refuse(Refusal.NOBODY_CAN_BANK, lowest=lowest, needed=lowest * largest_multiple(rules))
    throws, banker = throw(throwing, command.dice)
    limits = default_limits(rules, wallets.get(banker, 0))
    sheet = dice_sheet(state, command.party, command.client_seed, throwing)
    draft.add(
        DiceRolled(throws, None if sheet is None else Opening(state.secret or "", sheet)),
        SeatLeft(banker, LeaveReason.ASKED),
        BankTaken(banker, *limits),
        RoundOpened(state.round_number + 1, rules),
    )
    return None


def throw(throwing: Sequence[int], dice: Sequence[int]) -> tuple[tuple[Throw, ...], int]:
    """The throws, and the winner: the first of those who still tie if the dice run out.

    Args:
        throwing: who rolls, in the order of their seats.
        dice: 1 to 6 each, at least two for each of them.

    Raises:
        ValueError: if there are too few dice, or an impossible one.
    """
    if len(dice) < DICE * len(throwing) or not set(dice) <= set(_SIDES):
        raise ValueError(f"{len(throwing)} who throw need {DICE} dice each, of 1 to {_SIDES[-1]}")
    throws: list[Throw] = []
    tied = list(throwing)
    while len(dice) - DICE * len(throws) >= DICE * len(tied):
        thrown: list[Throw] = []
        for party in tied:
            start = DICE * (len(throws) + len(thrown))
            thrown.append(Throw(party, tuple(dice[start : start + DICE])))
        throws.extend(thrown)
        highest = max(throw.total for throw in thrown)
        tied = [party for party, throw in zip(tied, thrown, strict=True) if throw.total == highest]
        if len(tied) == 1:
            break
    return tuple(throws), tied[0]
