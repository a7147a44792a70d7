"""Pictures for messages: what a table shows, drawn off the event loop."""

import asyncio
from dataclasses import dataclass
from io import BytesIO

import discord

from bot.pictures import PicturedHand, hand_alt_text, hand_picture, showdown_alt_text, showdown_picture
from bot.rules.gnau import evaluate
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
    hands = [PicturedHand.face_up(evaluate(result.cards, result.rules))]
    hands += [
        PicturedHand.face_up(evaluate(player.cards, result.rules), seat=player.seat, outcome=player.outcome)
        for player in result.players
    ]
    png = await asyncio.to_thread(showdown_picture, hands)
    return Drawing(name, png, showdown_alt_text(hands))


async def draw_hand(table: TableState, member_id: int, name: str) -> Drawing:
    """The hand that is dealt to a member."""
    hand = PicturedHand.face_up(evaluate(table.cards_of(member_id), table.rules))
    png = await asyncio.to_thread(hand_picture, hand)
    return Drawing(name, png, hand_alt_text(hand))
