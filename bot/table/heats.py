"""Tables of a tournament: the house banks, everybody bets in every round, and nobody joins.

The chips there are no account's. They are counted in the table's state, from its events.
"""

from collections.abc import Collection

from bot.games.settle import largest_multiple
from bot.table.bank import default_limits
from bot.table.betting import take_free_seat
from bot.table.deadlines import DueAction, due_action
from bot.table.events import BankTaken, LowestBet, RoundOpened, SeatLeft
from bot.table.evolve import Draft
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seating import close
from bot.table.state import ROUNDS_AWAY, THE_HOUSE, LeaveReason, Phase, TableState


def open_heat(draft: Draft) -> None:
    """Seats the players of a tournament, and opens the first round; does nothing at another table."""
    heat, rules = draft.state.heat, draft.state.rules
    if heat is None:
        return
    for one in heat.contenders:
        take_free_seat(draft, one.party)
    draft.add(BankTaken(THE_HOUSE, *default_limits(rules, 0)), RoundOpened(1, rules))


def bet_lowest(draft: Draft, now: float) -> Refused | None:
    """Bets the lowest for each player of a tournament who has not bet in time."""
    state = draft.state
    if due_action(state, now) is not DueAction.BET_LOWEST:
        return refuse(Refusal.NOT_DUE)
    assert state.bank is not None
    draft.add(*(LowestBet(seat.party, state.bank.lowest) for seat in state.undecided))
    return None


def leave_away(draft: Draft, present: Collection[int]) -> None:
    """Has those players of a tournament leave who did nothing for some rounds, unless that is all of them.

    Without it they would go on more often than who plays: the lowest bet loses the least.

    Args:
        present: who has pressed something here since the deal.
    """
    if draft.state.heat is None:
        return
    members = draft.state.members
    away = [one.party for one in members if one.rounds_missed >= ROUNDS_AWAY and one.party not in present]
    if len(away) < len(members):
        draft.add(*(SeatLeft(party, LeaveReason.AWAY) for party in away))


def leave_broke(draft: Draft) -> None:
    """Has those players of a tournament leave whose chips no longer cover the lowest bet."""
    state = draft.state
    if state.heat is None or state.bank is None:
        return
    needed = state.bank.lowest * largest_multiple(state.rules)
    broke = [seat.party for seat in state.members if state.heat.chips_of(seat.party) < needed]
    draft.add(*(SeatLeft(party, LeaveReason.CANNOT_COVER) for party in broke))


def close_if_over(draft: Draft) -> bool:
    """Closes the table of a tournament that has played its rounds, or has no two players left."""
    if not _is_over(draft.state):
        return False
    close(draft, LeaveReason.HEAT_OVER)
    return True


def _is_over(state: TableState) -> bool:
    """Whether a tournament's table has nothing left to play; never while hands are dealt."""
    if state.heat is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return False
    is_played = state.phase is Phase.OPEN and state.round_number >= state.heat.rounds
    return is_played or len(state.members) < 2
