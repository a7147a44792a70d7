"""Cards and tiles as emojis of the bot's own: drawn and uploaded at the start, and put into what it says.

Discord keeps 2,000 for each bot, and asks for no permission. Their names have a digest of the picture, so
what has not changed is not uploaded again. An old one stays: messages show it. Without them, or while they
are not there yet, texts have the signs of the pieces.
"""

import asyncio
import logging
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import discord

from bot.games.register import GAMES
from bot.pictures.piece_art import PIECE_ART
from bot.ui.press.errors import SENDING_FAILED, log_failure
from bot.wire.intake import StandBack

log = logging.getLogger(__name__)

KINDS: Final = {game.pieces.name: game.pieces for game in GAMES.values()}
"""The sets of pieces that games are played with."""
PAUSE_SECONDS: Final = 0.2
"""The pause after an upload, which leaves Discord's limit to what members wait for."""
LOOK_SECONDS: Final = 600.0
"""How often it is tried again if some are missing, as while another process uploads them."""


class PieceEmojis:
    """The emojis of pieces, as the bot has them on Discord.

    Args:
        stand_back: waits while something else is more urgent.
        may_upload: whether this process uploads what is missing; of several, one does.
    """

    def __init__(self, client: discord.Client, stand_back: StandBack, *, may_upload: bool) -> None:
        self._client = client
        self._stand_back = stand_back
        self._may_upload = may_upload
        self._shown: Mapping[str, str] = {}
        self._every = {kind.shown(piece) for kind in KINDS.values() for piece in kind.pieces}
        signs = "|".join(map(re.escape, self._every))
        # Discord shows no emoji in code.
        self._signs = re.compile(rf"`[^`]*`|(?P<sign>{signs})")

    def in_text(self, text: str) -> str:
        """The text with emojis for the pieces in it."""
        return self._signs.sub(self._emoji, text) if self._shown else text

    def _emoji(self, found: re.Match[str]) -> str:
        return found[0] if found["sign"] is None else self._shown.get(found["sign"], found["sign"])

    async def look(self) -> None:
        """Finds out which emojis there are, and uploads what is missing, unless all are known."""
        if len(self._shown) == len(self._every):
            return
        await self._stand_back()
        try:
            there = {one.name: str(one) for one in await self._client.fetch_application_emojis()}
            drawn = await asyncio.to_thread(_drawn)
            for _, name, picture in drawn:
                if name not in there and self._may_upload:
                    await self._stand_back()
                    made = await self._client.create_application_emoji(name=name, image=picture)
                    there[name] = str(made)
                    await asyncio.sleep(PAUSE_SECONDS)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "cards are shown without emojis until they can be uploaded")
            return
        self._shown = {sign: there[name] for sign, name, _ in drawn if name in there}


def _drawn() -> list[tuple[str, str, bytes]]:
    """Each piece: its sign, the name of its emoji, and the picture."""
    drawn = []
    for kind in KINDS.values():
        for piece in sorted(set(kind.pieces)):
            picture = PIECE_ART[kind.name].emoji(piece)
            plain = re.sub(r"\W", "_", kind.text(piece))
            name = f"{kind.name}_{plain}_{sha256(picture).hexdigest()[:8]}"
            drawn.append((kind.shown(piece), name, picture))
    return drawn
