"""A member's chips and points: what he has, what moved, and who leads."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.ledger.records import Entry
from bot.rules.knobs import Play
from bot.table.money import Reason
from bot.ui.replies import Interaction, answering, reply_text, whole_lines
from bot.ui.views.mentions import mention
from bot.ui.views.presses import new_layout
from bot.words import chips, entry_words, signed, signed_points

ENTRIES: Final = 15
LEADERS: Final = 10
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
NOWHERE: Final = "You sit at no table, so it is not clear which server you mean: ask me there."


class PurseCog(commands.Cog, name="Purse"):
    """The commands about chips and points."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(
        name="wallet", description="Your chips and your score: what is free, what is held, and where"
    )
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
                standing = await self.bot.croupier.ledger.standing(server_id, interaction.user.id)
                if standing is not None:
                    lines.append(f"**{signed_points(standing.points)}** where points are played for")
            await reply_text(interaction, whole_lines(lines or [NOWHERE]))

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
            await reply_text(interaction, whole_lines(lines or [NOWHERE]))

    @app_commands.command(name="leaderboard", description="Who leads this server, and your own place")
    @app_commands.describe(of="In what; in chips where you say nothing")
    @app_commands.choices(of=[app_commands.Choice(name=play.value, value=play.value) for play in Play])
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, of: app_commands.Choice[str] | None = None) -> None:
        """Lists the ten who lead in chips or in points, and the member's own place."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            in_points = of is not None and Play(of.value) is Play.POINTS
            board = self._points_board if in_points else self._chips_board
            view = new_layout()
            view.add_item(discord.ui.TextDisplay(await board(interaction.guild_id, interaction.user.id)))
            await interaction.response.send_message(view=view)

    async def _chips_board(self, server_id: int, member_id: int) -> str:
        """Who is richest, held chips counted in."""
        croupier = self.bot.croupier
        await croupier.open_wallet(server_id, member_id)
        ranks = await croupier.ledger.leaderboard(server_id, LEADERS)
        own = await croupier.ledger.rank(server_id, member_id)
        lines = ["## 🏆 The richest"]
        lines += [_place_line(rank.place, rank.member_id, chips(rank.chips)) for rank in ranks]
        if own is not None:
            lines.append(f"-# You are number {own.place} with {chips(own.chips)}.")
        return "\n".join(lines)

    async def _points_board(self, server_id: int, member_id: int) -> str:
        """Who leads where points are played for (G22)."""
        ledger = self.bot.croupier.ledger
        standings = await ledger.scoreboard(server_id, LEADERS)
        own = await ledger.standing(server_id, member_id)
        lines = ["## 🏆 The most points"]
        lines += [_place_line(one.place, one.member_id, signed_points(one.points)) for one in standings]
        if not standings:
            lines.append("Nobody has points here yet: `/table open play:points` opens a table.")
        elif own is None:
            lines.append("-# You have no points here yet.")
        else:
            lines.append(f"-# You are number {own.place} with {signed_points(own.points)}.")
        return "\n".join(lines)

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


def _place_line(place: int, member_id: int, has: str) -> str:
    return f"{MEDALS.get(place, f'`{place:>2}`')} {mention(member_id)} · {has}"


def _entry_line(entry: Entry) -> str:
    where = f" · table {entry.table_number}" if entry.table_number else ""
    which = f", round {entry.round_number}" if entry.round_number else ""
    why = entry_words(Reason(entry.reason), entry.chips, entry.other_id)
    return f"<t:{int(entry.at)}:t> **{signed(entry.chips)}** {why}{where}{which}"


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(PurseCog(bot))
