"""Side bets: spectators back a player's hand (B01)."""

import asyncio

from bot.games.settle import largest_multiple
from bot.table.betting import backed_without, backs_nobody, largest_side_stake
from bot.table.commands import Leave, PlaceSideBet, WithdrawSideBet
from bot.table.deadlines import seconds_to_choose
from bot.table.preconditions import Action, other_round, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import TableState
from bot.ui.bot import BotCog
from bot.ui.hand.pressed_message import is_private
from bot.ui.hand.side_bets import first_choice
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.replies import open_modal
from bot.ui.press.router import handles
from bot.ui.stakes import bet_modal, entered_stake
from bot.wire.requests import Interaction


class SideBets(BotCog):
    """The buttons, the menu and the modal for side bets."""

    @handles(PressAction.SIDE_BETS)
    async def begin(self, interaction: Interaction, press: Press) -> None:
        """Shows the hands that the member can back, and amounts for one of them."""
        # On a panel, which may be edited no more, they see how things are.
        again, table = is_private(interaction), self.bot.croupier.tables[press.table_id]
        table = table if again else await self._table_to_back_at(interaction, press)
        chosen = first_choice(table, press.presser) if table.bets else None
        await self._wait_for(interaction, press)
        await self.bot.panels.show_side_bets(interaction, table, chosen)

    @handles(PressAction.LEAVE_TO_BACK)
    async def leave_to_back(self, interaction: Interaction, press: Press) -> None:
        """Has the member leave the table, and in the same round shows the hands that they can back."""
        table = self.bot.croupier.tables[press.table_id]
        if other_round(table, press.meant_round):
            # In a later round they only want to leave.
            await self.bot.carry_out(interaction, press.table_id, Leave(press.presser))
            return
        refused = backs_nobody(table, press.presser)
        if refused is not None and refused.code in (Refusal.SITS_AT_TABLE, Refusal.HAS_OWN_BET):
            refused = None if backed_without(table, press.presser) else refuse(Refusal.NO_BET_TO_BACK)
        if refused is not None:
            raise await self.bot.refused(interaction, refused, table, press.presser)
        await self._wait_for(interaction, press)
        if table.has(press.presser):
            self.bot.croupier.attention.note_leaving_to_back(press.table_id, press.presser)
            table = await self.bot.ask(interaction, press.table_id, Leave(press.presser, table.round_number))
        chosen = first_choice(table, press.presser) if table.bets else None
        await self.bot.panels.show_side_bets(interaction, table, chosen)

    @handles(PressAction.BACK_MENU)
    async def choose(self, interaction: Interaction, press: Press) -> None:
        """Asks how much, after a player was chosen."""
        table = self.bot.croupier.tables[press.table_id]
        await self._wait_for(interaction, press)
        await self.bot.panels.show_side_bets(interaction, table, int(press.values[0]))

    @handles(PressAction.OTHER_BACK)
    async def ask_for_stake(self, interaction: Interaction, press: Press) -> None:
        """Asks how much to bet on the player."""
        assert press.backed is not None
        table = await self._table_to_back_at(interaction, press)
        wallets = await self.bot.croupier.wallets.free_chips(table, press.presser)
        most = largest_side_stake(table, press.presser, press.backed, wallets)
        if isinstance(most, Refused):
            raise await self.bot.refused(interaction, most, table, press.presser)
        assert table.bank is not None
        earlier = table.side_bet_of(press.presser, press.backed)
        await self._wait_for(interaction, press)
        modal = Press(PressAction.BACK_MODAL, table.table_id, table.round_number, backed=press.backed)
        stake, multiple = earlier.stake if earlier else None, largest_multiple(table.rules)
        stack = await self.bot.croupier.wallets.stack(table.server_id, press.presser)
        own = stack.free + table.held.get(press.presser, 0)
        await open_modal(interaction, bet_modal(modal, own, table.bank.lowest, most, stake, multiple))

    @handles(PressAction.BACK, PressAction.BACK_MODAL)
    async def place(self, interaction: Interaction, press: Press) -> None:
        """Backs the player with the number on the button, or the entered amount."""
        assert press.backed is not None
        stake = press.number
        if press.action is PressAction.BACK_MODAL:
            table = self.bot.croupier.tables[press.table_id]
            wallets = await self.bot.croupier.wallets.free_chips(table, press.presser)
            stake = entered_stake(
                press, table, largest_side_stake(table, press.presser, press.backed, wallets)
            )
        assert stake is not None
        command = PlaceSideBet(press.presser, press.backed, stake, press.meant_round)
        table = await self.bot.ask(interaction, press.table_id, command)
        await self.bot.panels.show_side_bets(interaction, table, press.backed)

    @handles(PressAction.UNBACK)
    async def take_back(self, interaction: Interaction, press: Press) -> None:
        """Takes back the side bet on the player."""
        assert press.backed is not None
        command = WithdrawSideBet(press.presser, press.backed, press.meant_round)
        table = await self.bot.ask(interaction, press.table_id, command)
        await self.bot.panels.show_side_bets(interaction, table, press.backed)

    @handles(PressAction.UNBACK_ANY)
    async def take_back_any(self, interaction: Interaction, press: Press) -> None:
        """Takes back the member's only side bet, or asks which."""
        table = self.bot.croupier.tables[press.table_id]
        own = table.side_bets_of(press.presser)
        if len(own) > 1 and unmet_precondition(table, Action.SIDE_BET) is None:
            await self.bot.panels.show_side_bets(interaction, table, own[0].backed)
            return
        backed = own[0].backed if own else 0
        command = WithdrawSideBet(press.presser, backed, press.meant_round)
        await self.bot.carry_out(interaction, press.table_id, command)

    async def _wait_for(self, interaction: Interaction, press: Press) -> None:
        """Leaves the member time to choose; once that is over, their page names it no more."""
        table = self.bot.croupier.tables[press.table_id]
        await self.bot.croupier.wait_for_backer(table, press.presser, str(interaction.id))
        loop = asyncio.get_running_loop()
        loop.call_later(seconds_to_choose(table), self._refresh, table.table_id, press.presser)

    def _refresh(self, table_id: int, party: int) -> None:
        if (table := self.bot.croupier.tables.get(table_id)) is not None:
            self.bot.panels.refresh(table, party)

    async def _table_to_back_at(self, interaction: Interaction, press: Press) -> TableState:
        """The table, if this member can back somebody there."""
        table = self.bot.croupier.tables[press.table_id]
        if refused := backs_nobody(table, press.presser):
            raise await self.bot.refused(interaction, refused, table, press.presser)
        return table
