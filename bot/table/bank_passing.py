"""When the bank is to pass to somebody else (B05, T10, B07)."""

from bot.games.register import game_of
from bot.rules.knobs import BankPasses, HouseBank
from bot.table.arranged_hands import hand_of
from bot.table.round_result import RoundResult
from bot.table.seats import THE_HOUSE
from bot.table.state import TableState


def passes_on(result: RoundResult) -> bool:
    """Whether the bank passes on after this round, by the rules of the round (B05).

    The banker's hand counts as it was arranged: a wrong ox is no ox. A hand that needs no ox counts as one.
    """
    when = result.rules.bank_passes
    if when in (BankPasses.STAYS, BankPasses.EVERY_ROUND):
        return when is BankPasses.EVERY_ROUND
    hand = hand_of(result.pieces, result.declared_ox, result.rules)
    had_ox = hand.rank != game_of(result.rules).no_ox
    return had_ox is (when is BankPasses.AFTER_OX)


def house_yields(state: TableState) -> bool:
    """Whether the house, as banker, leaves the bank to the first member who takes it (B07).

    A bank that stays with its banker is free to take at any time. Any other passes from the house after a
    round that passes the bank on (T10), or if the house has dealt no round yet.
    """
    if not state.house_banks or state.rules.house_bank is HouseBank.ONLY:
        return False
    last = state.last
    if state.rules.bank_passes is BankPasses.STAYS or last is None or last.banker != THE_HOUSE:
        return True
    return passes_on(last)
