"""The hands of a round: dealt, arranged, revealed and settled (G03, G17, B04)."""

from collections.abc import Mapping
from dataclasses import replace

from bot.games.hands import evaluate, hand_of, is_ox, is_worse, totals
from bot.games.settle import Duel, settle
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Direction
from bot.rules.shuffle import deal
from bot.table.accounts import chips_after
from bot.table.bank import continue_bank, why_going
from bot.table.commands import Arrange, Deal, RevealHand, Showdown
from bot.table.deadlines import DueAction, due_action
from bot.table.events import DealtHand, HandArranged, HandRevealed, HandsDealt, RoundSettled, SeatLeft
from bot.table.evolve import Draft
from bot.table.heats import close_if_over, leave_away, leave_broke
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_record import deal_sheet, receipt_of
from bot.table.seating import close
from bot.table.state import (
    THE_HOUSE,
    Bank,
    LeaveReason,
    Opening,
    Phase,
    PlayerResult,
    RoundResult,
    Seat,
    SideBet,
    SideResult,
    TableState,
)


def hands_to_deal(state: TableState) -> int:
    """How many hands the round needs: one for each bet, and the banker's."""
    return len(state.bets) + 1


def deal_hands(draft: Draft, command: Deal, now: float) -> Refused | None:
    """Deals to everybody with a bet, one piece at a time, the banker last (G03).

    The house as banker and computer players reveal their hands at once (B07).
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
    nothing_done = {seat.party for seat in state.undecided} | ({state.bank.party} - {command.party})
    draft.add(HandsDealt(dealt, command.party, sheet, tuple(sorted(nothing_done & command.present))))
    computers = [seat.party for seat in state.computers if seat.stake is not None]
    draft.add(*map(HandRevealed, [*([THE_HOUSE] if state.house_banks else []), *computers]))
    return None


def reveal_hand(draft: Draft, command: RevealHand) -> Refused | None:
    """Reveals the member's hand to everybody."""
    hidden = hidden_hand(draft.state, command.party, command.round_number, Action.REVEAL)
    if isinstance(hidden, Refused):
        return hidden
    draft.add(HandRevealed(command.party))
    return None


def arrange(draft: Draft, command: Arrange, now: float) -> Refused | None:
    """Declares an ox, or takes that back, until the hand is revealed or time is up (B04, B08)."""
    state = draft.state
    place = hidden_hand(state, command.party, command.round_number, Action.ARRANGE)
    if isinstance(place, Refused):
        return place
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


def hidden_hand(state: TableState, party: int, meant: int | None, action: Action) -> Seat | Bank | Refused:
    """The place of the hand that a member wants to do something with, or why they cannot.

    Args:
        meant: the round that they meant; None if it is not known.
    """
    refused = _played(state, party, meant) or other_round(state, meant) or unmet_precondition(state, action)
    if refused:
        return refused
    place = state.place_of(party)
    if place is None or not place.pieces:
        return refuse(Refusal.NO_HAND)
    return refuse(Refusal.ALREADY_REVEALED) if place.revealed else place


def _played(state: TableState, party: int, meant: int | None) -> Refused | None:
    """How the member's hand counted in the round that they meant, from its showdown to the next deal."""
    last = state.last
    if last is None or last.round_number != meant or state.phase is Phase.DEALT:
        return None
    declared = {last.banker: last.declared_ox} | {one.party: one.declared_ox for one in last.players}
    if party not in declared:
        return None
    code = Refusal.STRONGEST_COUNTED if declared[party] is None else Refusal.CHOICE_COUNTED
    return refuse(code, round=last.round_number)


def showdown(draft: Draft, command: Showdown, now: float, wallets: Mapping[int, int]) -> Refused | None:
    """Settles the round, and closes the table if asked to; or opens the next under new house rules (B03)."""
    if due_action(draft.state, now) is not DueAction.SHOWDOWN:
        return refuse(Refusal.NOT_DUE)
    draft.add(RoundSettled(round_result(draft.state)))
    if draft.state.closes_after_round:
        close(draft, LeaveReason.BY_ADMIN if draft.state.closed_by_admin else LeaveReason.ASKED)
        return None
    chips = chips_after(wallets, draft.moves)
    for seat in draft.state.seats:
        going = why_going(seat, command.present)
        # `leave_away` says who is away for too long in a tournament.
        if going is not None and not (going is LeaveReason.IDLE and draft.state.heat is not None):
            draft.add(SeatLeft(seat.party, going))
    leave_away(draft, command.present)
    leave_broke(draft)
    if close_if_over(draft):
        return None
    continue_bank(draft, command.rules, chips, command.present, command.limited, command.unfit)
    return None


def round_result(state: TableState) -> RoundResult:
    """What the hands bring everybody (G17 to G20); a backer gains as the player does (B01).

    A hand is what its player declared, or else the strongest that it can be (B04).
    """
    assert state.bank is not None
    bank, rules = state.bank, state.rules
    banker = hand_of(bank.pieces, bank.declared_ox, rules)
    players, duels = [], {}
    for seat in state.bets:
        assert seat.stake is not None
        duel = settle(hand_of(seat.pieces, seat.declared_ox, rules), banker, rules)
        duels[seat.party] = duel
        players.append(
            PlayerResult(
                seat.number,
                seat.party,
                seat.stake,
                seat.pieces,
                duel.outcome,
                duel.units * seat.stake,
                seat.declared_ox,
            )
        )
    side_bets = tuple(_backed(side, duels[side.backed]) for side in state.side_bets)
    assert state.sheet is not None
    result = RoundResult(
        state.round_number,
        rules,
        bank.party,
        bank.pieces,
        tuple(players),
        side_bets,
        bank.declared_ox,
        opening=Opening(state.secret, state.sheet),
    )
    return replace(result, receipt=receipt_of(result))


def _backed(side: SideBet, duel: Duel) -> SideResult:
    return SideResult(side.party, side.backed, side.stake, duel.outcome, duel.units * side.stake)
