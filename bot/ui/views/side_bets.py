"""What an on-looker sees who backs a player: whose hands there are to back, and how many chips would do."""

from typing import Any, Final

import discord

from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import TableState
from bot.ui.views.mentions import mention
from bot.ui.views.presses import Press, PressAction, new_layout, table_button, table_menu
from bot.ui.views.stakes import quick_stakes
from bot.words import chips, refusal

EXPLANATION: Final = (
    "Back a player's hand against the banker: you win or lose as it does, times the multiple of the hand "
    "that wins."
)


def backing_view(
    state: TableState,
    member_id: int,
    chosen: int | None = None,
    *,
    most: int = 0,
    why_not: str | None = None,
) -> discord.ui.LayoutView:
    """An on-looker's own view of the side bets at a table (B01).

    Args:
        state: the table.
        member_id: whose view.
        chosen: Discord's id of the player whom he has chosen; None before he has.
        most: the largest stake that he could bet on that player now, in chips.
        why_not: why none would do, in a sentence; None where some would.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=discord.Colour(0xF0B232))
    box.add_item(discord.ui.TextDisplay(f"### Side bets · Table {state.number} · Round {state.round_number}"))
    box.add_item(discord.ui.TextDisplay("\n".join([EXPLANATION, *_own_bets(state, member_id)])))
    closed = unmet_precondition(state, Action.SIDE_BET)
    seat = None if chosen is None else state.seat_of(chosen)
    if closed is not None:
        box.add_item(discord.ui.TextDisplay(refusal(closed)))
    elif seat is not None and seat.stake is not None:
        box.add_item(discord.ui.TextDisplay(_offer(seat.member.member_id, most, why_not)))
    view.add_item(box)
    if closed is None:
        view.add_item(discord.ui.ActionRow(_menu(state, chosen)))
        if seat is not None and seat.stake is not None:
            for row in _rows(state, member_id, seat.member.member_id, most):
                view.add_item(row)
    return view


def _own_bets(state: TableState, member_id: int) -> list[str]:
    """A line for each of the member's own side bets."""
    own = state.side_bets_of(member_id)
    return [f"- You back {mention(side.backed)} with **{chips(side.stake)}**." for side in own]


def _offer(backed: int, most: int, why_not: str | None) -> str:
    if why_not is not None:
        return why_not
    return f"How much on {mention(backed)}? {chips(most)} at most."


def _menu(state: TableState, chosen: int | None) -> discord.ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=f"{seat.number} · {seat.member.name}"[:100],
            value=str(seat.member.member_id),
            description=f"has bet {chips(seat.stake or 0)}",
            default=seat.member.member_id == chosen,
        )
        for seat in state.bets
    ]
    press = Press(state.table_id, state.round_number, PressAction.BACK)
    return table_menu(press, "Whose hand do you back?", options)


def _rows(state: TableState, member_id: int, backed: int, most: int) -> list[discord.ui.ActionRow[Any]]:
    """What can be done about the chosen player; no amount where none would do."""

    def press(action: PressAction, stake: int | None = None) -> Press:
        return Press(state.table_id, state.round_number, action, stake, backed)

    rows = []
    last: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
    if most:
        assert state.bank is not None
        amounts: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
        for stake in quick_stakes(state.bank.lowest, most):
            amounts.add_item(table_button(press(PressAction.BACK, stake), f"{stake:,}", emoji="🪙"))
        rows.append(amounts)
        last.add_item(table_button(press(PressAction.BACK), "Other amount…"))
    if state.side_bet_of(member_id, backed) is not None:
        last.add_item(table_button(press(PressAction.UNBACK), "Take it back"))
    if last.children:
        rows.append(last)
    return rows
