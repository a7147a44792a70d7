"""A member's chips: what he has, what moved, and who is richest."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.ledger.records import Entry
from bot.table.money import Reason
from bot.words import chips, reason_words, signed
from cogs._answers import Interaction, answering, show_text, whole_lines
from cogs._views.presses import new_layout

ENTRIES: Final = 15
RICHEST: Final = 10
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
NOWHERE: Final = "You sit at no table, so it is not clear which server you mean: ask me there."


class PurseCog(commands.Cog, name="Purse"):
    """The commands about chips."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="wallet", description="Your chips: what is free, what is held, and where")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def wallet(self, interaction: Interaction) -> None:
        """Tells the member what he has."""
        async with answering(interaction):
            lines = []
            for server_id in self._servers(interaction):
                purse = await self.bot.croupier.purse(server_id, interaction.user.id)
                lines.append(f"{self._heading(interaction, server_id)}**{chips(purse.wallet)}** free")
                lines += [
                    f"**{chips(held.chips)}** held at table {held.number}, <#{held.channel_id}>: "
                    "the most you can lose in this round"
                    for held in purse.held
                ]
            await show_text(interaction, whole_lines(lines or [NOWHERE]))

    @app_commands.command(name="ledger", description="What moved your chips last")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def ledger(self, interaction: Interaction) -> None:
        """Lists the member's last entries, newest first."""
        async with answering(interaction):
            lines = []
            for server_id in self._servers(interaction):
                if heading := self._heading(interaction, server_id):
                    lines.append(f"### {heading.removesuffix(' · ')}")
                await self.bot.croupier.open_wallet(server_id, interaction.user.id)
                entries = await self.bot.croupier.ledger.entries(server_id, interaction.user.id, ENTRIES)
                lines += [_entry_line(entry) for entry in entries]
            await show_text(interaction, whole_lines(lines or [NOWHERE]))

    @app_commands.command(name="leaderboard", description="The richest of this server, and your own place")
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction) -> None:
        """Lists the ten richest, and the member's own place."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            croupier = self.bot.croupier
            await croupier.open_wallet(interaction.guild_id, interaction.user.id)
            ranks = await croupier.ledger.leaderboard(interaction.guild_id, RICHEST)
            own = await croupier.ledger.rank(interaction.guild_id, interaction.user.id)
            lines = ["## 🏆 The richest"]
            lines += [
                f"{MEDALS.get(rank.place, f'`{rank.place:>2}`')} <@{rank.member_id}> · {chips(rank.chips)}"
                for rank in ranks
            ]
            if own is not None:
                lines.append(f"-# You are number {own.place} with {chips(own.chips)}.")
            view = new_layout()
            view.add_item(discord.ui.TextDisplay("\n".join(lines)))
            await interaction.response.send_message(view=view)

    def _servers(self, interaction: Interaction) -> list[int]:
        """The servers that are meant: this one, or in direct messages those where the member sits."""
        if interaction.guild_id is not None:
            return [interaction.guild_id]
        tables = self.bot.croupier.tables.of_member(interaction.user.id)
        return list(dict.fromkeys(table.server_id for table in tables))

    def _heading(self, interaction: Interaction, server_id: int) -> str:
        """Whose chips a line is about, where the message does not stand in that server; else nothing."""
        server = self.bot.get_guild(server_id)
        if interaction.guild_id is not None or server is None:
            return ""
        return f"{discord.utils.escape_markdown(server.name)} · "


def _entry_line(entry: Entry) -> str:
    where = f" · table {entry.table_number}" if entry.table_number else ""
    which = f", round {entry.round_number}" if entry.round_number else ""
    why = reason_words(Reason(entry.reason))
    return f"<t:{int(entry.at)}:t> **{signed(entry.chips)}** {why}{where}{which}"


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(PurseCog(bot))
