"""What a place's hand is: as its player arranged it, or the strongest way (B04)."""

from collections.abc import Sequence

from bot.rules.game import Hand
from bot.rules.hands import declared, evaluate, totals
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece
from bot.table.clock import Due, due
from bot.table.commands import Arrange
from bot.table.draft import Draft
from bot.table.events import HandArranged
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse


def hand_of(pieces: Sequence[Piece], three: tuple[int, ...] | None, rules: HouseRules) -> Hand:
    """The hand that a place's pieces are: the one place where that is said, for everybody who asks.

    Args:
        pieces: the five of a seat, a bank, or a result.
        three: the `three` of the same place: what its player declared, if anything.
        rules: the rules of the round.

    Raises:
        ValueError: where the pieces are not five, or the places not three of theirs.
    """
    return evaluate(pieces, rules) if three is None else declared(pieces, three, rules)


def arrange(draft: Draft, command: Arrange, now: float) -> Refused | None:
    """Declares an ox, or takes that back; it may change until the hand is turned up, or time is up (B04).

    Raises:
        ValueError: where the command's places are not three of a hand.
    """
    state = draft.state
    if refused := other_round(state, command.round_number) or unmet_precondition(state, Action.ARRANGE):
        return refused
    place = state.place_of(command.member_id)
    if place is None or not place.pieces:
        return refuse(Refusal.NO_HAND)
    if place.revealed:
        return refuse(Refusal.ALREADY_REVEALED)
    if due(state, now) is Due.SHOWDOWN:
        return refuse(Refusal.TIME_IS_UP)
    three = None if command.three is None else tuple(sorted(command.three))
    hand_of(place.pieces, three, state.rules)
    if three is not None and state.rules.arrange is ArrangedBy.ASSISTED:
        ox = [place.pieces[at] for at in three]
        if not state.game.is_ox(ox, state.rules):
            return refuse(Refusal.NOT_AN_OX, totals=", ".join(map(str, totals(ox, state.rules))))
    if three != place.three:
        draft.add(HandArranged(command.member_id, three))
    return None
