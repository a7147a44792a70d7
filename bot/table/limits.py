"""The limits of a stake: within what the house allows, and what the banker's chips cover (T03, B02)."""

from collections.abc import Mapping
from typing import Final

from bot.rules.knobs import HouseRules, Play
from bot.table.betting import A_POINT
from bot.table.commands import SetLimits
from bot.table.draft import Draft
from bot.table.events import LimitsSet
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Bank

USUAL_HIGHEST: Final = 100
"""The highest stake that a bank takes whose banker has not set any, in chips."""

Limits = tuple[int, int]
"""The lowest and the highest stake, in chips."""


def can_bank(rules: HouseRules, lowest: int, chips: int) -> bool:
    """Whether so many chips cover the lowest stake at its worst (B02); points need none (G22)."""
    return rules.play is Play.POINTS or chips >= lowest * rules.largest_multiple


def usual_limits(rules: HouseRules, chips: int) -> Limits:
    """The limits of a bank whose banker did not set any: all that the house allows, within reason.

    Args:
        rules: the house's.
        chips: what the banker has.
    """
    if rules.play is Play.POINTS:
        return A_POINT, A_POINT
    highest = min(rules.highest_stake, chips // rules.largest_multiple, USUAL_HIGHEST)
    return rules.lowest_stake, max(rules.lowest_stake, highest)


def limits_within(rules: HouseRules, bank: Bank) -> Limits:
    """The bank's limits, moved as little as it takes for the house to allow them."""
    if rules.play is Play.POINTS:
        return bank.lowest, bank.highest
    lowest = min(max(bank.lowest, rules.lowest_stake), rules.highest_stake)
    return lowest, min(max(bank.highest, lowest), rules.highest_stake)


def unfit_limits(rules: HouseRules, limits: Limits, chips: int) -> Refused | None:
    """Why a banker with so many chips cannot set these limits (T03, B02); None where he can."""
    lowest, highest = limits
    if not 1 <= lowest <= highest:
        return refuse(Refusal.LIMITS_CROSSED, lowest=lowest, highest=highest)
    if lowest < rules.lowest_stake or highest > rules.highest_stake:
        return refuse(Refusal.STAKES_OUT_OF_HOUSE, lowest=rules.lowest_stake, highest=rules.highest_stake)
    if can_bank(rules, lowest, chips):
        return None
    multiple = rules.largest_multiple
    return refuse(
        Refusal.BANK_TOO_POOR,
        lowest=lowest,
        needed=lowest * multiple,
        wallet=chips,
        most=chips // multiple,
    )


def set_limits(draft: Draft, command: SetLimits, wallets: Mapping[int, int]) -> Refused | None:
    """Sets the limits for the bets to come, while none stands (T03)."""
    state = draft.state
    if refused := unmet_precondition(state, Action.LIMITS):
        return refused
    assert state.bank is not None
    if not state.is_banker(command.member_id):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.member.name)
    limits = (command.lowest, command.highest)
    if refused := unfit_limits(state.rules, limits, wallets.get(command.member_id, 0)):
        return refused
    if limits != (state.bank.lowest, state.bank.highest):
        draft.add(LimitsSet(*limits))
    return None
