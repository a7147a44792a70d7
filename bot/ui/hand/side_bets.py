"""What a spectator sees to back a player: the hands to back, and the amounts."""

from typing import Final

from bot.games.settle import largest_multiple
from bot.table.betting import backs_nobody
from bot.table.state import Phase, RoundResult, Seat, TableState
from bot.ui.board.results import counted_most, side_result
from bot.ui.board.text import closed_words
from bot.ui.components import Component, Layout, box, button, menu, option, picture, row, small_print, text
from bot.ui.hand.evidence import evidence_line
from bot.ui.hand.own_hand import OwnHand, last_hand, result_accent
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.readers import Names
from bot.ui.stakes import quick_stakes
from bot.wire.requests import Attachment
from bot.words.tables import refusal
from bot.words.translation import translate

ACCENT: Final = 0xF0B232


def backing_view(
    state: TableState,
    names: Names,
    party: int,
    chosen: int | None = None,
    *,
    most: int = 0,
    why_not: str | None = None,
    closes: str = "",
    told: RoundResult | None = None,
    wallet: str = "",
    hand: Attachment | None = None,
) -> Layout:
    """A spectator's panel for side bets, which is edited whenever it would say something else (B01).

    Args:
        chosen: the chosen player; None before one is chosen.
        most: the largest possible bet on that player, in chips.
        why_not: why no bet is possible, in a sentence; None if one is.
        closes: when betting closes; empty if no time runs.
        told: the round whose side bets it tells the result of, if any.
        wallet: what they have to play with.
        hand: the picture of `backed_hand` of that round, if there is one.
    """
    where = (
        translate("table.name", number=state.number),
        translate("table.round", round=state.round_number),
    )
    multiple = largest_multiple(state.rules)
    code = "side_bets.explained" if multiple == 1 else "side_bets.explained_times"
    explained = [translate(code, multiple=multiple)]
    explained += [
        f"- {translate('panel.backs', who=names.mention(side.backed), stake=side.stake)}"
        for side in state.side_bets_of(party)
    ]
    title = " · ".join((translate("side_bets.title"), *where))
    parts = [text(f"### {title}"), text("\n".join(explained))]
    closed = backs_nobody(state, party)
    if told is not None and (result := side_result(told, names, party)) is not None:
        # It names its round, so that nobody takes the picture for one of the round in the title.
        parts.append(text(result))
        parts += [picture(hand.name, hand.description or "")] if hand is not None else []
    seat = None if chosen is None else state.seat_of(chosen)
    if state.phase is Phase.CLOSED:
        # As on the hand panel: no commands, which are links only in the answer to a press.
        parts.append(text(closed_words(state)))
    elif state.phase is Phase.DEALT and state.side_bets_of(party):
        parts.append(text(translate("side_bets.dealt")))
    elif closed is not None:
        parts.append(text(refusal(closed)))
    elif seat is not None and seat.stake is not None:
        how_much = translate("side_bets.how_much", who=names.mention(seat.party), most=most)
        parts.append(text(why_not or how_much))
    if closed is None and closes:
        parts.append(text(closes))
    if lines := [*filter(None, [wallet]), *evidence_line(state, party)]:
        parts.append(small_print(lines))
    view = [box(parts, result_accent(told, party, ACCENT))]
    if closed is None:
        view.append(row(_menu(state, names, chosen)))
    picked = seat.party if closed is None and seat is not None and seat.stake is not None else None
    return [*view, *_rows(state, party, picked, most)]


def backed_hand(state: TableState, party: int) -> tuple[int, OwnHand] | None:
    """Whose hand counted most of those that a member backed in the last round, and the hand; None if none."""
    last = state.last
    chips = {} if last is None else {one.backed: one.chips for one in last.side_bets if one.party == party}
    if not chips:
        return None
    backed = counted_most(chips)
    hand = last_hand(state, backed)
    assert hand is not None
    return backed, hand


def first_choice(state: TableState, party: int) -> int:
    """The player whose amounts a spectator sees at once, as betting may close soon.

    It is the one they back, else the one they backed in the last round, else the one with the highest bet.
    """
    last = () if state.last is None else state.last.side_bets
    backed = {side.backed for side in state.side_bets_of(party)}
    before = {side.backed for side in last if side.party == party}

    def rank(seat: Seat) -> tuple[bool, bool, int]:
        return seat.party in backed, seat.party in before, seat.stake or 0

    return max(state.bets, key=rank).party


def resting_backing_view(state: TableState) -> Layout:
    """A panel for side bets that is edited no more: all it says stays true."""
    again = Press(PressAction.SIDE_BETS, state.table_id, ANY_ROUND)
    title = f"### {translate('side_bets.title')} · {translate('table.name', number=state.number)}"
    return [
        box([text(title), text(translate("panel.rests"))], ACCENT),
        row(button(again, translate("button.look_again"))),
    ]


def _menu(state: TableState, names: Names, chosen: int | None) -> Component:
    options = [
        option(
            f"{seat.number} · {names.name(seat.party)}",
            str(seat.party),
            translate("side_bets.has_bet", stake=seat.stake or 0),
            default=seat.party == chosen,
        )
        for seat in state.bets
    ]
    press = Press(PressAction.BACK_MENU, state.table_id, state.round_number)
    return menu(press, translate("side_bets.whose_hand"), options)


def _rows(state: TableState, party: int, backed: int | None, most: int) -> list[Component]:
    """What can be done about the chosen player, and the way back; no amounts if none is possible."""

    def press(action: PressAction, stake: int | None = None) -> Press:
        return Press(action, state.table_id, state.round_number, stake, backed)

    rows = []
    last = []
    if most and backed is not None:
        assert state.bank is not None
        amounts = []
        for stake in quick_stakes(state.bank.lowest, most):
            label = translate("button.bet", stake=stake)
            amounts.append(button(press(PressAction.BACK, stake), label, emoji="🪙"))
        rows.append(row(*amounts))
        last.append(button(press(PressAction.OTHER_BACK), translate("button.other_bet")))
    if backed is not None and state.side_bet_of(party, backed) is not None:
        last.append(button(press(PressAction.UNBACK), translate("button.unback")))
    if state.phase is not Phase.CLOSED:
        panel = Press(PressAction.HAND, state.table_id, ANY_ROUND)
        last.append(button(panel, translate("menu.hand")))
    return [*rows, row(*last)] if last else rows
