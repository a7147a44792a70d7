"""Rolling for the bank: the highest roll becomes banker (T03)."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.multiples import largest_multiple
from bot.table.bet_limits import can_bank, default_limits
from bot.table.commands import RollForBank
from bot.table.commitment import roll_opening
from bot.table.draft import Draft
from bot.table.events import BankTaken, DiceRolled, RoundOpened, SeatLeft
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seats import LeaveReason
from bot.table.state import Member, TableState, Throw

DICE: Final = 2
"""How many dice each member rolls."""
THROWS: Final = 16
"""How many rolls of everybody there are dice for; two members tie this often once in 10¹⁵ evenings."""
_SIDES: Final = range(1, 7)


def dice_needed(state: TableState) -> int:
    """How many dice a command to roll must have, for the case of ties; most are not used."""
    return DICE * THROWS * len(state.seats)


def roll_for_bank(draft: Draft, command: RollForBank, wallets: Mapping[int, int]) -> Refused | None:
    """Rolls for all players who can cover the lowest bet; the highest takes the bank (T03).

    They roll in the order of their seats. Those who tie for the highest total roll again.

    Raises:
        ValueError: if the command has too few dice for one roll of each, or an impossible die.
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.ROLL):
        return refused
    if state.seat_of(command.member_id) is None:
        return refuse(Refusal.NOT_SEATED)
    rules, lowest = command.rules, command.rules.lowest_stake
    throwing = [
        seat.member for seat in state.seats if can_bank(rules, lowest, wallets.get(seat.member.member_id, 0))
    ]
    if not throwing:
        return refuse(Refusal.NOBODY_CAN_BANK, lowest=lowest, needed=lowest * largest_multiple(rules))
    throws, banker = _rolled(throwing, command.dice)
    limits = default_limits(rules, wallets.get(banker.member_id, 0))
    draft.add(
        DiceRolled(throws, roll_opening(state, command.member_id, command.client_seed)),
        SeatLeft(banker.member_id, LeaveReason.ASKED),
        BankTaken(banker, *limits),
        RoundOpened(state.round_number + 1, rules),
    )
    return None


def _rolled(members: Sequence[Member], dice: Sequence[int]) -> tuple[tuple[Throw, ...], Member]:
    """The throws, and the winner: the first of those who still tie if the dice run out."""
    if len(dice) < DICE * len(members) or not set(dice) <= set(_SIDES):
        raise ValueError(f"{len(members)} who throw need {DICE} dice each, of 1 to {_SIDES[-1]}")
    throws: list[Throw] = []
    tied = list(members)
    while len(dice) - DICE * len(throws) >= DICE * len(tied):
        thrown: list[Throw] = []
        for member in tied:
            start = DICE * (len(throws) + len(thrown))
            thrown.append(Throw(member.member_id, tuple(dice[start : start + DICE])))
        throws.extend(thrown)
        highest = max(throw.total for throw in thrown)
        tied = [member for member, throw in zip(tied, thrown, strict=True) if throw.total == highest]
        if len(tied) == 1:
            break
    return tuple(throws), tied[0]
