"""One member's panel of a table, by direct message or behind *My hand*: their hand, bet and chips."""

from typing import Final

import discord

from bot.ledger.records import Stack
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.ui.names import Names
from bot.ui.views.arranging import arranging_rows, hand_lines, hand_picture_name
from bot.ui.views.components import Component, Layout, box, button, picture, row, text
from bot.ui.views.evidence import evidence
from bot.ui.views.result_text import own_result, played_by
from bot.words import plain_name, signed_points, translate

ACCENT: Final = 0x5865F2


def panel_view(
    state: TableState,
    names: Names,
    party: int,
    stack: Stack,
    *,
    picture_text: str | None = None,
    note: str | None = None,
    server_name: str | None = None,
    hidden: bool = False,
    unreachable: bool = False,
) -> Layout:
    """A member's panel.

    Args:
        state: the table.
        names: how members are shown.
        party: whose panel.
        stack: their chips and points.
        picture_text: the alternative text of their hand's picture, which the message has attached as
            `hand_picture_name`; None if there is no picture.
        note: a sentence about what they just did, if any.
        server_name: the table's server, if the message is not in it.
        hidden: whether the hand comes in a message of its own and is not shown here.
        unreachable: whether direct messages to them fail, so that a button to try again is useful.
    """
    parts = [text(_heading(state, server_name))]
    place = state.place_of(party)
    if picture_text is not None and place is not None:
        parts.append(picture(hand_picture_name(state, place), picture_text))
    below = f"panel.hand_below.{state.game.pieces.name}"
    parts.append(text(translate(below) if hidden else _situation(state, names, party)))
    if note is not None:
        parts.append(text(note))
    last = own_result(state.last, names, party) if state.last is not None else None
    if state.phase is not Phase.DEALT and last is not None:
        parts.append(text(last))
    parts.append(text("\n".join(f"-# {line}" for line in [_stack(state, stack), *evidence(state, party)])))
    view = [box(parts, ACCENT)]
    if state.phase is not Phase.CLOSED:
        if place is not None and not hidden:
            view += arranging_rows(state, place)
        view.append(_buttons(state, party))
        if (explained := _explained(state, party)) is not None and not hidden:
            why = TablePress(state.table_id, explained, TableAction.WHY)
            view.append(row(button(why, translate("button.why"), emoji="❔")))
        if unreachable:
            again = TablePress(state.table_id, ANY_ROUND, TableAction.MESSAGES)
            view.append(row(button(again, translate("button.messages"), emoji="✉️")))
    return view


def _heading(state: TableState, server_name: str | None) -> str:
    parts = [translate("table.name", number=state.number)]
    parts += [translate("table.round", round=state.round_number)] if state.round_number else []
    parts.append(f"<#{state.channel_id}>")
    parts += [plain_name(server_name)] if server_name else []
    return f"### {' · '.join(parts)}"


def _situation(state: TableState, names: Names, party: int) -> str:
    """How the member stands in this round."""
    bank, seat = state.bank, state.seat_of(party)
    if state.phase is Phase.CLOSED:
        return translate("panel.closed")
    if bank is not None and state.is_banker(party):
        return _bankers_situation(state, bank)
    if seat is None:
        return _onlookers_situation(state, names, party)
    if state.phase is Phase.DEALT:
        return _hand(state, seat) if seat.pieces else translate("panel.not_in_round")
    if bank is None:
        return translate("panel.no_bank")
    if seat.stake is not None:
        code = "panel.plays" if state.for_points else "panel.has_bet"
        return translate(code, stake=seat.stake, banker=names.mention(bank.party))
    if seat.sitting_out:
        return translate("panel.sits_out")
    if state.for_points:
        return translate("panel.press_play")
    return translate("panel.place_bet", lowest=bank.lowest, highest=bank.highest)


def _onlookers_situation(state: TableState, names: Names, party: int) -> str:
    """How somebody without a seat stands, who may back players (B01)."""
    backs = [
        translate("panel.backs", who=names.mention(side.backed), stake=side.stake)
        for side in state.side_bets_of(party)
    ]
    return "\n".join(backs) or translate("panel.no_seat_points" if state.for_points else "panel.no_seat")


def _bankers_situation(state: TableState, bank: Bank) -> str:
    if state.phase is Phase.DEALT:
        return _hand(state, bank)
    code = "panel.bank_points" if state.for_points else "panel.bank"
    return translate(code, bets=len(state.bets), chips=state.staked)


def _hand(state: TableState, place: Seat | Bank) -> str:
    lines = [hand_lines(state, place)]
    if isinstance(place, Seat) and not state.for_points:
        lines.append(translate("panel.your_bet", stake=place.stake or 0))
    if place.revealed:
        lines.append(translate("panel.revealed"))
    elif state.deadline is not None:
        lines.append(translate("panel.reveals", until=int(state.deadline)))
    return "\n".join(lines)


def _stack(state: TableState, stack: Stack) -> str:
    """What the member has to play with: chips, or the running score (G22)."""
    if state.for_points:
        return translate("panel.score", score=signed_points(stack.score))
    held = stack.held
    return translate("panel.wallet_held" if held else "panel.wallet", free=stack.free, held=held)


def _explained(state: TableState, party: int) -> int | None:
    """The round of the member's newest hand here; None if they had none."""
    if state.pieces_of(party):
        return state.round_number
    last = state.last
    return last.round_number if last is not None and played_by(last, party) else None


def _buttons(state: TableState, party: int) -> Component:
    """What the member can do from here.

    The message may be read rounds later: a bet from it is meant for whichever round is on by then.
    """
    seat = state.seat_of(party)
    buttons = []

    def add(action: TableAction, label: str, *, number: int | None = None, emoji: str | None = None) -> None:
        buttons.append(button(TablePress(state.table_id, ANY_ROUND, action, number), label, emoji=emoji))

    place = state.bank if state.is_banker(party) else seat
    can_reveal = place is not None and place.pieces and not place.revealed
    if can_reveal and unmet_precondition(state, Action.REVEAL) is None:
        press = TablePress(state.table_id, state.round_number, TableAction.REVEAL)
        buttons.append(button(press, translate("button.reveal"), style=discord.ButtonStyle.success))
    if not state.is_banker(party):
        if state.for_points:
            add(TableAction.PLAY, translate("button.play"), emoji="✋")
        else:
            if seat is not None and seat.last_stake is not None:
                label = translate("button.bet_again", stake=seat.last_stake)
                add(TableAction.BET, label, number=seat.last_stake, emoji="🔁")
            add(TableAction.OTHER_BET, translate("button.other_bet"))
        add(TableAction.SIT_OUT, translate("button.sit_out"))
    add(TableAction.HAND, translate("button.look_again"), emoji="🃏")
    return row(*buttons)
