"""What answers a press or a command, what can be pressed, and what a person sees alone."""

import asyncio

from bot.games.hands import evaluate
from bot.practice.component_tree import Button
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal, Reply
from bot.rules.knobs import Play
from bot.table.story import GREAT_MULTIPLE
from bot.ui.press.custom_ids import Press, PressAction
from bot.words.hands import hand_name
from tests.e2e.evening import MENU, PATIENCE, Evening

OPENS = (
    Press(PressAction.OPEN, arguments=("gnau", Play.CHIPS)).custom_id,
    Press(PressAction.PLAY_NOW, arguments=("gnau",)).custom_id,
)
"""The buttons that open a table: that of a welcome and of a closed board, and that of a reminder."""


async def in_menu(person: Person, board: Message, action: str) -> Reply:
    """Picks an entry of a board's menu "More…" by its value, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while not (menu := board.select(MENU)) or action not in [one.value for one in menu.options]:  # noqa: ASYNC110 - no event is set for it
            await asyncio.sleep(0.01)
    return await person.choose(board, MENU, action)


async def press_own(person: Person, message: Message, label: str) -> Reply:
    """Presses what has this label in a person's own message: a button, or an entry of its menu "More…"."""
    if message.button(label) is None:
        return await person.choose(message, MENU, label)
    return await person.click(message, label)


def offered(message: Message) -> set[str]:
    """The labels of all that can be pressed in a message, or picked in its menu "More…"."""
    menu = message.select(MENU)
    picked = set() if menu is None else {option.label for option in menu.options}
    return picked | {button.label or "" for button in message.buttons() if not button.disabled}


def pieces_in(message: Message) -> list[Button]:
    """The pieces of a hand that can be picked for its ox."""
    return [button for button in message.buttons() if f":{PressAction.ARRANGE}:" in button.custom_id]


def said(reply: Reply) -> str:
    """The reply that only this person sees."""
    assert reply.message is not None, reply
    assert reply.message.ephemeral, reply.message.text
    return reply.message.text


def message_of(reply: Reply) -> Message:
    """The message that answers, or that is shown instead of the one before."""
    assert reply.message is not None, reply
    return reply.message


def form_of(reply: Reply) -> Modal:
    """The form that opens."""
    assert reply.modal is not None, reply.message and reply.message.text
    return reply.modal


def id_of(message: Message, label: str) -> str:
    """The custom_id of a button, for somebody who presses it when it is gone."""
    button = message.button(label)
    assert button is not None, label
    assert button.custom_id is not None, label
    return button.custom_id


def labels(message: Message) -> list[str | None]:
    """The labels of all buttons of a message."""
    return [button.label for button in message.buttons()]


def private(person: Person, board: Message) -> list[Message]:
    """The messages beside a board that only this person sees."""
    return [message for message in person.sees(board.channel) if message.ephemeral]


def hand_of(evening: Evening, person: Person) -> str:
    """The name of the person's dealt hand, as they see it: a great one in capitals."""
    table = evening.table()
    hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
    return hand_name(hand).upper() if hand.multiple >= GREAT_MULTIPLE else hand_name(hand)
