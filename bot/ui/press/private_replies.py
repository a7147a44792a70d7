"""Keeps screens short: of each kind of private reply, a member sees the newest in each channel."""

import logging
from collections import OrderedDict
from enum import Enum, auto
from typing import Final

from bot.ui.background_tasks import BackgroundTasks
from bot.ui.press.discord_errors import SENDING_FAILED
from bot.ui.press.late_interactions import token_lives
from bot.wire.requests import Interaction, Response, delete_response

log = logging.getLogger(__name__)

MOST_KEPT: Final = 10_000
"""How many replies are remembered, the newest."""


class Kind(Enum):
    """What a private reply is; one replaces another of its kind."""

    SENTENCE = auto()
    PAGE = auto()
    """A longer text, such as the rules, or a form of buttons."""
    GUIDE = auto()
    """*How to play*."""
    LESSON = auto()
    PANEL = auto()
    """A member's panel of a table."""
    SIDE_BETS = auto()


class PrivateReplies:
    """The newest private replies, by member, channel and kind."""

    def __init__(self) -> None:
        self._newest: OrderedDict[tuple[int, int | None, Kind], Response] = OrderedDict()
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        """Cancels deletions that wait."""
        await self._tasks.close()

    def sent(self, response: Response, kind: Kind) -> None:
        """Notes a private reply, and deletes the older of two, which is free while its token lives."""
        interaction = response.interaction
        if interaction.guild_id is None:
            # In a direct message, replies are messages like others, and the member can scroll.
            return
        key = interaction.user.id, interaction.channel_id, kind
        before = self._newest.pop(key, None)
        if before is not None and before.interaction.id > interaction.id:
            # Of two quick presses, the second was answered first.
            response, before = before, response
        self._newest[key] = response
        while len(self._newest) > MOST_KEPT:
            self._newest.popitem(last=False)
        # Delivered twice, an interaction has one first response.
        is_same = before is not None and before.interaction.id == response.interaction.id
        if before is not None and not is_same and token_lives(before.interaction):
            self._tasks.start(_delete(before), "private-reply-deletion")


def note_private_reply(response: Response, kind: Kind) -> None:
    """Notes a private reply where its interaction is handled; nothing where it is not."""
    replies = response.interaction.extras.get(PrivateReplies)
    if replies is not None:
        replies.sent(response, kind)


def keep_private_replies(interaction: Interaction, replies: PrivateReplies) -> None:
    """Lets `note_private_reply` know who keeps the replies to this interaction."""
    interaction.extras[PrivateReplies] = replies


async def _delete(response: Response) -> None:
    try:
        await delete_response(response)
    except SENDING_FAILED as failed:
        # Its member may have dismissed it.
        log.info("an earlier private reply could not be deleted: %s", failed)
