"""Dealing a round, and revealing a hand (G03)."""

from bot.rules.knobs import Direction
from bot.rules.shuffle import deal
from bot.table.commands import Deal, RevealHand
from bot.table.deadlines import DueAction, due_action
from bot.table.draft import Draft
from bot.table.events import DealtHand, HandRevealed, HandsDealt
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seats import THE_HOUSE
from bot.table.sheets import deal_sheet
from bot.table.state import TableState


def hands_to_deal(state: TableState) -> int:
    """How many hands the round needs: one for each bet, and the banker's."""
    return len(state.bets) + 1


def deal_hands(draft: Draft, command: Deal, now: float) -> Refused | None:
    """Deals to everybody with a bet, one piece at a time, the banker last (G03).

    The house as banker and computer players reveal their hands at once (B07).

    Raises:
        ValueError: if the command has too few pieces.
    """
    state = draft.state
    by_house = command.party is None and state.house_banks
    if refused := other_round(state, command.round_number):
        return refused
    if not by_house and (refused := unmet_precondition(state, Action.DEAL)):
        return refused
    assert state.bank is not None
    if command.party is None:
        if due_action(state, now) is not DueAction.DEAL:
            return refuse(Refusal.NOT_DUE)
    elif not state.is_banker(command.party):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.party)
    players = [seat.party for seat in state.bets]
    if state.rules.direction is Direction.COUNTER_CLOCKWISE:
        players.reverse()
    served = [*players, state.bank.party]
    hands = deal(command.pieces, len(served))
    dealt = tuple(DealtHand(member, hand) for member, hand in zip(served, hands, strict=True))
    sheet = deal_sheet(state, command.party, command.client_seed)
    draft.add(HandsDealt(dealt, command.party, sheet))
    computers = [seat.party for seat in state.computers if seat.stake is not None]
    draft.add(*map(HandRevealed, [*([THE_HOUSE] if state.house_banks else []), *computers]))
    return None


def reveal_hand(draft: Draft, command: RevealHand) -> Refused | None:
    """Reveals the member's hand to everybody."""
    state = draft.state
    if refused := other_round(state, command.round_number) or unmet_precondition(state, Action.REVEAL):
        return refused
    place = state.place_of(command.party)
    if place is None or not place.pieces:
        return refuse(Refusal.NO_HAND)
    if place.revealed:
        return refuse(Refusal.ALREADY_REVEALED)
    draft.add(HandRevealed(command.party))
    return None
