"""What stands in everybody's way: one check greys out a button, and refuses who presses it all the same."""

from enum import StrEnum

from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Phase, TableState


class Action(StrEnum):
    """What can be done at a table, whoever does it."""

    JOIN = "join"
    TAKE_BANK = "bank"
    BET = "bet"
    SIDE_BET = "side_bet"
    DEAL = "deal"
    SHOW = "show"


def obstacle(state: TableState, action: Action) -> Refused | None:
    """Why nobody can do this now; None where it depends on who asks.

    Args:
        state: the table.
        action: what somebody would do.
    """
    if state.phase is Phase.CLOSED:
        return refuse(Refusal.TABLE_CLOSED)
    match action:
        case Action.JOIN:
            return _full(state)
        case Action.TAKE_BANK:
            return refuse(Refusal.BANK_TAKEN, banker=state.bank.member.name) if state.bank else None
        case Action.BET:
            return _no_betting(state)
        case Action.SIDE_BET:
            return _no_side_bets(state)
        case Action.DEAL:
            return _no_betting(state) or (None if state.bets else refuse(Refusal.NOBODY_HAS_BET))
        case Action.SHOW:
            return None if state.phase is Phase.DEALT else refuse(Refusal.NO_CARDS_OUT)


def other_round(state: TableState, meant: int | None) -> Refused | None:
    """Why nobody can do now what was meant for another round: it came late, or from an old message.

    Args:
        state: the table.
        meant: the number of the round that was meant; None where that is not known, which stops nobody.
    """
    if meant is None or meant == state.round_number:
        return None
    return refuse(Refusal.ROUND_IS_OVER, meant=meant, now=state.round_number)


def _full(state: TableState) -> Refused | None:
    return refuse(Refusal.TABLE_FULL, seats=state.rules.seats) if state.free_seat is None else None


def _no_side_bets(state: TableState) -> Refused | None:
    """Why no side bet can be placed: chips are not played for (G22), or nobody's bet stands (B01)."""
    if state.for_points:
        return refuse(Refusal.PLAYED_FOR_POINTS)
    return _no_betting(state) or (None if state.bets else refuse(Refusal.NOBODY_HAS_BET))


def _no_betting(state: TableState) -> Refused | None:
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    return refuse(Refusal.NO_BANK) if state.bank is None else None
