"""A table's board: one message that is worth watching, and to press on a phone."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.rules.typed_text import text_length
from bot.table.state import Phase, TableState
from bot.ui.board.buttons import board_rows
from bot.ui.board.result_text import ResultText, receipt_line
from bot.ui.board.text import (
    BoardFacts,
    happenings,
    places_text,
    small_print,
    title,
    waits_for,
)
from bot.ui.components import LONGEST_TEXT, Layout, box, picture, text
from bot.ui.names import Names

ACCENTS: Final[Mapping[Phase, int]] = MappingProxyType(
    {
        Phase.OPEN: 0x80848E,
        Phase.BETTING: 0xF0B232,
        Phase.DEALT: 0x5865F2,
        Phase.CLOSED: 0x4E5058,
    }
)


def picture_name(round_number: int) -> str:
    """The file name of a showdown's picture."""
    return f"round-{round_number}.png"


def shows_picture(state: TableState) -> int | None:
    """The number of the round whose picture the board shows; None if it shows none."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return None
    return state.last.round_number


def board_view(
    state: TableState,
    names: Names,
    facts: BoardFacts,
    picture_text: str | None,
    *,
    last: ResultText | None = None,
    menu_uses: int = 0,
) -> Layout:
    """The board of a table.

    Args:
        state: the table.
        names: how members are shown.
        facts: what is shown beside it.
        picture_text: the alternative text of the last showdown's picture, which the message has attached as
            `picture_name`; None if there is no picture.
        last: the text of its last result; None to write it now.
        menu_uses: how often the menu was used: another number resets it in Discord's client.
    """
    is_closed = state.phase is Phase.CLOSED
    head = title(state) if is_closed else f"{title(state)}\n{places_text(state, names, facts)}"
    below = [happenings(state, names), waits_for(state, names, facts), small_print(state, facts)]
    foot = "\n".join(filter(None, below))
    parts = [text(head)]
    if state.last is not None and state.phase is not Phase.DEALT:
        if picture_text is not None:
            parts.append(picture(picture_name(state.last.round_number), picture_text))
        receipt = receipt_line(state.last)
        last = last or ResultText(state.last, names)
        room = LONGEST_TEXT - sum(map(text_length, (head, foot, receipt))) - 1
        parts.append(text(f"{last.within(room)}\n{receipt}".rstrip()))
    parts.append(text(foot))
    return [box(parts, ACCENTS[state.phase]), *board_rows(state, facts, menu_uses)]
