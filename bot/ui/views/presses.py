"""Buttons and menus of a table: what they are is in their custom_id, so they live on after a restart."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import discord

_TEMPLATE: Final = re.compile(
    r"gnau:(?P<table_id>\d{1,20}):(?P<round_number>\d{1,9}):(?P<action>[a-z]+)"
    r"(?::(?P<argument>\d{1,15}))?(?:@(?P<member_id>\d{1,20}))?"
)
ANY_ROUND: Final = 0
"""The round number of a button that means whichever round is on when it is pressed."""
PRESS_EVENT: Final = "table_press"
"""The event that a press becomes: each cog listens for it as `on_table_press(interaction, press)`."""
CHOICE_EVENT: Final = "table_choice"
"""What a choice in a menu becomes: cogs listen as `on_table_choice(interaction, press, values)`."""


class PressAction(StrEnum):
    """What a button or a menu's choice does."""

    JOIN = "join"
    LEAVE = "leave"
    BANK = "bank"
    ROLL = "roll"
    LIMITS = "limits"
    GIVE_UP = "giveup"
    BET = "bet"
    AGAIN = "again"
    WITHDRAW = "withdraw"
    OUT = "out"
    SIDE = "side"
    BACK = "back"
    UNBACK = "unback"
    DEAL = "deal"
    HAND = "hand"
    ARRANGE = "arrange"
    STRONGEST = "strongest"
    WHY = "why"
    SHOW = "show"
    MESSAGES = "messages"
    RULES = "rules"
    CLOSE = "close"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Press:
    """What was pressed.

    Attributes:
        table_id: of which table.
        round_number: in which round the button was drawn; `ANY_ROUND` where that does not matter.
        action: what it does.
        argument: a number that goes with it, such as a stake in chips.
        member_id: Discord's id of the member whom it is about, where it is about one.
    """

    table_id: int
    round_number: int
    action: PressAction
    argument: int | None = None
    member_id: int | None = None

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        tail = "" if self.argument is None else f":{self.argument}"
        about = "" if self.member_id is None else f"@{self.member_id}"
        return f"gnau:{self.table_id}:{self.round_number}:{self.action}{tail}{about}"

    @property
    def meant_round(self) -> int | None:
        """The round that was meant; None where it does not matter."""
        return self.round_number or None


def press_of(custom_id: str) -> Press | None:
    """The press that a custom_id carries; None where it carries none of ours."""
    match = _TEMPLATE.fullmatch(custom_id)
    if match is None or match["action"] not in set(PressAction):
        return None
    argument, member_id = match["argument"], match["member_id"]
    return Press(
        int(match["table_id"]),
        int(match["round_number"]),
        PressAction(match["action"]),
        None if argument is None else int(argument),
        None if member_id is None else int(member_id),
    )


def table_button(
    press: Press,
    label: str,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> discord.ui.Button[Any]:
    """A button of a table.

    Args:
        press: what it does.
        label: what it says.
        style: how it looks.
        emoji: what stands before the label.
        disabled: whether it is greyed.
    """
    return discord.ui.Button(
        label=label, style=style, emoji=emoji, disabled=disabled, custom_id=press.custom_id
    )


def table_menu(
    press: Press, placeholder: str, options: list[discord.SelectOption], *, choices: int = 1
) -> discord.ui.Select[Any]:
    """A menu of a table.

    Args:
        press: the menu's own identity, and what is done with what is chosen.
        placeholder: what it says while nothing is chosen.
        options: its choices; in the menu `MORE` each one's value is the name of an action.
        choices: how many must be chosen, no more and no fewer.
    """
    return discord.ui.Select(
        placeholder=placeholder,
        options=options,
        custom_id=press.custom_id,
        min_values=choices,
        max_values=choices,
    )


def new_layout() -> discord.ui.LayoutView:
    """An empty layout that discord.py does not keep in mind once it is sent.

    Presses are told by their custom_id alone: whoever presses a button that the message has no more, or that
    was drawn before a restart, is answered all the same.
    """
    view = discord.ui.LayoutView(timeout=None)
    view.stop()
    return view
