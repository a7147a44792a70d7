"""The building blocks of messages: layouts, buttons and menus that carry a press, mentions."""

from typing import Any, Final

import discord

from bot.ui.custom_ids import Press

Row = discord.ui.ActionRow[Any]

LONGEST_TEXT: Final = 4_000
"""The most characters of all texts of a message."""


def button(
    press: Press,
    label: str,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> discord.ui.Button[Any]:
    """A button.

    Args:
        press: what it does.
        label: what it says.
        style: how it looks.
        emoji: what stands before the label.
        disabled: whether it is greyed out.
    """
    return discord.ui.Button(
        label=label, style=style, emoji=emoji, disabled=disabled, custom_id=press.custom_id
    )


def menu(
    press: Press, placeholder: str, options: list[discord.SelectOption], *, choices: int = 1
) -> discord.ui.Select[Any]:
    """A menu.

    Args:
        press: what it does with what is picked.
        placeholder: what it says while nothing is picked.
        options: what can be picked.
        choices: how many must be picked, no more and no fewer.
    """
    return discord.ui.Select(
        placeholder=placeholder,
        options=options,
        custom_id=press.custom_id,
        min_values=choices,
        max_values=choices,
    )


def new_layout() -> discord.ui.LayoutView:
    """An empty layout that discord.py does not keep after it is sent.

    A press is known by its custom_id alone, so it is answered even if the message was edited since, or the
    bot restarted.
    """
    view = discord.ui.LayoutView(timeout=None)
    view.stop()
    return view


def text_view(text: str) -> discord.ui.LayoutView:
    """A message of one text, with nothing to press."""
    view = new_layout()
    view.add_item(discord.ui.TextDisplay(text))
    return view


def mention(member_id: int) -> str:
    """The member's name as Discord shows it to each reader; the bot's messages ping nobody."""
    return f"<@{member_id}>"
