"""The bank: taking it, rolling for it, setting its limits, giving it up (G03, T03)."""

from discord.ext import commands

from bot.games.settle import largest_multiple
from bot.table.commands import GiveUpBank, RollForBank, SetLimits, TakeBank
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, refuse
from bot.ui.bot import GnauBot
from bot.ui.modals import HIGHEST, LOWEST, bank_modal, entered_chips
from bot.ui.press.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.ui.press.replies import Interaction, open_modal
from bot.ui.press.router import handles
from bot.ui.press.table_choice import table_or_raise
from bot.ui.stakes import DEFAULT_LIMITS, offered_limits
from bot.words.translation import translate


class Banking(commands.Cog):
    """The buttons about the bank."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @handles(TableAction.BANK)
    async def take(self, interaction: Interaction, press: TablePress) -> None:
        """Asks for limits; a table for points has none, so the bank is taken at once (G22).

        Nor are there limits yet where bets stand against the house: it leaves after the round (B07).
        """
        table = table_or_raise(self.bot.croupier, press.table_id)
        if refused := unmet_precondition(table, Action.TAKE_BANK):
            raise self.bot.refused(refused, table)
        if table.for_points or table.bets:
            await self._take(interaction, press, DEFAULT_LIMITS)
            return
        rules = self.bot.croupier.rules_for(table)
        stack = await self.bot.croupier.stack(table.server_id, press.presser)
        limits = offered_limits(rules, stack.free)
        modal = TablePress(table.table_id, ANY_ROUND, TableAction.BANK_MODAL)
        await open_modal(interaction, bank_modal(modal, *limits, largest_multiple(rules)))

    @handles(TableAction.BANK_MODAL)
    async def take_within(self, interaction: Interaction, press: TablePress) -> None:
        """Takes the bank with the entered limits."""
        await self._take(interaction, press, _limits(press))

    @handles(TableAction.ROLL)
    async def roll(self, interaction: Interaction, press: TablePress) -> None:
        """Rolls for the bank."""
        rules = self.bot.croupier.rules_for(table_or_raise(self.bot.croupier, press.table_id))
        # The croupier throws the dice: that is where chance is kept.
        await self.bot.carry_out(interaction, press.table_id, RollForBank(press.presser, (), rules))

    @handles(TableAction.LIMITS)
    async def ask_for_limits(self, interaction: Interaction, press: TablePress) -> None:
        """Asks the banker for new limits."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        refused = unmet_precondition(table, Action.LIMITS)
        if refused is None and table.bank is not None and not table.is_banker(press.presser):
            refused = refuse(Refusal.NOT_BANKER, banker=table.bank.party)
        if refused is not None:
            raise self.bot.refused(refused, table)
        assert table.bank is not None
        modal = TablePress(table.table_id, ANY_ROUND, TableAction.LIMITS_MODAL)
        multiple = largest_multiple(table.rules)
        await open_modal(interaction, bank_modal(modal, table.bank.lowest, table.bank.highest, multiple))

    @handles(TableAction.LIMITS_MODAL)
    async def set_limits(self, interaction: Interaction, press: TablePress) -> None:
        """Sets the entered limits."""
        command = SetLimits(press.presser, *_limits(press))
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(TableAction.GIVE_UP)
    async def give_up(self, interaction: Interaction, press: TablePress) -> None:
        """Gives up the bank."""
        await self.bot.carry_out(interaction, press.table_id, GiveUpBank(press.presser))

    async def _take(self, interaction: Interaction, press: TablePress, limits: tuple[int, int]) -> None:
        rules = self.bot.croupier.rules_for(table_or_raise(self.bot.croupier, press.table_id))
        await self.bot.carry_out(interaction, press.table_id, TakeBank(press.presser, *limits, rules))
        table = table_or_raise(self.bot.croupier, press.table_id)
        # Dealing, limits and giving up are on the banker's panel, not on the board.
        next_banker = "reply.house_leaves_to_dice" if table.game.rolls_for_bank else "reply.house_leaves"
        note = translate(next_banker) if table.house_banks else None
        await self.bot.panels.show(interaction, table, note=note)


def _limits(press: TablePress) -> tuple[int, int]:
    return entered_chips(press, LOWEST), entered_chips(press, HIGHEST)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Banking(bot))
