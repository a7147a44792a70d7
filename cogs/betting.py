"""Betting: amounts to press, a modal for any amount, the same again, and `/bet`."""

from discord import app_commands
from discord.ext import commands

from bot.table.betting import A_POINT, gave_way, largest_stake
from bot.table.commands import PlaceBet, SitOut, WithdrawBet
from bot.table.preconditions import other_round
from bot.table.refusals import Refused
from bot.ui.bot import GnauBot
from bot.ui.modals import AMOUNT, bet_modal, entered_chips
from bot.ui.press.command_texts import command_text
from bot.ui.press.custom_ids import TableAction, TablePress
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import Interaction, open_modal
from bot.ui.press.router import handles
from bot.ui.press.table_choice import suggest_tables, table_or_raise
from bot.words.translation import translate


class Betting(commands.Cog):
    """The command and the buttons that place, change and take back a bet."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="bet", description=command_text("command.bet"))
    @app_commands.describe(amount=command_text("option.bet.amount"), table=command_text("option.table"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def bet(
        self,
        interaction: Interaction,
        amount: app_commands.Range[int, 1, 1_000_000_000],
        table: str | None = None,
    ) -> None:
        """Places a bet, and answers with the member's panel."""
        state = self.bot.choose_table(interaction, table)
        party = await self.bot.party_in(interaction, state.server_id)
        command = PlaceBet(party, amount, takes_seat=_may_sit(interaction))
        after = await self.bot.ask(interaction, state.table_id, command)
        note = translate("reply.side_bets_returned") if gave_way(state, after, party) else None
        await self.bot.panels.show(interaction, after, note=note)

    @bet.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return suggest_tables(interaction, self.bot.croupier, typed)

    @handles(TableAction.BET)
    async def place(self, interaction: Interaction, press: TablePress) -> None:
        """Bets the number on the button."""
        assert press.number is not None
        await self._place(interaction, press, press.number)

    @handles(TableAction.PLAY)
    async def play(self, interaction: Interaction, press: TablePress) -> None:
        """Plays this round at a table for points."""
        await self._place(interaction, press, A_POINT)

    @handles(TableAction.AGAIN)
    async def again(self, interaction: Interaction, press: TablePress) -> None:
        """Bets the member's last stake."""
        seat = table_or_raise(self.bot.croupier, press.table_id).seat_of(press.presser)
        if seat is None or seat.last_stake is None:
            raise MemberError("reply.nothing_to_repeat")
        await self._place(interaction, press, seat.last_stake)

    @handles(TableAction.OTHER_BET)
    async def ask_for_stake(self, interaction: Interaction, press: TablePress) -> None:
        """Asks how much to bet."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        if refused := other_round(table, press.meant_round):
            raise self.bot.refused(refused, table)
        party = press.presser
        most = largest_stake(table, party, await self.bot.croupier.free_chips(table, party))
        if isinstance(most, Refused):
            raise self.bot.refused(most, table)
        assert table.bank is not None
        seat = table.seat_of(party)
        last_stake = (seat.stake or seat.last_stake) if seat else None
        modal = TablePress(press.table_id, press.round_number, TableAction.BET_MODAL)
        await open_modal(interaction, bet_modal(modal, table.bank.lowest, most, last_stake))

    @handles(TableAction.BET_MODAL)
    async def place_entered(self, interaction: Interaction, press: TablePress) -> None:
        """Bets the entered amount."""
        await self._place(interaction, press, entered_chips(press, AMOUNT))

    @handles(TableAction.WITHDRAW)
    async def withdraw(self, interaction: Interaction, press: TablePress) -> None:
        """Takes back the bet."""
        command = WithdrawBet(press.presser, press.meant_round)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(TableAction.SIT_OUT)
    async def sit_out(self, interaction: Interaction, press: TablePress) -> None:
        """Sits this round out."""
        await self.bot.carry_out(interaction, press.table_id, SitOut(press.presser, press.meant_round))

    async def _place(self, interaction: Interaction, press: TablePress, stake: int) -> None:
        bet = PlaceBet(press.presser, stake, press.meant_round, takes_seat=_may_sit(interaction))
        await self.bot.carry_out(interaction, press.table_id, bet)


def _may_sit(interaction: Interaction) -> bool:
    """Whether a bet takes a seat; not by direct message, whose writer may have left the server."""
    return interaction.guild_id is not None


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Betting(bot))
