"""What a practice player reads on a board: the table, the round, the buttons and the menus.

It reads custom_ids and marks, which are the same in every language, and no words.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.practice.component_tree import texts
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel

_RECEIPT: Final = re.compile(r"^-# 🧾 [^\d\n]*(?P<round>\d+)\b", re.MULTILINE)
"""The line of a board with the round whose result it shows."""
_RESULT: Final = re.compile(
    r"(?:-# )?(?P<told>(?:👑|`\d+`|(?P<of_side_bet>[▲▼▬]|<:mark_\w+:\d+>)) .*?\*\*[+−±][^*]*\*\*).*"
)
"""A line about what a round brought somebody; what they do in this one may follow."""
_HEADLINE: Final = "## "
"""How a headline begins; the line below it is about who is celebrated."""
MENTION: Final = re.compile(r"<@(\d+)>")

_CUSTOM_ID: Final = re.compile(
    r"gnau:(?P<table>[^:]+):(?P<round>\d+):(?P<action>[a-z_]+)(?::(?P<argument>[^@]+))?(?:@(?P<about>\d+))?"
)
_BANKER: Final = re.compile(r"^👑 <@(\d+)>(?:.*<@(\d+)>)?", re.MULTILINE)
"""The banker's line, which may end with who has asked for the bank."""
_HEIR: Final = re.compile(
    r"^-# [^👑\n]* · [^👑\n]*(?:🔜|👑) [^<\n]*(?:<@(\d+)>(?:.*<@(\d+)>)?)?", re.MULTILINE
)
"""The same where the bank has passed: it stands above the places of the last round, with its banker."""
_SEAT: Final = re.compile(r"^`\d+` <@(\d+)>(?P<rest>.*)$", re.MULTILINE)
_SEAT_THEN: Final = re.compile(r"^(?:(?:`\d+`|👑) )?<@(\d+)>(?P<rest>.*)$", re.MULTILINE)
"""A line about somebody who sits there where the bank has passed; it may be the new banker."""
ALL_IN: Final = re.compile(r"🔥 \*\*[^+−±*]+\*\*")
"""The mark of a bet of all that somebody has; at a name, the fire is about the last round."""
_DECIDED: Final = re.compile(f"✓|🪙|💤|{ALL_IN.pattern}")
"""The marks of who is in, of a bet, and of who sits out: the same in every language of a board."""
_TICKET: Final = "🎟️"
"""The mark of a code that a member holds before the round is settled."""
_HIDDEN: Final = "🂠"
"""The mark of a hand that is not revealed."""
_MOST_MESSAGES: Final = 30
"""How many of a channel's newest messages a player searches for boards."""


class Action(StrEnum):
    """What a practice player presses or picks, as the custom_ids and menus of a board name it."""

    JOIN = "join"
    BANK = "bank"
    ROLL = "roll"
    BET = "bet"
    PLAY = "play"
    """At a table for points; to a player the same as a bet."""
    SIT_OUT = "sit_out"
    SIDE_BETS = "side_bets"
    BACK_MENU = "back_menu"
    BACK = "back"
    DEAL = "deal"
    GIVE_UP = "give_up"
    HAND = "hand"
    ARRANGE = "arrange"
    STRONGEST = "strongest"
    REVEAL = "reveal"
    LEAVE = "leave"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu: its custom_id and its values."""

    custom_id: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A message about a table at one moment: its board, or a player's own panel.

    Attributes:
        round: the round it shows; 0 before the first.
        banker: the id of the banker, if it shows one.
        next_banker: the id of who has asked for the bank, if anybody has.
        mentioned: the ids of everybody it mentions outside the last result: seated players and side bettors.
        backers: the ids of who backs a player of this round.
        undecided: while bets are open, the ids of everybody who sits there and neither bet nor sits out; once
            hands are dealt, of every player who has not revealed.
        buttons: the custom_ids of the enabled buttons, by action. Bets are only those with an amount; if none
            has one, because the table plays for no chips, the one without.
        menus: the enabled menus, by action.
        counts_down: whether it shows a deadline: somebody has bet, or hands are dealt.
        content: everything it shows, to notice changes.
    """

    message: Message
    table: str
    round: int
    banker: int | None
    next_banker: int | None
    mentioned: frozenset[int]
    backers: frozenset[int]
    undecided: frozenset[int]
    buttons: dict[str, list[str]]
    menus: dict[str, Menu]
    counts_down: bool
    content: str

    @property
    def is_for_points(self) -> bool:
        """Whether one is in without chips."""
        return any(one.endswith(f":{Action.PLAY}") for one in self.buttons.get(Action.BET, ()))

    @property
    def menu_choices(self) -> dict[str, str]:
        """The custom_id of the menu that offers a value, by value."""
        return {value: menu.custom_id for menu in self.menus.values() for value in menu.values}


def read_board(message: Message) -> Board | None:
    """What a message shows of a table, or None if it is about none."""
    buttons: dict[str, list[str]] = {}
    table, round_number = None, 0
    for button in message.buttons():
        if (found := _parsed(button.custom_id)) is None:
            continue
        table, round_number = found["table"], max(round_number, int(found["round"]))
        if not button.disabled:
            action = Action.BET if found["action"] == Action.PLAY else found["action"]
            buttons.setdefault(action, []).append(found[0])
    if table is None:
        return None
    menus = {}
    for select in message.selects():
        if (found := _parsed(select.custom_id)) is not None and not select.disabled:
            values = tuple(option.value for option in select.options)
            menus[found["action"]] = Menu(select.custom_id, values)
    shown_texts = ["\n".join(lines_now(text)) for text in texts(message.components)]
    banker, asks = _bankers(shown_texts)
    return Board(
        message,
        table,
        round_number,
        banker,
        asks,
        frozenset(int(number) for text in shown_texts for number in MENTION.findall(text)),
        frozenset(_backers(shown_texts)),
        frozenset(_undecided(shown_texts, are_dealt=Action.REVEAL in buttons) - {banker}),
        buttons,
        menus,
        any("<t:" in text for text in shown_texts),
        json.dumps(message.components, ensure_ascii=False),
    )


def boards_seen_by(person: Person, channels: Collection[Channel] | None = None) -> dict[str, Board]:
    """The newest board of every table that this person sees in these channels, or anywhere, by table."""
    boards: dict[str, Board] = {}
    for channel in person.channels() if channels is None else channels:
        for board in _newest_boards(person, channel):
            if not board.message.ephemeral and not channel.is_dm and board.buttons:
                boards.setdefault(board.table, board)
    return boards


def own_hand(person: Person, board: Board) -> Board | None:
    """The direct message with the hand of the board's round that the person has yet to reveal, or None."""
    for panel in _newest_boards(person, person.dm()):
        # The message with the hand before it has been about this round too, while bets were open.
        if (panel.table, panel.round) == (board.table, board.round) and Action.REVEAL in panel.buttons:
            return panel
    return None


def can_bet_no_more(person: Person, message: Message) -> bool:
    """Whether it is their bet at a board, and their own message about its table offers them none."""
    board = read_board(message)
    if board is None or Action.BET not in board.buttons or person.id not in board.undecided:
        return False
    own = next((panel for panel in _newest_boards(person, person.dm()) if panel.table == board.table), None)
    # With this mark, the message does not know yet how the round ended.
    if own is None or _TICKET in own.content:
        return False
    return Action.LEAVE in own.menu_choices and Action.BET not in own.buttons


def _newest_boards(person: Person, channel: Channel) -> Iterator[Board]:
    for message in reversed(person.sees(channel)[-_MOST_MESSAGES:]):
        if (board := read_board(message)) is not None:
            yield board


def lines_now(text: str) -> Iterator[str]:
    """The lines of a board's text about what goes on, without what is only about the last round."""
    above = ""
    for line in text.splitlines():
        found, is_celebrated, above = _RESULT.fullmatch(line), above.startswith(_HEADLINE), line
        if found is None:
            is_over = is_celebrated
        else:
            is_over = found["of_side_bet"] is not None or line.startswith("-#")
        if not is_over:
            yield line


def result_of(message: Message) -> tuple[int, list[str]] | None:
    """The round whose result a board shows, and what it brought everybody, a line each; None without one."""
    shown = list(texts(message.components))
    receipt = next((found for text in shown if (found := _RECEIPT.search(text))), None)
    if receipt is None:
        return None
    lines = (_RESULT.fullmatch(line) for text in shown for line in text.splitlines())
    return int(receipt["round"]), [found["told"] for found in lines if found is not None]


def _bankers(shown_texts: Iterable[str]) -> tuple[int | None, int | None]:
    """The id of the banker, and of who has asked for the bank; None for nobody."""
    for text in shown_texts:
        if found := _HEIR.search(text) or _BANKER.search(text):
            banker, asks = (None if one is None else int(one) for one in found.groups())
            return banker, asks
    return None, None


def _backers(shown_texts: Iterable[str]) -> Iterator[int]:
    for text in shown_texts:
        for seat in _SEAT.finditer(text):
            yield from map(int, MENTION.findall(seat["rest"]))


def _undecided(shown_texts: Iterable[str], *, are_dealt: bool) -> set[int]:
    found = set()
    for text in shown_texts:
        for seat in (_SEAT_THEN if _HEIR.search(text) else _SEAT).finditer(text):
            has_decided = _HIDDEN not in seat["rest"] if are_dealt else _DECIDED.search(seat["rest"])
            if not has_decided:
                found.add(int(seat[1]))
    return found


def _parsed(custom_id: str) -> re.Match[str] | None:
    return _CUSTOM_ID.fullmatch(custom_id)
