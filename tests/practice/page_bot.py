"""A small bot on the real discord.py with one of everything that the page renders."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
import yarl
from discord import app_commands, ui
from PIL import Image

from tests.stand_in import StandIn

NASTY = (
    "<img src=x onerror=alert(1)> <script>alert(2)</script> `<b>` **<i>bold</i>** [x](javascript:alert(3))"
)
OX = "An ox, smiling"
PIECES = ("6-5", "4-2", "2-1", "1-1", "6-6")
LOOKS = {"Count": 1, "Ask": 2, "Card": 3, "Fail": 4}


class Amount(ui.Modal, title="How much?"):
    """Asks for an amount, a colour, and optionally channels."""

    amount: ui.Label[Any] = ui.Label(
        text="Chips", description="1 to 100", component=ui.TextInput(custom_id="amount", max_length=3)
    )
    colour: ui.Label[Any] = ui.Label(
        text="Colour",
        component=ui.Select(
            custom_id="colour",
            options=[
                discord.SelectOption(label="Red", value="r"),
                discord.SelectOption(label="Blue", value="b"),
            ],
        ),
    )

    places: ui.Label[Any] = ui.Label(
        text="Places",
        component=ui.ChannelSelect(
            custom_id="places",
            channel_types=[discord.ChannelType.text],
            min_values=0,
            max_values=2,
            required=False,
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        amount, colour, places = self.amount.component, self.colour.component, self.places.component
        assert isinstance(amount, ui.TextInput)
        assert isinstance(colour, ui.Select)
        assert isinstance(places, ui.ChannelSelect)
        where = ", ".join(place.name for place in places.values) or "nowhere"
        if amount.value.isdecimal():
            words = f"{amount.value} on {colour.values[0]} in {where}"
            await interaction.response.send_message(words, ephemeral=True)


class Board(ui.LayoutView):
    """A board with every kind of component; it shows how often it was pressed and what was picked."""

    def __init__(self, whom: int, presses: int = 0, picked: str = "nothing") -> None:
        super().__init__(timeout=None)
        box: ui.Container[Board] = ui.Container(accent_colour=0x3BA55C)
        title = f"# Gnau · Table 1\n-# Rules: Wikipedia\nPressed **{presses}** times, picked {picked}"
        box.add_item(ui.TextDisplay(title))
        box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://ox.png", description=OX)))
        box.add_item(ui.Separator())
        box.add_item(ui.TextDisplay(f"1 <@{whom}> `  50` ready\n2 *free*"))
        if presses:
            picture = discord.MediaGalleryItem("attachment://ox.png", description="A♠ K♦ 3♣")
            box.add_item(ui.MediaGallery(picture))
        buttons: ui.ActionRow[Board] = ui.ActionRow()
        for label, style in LOOKS.items():
            buttons.add_item(
                ui.Button(label=label, style=discord.ButtonStyle(style), custom_id=label.lower())
            )
        buttons.add_item(ui.Button(label="Greyed", custom_id="greyed", disabled=True, emoji="🔒"))
        box.add_item(buttons)
        menu: ui.ActionRow[Board] = ui.ActionRow()
        options = [
            discord.SelectOption(label="Give up the bank", value="give", description="After this round"),
            discord.SelectOption(label="Leave", value="leave", description="Your stake goes back"),
        ]
        menu.add_item(ui.Select(custom_id="more", placeholder="More…", options=options))
        box.add_item(menu)
        pieces: ui.ActionRow[Board] = ui.ActionRow()
        five = [discord.SelectOption(label=name, value=name) for name in PIECES]
        pieces.add_item(
            ui.Select(custom_id="three", placeholder="Which three?", options=five, min_values=3, max_values=3)
        )
        box.add_item(pieces)
        self.add_item(box)


def ox() -> discord.File:
    """A wide green picture."""
    data = io.BytesIO()
    Image.new("RGB", (900, 360), (36, 128, 70)).save(data, "PNG")
    data.seek(0)
    return discord.File(data, "ox.png", description=OX)


class German(app_commands.Translator):
    """Knows the names of `/table open`, of its option, and of the sides of a bet in German."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: Any
    ) -> str | None:
        words = {
            "table": "tisch",
            "open": "öffnen",
            "game": "spiel",
            "Open a table here": "Öffnet einen Tisch",
        }
        words |= {"Left": "Links", "Right": "Rechts", "side": "seite"}
        return words.get(string.message) if locale is discord.Locale.german else None


class PageBot(discord.Client):
    """Replies to the commands and buttons of the tests.

    Attributes:
        heard: the custom_ids and commands it got, in order.
        locales: the locale of each interaction, in order.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True, guild_messages=True), guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)
        self.ready = asyncio.Event()
        self.heard: list[str] = []
        self.locales: list[str] = []
        add_commands(self)

    async def setup_hook(self) -> None:
        await self.tree.set_translator(German())
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.ready.set()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.locales.append(interaction.locale.value)
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data
        self.heard.append(data["custom_id"])
        whom = interaction.user.id
        match data["custom_id"]:
            case "count":
                board = Board(whom, self.heard.count("count"))
                await interaction.response.edit_message(view=board, attachments=[ox()])
            case "more" | "three":
                board = Board(whom, picked=" ".join(data["values"]))
                await interaction.response.edit_message(view=board, attachments=[ox()])
            case "ask":
                await interaction.response.send_modal(Amount())
            case "card":
                await interaction.response.defer()
                await interaction.user.send("Your cards: A♠ K♦")


def add_commands(bot: PageBot) -> None:
    """The commands of the tests."""
    tree = bot.tree

    @tree.command(description="Your balance")
    async def wallet(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("You have **1,000** chips.", ephemeral=True)

    @tree.command(description="Says nothing at all")
    async def silence(interaction: discord.Interaction) -> None:
        bot.heard.append("silence")

    @tree.command(description="Thinks first")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await asyncio.sleep(0.4)
        await interaction.followup.send("Thought about it.")

    @tree.command(description="Place a bet")
    @app_commands.describe(amount="How many chips", side="On which side", word="A word to go with it")
    @app_commands.choices(
        side=[app_commands.Choice(name="Left", value="l"), app_commands.Choice(name="Right", value="r")]
    )
    async def bet(
        interaction: discord.Interaction,
        amount: app_commands.Range[int, 5, 100],
        side: app_commands.Choice[str] | None = None,
        word: str | None = None,
        whom: discord.Member | None = None,
    ) -> None:
        named = [
            side.name if side else "no side",
            word or "no word",
            whom.display_name if whom else "nobody",
        ]
        await interaction.response.send_message(f"Bet {amount}: {', '.join(named)}.")

    @bet.autocomplete("word")
    async def words(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        every = ["ox", "oxen", "bull"]
        return [
            app_commands.Choice(name=f"the {word}", value=word) for word in every if word.startswith(current)
        ]

    table = app_commands.Group(name="table", description="Tables")

    @table.command(name="open", description="Open a table here")
    @app_commands.describe(game="What to play")
    async def open_table(interaction: discord.Interaction, game: str = "gnau") -> None:
        bot.heard.append(f"open {game}")
        await interaction.response.send_message(view=Board(interaction.user.id), file=ox())

    tree.add_command(table)


@asynccontextmanager
async def running(stand_in: StandIn, patch: pytest.MonkeyPatch) -> AsyncIterator[PageBot]:
    """Runs the bot, logged in to the stand-in."""
    patch.setattr(discord.http.Route, "BASE", stand_in.api_url)
    patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(stand_in.gateway_url))
    bot = PageBot()
    connection = asyncio.create_task(bot.start(stand_in.token))
    try:
        ready = asyncio.create_task(bot.ready.wait())
        await asyncio.wait([ready, connection], return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            await connection
        yield bot
    finally:
        await bot.close()
        await connection
