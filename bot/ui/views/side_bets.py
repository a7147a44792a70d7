"""What a spectator sees to back a player: the hands to back, and the amounts."""

from typing import Any

import discord

from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import TableState
from bot.ui.custom_ids import TableAction, TablePress
from bot.ui.views.components import Row, button, mention, menu, new_layout
from bot.ui.views.stakes import quick_stakes
from bot.words import refusal, translate


def backing_view(
    state: TableState,
    member_id: int,
    chosen: int | None = None,
    *,
    most: int = 0,
    why_not: str | None = None,
) -> discord.ui.LayoutView:
    """A spectator's panel for side bets (B01).

    Args:
        state: the table.
        member_id: whose view.
        chosen: Discord's id of the chosen player; None before one is chosen.
        most: the largest possible bet on that player, in chips.
        why_not: why no bet is possible, in a sentence; None if one is.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=discord.Colour(0xF0B232))
    where = (
        translate("table.name", number=state.number),
        translate("table.round", round=state.round_number),
    )
    box.add_item(discord.ui.TextDisplay(f"### {' · '.join((translate('side_bets.title'), *where))}"))
    explained = [translate("side_bets.explained"), *_own_bets(state, member_id)]
    box.add_item(discord.ui.TextDisplay("\n".join(explained)))
    closed = unmet_precondition(state, Action.SIDE_BET)
    seat = None if chosen is None else state.seat_of(chosen)
    if closed is not None:
        box.add_item(discord.ui.TextDisplay(refusal(closed)))
    elif seat is not None and seat.stake is not None:
        box.add_item(discord.ui.TextDisplay(_offer(seat.member.member_id, most, why_not)))
    view.add_item(box)
    if closed is None:
        view.add_item(Row(_menu(state, chosen)))
        if seat is not None and seat.stake is not None:
            for row in _rows(state, member_id, seat.member.member_id, most):
                view.add_item(row)
    return view


def _own_bets(state: TableState, member_id: int) -> list[str]:
    """A line for each of the member's own side bets."""
    own = state.side_bets_of(member_id)
    return [f"- {translate('panel.backs', who=mention(side.backed), stake=side.stake)}" for side in own]


def _offer(backed: int, most: int, why_not: str | None) -> str:
    if why_not is not None:
        return why_not
    return translate("side_bets.how_much", who=mention(backed), most=most)


def _menu(state: TableState, chosen: int | None) -> discord.ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=f"{seat.number} · {seat.member.name}"[:100],
            value=str(seat.member.member_id),
            description=translate("side_bets.has_bet", stake=seat.stake or 0),
            default=seat.member.member_id == chosen,
        )
        for seat in state.bets
    ]
    press = TablePress(state.table_id, state.round_number, TableAction.BACK_MENU)
    return menu(press, translate("side_bets.whose_hand"), options)


def _rows(state: TableState, member_id: int, backed: int, most: int) -> list[Row]:
    """What can be done about the chosen player; no amounts if none is possible."""

    def press(action: TableAction, stake: int | None = None) -> TablePress:
        return TablePress(state.table_id, state.round_number, action, stake, backed)

    rows = []
    last = Row()
    if most:
        assert state.bank is not None
        amounts = Row()
        for stake in quick_stakes(state.bank.lowest, most):
            label = translate("button.bet", stake=stake)
            amounts.add_item(button(press(TableAction.BACK, stake), label, emoji="🪙"))
        rows.append(amounts)
        last.add_item(button(press(TableAction.OTHER_BACK), translate("button.other_bet")))
    if state.side_bet_of(member_id, backed) is not None:
        last.add_item(button(press(TableAction.UNBACK), translate("button.unback")))
    if last.children:
        rows.append(last)
    return rows
