"""What a hand is: as its player arranged it, or the strongest way (B04)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.games.hands import declared, evaluate, is_ox, is_worse, totals
from bot.games.worth import worth_of
from bot.rules.hand import Hand
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.pieces import Piece
from bot.table.commands import Arrange
from bot.table.deadlines import DueAction, due_action
from bot.table.draft import Draft
from bot.table.events import HandArranged
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse

HANDS_KEPT: Final = 1 << 12


def hand_of(pieces: Sequence[Piece], declared_ox: tuple[int, ...] | None, rules: HouseRules) -> Hand:
    """The hand that five pieces make, as it is settled.

    Args:
        pieces: the five pieces of a seat, a bank or a result.
        declared_ox: the places of the ox that the player declared; None for the strongest hand.
        rules: the rules of the round.

    Raises:
        ValueError: if there are not five pieces, or the places are not three of them.
    """
    return _hand_of(tuple(pieces), declared_ox, worth_of(rules))


@lru_cache(maxsize=HANDS_KEPT)
def _hand_of(pieces: tuple[Piece, ...], declared_ox: tuple[int, ...] | None, worth: HouseRules) -> Hand:
    """Kept for a while: a hand is shown many times between its deal and the end of the next round."""
    return evaluate(pieces, worth) if declared_ox is None else declared(pieces, declared_ox, worth)


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
