"""The limits of a bet: what the house allows and the banker's chips cover (T03, B02)."""

from collections.abc import Mapping
from typing import Final

from bot.games.multiples import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.table.betting import A_POINT
from bot.table.commands import SetLimits
from bot.table.draft import Draft
from bot.table.events import LimitsSet
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.returned_bets import return_bet
from bot.table.state import Bank

DEFAULT_HIGHEST: Final = 100
"""The highest bet that a bank takes if its banker set no limits, in chips."""

Limits = tuple[int, int]
"""The lowest and the highest bet, in chips."""


def can_bank(rules: HouseRules, lowest: int, chips: int) -> bool:
    """Whether these chips cover the lowest bet (B02); points need no cover (G22)."""
    return rules.play is Play.POINTS or chips >= lowest * largest_multiple(rules)


def default_limits(rules: HouseRules, chips: int) -> Limits:
    """The limits if the banker set none: what the house allows, up to `DEFAULT_HIGHEST`.

    Args:
        rules: the house rules.
        chips: the banker's free chips.
    """
    if rules.play is Play.POINTS:
        return A_POINT, A_POINT
    highest = min(rules.highest_stake, chips // largest_multiple(rules), DEFAULT_HIGHEST)
    return rules.lowest_stake, max(rules.lowest_stake, highest)


def limits_within(rules: HouseRules, bank: Bank) -> Limits:
    """The bank's limits, changed as little as the house rules need."""
    if rules.play is Play.POINTS:
        return bank.lowest, bank.highest
    lowest = min(max(bank.lowest, rules.lowest_stake), rules.highest_stake)
    return lowest, min(max(bank.highest, lowest), rules.highest_stake)


def limits_refused(rules: HouseRules, limits: Limits, chips: int) -> Refused | None:
    """Why a banker with these chips cannot set these limits; None if they can (T03, B02)."""
    lowest, highest = limits
    if not 1 <= lowest <= highest:
        return refuse(Refusal.LIMITS_CROSSED, lowest=lowest, highest=highest)
    if lowest < rules.lowest_stake or highest > rules.highest_stake:
        return refuse(Refusal.LIMITS_OUTSIDE_HOUSE, lowest=rules.lowest_stake, highest=rules.highest_stake)
    if can_bank(rules, lowest, chips):
        return None
    multiple = largest_multiple(rules)
    return refuse(
        Refusal.BANK_TOO_POOR,
        lowest=lowest,
        needed=lowest * multiple,
        wallet=chips,
        most=chips // multiple,
    )


def set_limits(draft: Draft, command: SetLimits, wallets: Mapping[int, int]) -> Refused | None:
    """Sets the limits of the next bets, as long as no member has bet (T03).

    Computer players get their bets back, and bet again.
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.LIMITS):
        return refused
    assert state.bank is not None
    if not state.is_banker(command.party):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.party)
    limits = (command.lowest, command.highest)
    # Only bets of computer players can be held now, and they go back.
    chips = wallets.get(command.party, 0) + state.held.get(command.party, 0)
    if refused := limits_refused(state.rules, limits, chips):
        return refused
    if limits != (state.bank.lowest, state.bank.highest):
        for seat in state.bets:
            return_bet(draft, seat.party)
        draft.add(LimitsSet(*limits))
    return None
