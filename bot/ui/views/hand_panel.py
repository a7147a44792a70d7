"""One member's panel of a table, by direct message or behind *My hand*: their hand, bet and chips."""

from typing import Any

import discord

from bot.ledger.records import Purse
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.ui.views.arranging import arranging_rows, hand_lines, hand_picture_name
from bot.ui.views.components import Row, button, mention, new_layout
from bot.ui.views.result_text import own_result, played_by
from bot.words import signed_points, translate


def panel_view(
    state: TableState,
    member_id: int,
    purse: Purse,
    *,
    picture_text: str | None = None,
    note: str | None = None,
    server_name: str | None = None,
    hidden: bool = False,
    unreachable: bool = False,
) -> discord.ui.LayoutView:
    """A member's panel.

    Args:
        state: the table.
        member_id: whose panel.
        purse: their chips.
        picture_text: the alternative text of their hand's picture, which the message has attached as
            `hand_picture_name`; None if there is no picture.
        note: a sentence about what they just did, if any.
        server_name: the table's server, if the message is not in it.
        hidden: whether the hand comes in a message of its own and is not shown here.
        unreachable: whether direct messages to them fail, so that a button to try again is useful.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=discord.Colour(0x5865F2))
    box.add_item(discord.ui.TextDisplay(_heading(state, server_name)))
    place = state.place_of(member_id)
    if picture_text is not None and place is not None:
        name = hand_picture_name(state, place)
        box.add_item(
            discord.ui.MediaGallery(
                discord.MediaGalleryItem(f"attachment://{name}", description=picture_text)
            )
        )
    below = f"panel.hand_below.{state.game.pieces.name}"
    box.add_item(discord.ui.TextDisplay(translate(below) if hidden else _situation(state, member_id)))
    if note is not None:
        box.add_item(discord.ui.TextDisplay(note))
    last = own_result(state.last, member_id) if state.last is not None else None
    if state.phase is not Phase.DEALT and last is not None:
        box.add_item(discord.ui.TextDisplay(last))
    box.add_item(discord.ui.TextDisplay(f"-# {_purse(state, purse)}"))
    view.add_item(box)
    if state.phase is not Phase.CLOSED:
        if place is not None and not hidden:
            for row in arranging_rows(state, place):
                view.add_item(row)
        view.add_item(_buttons(state, member_id))
        if (explained := _explained(state, member_id)) is not None and not hidden:
            why = TablePress(state.table_id, explained, TableAction.WHY)
            view.add_item(Row(button(why, translate("button.why"), emoji="❔")))
        if unreachable:
            again = TablePress(state.table_id, ANY_ROUND, TableAction.MESSAGES)
            view.add_item(Row(button(again, translate("button.messages"), emoji="✉️")))
    return view


def _heading(state: TableState, server_name: str | None) -> str:
    parts = [translate("table.name", number=state.number)]
    parts += [translate("table.round", round=state.round_number)] if state.round_number else []
    parts.append(f"<#{state.channel_id}>")
    parts += [discord.utils.escape_markdown(server_name)] if server_name else []
    return f"### {' · '.join(parts)}"


def _situation(state: TableState, member_id: int) -> str:
    """How the member stands in this round."""
    bank, seat = state.bank, state.seat_of(member_id)
    if state.phase is Phase.CLOSED:
        return translate("panel.closed")
    if bank is not None and state.is_banker(member_id):
        return _bankers_situation(state, bank)
    if seat is None:
        return _onlookers_situation(state, member_id)
    if state.phase is Phase.DEALT:
        return _hand(state, seat) if seat.pieces else translate("panel.not_in_round")
    if bank is None:
        return translate("panel.no_bank")
    if seat.stake is not None:
        code = "panel.plays" if state.for_points else "panel.has_bet"
        return translate(code, stake=seat.stake, banker=mention(bank.member.member_id))
    if seat.sitting_out:
        return translate("panel.sits_out")
    if state.for_points:
        return translate("panel.press_play")
    return translate("panel.place_bet", lowest=bank.lowest, highest=bank.highest)


def _onlookers_situation(state: TableState, member_id: int) -> str:
    """How somebody without a seat stands, who may back players (B01)."""
    backs = [
        translate("panel.backs", who=mention(side.backed), stake=side.stake)
        for side in state.side_bets_of(member_id)
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


def _purse(state: TableState, purse: Purse) -> str:
    """What the member has to play with: chips, or the running score (G22)."""
    if state.for_points:
        return translate("panel.score", score=signed_points(purse.score))
    held = purse.total - purse.wallet
    return translate("panel.wallet_held" if held else "panel.wallet", free=purse.wallet, held=held)


def _explained(state: TableState, member_id: int) -> int | None:
    """The round of the member's newest hand here; None if they had none."""
    if state.pieces_of(member_id):
        return state.round_number
    last = state.last
    return last.round_number if last is not None and played_by(last, member_id) else None


def _buttons(state: TableState, member_id: int) -> Row:
    """What the member can do from here.

    The message may be read rounds later: a bet from it is meant for whichever round is on by then.
    """
    seat = state.seat_of(member_id)
    row = Row()

    def add(action: TableAction, label: str, *, number: int | None = None, emoji: str | None = None) -> None:
        row.add_item(button(TablePress(state.table_id, ANY_ROUND, action, number), label, emoji=emoji))

    place = state.bank if state.is_banker(member_id) else seat
    can_reveal = place is not None and place.pieces and not place.revealed
    if can_reveal and unmet_precondition(state, Action.REVEAL) is None:
        press = TablePress(state.table_id, state.round_number, TableAction.REVEAL)
        row.add_item(button(press, translate("button.reveal"), style=discord.ButtonStyle.success))
    if not state.is_banker(member_id):
        if state.for_points:
            add(TableAction.PLAY, translate("button.play"), emoji="✋")
        else:
            if seat is not None and seat.last_stake is not None:
                label = translate("button.bet_again", stake=seat.last_stake)
                add(TableAction.BET, label, number=seat.last_stake, emoji="🔁")
            add(TableAction.OTHER_BET, translate("button.other_bet"))
        add(TableAction.SIT_OUT, translate("button.sit_out"))
    add(TableAction.HAND, translate("button.look_again"), emoji="🃏")
    return row
