"""How people sit down to a game on the stand-in, so that a test can begin where it is about something."""

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from tests.e2e.evening import Evening


async def open_game(evening: Evening, opener: Person, **options: str) -> Message:
    """Opens a table with these options of the command, and returns its board."""
    reply = await opener.slash(evening.channel, "table open", **options)
    assert reply.message is not None
    assert not reply.message.ephemeral, reply.message.text
    return reply.message


async def in_menu(person: Person, board: Message, action: str) -> Reply:
    """Picks what the menu "More…" of a board offers under that value or label."""
    return await person.choose(board, "More…", action)


def said(reply: Reply) -> str:
    """What only this person is told."""
    assert reply.message is not None, reply
    assert reply.message.ephemeral, reply.message.text
    return reply.message.text
