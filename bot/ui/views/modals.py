"""The forms that pop up: how much to bet, and the limits of a bank."""

from typing import Any, Final

import discord

from bot.rules.typed_text import parse_digits
from bot.ui.views.presses import Press, PressAction

FORM_EVENT: Final = "table_form"
"""What a form that comes back becomes: cogs listen as `on_table_form(interaction, press, values)`."""
AMOUNT: Final = "amount"
LOWEST: Final = "lowest"
HIGHEST: Final = "highest"


def parse_chips(text: str) -> int:
    """Reads a number of chips: `25`, `1,000`, ` 1 000 `.

    Raises:
        ValueError: with a sentence that says what would be right.
    """
    digits = parse_digits(text.strip())
    if digits is None or len(digits) > 12 or int(digits) == 0:
        raise ValueError(f'"{text.strip()}" is not a number of chips; write a whole number such as 25.')
    return int(digits)


def bet_form(press: Press, lowest: int, most: int, last_stake: int | None) -> discord.ui.Modal:
    """Asks for a stake.

    Args:
        press: what the form is for, and carries.
        lowest: the smallest stake taken, in chips.
        most: the largest stake that would do, in chips.
        last_stake: what stands there to begin with; None for nothing.
    """
    amount: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=AMOUNT,
        placeholder=str(lowest),
        default=None if last_stake is None else str(last_stake),
        max_length=15,
    )
    return _form(
        press,
        "How much do you bet beside him?" if press.action is PressAction.BACK else "How much do you bet?",
        discord.ui.Label(text="Chips", description=f"From {lowest:,} to {most:,}.", component=amount),
    )


def bank_form(press: Press, lowest: int, highest: int, multiple: int) -> discord.ui.Modal:
    """Asks for the limits of a stake.

    Args:
        press: what the form is for, and carries.
        lowest: what stands there to begin with, in chips.
        highest: likewise.
        multiple: the largest multiple in force, for the explanation.
    """
    low: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=LOWEST, default=str(lowest), max_length=15
    )
    high: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=HIGHEST, default=str(highest), max_length=15
    )
    pays = f"You must be able to pay {multiple} times each stake."
    return _form(
        press,
        "Set limits" if press.action is PressAction.LIMITS else "Take the bank",
        discord.ui.Label(text="Lowest stake", description=pays, component=low),
        discord.ui.Label(text="Highest stake", component=high),
    )


def form_values(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """What was entered in a form that came back, by the custom_id of each input."""
    data: Any = interaction.data or {}
    inputs = (part.get("component", {}) for part in data.get("components", ()))
    return {part["custom_id"]: part.get("value", "") for part in inputs if "custom_id" in part}


def _form(press: Press, title: str, *items: "discord.ui.Label[Any]") -> discord.ui.Modal:
    form = discord.ui.Modal(title=title, custom_id=press.custom_id, timeout=None)
    for item in items:
        form.add_item(item)
    # What the form is for stands in its custom_id: discord.py need not remember it, and a restart loses none.
    form.stop()
    return form
