"""`/help`: what to do now, where somebody stands."""

from collections.abc import AsyncIterator

from discord import app_commands
from discord.ext import commands

from bot.croupier.handouts import is_broke
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank
from bot.table.bank import can_bank
from bot.table.seats import NOBODY, THE_HOUSE
from bot.table.state import TableState
from bot.ui.absences import channels_there
from bot.ui.bot import GnauBot
from bot.ui.guide.help_text import broke_lines, table_lines
from bot.ui.press.command_texts import command_text
from bot.ui.press.replies import Interaction, reply_lines
from bot.ui.press.table_choice import tables_within_reach
from bot.wire.press_interaction import thread_parent
from bot.words.tables import held_elsewhere_words
from bot.words.translation import set_reader, translate


class Help(commands.Cog):
    """The command that says what to do now."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="help", description=command_text("command.help"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(self, interaction: Interaction) -> None:
        """Says in a few lines what to do now; stores nothing about who asks."""
        lines = [line async for line in self._lines(interaction)]
        await reply_lines(interaction, lines)

    async def _lines(self, interaction: Interaction) -> AsyncIterator[str]:
        within = tables_within_reach(interaction, self.bot.croupier)
        here = [table for table in within if table.channel_id == interaction.channel_id]
        own = [table for table in within if table.has(self._party(interaction, table.server_id))]
        table = next(iter([*here, *own]), None)
        server_id = interaction.guild_id if table is None else table.server_id
        if server_id is not None:
            set_reader(self.bot.readers.of_interaction(interaction, server_id))
        if server_id is None:
            yield translate("reply.no_table_of_yours")
        elif (table is None or not table.for_points) and await self._is_broke(interaction, server_id):
            for line in broke_lines(self.bot.houses.house_of(server_id).server, has_table=bool(here)):
                yield line
        elif table is None:
            async for line in self._to_open(interaction, server_id, len(within)):
                yield line
        else:
            covers = await self._house_covers(server_id, table.rules)
            for line in table_lines(table, self._party(interaction, server_id), house_covers=covers):
                yield line
        if table is not None:
            yield self._where(table)
        yield translate("help.more" if interaction.guild_id is not None else "help.more_by_message")
        if interaction.guild_id is not None and interaction.permissions.manage_guild:
            yield translate("help.managing")

    async def _to_open(self, interaction: Interaction, server_id: int, others: int) -> AsyncIterator[str]:
        """How to get to a table from a channel without one."""
        rules = self.bot.houses.house_of(server_id).rules()
        channels = rules.channels
        if channels and not {interaction.channel_id, thread_parent(interaction)} & set(channels):
            yield held_elsewhere_words(await channels_there(self.bot, server_id, channels))
        else:
            yield translate("help.no_table")
            if rules.house_bank is not HouseBank.OFF and await self._house_covers(server_id, rules):
                yield translate("help.play_house")
        if others:
            yield translate("help.other_tables", count=others)

    def _where(self, table: TableState) -> str:
        """The table that this is about, with a link to its board."""
        name = translate("table.name", number=table.number)
        return f"{name} · {self.bot.boards.link(table.table_id) or f'<#{table.channel_id}>'}"

    def _party(self, interaction: Interaction, server_id: int) -> int:
        """The party of the member who asks, as far as it is in memory, as for everybody at an open table."""
        return self.bot.croupier.identities.known(server_id, interaction.user.id)

    async def _house_covers(self, server_id: int, rules: HouseRules) -> bool:
        """Whether the house has the chips to bank under these rules (B07)."""
        stack = await self.bot.croupier.ledger.stacks.of((server_id, THE_HOUSE))
        return stack.wallet is None or can_bank(rules, rules.lowest_stake, stack.wallet)

    async def _is_broke(self, interaction: Interaction, server_id: int) -> bool:
        """Whether who asks has too few chips for the lowest bet; a newcomer still gets the opening chips."""
        croupier = self.bot.croupier
        party = await croupier.identities.find(server_id, interaction.user.id)
        if party == NOBODY:
            return False
        stack = await croupier.ledger.stacks.of((server_id, party))
        return stack.wallet is not None and is_broke(stack, self.bot.houses.house_of(server_id))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Help(bot))
