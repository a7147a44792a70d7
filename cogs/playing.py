"""`/play`: the shortest way to a first bet, against the house if nobody else banks (B07)."""

from discord import app_commands
from discord.ext import commands

from bot.games.register import GAMES
from bot.rules.knobs import Play
from bot.table.betting import largest_stake
from bot.table.commands import PlayHouse
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from bot.ui.bot import GnauBot
from bot.ui.press.command_texts import choices, command_text
from bot.ui.press.custom_ids import TableAction, TablePress
from bot.ui.press.late_interactions import not_after
from bot.ui.press.replies import Interaction
from bot.ui.press.router import handles
from bot.ui.press.table_choice import table_or_raise
from bot.ui.table_opening import open_table


class Playing(commands.Cog):
    """The command and the button by which one member alone can play."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="play", description=command_text("command.play"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    @app_commands.guild_only()
    async def play(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        """Opens or finds a table here, has the house bank if nobody does, and asks for the first bet."""
        table = await open_table(self.bot, interaction, None if game is None else game.value, Play.CHIPS)
        party = await self.bot.party_in(interaction, table.server_id)
        answer: TableState | Refused = table
        if table.bank is None:
            answer = await self._play_house(interaction, table, party, f"{interaction.id}:house")
            # Somebody else may have had the house bank meanwhile.
            table = table_or_raise(self.bot.croupier, table.table_id)
        if await self.bot.boards.post(interaction, table):
            # The board says what to press, also where the house does not bank.
            return
        if isinstance(answer, Refused) and table.bank is None:
            raise self.bot.refused(answer, table)
        if not table.is_banker(party) and not _has_bet(table, party):
            most = largest_stake(table, party, await self.bot.croupier.free_chips(table, party))
            if isinstance(most, Refused):
                raise self.bot.refused(most, table)
        await self.bot.panels.show(interaction, table)

    @handles(TableAction.PLAY_HOUSE)
    async def play_house(self, interaction: Interaction, press: TablePress) -> None:
        """Has the house bank."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        decided = await self._play_house(interaction, table, press.presser, str(interaction.id))
        if isinstance(decided, Refused):
            raise self.bot.refused(decided, table)
        await self.bot.panels.update(interaction, decided)

    async def _play_house(
        self, interaction: Interaction, table: TableState, party: int, key: str
    ) -> TableState | Refused:
        """Asks the house to bank; its admin is told if it cannot."""
        command = PlayHouse(party, self.bot.croupier.rules_for(table))
        until = await not_after(interaction)
        decided = await self.bot.croupier.ask(table.table_id, command, party, key, until)
        if isinstance(decided, Refused) and decided.code is Refusal.HOUSE_CANNOT_COVER:
            self.bot.house_alarm.out_of_chips(table.server_id)
        return decided


def _has_bet(table: TableState, party: int) -> bool:
    seat = table.seat_of(party)
    return seat is not None and seat.stake is not None


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Playing(bot))
