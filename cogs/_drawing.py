"""Pictures for messages: what a table shows, drawn off the event loop."""

import asyncio
from dataclasses import dataclass
from io import BytesIO

import discord

from bot.pictures import PicturedHand, hand_alt_text, hand_picture, showdown_alt_text, showdown_picture
from bot.rules.hands import evaluate
from bot.table.state import RoundResult, TableState


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
    """All hands of a round, the banker's first."""
    rules = result.rules
    hands = [PicturedHand.face_up(evaluate(result.pieces, rules), game=rules.game)]
    hands += [
        PicturedHand.face_up(
            evaluate(player.pieces, rules), seat=player.seat, outcome=player.outcome, game=rules.game
        )
        for player in result.players
    ]
    png = await asyncio.to_thread(showdown_picture, hands)
    return Drawing(name, png, showdown_alt_text(hands))


async def draw_hand(table: TableState, member_id: int, name: str) -> Drawing:
    """The hand that is dealt to a member."""
    rules = table.rules
    hand = PicturedHand.face_up(evaluate(table.pieces_of(member_id), rules), game=rules.game)
    png = await asyncio.to_thread(hand_picture, hand)
    return Drawing(name, png, hand_alt_text(hand))
