"""An interaction as Discord keeps it: who asked what, the token to answer by, and what was answered."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any

from bot.practice.messages import Message, Origin
from bot.practice.places import Channel, User


class InteractionKind(IntEnum):
    """What a person did, by Discord's numbers."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class CallbackKind(IntEnum):
    """How the bot may answer first, by Discord's numbers."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    SUGGESTIONS = 8
    MODAL = 9


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction.

    Attributes:
        id: the snowflake.
        token: what the bot answers with, and edits and follows up by until it expires.
        kind: see `InteractionKind`.
        user: who did it.
        channel: where.
        data: the `data` that goes to the bot.
        created: when it was sent (UTC).
        message: the message whose component it came from.
        trigger: for a modal, the interaction that opened it.
        command: the full name of the command that was typed.
        callback: how the bot answered first; None until it did.
        callback_data: what the first answer carried, for suggestions and modals.
        original: what `@original` means: the first answer, or the message that was updated.
        followups: the messages sent by the token, oldest first.
        given_up: whether the time for the first answer has run out.
        answered: set when the first answer has come.
    """

    id: int
    token: str
    kind: InteractionKind
    user: User
    channel: Channel
    data: dict[str, Any]
    created: datetime
    message: Message | None = None
    trigger: Origin | None = None
    command: str | None = None
    callback: CallbackKind | None = None
    callback_data: dict[str, Any] = field(default_factory=dict)
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    given_up: bool = False
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    def origin(self) -> Origin:
        """How a message that answers this interaction tells of it."""
        return Origin(
            self.id,
            int(self.kind),
            self.user,
            command=self.command,
            interacted_message_id=None if self.message is None else self.message.id,
            original_response_id=None if self.original is None else self.original.id,
            trigger=self.trigger,
        )

    def owns(self, message: Message) -> bool:
        """Whether the token of this interaction reaches that message."""
        return message is self.original or message in self.followups
