"""Preconditions of actions: the same check disables a button and refuses a press of it."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from bot.games.hands import hand_of
from bot.games.register import game_of
from bot.rules.knobs import Arrange, BankPasses, HouseBank
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import THE_HOUSE, Phase, RoundResult, TableState


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


def can_wait_for_bank(state: TableState) -> bool:
    """Whether somebody keeps the bank for now, and who asks for it has it next: no dice pick them (T03)."""
    bank = state.bank
    if bank is None or state.game.rolls_for_bank or state.closes_after_round:
        return False
    return not state.house_banks or bank.leaves_after_round


def bank_falls_to(state: TableState, asked: int) -> int | None:
    """The next banker; None if that is not known, or the table closes.

    Where the bank passes on, that is the neighbour on the banker's right (B05), but for one who is leaving.

    Args:
        asked: the first of those who wait for the bank to be free.
    """
    bank, when = state.bank, state.rules.bank_passes
    if state.closes_after_round:
        return None
    heir = next((seat.party for seat in reversed(state.members) if not seat.leaves_after_round), None)
    if bank is None or state.house_banks or when is BankPasses.STAYS or heir is None:
        return asked
    # A banker who leaves passes the bank on only if their hand says so, which nobody has seen yet.
    return None if bank.leaves_after_round and when is not BankPasses.EVERY_ROUND else heir


def banks_after_round(state: TableState, first: int) -> bool:
    """Whether the first of those who wait for the bank has it after this round, as far as is known."""
    bank = state.bank
    return bank is not None and bank.leaves_after_round and bank_falls_to(state, first) == first


class Action(StrEnum):
    """What a member can do at a table."""

    JOIN = "join"
    TAKE_BANK = "bank"
    PLAY_HOUSE = "play_house"
    ROLL = "roll"
    LIMITS = "limits"
    BET = "bet"
    SIT_OUT = "sit_out"
    SIDE_BET = "side_bet"
    DEAL = "deal"
    ARRANGE = "arrange"
    REVEAL = "reveal"


LIMITS_WAIT: Final = frozenset({Refusal.BETS_ALREADY_PLACED, Refusal.ALREADY_DEALT})
"""Why a banker's new limits can be set only once the round is over."""


def unmet_precondition(state: TableState, action: Action) -> Refused | None:
    """Why nobody can do this now; None if it depends on the member."""
    if state.phase is Phase.CLOSED:
        return refuse(Refusal.TABLE_CLOSED)
    if state.closes_after_round and action not in (Action.ARRANGE, Action.REVEAL):
        return refuse(Refusal.TABLE_CLOSES)
    return next(filter(None, (check(state) for check in _CHECKS[action])), None)


def other_round(state: TableState, meant: int | None) -> Refused | None:
    """Why an action for another round is refused; None if it is for this one.

    Args:
        meant: the round that the member meant; None if it is not known, which refuses nothing.
    """
    if meant is None or meant == state.round_number:
        return None
    return refuse(Refusal.ROUND_IS_OVER, meant=meant, now=state.round_number)


def _full(state: TableState) -> Refused | None:
    return refuse(Refusal.TABLE_FULL, seats=state.most_seats) if state.free_seat is None else None


def _held(state: TableState) -> Refused | None:
    return refuse(Refusal.BANK_TAKEN, banker=state.bank.party) if state.bank else None


def _no_taking(state: TableState) -> Refused | None:
    """Why nobody can take the bank: somebody has it, the house does not leave it, or dice decide."""
    if state.house_banks:
        return None if _house_yields(state) else refuse(Refusal.HOUSE_KEEPS_BANK)
    return _held(state) or _dice_pick(state)


def _house_yields(state: TableState) -> bool:
    """Whether the house, as banker, leaves the bank to the first member who takes it (B07).

    A bank that stays with its banker is free to take at any time. Any other passes from the house after a
    round that passes the bank on (T10), or if the house has dealt no round yet.
    """
    last = state.last
    if state.rules.bank_passes is BankPasses.STAYS or last is None or last.banker != THE_HOUSE:
        return True
    return passes_on(last)


def _always_house(state: TableState) -> Refused | None:
    only = state.rules.house_bank is HouseBank.ONLY
    return refuse(Refusal.HOUSE_ALWAYS_BANKS) if only else None


def _no_house(state: TableState) -> Refused | None:
    """Why the house cannot bank: a banker, the house rules, or too many players for the game (B07)."""
    if state.house_banks:
        return refuse(Refusal.HOUSE_HAS_BANK)
    if refused := _held(state):
        return refused
    if state.rules.house_bank is HouseBank.OFF:
        return _dice_pick(state) or refuse(Refusal.HOUSE_DOES_NOT_BANK)
    seated, most = len(state.seats), state.game.most_players
    return refuse(Refusal.HOUSE_HAS_NO_ROOM, most=most, seated=seated) if seated > most else None


def _dice_pick(state: TableState) -> Refused | None:
    """Why no member just takes the free bank: dice pick the banker, now or once enough players sit here."""
    if not state.game.rolls_for_bank:
        return None
    return _no_rolling(state) or refuse(Refusal.DICE_PICK_BANKER)


def _no_rolling(state: TableState) -> Refused | None:
    """Why nobody can roll for the bank: a game without dice, or too few players (T02)."""
    if not state.game.rolls_for_bank:
        return refuse(Refusal.NO_DICE_FOR_BANK)
    fewest, seated = state.game.fewest_players + 1, len(state.seats)
    return refuse(Refusal.TOO_FEW_SEATED, fewest=fewest, seated=seated) if seated < fewest else None


def _for_points(state: TableState) -> Refused | None:
    """Why nobody sets limits or bets on another's hand: everybody bets a point (G22)."""
    return refuse(Refusal.PLAYED_FOR_POINTS) if state.for_points else None


def _tournament(state: TableState) -> Refused | None:
    """Why nobody joins or bets on another's hand: the players of a tournament are fixed."""
    return refuse(Refusal.TOURNAMENT_TABLE) if state.heat is not None else None


def _everybody_bets(state: TableState) -> Refused | None:
    return refuse(Refusal.EVERYBODY_BETS) if state.heat is not None else None


def _no_betting(state: TableState) -> Refused | None:
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    if state.bank is not None:
        return None
    return _always_house(state) or _dice_pick(state) or refuse(Refusal.NO_BANK)


def _house_acts(state: TableState) -> Refused | None:
    """Why no member does what a banker does: the house does it, and nobody asks it to (B07)."""
    return refuse(Refusal.NOT_BANKER, banker=THE_HOUSE) if state.house_banks else None


def _members_bet(state: TableState) -> Refused | None:
    by_members = any(seat.stake is not None for seat in state.members) or state.side_bets
    return refuse(Refusal.BETS_ALREADY_PLACED) if by_members else None


def _no_bets(state: TableState) -> Refused | None:
    return None if state.bets else refuse(Refusal.NOBODY_HAS_BET)


def _too_few_bets(state: TableState) -> Refused | None:
    if state.can_be_dealt:
        return None
    return refuse(Refusal.TOO_FEW_BETS, fewest=state.fewest_players, bets=len(state.bets))


def _no_arranging(state: TableState) -> Refused | None:
    return refuse(Refusal.ARRANGED_BY_TABLE) if state.rules.arrange is Arrange.AUTOMATIC else None


def _no_hands(state: TableState) -> Refused | None:
    return None if state.phase is Phase.DEALT else refuse(Refusal.NOT_DEALT)


_CHECKS: Final[dict[Action, tuple[Callable[[TableState], Refused | None], ...]]] = {
    Action.JOIN: (_tournament, _full),
    Action.TAKE_BANK: (_always_house, _no_taking),
    Action.PLAY_HOUSE: (_no_house,),
    Action.ROLL: (_held, _always_house, _no_rolling),
    Action.LIMITS: (_for_points, _no_betting, _house_acts, _members_bet),
    Action.BET: (_no_betting,),
    Action.SIT_OUT: (_everybody_bets, _no_betting),
    Action.SIDE_BET: (_for_points, _tournament, _no_betting, _no_bets),
    Action.DEAL: (_no_betting, _house_acts, _no_bets, _too_few_bets),
    Action.ARRANGE: (_no_arranging, _no_hands),
    Action.REVEAL: (_no_hands,),
}
"""What is asked of the table before each action, in this order."""
