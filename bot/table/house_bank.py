"""The house as banker: how it gets the bank, its limits, and when it leaves (B07)."""

from collections.abc import Mapping

from bot.games.multiples import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.table.bet_limits import Limits, can_bank
from bot.table.betting import A_POINT
from bot.table.commands import PlayHouse
from bot.table.draft import Draft
from bot.table.events import BankGivenUp, BankTaken, LimitsSet, RoundOpened
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seats import THE_HOUSE, LeaveReason


def house_limits(rules: HouseRules, chips: int) -> Limits:
    """The limits of the house as banker: every banker's, up to what the house rules set and it covers.

    Args:
        rules: the house rules.
        chips: the free chips of the house.
    """
    if rules.play is Play.POINTS:
        return A_POINT, A_POINT
    highest = min(rules.house_highest, rules.highest_stake, chips // largest_multiple(rules))
    return rules.lowest_stake, max(rules.lowest_stake, highest)


def play_house(draft: Draft, command: PlayHouse, wallets: Mapping[int, int]) -> Refused | None:
    """Has the house take the free bank, and opens betting under the current house rules (B03)."""
    state, rules = draft.state, command.rules
    if refused := unmet_precondition(state, Action.PLAY_HOUSE):
        return refused
    if rules.house_bank is HouseBank.OFF:
        return refuse(Refusal.HOUSE_DOES_NOT_BANK)
    chips = wallets.get(THE_HOUSE, 0)
    limits = house_limits(rules, chips)
    if not can_bank(rules, limits[0], chips):
        return refuse(Refusal.HOUSE_CANNOT_COVER, lowest=limits[0])
    draft.add(BankTaken(THE_HOUSE, *limits), RoundOpened(state.round_number + 1, rules))
    return None


def continue_house(draft: Draft, rules: HouseRules, chips: int) -> None:
    """Opens the next round with the house as banker, or ends its bank.

    Args:
        draft: the table; the round is settled, and players who leave have left their seats.
        rules: the current house rules, for the next round (B03).
        chips: the free chips of the house.
    """
    state = draft.state
    assert state.bank is not None
    limits = house_limits(rules, chips)
    if state.bank.leaves_after_round or rules.house_bank is HouseBank.OFF:
        draft.add(BankGivenUp(THE_HOUSE, LeaveReason.ASKED))
    elif not can_bank(rules, limits[0], chips):
        draft.add(BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER))
    else:
        if limits != (state.bank.lowest, state.bank.highest):
            draft.add(LimitsSet(*limits))
        draft.add(RoundOpened(state.round_number + 1, rules))
