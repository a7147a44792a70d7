"""An interaction as Discord keeps it: who did what, the token, and how the bot replied."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any

from bot.practice.messages import InteractionMetadata, Message
from bot.practice.servers import Channel, User


class InteractionKind(IntEnum):
    """What a user did, by Discord's numbers."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class CallbackKind(IntEnum):
    """How the bot may reply first, by Discord's numbers."""

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
        data: the `data` that the bot gets.
        message: the message with the component that was used.
        trigger: for a modal, the interaction that opened it.
        command: the full name of the command that was typed.
        callback: how the bot replied first; None until it does.
        callback_data: the content of the first reply, for suggestions and modals.
        original: the `@original` message: the first reply, or the message that was updated.
        timed_out: whether the time for the first reply is over.
    """

    id: int
    token: str
    kind: InteractionKind
    user: User
    channel: Channel
    data: dict[str, Any]
    created: datetime
    message: Message | None = None
    trigger: InteractionMetadata | None = None
    command: str | None = None
    callback: CallbackKind | None = None
    callback_data: dict[str, Any] = field(default_factory=dict)
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    timed_out: bool = False
    replied: asyncio.Event = field(default_factory=asyncio.Event)

    def metadata(self) -> InteractionMetadata:
        """The metadata that a message shows about the interaction it replies to."""
        return InteractionMetadata(
            self.id,
            int(self.kind),
            self.user,
            command=self.command,
            interacted_message_id=None if self.message is None else self.message.id,
            original_response_id=None if self.original is None else self.original.id,
            trigger=self.trigger,
        )

    def owns(self, message: Message) -> bool:
        """Whether this interaction's token can edit that message."""
        return message is self.original or message in self.followups
