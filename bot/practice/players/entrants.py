"""Lets the practice players of a channel enter its tournaments, most of them."""

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel

CHANCE: Final = 0.8
"""How often somebody enters."""
PAUSE: Final = (2.0, 8.0)
"""How long they think about it, in seconds."""
_ENTER: Final = re.compile(r"tournament:enter:\d+")


def enter_button(message: Message) -> str | None:
    """The custom_id of the button by which members enter a tournament; None if there is none."""
    return next((one.custom_id for one in message.buttons() if _ENTER.fullmatch(one.custom_id)), None)


class Entrants:
    """Enters practice players for each tournament that opens in their channel."""

    def __init__(
        self, channel: Channel, players: Sequence[Person], *, chance: random.Random | None = None
    ) -> None:
        self._channel = channel
        self._players = players
        self._chance = chance or random.Random()
        self._known: set[str] = set()
        self._thinking: set[asyncio.Task[None]] = set()

    def on_change(self, change: Change) -> None:
        """Has players think about a new tournament; a listener for `world.on_change`."""
        message = change.message
        if message is None or message.channel is not self._channel or message.ephemeral:
            return
        pressed = enter_button(message)
        if pressed is None or pressed in self._known:
            return
        self._known.add(pressed)
        for player in self._players:
            if self._chance.random() < CHANCE:
                thinking = asyncio.ensure_future(self._enter(player, message, pressed))
                self._thinking.add(thinking)
                thinking.add_done_callback(self._thinking.discard)

    async def close(self) -> None:
        """Lets nobody think any longer."""
        for thinking in self._thinking:
            thinking.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)

    async def _enter(self, player: Person, board: Message, pressed: str) -> None:
        await asyncio.sleep(self._chance.uniform(*PAUSE))
        # It may have started, or be cancelled.
        with suppress(NotPossibleError):
            reply = await player.click(board, pressed)
            if reply.message is not None and reply.message.ephemeral:
                await player.dismiss(reply.message)
