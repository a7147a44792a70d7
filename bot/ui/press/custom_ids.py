"""What buttons, menus and modals are: their custom_ids, written and read, so that a restart loses none.

A custom_id of a table is `gnau:<table>:<round>:<action>[:<number>][@<player>]`, one of the house rules
`house:<action>[:<argument>…]`, one about a member's own data `privacy:<action>[:<argument>…]`, and one about
the channel it is in `channel:<action>:<game>:<play>`. Those of *How to play* and lessons are in `guide_ids`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from bot.games.register import GAMES
from bot.rules.knobs import GameName, Play
from bot.table.seats import NOBODY
from bot.ui.press.component_shape import Shape
from bot.ui.press.guide_ids import (
    GuideAction,
    GuidePress,
    LessonAction,
    LessonPress,
    guide_press,
    lesson_press,
)

ANY_ROUND: Final = 0
"""The round number of a button that means whichever round is on when it is pressed."""
LARGEST_NUMBER: Final = (1 << 63) - 1
"""The largest number that a custom_id may hold: the largest that the ledger can store."""

_TABLE: Final = re.compile(
    r"gnau:(?P<table_id>\d{1,19}):(?P<round_number>\d{1,9}):(?P<action>[a-z_]+)"
    r"(?::(?P<number>\d{1,19}))?(?:@(?P<backed>\d{1,19}))?",
    re.ASCII,
)
_PLAIN: Final = re.compile(
    r"(?P<prefix>house|privacy|channel):(?P<action>[a-z_]+)(?P<arguments>(?::[a-z0-9_-]{1,40}){0,3})",
    re.ASCII,
)


_NO_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})


class TableAction(StrEnum):
    """What a component of a table does."""

    JOIN = "join"
    LEAVE = "leave"
    BANK = "bank"
    BANK_MODAL = "bank_modal"
    PLAY_HOUSE = "play_house"
    """Has the house bank."""
    ROLL = "roll"
    LIMITS = "limits"
    LIMITS_MODAL = "limits_modal"
    GIVE_UP = "give_up"
    PLAY = "play"
    """Plays this round, at a table for points."""
    BET = "bet"
    """Bets the number of chips."""
    OTHER_BET = "other_bet"
    """Asks how many chips."""
    BET_MODAL = "bet_modal"
    AGAIN = "again"
    WITHDRAW = "withdraw"
    SIT_OUT = "sit_out"
    SIDE_BETS = "side_bets"
    BACK = "back"
    """Backs the player with the number of chips."""
    BACK_MENU = "back_menu"
    OTHER_BACK = "other_back"
    BACK_MODAL = "back_modal"
    UNBACK = "unback"
    """Takes back the side bet on the player."""
    UNBACK_ANY = "unback_any"
    DEAL = "deal"
    HAND = "hand"
    ARRANGE = "arrange"
    STRONGEST = "strongest"
    WHY = "why"
    REVEAL = "reveal"
    MESSAGES = "messages"
    RULES = "rules"
    CLOSE = "close"
    MORE = "more"
    """The board's menu: each value is another action. Its number only changes to reset the menu."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        if self in _MENUS:
            return Shape.MENU
        return Shape.MODAL if self in _MODALS else Shape.BUTTON


class HouseAction(StrEnum):
    """What a component about house rules does, and the arguments that go with it."""

    CONFIRM = "confirm"
    """The draft's id."""
    CANCEL = "cancel"
    """The draft's id."""
    SHOW = "show"
    """The game, or `server` for the server's own page."""
    PRESETS = "presets"
    """The game; the value is a preset."""
    PICK = "pick"
    """The game, what the knobs are about, and which part of them; the value is a knob."""
    VALUE = "value"
    """The game and the knob; the modal brings the knob's value."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        if self in (HouseAction.PRESETS, HouseAction.PICK):
            return Shape.MENU
        return Shape.MODAL if self is HouseAction.VALUE else Shape.BUTTON


class PrivacyAction(StrEnum):
    """What a button about a member's own data does, and the arguments that go with it."""

    ERASE = "erase"
    """The server; none for every server."""
    KEEP = "keep"

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        return Shape.BUTTON


class ChannelAction(StrEnum):
    """What a button about the channel it is in does; it needs no table."""

    OPEN = "open"
    """Opens a table of the game, for chips or for points."""
    HOUSE_RULES = "house_rules"
    """Shows the rules of the game: to change for those who manage the server, to read for others."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        return Shape.BUTTON


Action = TableAction | HouseAction | PrivacyAction | ChannelAction | GuideAction | LessonAction

IN_MENU: Final = (
    TableAction.HAND,
    TableAction.JOIN,
    TableAction.BANK,
    TableAction.SIT_OUT,
    TableAction.UNBACK_ANY,
    TableAction.RULES,
    TableAction.CLOSE,
)
"""The actions that the board's menu *More* may offer."""
_MENUS: Final = frozenset({TableAction.BACK_MENU, TableAction.ARRANGE, TableAction.MORE})
_MODALS: Final = frozenset(
    {TableAction.BANK_MODAL, TableAction.LIMITS_MODAL, TableAction.BET_MODAL, TableAction.BACK_MODAL}
)
_WITH_NUMBER: Final = frozenset({TableAction.BET, TableAction.BACK})
_WITH_PLAYER: Final = frozenset(
    {TableAction.BACK, TableAction.OTHER_BACK, TableAction.BACK_MODAL, TableAction.UNBACK}
)


@dataclass(frozen=True, slots=True)
class TablePress:
    """A component of a table, or what a member did with it.

    Attributes:
        table_id: which table.
        round_number: the round the component was made for; `ANY_ROUND` if that does not matter.
        action: what it does.
        number: a number that goes with it, such as chips.
        backed: the player whose hand it is about.
        presser: who pressed it; `NOBODY` until the router knows.
        values: what was picked in a menu.
        fields: what was entered in a modal, by the custom_id of each input.
    """

    table_id: int
    round_number: int
    action: TableAction
    number: int | None = None
    backed: int | None = None
    presser: int = NOBODY
    values: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_FIELDS, hash=False)

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        number = "" if self.number is None else f":{self.number}"
        backed = "" if self.backed is None else f"@{self.backed}"
        return f"gnau:{self.table_id}:{self.round_number}:{self.action}{number}{backed}"

    @property
    def meant_round(self) -> int | None:
        """The round that is meant; None if that does not matter."""
        return self.round_number or None


@dataclass(frozen=True, slots=True)
class HousePress:
    """A component about house rules, or what a member did with it.

    Attributes:
        action: what it does.
        arguments: what goes with it, as the action says.
        values: what was picked in a menu.
        fields: what was entered in a modal, by the custom_id of each input.
    """

    action: HouseAction
    arguments: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_FIELDS, hash=False)

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        return ":".join(("house", self.action, *self.arguments))


@dataclass(frozen=True, slots=True)
class PrivacyPress:
    """A button about a member's own data.

    Attributes:
        action: what it does.
        arguments: what goes with it, as the action says.
    """

    action: PrivacyAction
    arguments: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        return ":".join(("privacy", self.action, *self.arguments))


@dataclass(frozen=True, slots=True)
class ChannelPress:
    """A button about the channel it is in.

    Attributes:
        action: what it does.
        game: which game.
        play: for chips or points.
    """

    action: ChannelAction
    game: GameName
    play: Play

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        return ":".join(("channel", self.action, self.game, self.play))


Press = TablePress | HousePress | PrivacyPress | ChannelPress | GuidePress | LessonPress


def parse_custom_id(custom_id: str) -> Press | None:
    """The press that a custom_id carries, without values and fields; None if this version knows no such."""
    if match := _TABLE.fullmatch(custom_id):
        return _table_press(match)
    match = _PLAIN.fullmatch(custom_id)
    if match is None:
        return guide_press(custom_id) or lesson_press(custom_id)
    action, arguments = match["action"], tuple(match["arguments"].split(":")[1:])
    if match["prefix"] == "channel":
        return _channel_press(action, arguments)
    if match["prefix"] == "privacy":
        return PrivacyPress(PrivacyAction(action), arguments) if action in set(PrivacyAction) else None
    return HousePress(HouseAction(action), arguments) if action in set(HouseAction) else None


def _channel_press(action: str, arguments: tuple[str, ...]) -> ChannelPress | None:
    match arguments:
        case (game, play) if action in set(ChannelAction) and game in GAMES and play in set(Play):
            return ChannelPress(ChannelAction(action), game, Play(play))
    return None


def _table_press(match: re.Match[str]) -> TablePress | None:
    if match["action"] not in set(TableAction):
        return None
    action = TableAction(match["action"])
    table_id, round_number = int(match["table_id"]), int(match["round_number"])
    number = None if match["number"] is None else int(match["number"])
    backed = None if match["backed"] is None else int(match["backed"])
    if max(table_id, number or 0, backed or 0) > LARGEST_NUMBER:
        return None
    incomplete = (action in _WITH_NUMBER and number is None) or (action in _WITH_PLAYER and backed is None)
    return None if incomplete else TablePress(table_id, round_number, action, number, backed)
