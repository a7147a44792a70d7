"""Our bot under test, which leaves out emojis, and pictures of one kind, while the benchmark wants that."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.ui import pictures
from bot.ui.board import content as board_content
from bot.ui.hand import content as hand_content
from bot.ui.hand import panels
from bot.ui.hand.own_hand import OwnHand, own_hand
from clicking import gnau_bot
from clicking.under_test import run

Words = dict[str, Callable[[], Awaitable[None]]]

SIGNS: Final = "signs"
EMOJIS: Final = "emojis"
NO_TURNING: Final = "emojis, no picture before the bank turns"
NO_HANDS: Final = "emojis, no pictures of own hands"
NO_SHOWDOWN: Final = "emojis, no picture on the board"
WAYS: Final = (SIGNS, EMOJIS, NO_TURNING, NO_HANDS, NO_SHOWDOWN)
"""How pieces can be shown."""


_BOARD: Final[Any] = board_content
_HAND: Final[Any] = hand_content
_PICTURES: Final[Any] = pictures.HandPictures
"""What is replaced in this process alone."""


async def _no_picture(*_: Any) -> None:
    pass


def _no_turning(*args: Any, **options: Any) -> OwnHand | None:
    """A member's own hand, alone while the bank's is face down."""
    own = own_hand(*args, **options)
    if own is None or own.played is None or own.other is not None:
        return own
    return replace(own, played=None)


@asynccontextmanager
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[Words]:
    """Our bot, and a word for each way."""
    # Done before the crowd is found to be quiet.
    panels.TURN_SECONDS = 0.2  # type: ignore[misc]
    hand_picture, showdown = _PICTURES.of, _BOARD.render_showdown
    async with gnau_bot.connected(token, api_url, gateway_url, database_url) as bot:
        emojis = bot.piece_emojis._shown

        async def show(way: str) -> None:
            bot.piece_emojis._shown = {} if way == SIGNS else emojis
            _PICTURES.of = _no_picture if way == NO_HANDS else hand_picture
            _HAND.own_hand = _no_turning if way == NO_TURNING else own_hand
            _BOARD.render_showdown = _no_picture if way == NO_SHOWDOWN else showdown

        yield {way: partial(show, way) for way in WAYS}


if __name__ == "__main__":
    run(connected)
