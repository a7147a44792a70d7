"""The bank: who takes it, rolls for it, sets its limits, or gives it up (G03, T03)."""

from discord.ext import commands

from bot.client import GnauBot
from bot.table.commands import Command, GiveUpBank, RollForBank, SetLimits, TakeBank
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, refuse
from bot.table.state import TableState
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, ask, member_of, reply
from bot.ui.table_choice import table_or_raise
from bot.ui.views.board import DEFAULT_LIMITS
from bot.ui.views.modals import HIGHEST, LOWEST, bank_form, parse_chips
from bot.ui.views.presses import ANY_ROUND, Press, PressAction
from bot.words import refusal


class Banking(commands.Cog):
    """The buttons about the bank."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons by which the bank is taken, rolled for, limited, or given up."""
        async with answering(interaction):
            match press.action:
                case PressAction.BANK:
                    await self._take(interaction, table_or_raise(self.bot.croupier, press.table_id))
                case PressAction.ROLL:
                    rules = self.bot.croupier.rules_for(table_or_raise(self.bot.croupier, press.table_id))
                    # The dice are thrown where chance is kept, by the croupier.
                    await self._carry_out(interaction, press, RollForBank(interaction.user.id, (), rules))
                case PressAction.LIMITS:
                    await self._ask_for_limits(interaction, table_or_raise(self.bot.croupier, press.table_id))
                case PressAction.GIVE_UP:
                    await self._carry_out(interaction, press, GiveUpBank(interaction.user.id))

    @commands.Cog.listener()
    async def on_table_form(self, interaction: Interaction, press: Press, values: dict[str, str]) -> None:
        """Takes the bank within the limits that a form brings, or moves them."""
        if press.action not in (PressAction.BANK, PressAction.LIMITS):
            return
        async with answering(interaction):
            try:
                limits = parse_chips(values[LOWEST]), parse_chips(values[HIGHEST])
            except ValueError as wrong:
                await reply(interaction, str(wrong))
                return
            if press.action is PressAction.LIMITS:
                await self._carry_out(interaction, press, SetLimits(interaction.user.id, *limits))
            else:
                table = table_or_raise(self.bot.croupier, press.table_id)
                await self._carry_out(interaction, press, self._taking(interaction, table, limits))

    async def _carry_out(self, interaction: Interaction, press: Press, command: Command) -> None:
        if state := await ask(interaction, press.table_id, command):
            await own_views_of(self.bot).show(interaction, state)

    def _taking(self, interaction: Interaction, table: TableState, limits: tuple[int, int]) -> TakeBank:
        return TakeBank(member_of(interaction), *limits, self.bot.croupier.rules_for(table))

    async def _take(self, interaction: Interaction, table: TableState) -> None:
        """Asks within which limits; where points are played for there are none to ask for (G22)."""
        if refused := unmet_precondition(table, Action.TAKE_BANK):
            await reply(interaction, refusal(refused))
            return
        if table.for_points:
            press = Press(table.table_id, ANY_ROUND, PressAction.BANK)
            await self._carry_out(interaction, press, self._taking(interaction, table, DEFAULT_LIMITS))
            return
        rules = self.bot.croupier.rules_for(table)
        purse = await self.bot.croupier.purse(table.server_id, interaction.user.id)
        lowest, highest = (
            max(rules.lowest_stake, min(limit, rules.highest_stake, purse.wallet // rules.largest_multiple))
            for limit in DEFAULT_LIMITS
        )
        press = Press(table.table_id, ANY_ROUND, PressAction.BANK)
        await interaction.response.send_modal(bank_form(press, lowest, highest, rules.largest_multiple))

    async def _ask_for_limits(self, interaction: Interaction, table: TableState) -> None:
        refused = unmet_precondition(table, Action.LIMITS)
        if refused is None and table.bank is not None and not table.is_banker(interaction.user.id):
            refused = refuse(Refusal.NOT_BANKER, banker=table.bank.member.name)
        if refused is not None:
            await reply(interaction, refusal(refused))
            return
        assert table.bank is not None
        press = Press(table.table_id, ANY_ROUND, PressAction.LIMITS)
        multiple = table.rules.largest_multiple
        await interaction.response.send_modal(
            bank_form(press, table.bank.lowest, table.bank.highest, multiple)
        )


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Banking(bot))
