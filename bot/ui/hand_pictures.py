"""Pictures for messages: what a table shows, rendered off the event loop."""

import asyncio
from dataclasses import dataclass
from io import BytesIO

import discord

from bot.pictures import (
    AltWords,
    PicturedHand,
    hand_alt_text,
    hand_picture,
    showdown_alt_text,
    showdown_picture,
)
from bot.rules.knobs import GameName
from bot.table.state import Bank, RoundResult, Seat, TableState
from bot.ui.views.arranging import arranged, hand_picture_name
from bot.ui.views.result_text import hand_in
from bot.words import translate


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that goes with a message.

    Attributes:
        name: the file's name.
        png: the file.
        text: what it shows, for those who cannot see it.
    """

    name: str
    png: bytes
    text: str

    def file(self) -> discord.File:
        """The picture as an attachment; a new one for each message."""
        return discord.File(BytesIO(self.png), filename=self.name, description=self.text)


async def render_showdown(result: RoundResult, name: str) -> Picture:
    """All hands of a round as they were played, the banker's first."""
    game = result.rules.game
    hands = [PicturedHand.face_up(hand_in(result, result))]
    hands += [
        PicturedHand.face_up(hand_in(result, player), seat=player.seat, outcome=player.outcome)
        for player in result.players
    ]
    png = await asyncio.to_thread(showdown_picture, hands)
    return Picture(name, png, showdown_alt_text(hands, _alt_words(game)))


async def render_hand(table: TableState, place: Seat | Bank) -> Picture:
    """The hand dealt to a member; as it was dealt if they still have to arrange it (B04)."""
    hand, game = arranged(table, place), table.rules.game
    if hand is None:
        pictured = PicturedHand(rest=place.pieces, game=game)
        text = hand_alt_text(pictured, _alt_words(game, arranged=False))
    else:
        pictured = PicturedHand.face_up(hand)
        text = hand_alt_text(pictured, _alt_words(game))
    png = await asyncio.to_thread(hand_picture, pictured)
    return Picture(hand_picture_name(table, place), png, text)


def _alt_words(game: GameName, *, arranged: bool = True) -> AltWords:
    """The words of a picture's alternative text, in the reader's language."""
    return AltWords(
        bank=translate("alt.bank"),
        # The placeholder is filled in where the text is made.
        seat=translate("alt.seat", seat="{seat}"),
        ox=translate(f"alt.ox.{game}"),
        power=translate(f"alt.power.{game}"),
        rest=translate(f"alt.rest.{game}" if arranged else "alt.unarranged"),
        wild=translate("alt.wild"),
        face_down=translate("alt.face_down"),
        won=translate("alt.won"),
        lost=translate("alt.lost"),
        push=translate("alt.push"),
    )
