"""The bot: the Discord client with the services its cogs work with, as typed attributes."""

import importlib.util
import pkgutil
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GUILD_READY_SECONDS, DiscordClient
from bot.config import Settings
from bot.croupier import Croupier, Houses
from bot.table.commands import Command
from bot.table.refusals import Refused
from bot.table.state import TableState
from bot.ui.boards import Boards
from bot.ui.command_texts import CommandTranslator
from bot.ui.command_tree import CommandTree, command_name
from bot.ui.errors import RefusedError
from bot.ui.hand_delivery import HandDelivery
from bot.ui.hand_panels import HandPanels
from bot.ui.interactions import finish
from bot.ui.replies import Interaction
from bot.ui.router import Router

COGS: Final = "cogs"
"""The package whose modules are loaded as extensions."""


def cog_names() -> Iterator[str]:
    """The names of the cogs' modules, in order."""
    spec = importlib.util.find_spec(COGS)
    assert spec is not None
    for module in pkgutil.iter_modules(spec.submodule_search_locations):
        yield f"{COGS}.{module.name}"


class GnauBot(DiscordClient):
    """The bot on Discord.

    Args:
        settings: how to reach Discord.
        croupier: hosts the tables; started before the bot is.
        houses: keeps the rules of every server.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.

    Attributes:
        croupier: as given.
        houses: as given.
        boards: the messages that show the tables.
        panels: the messages that show members their own hands.
        delivery: sends hands by direct message.
        router: passes presses to the cogs.
    """

    def __init__(
        self,
        settings: Settings,
        croupier: Croupier,
        houses: Houses,
        *,
        guild_ready_seconds: float = GUILD_READY_SECONDS,
    ) -> None:
        super().__init__(settings, tree_cls=CommandTree, guild_ready_seconds=guild_ready_seconds)
        self.croupier = croupier
        self.houses = houses
        self.boards = Boards(self, croupier)
        self.panels = HandPanels(self, croupier, self.boards)
        self.delivery = HandDelivery(self, croupier, self.boards, self.panels)
        self.router = Router(croupier, self.boards)

    async def setup_hook(self) -> None:
        """Loads the cogs, registers the commands and resumes the tables, before the gateway opens.

        Raises:
            bot.ui.router.RoutingError: if an action has no handler, or two.
        """
        await self.boards.open()
        self.delivery.open()
        for name in cog_names():
            await self.load_extension(name)
        self.router.check()
        await self.tree.set_translator(CommandTranslator())
        if self.settings.sync_guild is not None:
            server = discord.Object(self.settings.sync_guild)
            self.tree.copy_global_to(guild=server)
            await self.tree.sync(guild=server)
        else:
            await self.tree.sync()
        if self.settings.gateway_url and self.shard_count is None:
            # discord.py connects to the gateway that Discord names, unless it knows how many shards to start.
            self.shard_count, *_ = await self.http.get_bot_gateway()
        await self.croupier.go_on()

    async def close(self) -> None:
        """Disconnects, and cancels messages that wait."""
        await self.boards.close()
        await self.delivery.close()
        await self.panels.close()
        await super().close()

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        """Adds a cog and its handlers; neither, if it raises."""
        self.router.add(cog)
        try:
            await super().add_cog(cog, **options)
        except BaseException:
            self.router.remove(cog)
            raise

    async def remove_cog(self, name: str, /, **options: Any) -> commands.Cog | None:
        """Removes a cog and its handlers."""
        cog = await super().remove_cog(name, **options)
        if cog is not None:
            self.router.remove(cog)
        return cog

    async def on_interaction(self, interaction: Interaction) -> None:
        """Routes every press."""
        await self.router.route(interaction)

    async def on_app_command_completion(
        self, interaction: Interaction, command: app_commands.Command[Any, ..., Any]
    ) -> None:
        """Logs that a command succeeded, and how long it took."""
        finish(interaction, command_name(interaction), "done")

    async def ask(self, interaction: Interaction, table_id: int, command: Command) -> TableState:
        """Asks a table to do something for the member who pressed or typed.

        Returns:
            The table afterwards.

        Raises:
            RefusedError: if the table refuses.
            NoSuchTableError: if the table is closed.
            LedgerError: if it could not be written.
        """
        decided = await self.croupier.ask(table_id, command, interaction.user.id, str(interaction.id))
        if isinstance(decided, Refused):
            raise RefusedError(decided)
        return decided

    async def carry_out(self, interaction: Interaction, table_id: int, command: Command) -> None:
        """Asks a table to do something, and updates the message that was pressed.

        Raises:
            As `ask` does.
        """
        await self.panels.update(interaction, await self.ask(interaction, table_id, command))
