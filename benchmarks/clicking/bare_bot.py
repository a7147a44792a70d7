"""The comparison: the least that a bot on discord.py can do. It answers each press with a fixed board.

It caches as little as our bot does, hears of no messages, which our bot must, and builds its board once.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord
from discord.http import Route

from clicking.board import AGAIN, BANK, BET, JOIN, LOOK, OTHER_BET, PREFIX, REVEAL, Action
from clicking.under_test import run

SEAT = "**{number}** <@123456789012345678> bets **50 chips** · last round Single-Ox 7 · can lose 350"


def _buttons(*buttons: tuple[Action, str, str]) -> discord.ui.ActionRow[Any]:
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
    for action, argument, label in buttons:
        tail = f":{argument}" if argument else ""
        row.add_item(
            discord.ui.Button(
                label=label, custom_id=f"{PREFIX}:1234567890123456789:1:{action[0]}{tail}", emoji="🪙"
            )
        )
    return row


def fixed_board() -> discord.ui.LayoutView:
    """A layout about as large as a board of ours with six seats."""
    view = discord.ui.LayoutView(timeout=None)
    # discord.py does not keep a stopped view: nothing grows, and no callback is looked for.
    view.stop()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=0xF0B232)
    box.add_item(discord.ui.TextDisplay("## 🐂 Gnau · Table 3 · Round 12\n-# Wikipedia rules · 1 deck"))
    box.add_item(
        discord.ui.TextDisplay("👑 Bank: <@123456789012345678> · stakes 5–100 · covers 999,370 more")
    )
    box.add_item(discord.ui.Separator())
    box.add_item(discord.ui.TextDisplay("\n".join(SEAT.format(number=number) for number in range(1, 7))))
    box.add_item(discord.ui.Separator())
    box.add_item(
        discord.ui.TextDisplay("\n".join(["### Round 11", *(SEAT.format(number=seat) for seat in range(7))]))
    )
    box.add_item(discord.ui.Separator())
    box.add_item(discord.ui.TextDisplay("Bets close <t:1790000000:R> · the bank's edge is 5.19 %"))
    view.add_item(box)
    view.add_item(
        _buttons((JOIN, "", "Join"), (BANK, "", "Take the bank"), (LOOK, "", "Hand"), (REVEAL, "", "Reveal"))
    )
    view.add_item(_buttons(*((BET, amount, amount) for amount in ("5", "10", "20", "50", "100"))))
    view.add_item(_buttons((AGAIN, "", "Same again"), (OTHER_BET, "", "Other amount…")))
    choices = ("Take my bet back", "Leave the table", "Give up the bank", "How to play", "Close the table")
    menu: discord.ui.Select[Any] = discord.ui.Select(custom_id="more", placeholder="More…")
    for choice in choices:
        menu.add_option(label=choice, description="What it does, in a few words")
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
    row.add_item(menu)
    view.add_item(row)
    return view


class BareBot(discord.AutoShardedClient):
    """Posts its board in every channel, and answers every press with it."""

    def __init__(self) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=0.05,
        )
        self.board = fixed_board()
        self.posted = asyncio.Event()

    async def on_ready(self) -> None:
        """Posts the boards."""
        for guild in self.guilds:
            for channel in guild.text_channels:
                await channel.send(view=self.board)
        self.posted.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answers a press."""
        await interaction.response.edit_message(view=self.board)


@asynccontextmanager
async def connected(token: str, api_url: str, gateway_url: str, database_url: str) -> AsyncIterator[None]:
    """The bare bot, connected, with its boards posted; it needs no database."""
    Route.BASE = api_url
    async with BareBot() as bot:
        connection = asyncio.create_task(bot.start(token))
        try:
            posted = asyncio.create_task(bot.posted.wait())
            await asyncio.wait({connection, posted}, return_when=asyncio.FIRST_COMPLETED)
            if connection.done():
                await connection
            yield
        finally:
            await bot.close()
            connection.cancel()
            with suppress(asyncio.CancelledError):
                await connection


if __name__ == "__main__":
    run(connected)
