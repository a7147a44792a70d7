"""What a player makes of a message: which table and round it is about, and what can be pressed and picked."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from bot.practice.component_tree import texts
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.places import Channel

RESULT: Final = re.compile(r"#+ *Round (?P<round>\d+)\n(?P<lines>.+)", re.DOTALL)
"""The block of a board that tells how the last round ended."""
MENTION: Final = re.compile(r"<@(\d+)>")

_IDENTITY: Final = re.compile(
    r"gnau:(?P<table>[^:]+):(?P<round>\d+):(?P<action>[a-z_]+)(?::(?P<argument>[^@]+))?(?:@(?P<about>\d+))?"
)
_BANKER: Final = re.compile(r"\bBank\W*<@(\d+)>")
_NEWEST: Final = 30
"""How many messages of a channel a player looks through for boards: nobody scrolls up for ever."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A menu: its custom_id, the values it offers, and how many of them it takes."""

    custom_id: str
    values: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Board:
    """A message about a table as it looked at one moment: its board, or a player's own view of it.

    Attributes:
        message: where it is drawn.
        table: which table it belongs to.
        round: the number of the round that it shows; 0 before the first.
        banker: the id of who holds the bank, where it tells of one.
        named: the ids of all who are named where it does not tell of the last round: who sits there, and who
            bets beside them.
        pressable: the custom_ids of the buttons that are not greyed out, by action; at a table for points,
            the one that plays counts as a bet.
        picks: the menus that are not greyed, by what they do.
        asks: whether players are asked to arrange their hands.
        look: the whole of what it shows, to tell whether it has changed.
    """

    message: Message
    table: str
    round: int
    banker: int | None
    named: frozenset[int]
    pressable: dict[str, list[str]]
    picks: dict[str, Pick]
    asks: bool
    look: str

    @property
    def menu(self) -> dict[str, str]:
        """The custom_id of the menu that offers a choice, by the choice's value."""
        return {value: pick.custom_id for pick in self.picks.values() for value in pick.values}


def read_board(message: Message) -> Board | None:
    """What a message shows of a table; None where it is about none."""
    pressable: dict[str, list[str]] = {}
    table, newest = None, 0
    for button in message.buttons():
        if (found := _identity(button.custom_id)) is None:
            continue
        table, newest = found["table"], max(newest, int(found["round"]))
        if not button.disabled:
            action = "bet" if found["action"] == "play" else found["action"]
            pressable.setdefault(action, []).append(found[0])
    if table is None:
        return None
    picks = {}
    for select in message.selects():
        if (found := _identity(select.custom_id)) is not None and not select.disabled:
            values = tuple(option.value for option in select.options)
            picks[found["action"]] = Pick(select.custom_id, values, select.max_values)
    said = [text for text in texts(message.components) if not RESULT.fullmatch(text)]
    banker = next((found for text in said if (found := _BANKER.search(text))), None)
    return Board(
        message,
        table,
        newest,
        None if banker is None else int(banker[1]),
        frozenset(int(number) for text in said for number in MENTION.findall(text)),
        pressable,
        picks,
        any("arrange your hand" in text for text in said),
        json.dumps(message.components),
    )


def boards_seen_by(person: Person, channels: Collection[Channel] | None = None) -> dict[str, Board]:
    """The newest board of every table that this person sees, by table.

    Args:
        person: who looks.
        channels: where; everywhere but in direct messages, where None are named.
    """
    boards: dict[str, Board] = {}
    for channel in person.channels() if channels is None else channels:
        for board in _newest(person, channel):
            if not board.message.ephemeral and not channel.is_dm and board.pressable:
                boards.setdefault(board.table, board)
    return boards


def own_view(person: Person, board: Board) -> Board | None:
    """The direct message in which the person can arrange his hand of the round that a board shows."""
    for own in _newest(person, person.dm()):
        if (own.table, own.round) == (board.table, board.round) and "arrange" in own.picks:
            return own
    return None


def _newest(person: Person, channel: Channel) -> Iterator[Board]:
    for message in reversed(person.sees(channel)[-_NEWEST:]):
        if (board := read_board(message)) is not None:
            yield board


def _identity(custom_id: str | None) -> re.Match[str] | None:
    return _IDENTITY.fullmatch(custom_id or "")
