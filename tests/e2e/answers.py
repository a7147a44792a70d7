"""What answers a press or a command, and what can be pressed."""

import asyncio

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal, Reply
from tests.e2e.evening import MENU, PATIENCE


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
