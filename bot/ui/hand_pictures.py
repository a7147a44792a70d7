"""Pictures for messages: what a table shows, drawn off the event loop."""

import asyncio
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import discord

from bot.pictures import (
    AltWords,
    PicturedHand,
    hand_alt_text,
    hand_picture,
    showdown_alt_text,
    showdown_picture,
)
from bot.table.state import Bank, RoundResult, Seat, TableState
from bot.ui.views.arranging import arranged, hand_picture_name
from bot.ui.views.result_text import hand_in

UNARRANGED: Final = AltWords(rest="yet to be arranged:")
"""What goes before the pieces of a hand whose player has not said yet what they are."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that goes with a message.

    Attributes:
        name: of its file.
        png: its bytes.
        text: what it shows, for who cannot see it.
    """

    name: str
    png: bytes
    text: str

    def file(self) -> discord.File:
        """The picture as an attachment; a new one for each message."""
        return discord.File(BytesIO(self.png), filename=self.name, description=self.text)


async def draw_showdown(result: RoundResult, name: str) -> Drawing:
    """All hands of a round as they were played, the banker's first."""
    game = result.rules.game
    hands = [PicturedHand.face_up(hand_in(result, result), game=game)]
    hands += [
        PicturedHand.face_up(hand_in(result, player), seat=player.seat, outcome=player.outcome, game=game)
        for player in result.players
    ]
    png = await asyncio.to_thread(showdown_picture, hands)
    return Drawing(name, png, showdown_alt_text(hands))


async def draw_hand(table: TableState, place: Seat | Bank) -> Drawing:
    """The hand that is dealt to a member; as it was dealt, where he is still to arrange it (B04)."""
    hand, game = arranged(table, place), table.rules.game
    if hand is None:
        pictured = PicturedHand(rest=place.pieces, game=game)
        text = hand_alt_text(pictured, UNARRANGED)
    else:
        pictured = PicturedHand.face_up(hand, game=game)
        text = hand_alt_text(pictured)
    png = await asyncio.to_thread(hand_picture, pictured)
    return Drawing(hand_picture_name(table, place), png, text)
