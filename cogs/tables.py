"""Opening, listing and closing tables, and the seats at them."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.games.register import GAMES
from bot.rules.knobs import GameName, Play
from bot.table.commands import CloseTable, Join, Leave
from bot.table.state import Phase, TableState
from bot.ui.bot import GnauBot
from bot.ui.press.command_texts import choices, command_text
from bot.ui.press.custom_ids import ChannelAction, ChannelPress, TableAction, TablePress
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import Interaction, reply, reply_lines
from bot.ui.press.router import handles
from bot.ui.press.table_choice import suggest_tables, tables_within_reach
from bot.ui.table_opening import open_table
from bot.words.translation import translate

_PHASES: Final = {Phase.OPEN: "list.open", Phase.BETTING: "list.betting", Phase.DEALT: "list.dealt"}


class Tables(commands.Cog):
    """The commands and buttons about tables themselves."""

    table = app_commands.Group(name="table", description=command_text("command.table"), guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @table.command(name="open", description=command_text("command.table.open"))
    @app_commands.describe(game=command_text("option.open.game"), play=command_text("option.open.play"))
    @app_commands.choices(game=choices("game", GAMES), play=choices("choice", Play))
    async def open(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        play: app_commands.Choice[str] | None = None,
    ) -> None:
        """Opens a table here, and answers with its board."""
        chosen = None if game is None else game.value
        await self._open(interaction, chosen, Play.CHIPS if play is None else Play(play.value))

    @table.command(name="close", description=command_text("command.table.close"))
    @app_commands.describe(table=command_text("option.table"))
    async def close(self, interaction: Interaction, table: str | None = None) -> None:
        """Closes a table; all bets are returned."""
        meant = self.bot.choose_table(interaction, table)
        party = await self.bot.party_in(interaction, meant.server_id)
        command = CloseTable(party, interaction.permissions.manage_guild)
        closed = await self.bot.ask(interaction, meant.table_id, command)
        code = "reply.table_now_closed_points" if closed.for_points else "reply.table_now_closed"
        await reply(interaction, translate(code, number=closed.number))

    @close.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return suggest_tables(interaction, self.bot.croupier, typed)

    @table.command(name="list", description=command_text("command.table.list"))
    async def list(self, interaction: Interaction) -> None:
        """Lists the tables with a link to each board."""
        tables = tables_within_reach(interaction, self.bot.croupier)
        lines = [self._line(table) for table in tables] or [translate("reply.no_tables")]
        await reply_lines(interaction, lines)

    @handles(TableAction.JOIN)
    async def join(self, interaction: Interaction, press: TablePress) -> None:
        """Takes a seat."""
        await self.bot.carry_out(interaction, press.table_id, Join(press.presser))

    @handles(TableAction.LEAVE)
    async def leave(self, interaction: Interaction, press: TablePress) -> None:
        """Leaves the seat."""
        await self.bot.carry_out(interaction, press.table_id, Leave(press.presser))

    @handles(TableAction.CLOSE)
    async def close_pressed(self, interaction: Interaction, press: TablePress) -> None:
        """Closes the table; all bets are returned."""
        command = CloseTable(press.presser, interaction.permissions.manage_guild)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(ChannelAction.OPEN)
    async def open_again(self, interaction: Interaction, press: ChannelPress) -> None:
        """Opens a table in the channel of the button, of the game and the way of playing that it names."""
        if interaction.guild_id is None:
            raise MemberError("reply.only_in_server")
        await self._open(interaction, press.game, press.play)

    async def _open(self, interaction: Interaction, game: GameName | None, play: Play) -> None:
        """Opens a table here, and answers with its board, or with the link to it if it is posted already."""
        table = await open_table(self.bot, interaction, game, play)
        if not await self.bot.boards.post(interaction, table):
            link = self.bot.boards.link(table.table_id) or ""
            await reply(interaction, translate("reply.table_open_here", number=table.number, link=link))

    def _line(self, table: TableState) -> str:
        bank = table.bank
        banker = (
            translate("list.bank", who=self.bot.names.mention(bank.party))
            if bank
            else translate("list.no_bank")
        )
        parts = [
            f"{table.game.display.emoji} **{translate('table.name', number=table.number)}**",
            f"<#{table.channel_id}>",
            banker,
            translate("list.players", count=len(table.members)),
            translate(_PHASES[table.phase]),
        ]
        return f"{' · '.join(parts)} {self.bot.boards.link(table.table_id) or ''}"


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Tables(bot))
