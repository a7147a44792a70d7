"""What a player makes of a board: which table and round it is, and what can be pressed on it."""

import json
import re
from dataclasses import dataclass
from typing import Final

from bot.practice.component_tree import Button
from bot.practice.messages import Message
from bot.practice.person import Person

_IDENTITY: Final = re.compile(
    r"gnau:(?P<table>[^:]+):(?P<round>\d+):(?P<action>[a-z]+)(?::(?P<argument>.+))?"
)
_NEWEST: Final = 30
"""How many messages of a channel a player looks through for boards: nobody scrolls up for ever."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board, as it looked at one moment.

    Attributes:
        message: where it is drawn.
        table: which table it belongs to.
        round: the number of the round that it shows; 0 before the first.
        pressable: the custom_ids of the buttons that are not greyed, by what they do; of the buttons that
            bet, only those that name an amount.
        menu: the custom_id of the menu that offers a choice, by the choice's value.
        look: the whole of what it shows, to tell whether it has changed.
    """

    message: Message
    table: str
    round: int
    pressable: dict[str, list[str]]
    menu: dict[str, str]
    look: str


def read_board(message: Message) -> Board | None:
    """The board in a message, or None where there is none."""
    pressable: dict[str, list[str]] = {}
    table, newest = None, 0
    for button in message.buttons():
        if (found := _identity(button)) is None:
            continue
        table = found["table"]
        newest = max(newest, int(found["round"]))
        named = found["action"] != "bet" or found["argument"] is not None
        if named and not button.disabled:
            pressable.setdefault(found["action"], []).append(found[0])
    if table is None:
        return None
    menu = {
        option.value: select.custom_id
        for select in message.selects()
        if not select.disabled
        for option in select.options
    }
    return Board(message, table, newest, pressable, menu, json.dumps(message.components))


def boards_seen_by(person: Person) -> dict[str, Board]:
    """The newest board of every table that this person sees, in whatever channel, by table."""
    boards: dict[str, Board] = {}
    for channel in person.channels():
        if channel.is_dm:
            continue
        for message in reversed(person.sees(channel)[-_NEWEST:]):
            board = None if message.ephemeral else read_board(message)
            if board is not None and board.pressable:
                boards.setdefault(board.table, board)
    return boards


def _identity(button: Button) -> re.Match[str] | None:
    return _IDENTITY.fullmatch(button.custom_id or "")
