"""What a board offers to press. The only file that knows how the bot names its buttons.

A button's custom_id is `gnau:<table>:<round>:<action>…`. Here is each action that the clickers use, with
every name that it has or had.
"""

import json
from dataclasses import dataclass
from typing import Final

from bot.practice.component_tree import walk
from bot.practice.messages import Message

PREFIX: Final = "gnau"
JOIN: Final = ("join",)
BANK: Final = ("bank",)
BET: Final = ("bet",)
"""Bets the amount it carries."""
OTHER_BET: Final = ("other_bet", "bet")
"""Opens a modal for any amount; carries none."""
AGAIN: Final = ("again",)
LOOK: Final = ("hand",)
REVEAL: Final = ("reveal", "show")

Action = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Button:
    """A button that can be pressed.

    Attributes:
        custom_id: all that the bot is told.
        round_number: the round it belongs to; 0 where that does not matter.
        action: what it does.
        argument: what follows the action, such as the amount of a bet; empty where nothing does.
    """

    custom_id: str
    round_number: int
    action: str
    argument: str


def buttons(message: Message) -> list[Button]:
    """The buttons of a table that can be pressed on this message."""
    found = []
    for button in message.buttons():
        parts = (button.custom_id or "").split(":")
        if len(parts) < 4 or parts[0] != PREFIX or button.disabled or not parts[2].isdecimal():
            continue
        action, _, about = parts[3].partition("@")
        found.append(Button(":".join(parts), int(parts[2]), action, ":".join(parts[4:]) or about))
    return found


def round_shown(offered: list[Button]) -> int:
    """The round that a board is about; 0 where no button tells."""
    return max((button.round_number for button in offered), default=0)


def to_press(offered: list[Button], action: Action, *, with_argument: bool = False) -> list[str]:
    """The custom_ids that do this; none where no button does.

    Args:
        offered: the buttons of a board.
        action: what they shall do.
        with_argument: whether only those that carry an argument are meant, or only those that carry none.
    """
    return [
        button.custom_id
        for button in offered
        if button.action in action and bool(button.argument) == with_argument
    ]


def board_size(message: Message) -> tuple[int, int]:
    """How many components a message has, and how many characters they are as JSON."""
    return sum(1 for _ in walk(message.components)), len(json.dumps(message.components, ensure_ascii=False))
