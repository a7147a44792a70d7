"""Opening and closing tables, and the seats at them."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.croupier import ChannelNotAllowedError, ChannelTakenError
from bot.rules.knobs import GameName, Play
from bot.table.commands import CloseTable, Join, Leave
from bot.table.state import Phase, TableState
from bot.ui.boards import boards_of
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, ask, member_of, reply, reply_text, whole_lines
from bot.ui.table_choice import choose_table, suggest_tables, tables_within_reach
from bot.ui.views.board_text import EMOJI
from bot.ui.views.presses import Press, PressAction
from bot.words import either, game_title

PLAY_TITLES: Final = {Play.CHIPS: "Chips", Play.POINTS: "Points"}
NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel to keep a board there; threads need their own right to send."""


class Tables(commands.Cog):
    """The commands and buttons about tables themselves."""

    table = app_commands.Group(name="table", description="Tables of Gnau and Tau Ngau", guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @table.command(name="open", description="Open a table in this channel")
    @app_commands.describe(
        game="Which game; Gnau where you say none", play="What for; chips where you say nothing"
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=game_title(game), value=game.value) for game in GameName],
        play=[app_commands.Choice(name=PLAY_TITLES[play], value=play.value) for play in Play],
    )
    async def open(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        play: app_commands.Choice[str] | None = None,
    ) -> None:
        """Opens a table here, and answers with its board."""
        async with answering(interaction):
            assert interaction.guild_id is not None
            assert interaction.channel_id is not None
            if lacking := _lacking(interaction):
                await reply(interaction, f"I may not keep a board here: allow me to {' and '.join(lacking)}.")
                return
            try:
                state = await self.bot.croupier.open_table(
                    interaction.guild_id,
                    interaction.channel_id,
                    member_of(interaction),
                    interaction.id,
                    GameName.GNAU if game is None else GameName(game.value),
                    Play.CHIPS if play is None else Play(play.value),
                    parent_id=_parent_id(interaction),
                )
            except ChannelNotAllowedError as elsewhere:
                await reply(interaction, _elsewhere(elsewhere.channels))
            except ChannelTakenError as taken:
                await self._tell_of(interaction, taken.table)
            else:
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
                await reply(interaction, f"Table {state.number} is closed. Every bet went back.")

    @table.command(name="list", description="The tables open in this server, where you may see them")
    async def list(self, interaction: Interaction) -> None:
        """Lists the tables with a link to each board."""
        async with answering(interaction):
            tables = tables_within_reach(interaction)
            lines = [self._line(table) for table in tables] or ["No table is open: `/table open` opens one."]
            await reply_text(interaction, whole_lines(lines))

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons about seats, and about closing."""
        async with answering(interaction):
            match press.action:
                case PressAction.JOIN:
                    await self._carry_out(interaction, press, Join(member_of(interaction)))
                case PressAction.LEAVE:
                    await self._carry_out(interaction, press, Leave(interaction.user.id))
                case PressAction.CLOSE:
                    if state := await self._close(interaction, press.table_id):
                        await own_views_of(self.bot).show(interaction, state)

    async def _tell_of(self, interaction: Interaction, table: TableState) -> None:
        """Shows the table that is open in this channel already, or where its board is."""
        link = boards_of(self.bot).link(table.table_id)
        if link is None:
            await boards_of(self.bot).post(interaction, table)
            return
        await reply(interaction, f"Table {table.number} is open in this channel already. {link}")

    async def _carry_out(self, interaction: Interaction, press: Press, command: Join | Leave) -> None:
        if state := await ask(interaction, press.table_id, command):
            await own_views_of(self.bot).show(interaction, state)

    async def _close(self, interaction: Interaction, table_id: int) -> TableState | None:
        return await ask(
            interaction, table_id, CloseTable(interaction.user.id, interaction.permissions.manage_guild)
        )

    def _line(self, table: TableState) -> str:
        bank = f"bank <@{table.bank.member.member_id}>" if table.bank else "no banker"
        players = len(table.seats)
        out = f"{table.game.piece_word}s are out"
        phase = {Phase.OPEN: "waits", Phase.BETTING: "bets are open", Phase.DEALT: out}
        return (
            f"{EMOJI[table.rules.game]} **Table {table.number}** · <#{table.channel_id}> · {bank} · "
            f"{players} {'player' if players == 1 else 'players'} · {phase[table.phase]} "
            f"{boards_of(self.bot).link(table.table_id) or ''}"
        )


def _parent_id(interaction: Interaction) -> int | None:
    """The channel that a thread belongs to; None elsewhere."""
    return interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None


def _elsewhere(channels: Sequence[int]) -> str:
    """Where this house holds its tables instead."""
    return (
        f"This house holds its tables in {either([f'<#{channel}>' for channel in channels])}: open one there."
    )


def _lacking(interaction: Interaction) -> list[str]:
    """What the bot is not allowed in this channel and needs, in words."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = [*NEEDED, *(["send_messages_in_threads"] if thread else [])]
    if thread:
        needed.remove("send_messages")
    allowed = interaction.app_permissions
    return [name.replace("_", " ") for name in needed if not getattr(allowed, name)]


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Tables(bot))
