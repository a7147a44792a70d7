"""Buttons, menus and forms about the house: what they are is in their custom_id, so a restart loses none."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import discord

_TEMPLATE: Final = re.compile(r"house:(?P<action>[a-z]+)(?P<arguments>(?::[a-z0-9_-]{1,40}){0,3})")


class HouseAction(StrEnum):
    """What a component does; behind each, the arguments that go with it."""

    CONFIRM = "confirm"
    """The draft's id."""
    LEAVE = "leave"
    """The draft's id."""
    SHOW = "show"
    """The game."""
    PRESETS = "presets"
    """The game; what is picked is a preset."""
    PICK = "pick"
    """The game, what the knobs are about, and which part of them; what is picked is a knob."""
    VALUE = "value"
    """The game and the knob; a form brings its value."""


@dataclass(frozen=True, slots=True)
class HousePress:
    """What was pressed, picked or filled in.

    Attributes:
        action: what it does.
        arguments: what goes with it, as the action says.
    """

    action: HouseAction
    arguments: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        return ":".join(("house", self.action, *self.arguments))


def house_press_of(custom_id: str) -> HousePress | None:
    """The press that a custom_id carries; None where it carries none about the house."""
    match = _TEMPLATE.fullmatch(custom_id)
    if match is None or match["action"] not in set(HouseAction):
        return None
    return HousePress(HouseAction(match["action"]), tuple(match["arguments"].split(":")[1:]))


def picked(interaction: discord.Interaction[Any]) -> str:
    """What was picked in a menu; empty where nothing was."""
    data: Any = interaction.data or {}
    return str(next(iter(data.get("values") or ()), ""))
