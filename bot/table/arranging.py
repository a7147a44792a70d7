"""Declaring an ox: which three pieces of a hand are one (B04)."""

from bot.games.hands import evaluate, is_ox, is_worse, totals
from bot.rules.knobs import Arrange as ArrangedBy
from bot.table.arranged_hands import hand_of as hand_of
from bot.table.commands import Arrange
from bot.table.deadlines import DueAction, due_action
from bot.table.draft import Draft
from bot.table.events import HandArranged
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse


def arrange(draft: Draft, command: Arrange, now: float) -> Refused | None:
    """Declares an ox, or takes that back, until the hand is revealed or time is up (B04, B08).

    Raises:
        ValueError: if the command's places are not three of a hand.
    """
    state = draft.state
    if refused := other_round(state, command.round_number) or unmet_precondition(state, Action.ARRANGE):
        return refused
    place = state.place_of(command.party)
    if place is None or not place.pieces:
        return refuse(Refusal.NO_HAND)
    if place.revealed:
        return refuse(Refusal.ALREADY_REVEALED)
    if due_action(state, now) is DueAction.SHOWDOWN:
        return refuse(Refusal.TIME_IS_UP)
    declared_ox = None if command.declared_ox is None else tuple(sorted(command.declared_ox))
    chosen = hand_of(place.pieces, declared_ox, state.rules)
    if declared_ox is not None and state.rules.arrange is ArrangedBy.ASSISTED:
        ox = [place.pieces[at] for at in declared_ox]
        if not is_ox(ox, state.rules):
            return refuse(Refusal.NOT_AN_OX, totals=", ".join(map(str, totals(ox, state.rules))))
    backed = state.side_bets_on(command.party)
    if backed and is_worse(chosen, evaluate(place.pieces, state.rules)):
        return refuse(Refusal.BACKED_HAND)
    if declared_ox != place.declared_ox:
        draft.add(HandArranged(command.party, declared_ox))
    return None
