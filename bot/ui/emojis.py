"""Cards, tiles and marks as emojis of the bot's own: drawn and uploaded at the start, and put into texts.

Discord keeps 2,000 for each bot, and asks for no permission. Their names have a digest of the picture, so
what has not changed is not uploaded again. An old one stays: messages show it. Without them, or while not all
of a set are there yet, texts have the signs of its pieces.
"""

import asyncio
import logging
import re
from collections.abc import Collection, Mapping
from hashlib import sha256
from itertools import chain
from typing import Final

import discord

from bot.games.register import GAMES
from bot.pictures.emojis import mark_emoji
from bot.pictures.piece_art import PIECE_ART
from bot.ui.board.results import MARKS
from bot.ui.press.errors import SENDING_FAILED, is_invalid_body, log_failure
from bot.wire.intake import StandBack

log = logging.getLogger(__name__)

KINDS: Final = {game.pieces.name: game.pieces for game in GAMES.values()}
"""The sets of pieces that games are played with."""
PAUSE_SECONDS: Final = 0.2
"""The pause after an upload, which leaves Discord's limit to what members wait for."""
LOOK_SECONDS: Final = 600.0
"""How often it is tried again if some are missing, as while another process uploads them."""

_NO_LETTERS: Final = re.compile(r"\W")
_Drawn = list[list[tuple[str, str, bytes]]]
"""Each piece or mark of each set: its sign, the name of its emoji, and the picture."""


class PieceEmojis:
    """The emojis of pieces and marks, as the bot has them on Discord.

    Args:
        stand_back: waits while something else is more urgent.
        may_upload: whether this process uploads what is missing; of several, one does.
    """

    def __init__(self, client: discord.Client, stand_back: StandBack, *, may_upload: bool) -> None:
        self._client = client
        self._stand_back = stand_back
        self._may_upload = may_upload
        self._shown: Mapping[str, str] = {}
        # Kept for the next look, if Discord did not answer.
        self._drawn: _Drawn = []
        self._every = {kind.shown(piece) for kind in KINDS.values() for piece in kind.pieces}
        self._every |= set(MARKS.values())
        first, last = _one_of(self._every, 0), _one_of(self._every, -1)
        signs = "|".join(map(re.escape, self._every))
        # Most texts have none, and in the others most characters begin none: so they cost little.
        self._ends = re.compile(last)
        # Discord shows no emoji in code.
        self._signs = re.compile(rf"`[^`]*`|(?={first})(?P<sign>{signs})")

    def in_text(self, text: str) -> str:
        """The text with emojis for the pieces and marks in it."""
        if not self._shown or self._ends.search(text) is None:
            return text
        return self._signs.sub(self._emoji, text)

    def _emoji(self, found: re.Match[str]) -> str:
        return found[0] if found["sign"] is None else self._shown.get(found["sign"], found["sign"])

    async def look(self) -> None:
        """Finds out which emojis there are, and uploads what is missing, unless all are known."""
        if len(self._shown) == len(self._every):
            return
        await self._stand_back()
        self._drawn = drawn = self._drawn or await asyncio.to_thread(_drawn)
        there: dict[str, str] = {}
        try:
            there |= await self._uploaded()
            for _, name, picture in chain.from_iterable(drawn) if self._may_upload else ():
                if name not in there:
                    there |= await self._upload(name, picture)
                    await asyncio.sleep(PAUSE_SECONDS)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "cards are shown without emojis until they can be uploaded")
        # In a hand, signs and emojis side by side are hard to read.
        whole = [pieces for pieces in drawn if all(name in there for _, name, _ in pieces)]
        self._shown = {sign: there[name] for sign, name, _ in chain.from_iterable(whole)}

    async def _uploaded(self) -> dict[str, str]:
        return {one.name: str(one) for one in await self._client.fetch_application_emojis()}

    async def _upload(self, name: str, picture: bytes) -> dict[str, str]:
        """Uploads one, and returns it; if its name is taken, all that are there."""
        await self._stand_back()
        try:
            made = await self._client.create_application_emoji(name=name, image=picture)
        except discord.HTTPException as refused:
            if not is_invalid_body(refused):
                raise
            # Another process uploads them too, as in a deploy that overlaps, or an answer was lost.
            there = await self._uploaded()
            if name not in there:
                log_failure(log, refused, "the emoji %s could not be uploaded", name)
            return there
        return {name: str(made)}


def _one_of(signs: Collection[str], place: int) -> str:
    """A pattern for the characters that signs have at a place."""
    return f"[{re.escape(''.join(sorted({sign[place] for sign in signs})))}]"


def _drawn() -> _Drawn:
    drawn = []
    for kind in KINDS.values():
        pieces = []
        for piece in sorted(set(kind.pieces)):
            name = f"{kind.name}_{_NO_LETTERS.sub('_', kind.text(piece))}"
            pieces.append(_named(kind.shown(piece), name, PIECE_ART[kind.name].emoji(piece)))
        drawn.append(pieces)
    drawn.append([_named(sign, f"mark_{outcome}", mark_emoji(outcome)) for outcome, sign in MARKS.items()])
    return drawn


def _named(sign: str, name: str, picture: bytes) -> tuple[str, str, bytes]:
    return sign, f"{name}_{sha256(picture).hexdigest()[:8]}", picture
