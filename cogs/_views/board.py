"""A table's board: one message that is worth watching, with a button for all that can be done at a table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.table.obstacles import Action, obstacle
from bot.table.state import Phase, TableState
from cogs._views.board_text import (
    BoardFacts,
    bank_line,
    departure_lines,
    footer,
    result_lines,
    rules_line,
    seat_lines,
    title,
)
from cogs._views.presses import ANY_ROUND, Press, PressAction, new_layout, table_button, table_menu
from cogs._views.stakes import quick_stakes

ACCENTS: Final[Mapping[Phase, discord.Colour]] = MappingProxyType(
    {
        Phase.OPEN: discord.Colour(0x80848E),
        Phase.BETTING: discord.Colour(0xF0B232),
        Phase.DEALT: discord.Colour(0x5865F2),
        Phase.CLOSED: discord.Colour(0x4E5058),
    }
)
DEFAULT_LIMITS: Final = (5, 100)
"""The stakes offered before a banker has set his own, in chips."""

Row = discord.ui.ActionRow[Any]


def picture_name(round_number: int) -> str:
    """The file of a showdown's picture, as the board's message carries it."""
    return f"round-{round_number}.png"


def shows_picture(state: TableState) -> int | None:
    """The number of the round whose picture the board shows; None where it shows none."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return None
    return state.last.round_number


def board_view(state: TableState, facts: BoardFacts, picture_text: str | None) -> discord.ui.LayoutView:
    """The board of a table.

    Args:
        state: the table.
        facts: what is shown beside it.
        picture_text: the alternative text of the last showdown's picture, which the message has attached
            under `picture_name`; None where there is no picture.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=ACCENTS[state.phase])
    box.add_item(discord.ui.TextDisplay(f"{title(state)}\n{rules_line(state, facts)}"))
    if state.phase is not Phase.CLOSED:
        box.add_item(discord.ui.TextDisplay(bank_line(state, facts)))
        box.add_item(discord.ui.Separator())
        if lines := seat_lines(state):
            box.add_item(discord.ui.TextDisplay(lines))
    if state.last is not None and state.phase is not Phase.DEALT:
        box.add_item(discord.ui.Separator())
        if picture_text is not None:
            name = picture_name(state.last.round_number)
            box.add_item(
                discord.ui.MediaGallery(
                    discord.MediaGalleryItem(f"attachment://{name}", description=picture_text)
                )
            )
        box.add_item(discord.ui.TextDisplay(result_lines(state.last)))
    if gone := departure_lines(state):
        box.add_item(discord.ui.TextDisplay(gone))
    box.add_item(discord.ui.Separator())
    box.add_item(discord.ui.TextDisplay(footer(state, facts)))
    view.add_item(box)
    if state.phase is not Phase.CLOSED:
        for row in (_first_row(state), _stake_row(state), _own_row(state), _menu(state)):
            view.add_item(row)
    return view


def _button(state: TableState, action: PressAction, label: str, **looks: Any) -> discord.ui.Button[Any]:
    return table_button(Press(state.table_id, ANY_ROUND, action), label, **looks)


def _this_round(state: TableState, action: PressAction, label: str, **looks: Any) -> discord.ui.Button[Any]:
    """A button that does nothing any more when its round is over, however late the click arrives."""
    return table_button(Press(state.table_id, state.round_number, action), label, **looks)


def _barred(state: TableState, action: Action) -> bool:
    return obstacle(state, action) is not None


def _first_row(state: TableState) -> Row:
    return Row(
        _button(
            state,
            PressAction.JOIN,
            "Join",
            style=discord.ButtonStyle.success,
            disabled=_barred(state, Action.JOIN),
        ),
        _button(
            state,
            PressAction.BANK,
            "Take the bank",
            style=discord.ButtonStyle.primary,
            disabled=_barred(state, Action.TAKE_BANK),
        ),
        _this_round(
            state,
            PressAction.DEAL,
            "Deal",
            style=discord.ButtonStyle.primary,
            disabled=_barred(state, Action.DEAL),
        ),
        _button(state, PressAction.HAND, "My hand", emoji="🃏"),
        _this_round(
            state,
            PressAction.SHOW,
            "Turn up",
            style=discord.ButtonStyle.success,
            disabled=_barred(state, Action.SHOW),
        ),
    )


def _stake_row(state: TableState) -> Row:
    lowest, highest = (state.bank.lowest, state.bank.highest) if state.bank else DEFAULT_LIMITS
    row = Row()
    for stake in quick_stakes(lowest, highest):
        row.add_item(
            table_button(
                Press(state.table_id, state.round_number, PressAction.BET, stake),
                f"{stake:,}",
                emoji="🪙",
                disabled=_barred(state, Action.BET),
            )
        )
    return row


def _own_row(state: TableState) -> Row:
    barred = _barred(state, Action.BET)
    return Row(
        _this_round(state, PressAction.AGAIN, "Same again", emoji="🔁", disabled=barred),
        _this_round(state, PressAction.BET, "Other amount…", disabled=barred),
        _this_round(state, PressAction.OUT, "Sit out", disabled=barred),
    )


def _menu(state: TableState) -> Row:
    choices = (
        (PressAction.WITHDRAW, "Take my bet back", "Until the cards are out"),
        (PressAction.LEAVE, "Leave the table", "Your seat goes free; with cards out, after the round"),
        (PressAction.GIVE_UP, "Give up the bank", "Bets go back; with cards out, after the round"),
        (PressAction.RULES, "How to play", "The rules in force here"),
        (PressAction.CLOSE, "Close the table", "For whoever opened it, its banker, and moderators"),
    )
    options = [
        discord.SelectOption(label=label, value=action, description=description)
        for action, label, description in choices
    ]
    return Row(table_menu(Press(state.table_id, state.round_number, PressAction.MORE), "More…", options))
