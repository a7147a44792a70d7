"""Side bets: who does not sit at a table backs the hand of a player there (B01)."""

from discord.ext import commands

from bot.client import GnauBot
from bot.table.commands import PlaceSideBet, WithdrawSideBet
from bot.table.draft import Draft
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.side_betting import largest_side_stake, place_side_bet
from bot.table.state import TableState
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, ask, member_of, reply
from bot.ui.table_choice import table_or_raise
from bot.ui.views.modals import AMOUNT, bet_form, parse_chips
from bot.ui.views.presses import Press, PressAction
from bot.ui.views.side_bets import backing_view
from bot.words import refusal


class SideBets(commands.Cog):
    """The buttons, the menu and the form by which on-lookers back players."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons about side bets."""
        async with answering(interaction):
            match press.action:
                case PressAction.SIDE:
                    await self._begin(interaction, press)
                case PressAction.BACK if press.member_id is not None and press.argument is not None:
                    await self._place(interaction, press, press.member_id, press.argument)
                case PressAction.BACK if press.member_id is not None:
                    await self._ask_for_stake(interaction, press, press.member_id)
                case PressAction.UNBACK if press.member_id is not None:
                    await self._take_back(interaction, press, press.member_id)
                case PressAction.UNBACK:
                    await self._choose_what_to_take_back(interaction, press)

    @commands.Cog.listener()
    async def on_table_choice(self, interaction: Interaction, press: Press, values: list[str]) -> None:
        """Asks how much, once a player is chosen."""
        if press.action is not PressAction.BACK or not values[0].isdecimal():
            return
        async with answering(interaction):
            table = table_or_raise(self.bot.croupier, press.table_id)
            if refused := other_round(table, press.meant_round):
                await reply(interaction, refusal(refused))
            else:
                await self._show(interaction, table, int(values[0]))

    @commands.Cog.listener()
    async def on_table_form(self, interaction: Interaction, press: Press, values: dict[str, str]) -> None:
        """Places the side bet that a form brings."""
        if press.action is not PressAction.BACK or press.member_id is None:
            return
        async with answering(interaction):
            try:
                stake = parse_chips(values[AMOUNT])
            except ValueError as wrong:
                await reply(interaction, str(wrong))
                return
            await self._place(interaction, press, press.member_id, stake)

    async def _begin(self, interaction: Interaction, press: Press) -> None:
        table = table_or_raise(self.bot.croupier, press.table_id)
        if refused := _kept_away(table, press, interaction.user.id):
            await reply(interaction, refusal(refused))
            return
        await self._show(interaction, table, table.bets[0].member.member_id if len(table.bets) == 1 else None)

    async def _place(self, interaction: Interaction, press: Press, backed: int, stake: int) -> None:
        command = PlaceSideBet(member_of(interaction), backed, stake, press.meant_round)
        if table := await ask(interaction, press.table_id, command):
            await self._show(interaction, table, backed)

    async def _take_back(self, interaction: Interaction, press: Press, backed: int) -> None:
        command = WithdrawSideBet(interaction.user.id, backed, press.meant_round)
        if table := await ask(interaction, press.table_id, command):
            await self._show(interaction, table, backed)

    async def _choose_what_to_take_back(self, interaction: Interaction, press: Press) -> None:
        """Takes back the only side bet there is; who has several is asked which."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        own = table.side_bets_of(interaction.user.id)
        if len(own) > 1 and unmet_precondition(table, Action.SIDE_BET) is None:
            await self._show(interaction, table, own[0].backed)
            return
        backed = own[0].backed if own else 0
        command = WithdrawSideBet(interaction.user.id, backed, press.meant_round)
        if after := await ask(interaction, press.table_id, command):
            await own_views_of(self.bot).show(interaction, after)

    async def _ask_for_stake(self, interaction: Interaction, press: Press, backed: int) -> None:
        table = table_or_raise(self.bot.croupier, press.table_id)
        if refused := _kept_away(table, press, interaction.user.id):
            await reply(interaction, refusal(refused))
            return
        most, why_not = await self._most(interaction, table, backed)
        if why_not is not None:
            await reply(interaction, why_not)
            return
        assert table.bank is not None
        earlier = table.side_bet_of(interaction.user.id, backed)
        last_stake = earlier.stake if earlier else None
        await interaction.response.send_modal(bet_form(press, table.bank.lowest, most, last_stake))

    async def _show(self, interaction: Interaction, table: TableState, chosen: int | None) -> None:
        """Shows the member his side bets, in place of what he pressed on where only he sees that."""
        most, why_not = (0, None) if chosen is None else await self._most(interaction, table, chosen)
        view = backing_view(table, interaction.user.id, chosen, most=most, why_not=why_not)
        if interaction.message is not None and interaction.message.flags.ephemeral:
            await interaction.response.edit_message(view=view)
        else:
            await interaction.response.send_message(view=view, ephemeral=True)

    async def _most(self, interaction: Interaction, table: TableState, backed: int) -> tuple[int, str | None]:
        """The largest stake that this member could bet on that player now; why none, where none would do."""
        if table.bank is None:
            return 0, refusal(refuse(Refusal.NO_BANK))
        member_id, banker_id = interaction.user.id, table.bank.member.member_id
        await self.bot.croupier.open_wallet(table.server_id, member_id)
        wallets = await self.bot.croupier.ledger.wallets(table.server_id, [member_id, banker_id])
        if most := largest_side_stake(table, member_id, backed, wallets):
            return most, None
        lowest = PlaceSideBet(member_of(interaction), backed, table.bank.lowest)
        refused = place_side_bet(Draft(table), lowest, wallets)
        assert isinstance(refused, Refused)
        return 0, refusal(refused)


def _kept_away(table: TableState, press: Press, member_id: int) -> Refused | None:
    """Why this member can back nobody at all."""
    if refused := other_round(table, press.meant_round) or unmet_precondition(table, Action.SIDE_BET):
        return refused
    return refuse(Refusal.SITS_AT_TABLE) if table.has(member_id) else None


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(SideBets(bot))
