"""Opening and closing tables, seats and the bank, and winding up where nobody can play any more (B06)."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.croupier import ChannelTakenError
from bot.table.commands import CloseTable, GiveUpBank, Join, Leave, TakeBank
from bot.table.obstacles import Action, obstacle
from bot.table.state import Phase, TableState
from bot.words import refusal
from cogs._answers import Interaction, answering, ask, member_of, say, show_text, whole_lines
from cogs._boards import boards_of
from cogs._hands import hands_of
from cogs._tables import choose_table, suggest_tables, table_or_raise
from cogs._views.board import DEFAULT_LIMITS
from cogs._views.forms import HIGHEST, LOWEST, bank_form, parse_chips
from cogs._views.presses import ANY_ROUND, Press, PressAction

NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel to keep a board there; threads need their own right to send."""


class Tables(commands.Cog):
    """The commands and buttons about tables themselves."""

    table = app_commands.Group(name="table", description="Tables of Gnau", guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @table.command(name="open", description="Open a table in this channel")
    async def open(self, interaction: Interaction) -> None:
        """Opens a table here, and answers with its board."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            assert interaction.channel_id is not None
            if lacking := _lacking(interaction):
                await say(interaction, f"I may not keep a board here: allow me to {' and '.join(lacking)}.")
                return
            try:
                state = await self.bot.croupier.open_table(
                    interaction.guild_id, interaction.channel_id, member_of(interaction), interaction.id
                )
            except ChannelTakenError as taken:
                link = boards_of(self.bot).link(taken.table.table_id)
                if link is None:
                    await boards_of(self.bot).post(interaction, taken.table)
                    return
                await say(interaction, f"Table {taken.table.number} is open in this channel already. {link}")
                return
            await boards_of(self.bot).post(interaction, state)

    @table.command(
        name="close", description="Close a table: for whoever opened it, its banker, and moderators"
    )
    @app_commands.describe(table="Which table, if not this channel's")
    @app_commands.autocomplete(table=suggest_tables)
    async def close(self, interaction: Interaction, table: str | None = None) -> None:
        """Closes a table; bets go back."""
        async with answering(interaction):
            if state := await self._close(interaction, choose_table(interaction, table).table_id):
                await say(interaction, f"Table {state.number} is closed. Every bet went back.")

    @table.command(name="list", description="The tables open in this server")
    async def list(self, interaction: Interaction) -> None:
        """Lists the tables with a link to each board."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            tables = self.bot.croupier.tables.of_server(interaction.guild_id)
            lines = [self._line(table) for table in tables] or ["No table is open: `/table open` opens one."]
            await show_text(interaction, whole_lines(lines))

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons about seats, the bank, and closing."""
        async with answering(interaction):
            match press.action:
                case PressAction.JOIN:
                    await self._carry_out(interaction, press, Join(member_of(interaction)))
                case PressAction.LEAVE:
                    await self._carry_out(interaction, press, Leave(interaction.user.id))
                case PressAction.GIVE_UP:
                    await self._carry_out(interaction, press, GiveUpBank(interaction.user.id))
                case PressAction.BANK:
                    await self._ask_for_limits(interaction, table_or_raise(self.bot.croupier, press.table_id))
                case PressAction.CLOSE:
                    if state := await self._close(interaction, press.table_id):
                        await hands_of(self.bot).show(interaction, state)

    @commands.Cog.listener()
    async def on_table_form(self, interaction: Interaction, press: Press, values: dict[str, str]) -> None:
        """Takes the bank within the limits that a form brings."""
        if press.action is not PressAction.BANK:
            return
        async with answering(interaction):
            try:
                limits = parse_chips(values[LOWEST]), parse_chips(values[HIGHEST])
            except ValueError as wrong:
                await say(interaction, str(wrong))
                return
            table = table_or_raise(self.bot.croupier, press.table_id)
            rules = self.bot.croupier.rules_for(table)
            if state := await ask(
                interaction, press.table_id, TakeBank(member_of(interaction), *limits, rules)
            ):
                await hands_of(self.bot).show(interaction, state)

    async def _carry_out(
        self, interaction: Interaction, press: Press, command: Join | Leave | GiveUpBank
    ) -> None:
        if state := await ask(interaction, press.table_id, command):
            await hands_of(self.bot).show(interaction, state)

    async def _close(self, interaction: Interaction, table_id: int) -> TableState | None:
        return await ask(
            interaction, table_id, CloseTable(interaction.user.id, interaction.permissions.manage_guild)
        )

    async def _ask_for_limits(self, interaction: Interaction, table: TableState) -> None:
        if refused := obstacle(table, Action.TAKE_BANK):
            await say(interaction, refusal(refused))
            return
        croupier = self.bot.croupier
        multiple = croupier.rules_for(table).largest_multiple
        purse = await croupier.purse(table.server_id, interaction.user.id)
        highest = max(1, min(DEFAULT_LIMITS[1], purse.wallet // multiple))
        lowest = min(DEFAULT_LIMITS[0], highest)
        press = Press(table.table_id, ANY_ROUND, PressAction.BANK)
        await interaction.response.send_modal(bank_form(press, lowest, highest, multiple))

    def _line(self, table: TableState) -> str:
        bank = f"bank <@{table.bank.member.member_id}>" if table.bank else "no banker"
        players = len(table.seats)
        phase = {Phase.OPEN: "waits", Phase.BETTING: "bets are open", Phase.DEALT: "cards are out"}
        return (
            f"**Table {table.number}** · <#{table.channel_id}> · {bank} · "
            f"{players} {'player' if players == 1 else 'players'} · {phase[table.phase]} "
            f"{boards_of(self.bot).link(table.table_id) or ''}"
        )


class Departures(commands.Cog):
    """Hears of channels, servers and members that are gone, and lets nobody's chips hang there (B06)."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Winds up the tables whose server or channel went while the bot was away."""
        for table in self.bot.croupier.tables.all():
            server = self.bot.get_guild(table.server_id)
            if server is None:
                await self.bot.croupier.wind_up([table])
            elif not server.unavailable and server.get_channel_or_thread(table.channel_id) is None:
                await self._wind_up_if_gone(table)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Winds up every table of a server that the bot is no longer in."""
        await self.bot.croupier.wind_up(self.bot.croupier.tables.of_server(guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Winds up the table of a channel that was deleted; of its threads other events tell."""
        tables = self.bot.croupier.tables.of_server(channel.guild.id)
        gone = [table for table in tables if table.channel_id == channel.id]
        await self.bot.croupier.wind_up(gone)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Winds up the table of a thread that was deleted."""
        if table := self.bot.croupier.tables.in_channel(payload.thread_id):
            await self.bot.croupier.wind_up([table])

    async def _wind_up_if_gone(self, table: TableState) -> None:
        """Asks Discord before it believes that a channel is gone: an archived thread is in no list."""
        try:
            await self.bot.fetch_channel(table.channel_id)
        except discord.NotFound:
            await self.bot.croupier.wind_up([table])
        except discord.HTTPException:
            return


def _lacking(interaction: Interaction) -> list[str]:
    """What the bot is not allowed in this channel and needs, in words."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = [*NEEDED, *(["send_messages_in_threads"] if thread else [])]
    if thread:
        needed.remove("send_messages")
    allowed = interaction.app_permissions
    return [name.replace("_", " ") for name in needed if not getattr(allowed, name)]


async def setup(bot: GnauBot) -> None:
    """Loads the cogs."""
    await bot.add_cog(Tables(bot))
    await bot.add_cog(Departures(bot))
