"""Betting: quick chips, a form for any amount, the same again, and `/bet`; by direct message too."""

from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.table.betting import A_POINT, largest_stake
from bot.table.commands import PlaceBet, SitOut, WithdrawBet
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import TableState
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, ask, member_of, reply
from bot.ui.table_choice import choose_table, suggest_tables, table_or_raise
from bot.ui.views.modals import AMOUNT, bet_form, parse_chips
from bot.ui.views.presses import Press, PressAction
from bot.words import chips, refusal

NOTHING_BEFORE = "You have not bet at this table yet, so there is no stake to bet again: choose an amount."


class Betting(commands.Cog):
    """The commands and buttons that place, change and take back a bet."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="bet", description="Bet chips against the banker, or change your bet")
    @app_commands.describe(amount="How many chips", table="Which table, if not this channel's")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.autocomplete(table=suggest_tables)
    async def bet(
        self,
        interaction: Interaction,
        amount: app_commands.Range[int, 1, 1_000_000_000],
        table: str | None = None,
    ) -> None:
        """Places a bet, and answers with the member's own view of the table."""
        async with answering(interaction):
            state = choose_table(interaction, table)
            command = PlaceBet(member_of(interaction), amount, takes_seat=_may_sit(interaction))
            if after := await ask(interaction, state.table_id, command):
                await own_views_of(self.bot).show_own(interaction, after)

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Answers the buttons about bets."""
        async with answering(interaction):
            match press.action:
                case PressAction.BET if press.argument is not None:
                    await self._place(interaction, press, press.argument)
                case PressAction.BET:
                    await self._ask_for_stake(interaction, press)
                case PressAction.AGAIN:
                    seat = table_or_raise(self.bot.croupier, press.table_id).seat_of(interaction.user.id)
                    if seat is None or seat.last_stake is None:
                        await reply(interaction, NOTHING_BEFORE)
                    else:
                        await self._place(interaction, press, seat.last_stake)
                case PressAction.WITHDRAW:
                    await self._carry_out(
                        interaction, press, WithdrawBet(interaction.user.id, press.meant_round)
                    )
                case PressAction.OUT:
                    await self._carry_out(interaction, press, SitOut(interaction.user.id, press.meant_round))

    @commands.Cog.listener()
    async def on_table_form(self, interaction: Interaction, press: Press, values: dict[str, str]) -> None:
        """Places the bet that a form brings."""
        if press.action is not PressAction.BET:
            return
        async with answering(interaction):
            try:
                stake = parse_chips(values[AMOUNT])
            except ValueError as wrong:
                await reply(interaction, str(wrong))
                return
            await self._place(interaction, press, stake)

    async def _place(self, interaction: Interaction, press: Press, stake: int) -> None:
        bet = PlaceBet(member_of(interaction), stake, press.meant_round, takes_seat=_may_sit(interaction))
        await self._carry_out(interaction, press, bet)

    async def _carry_out(
        self, interaction: Interaction, press: Press, command: PlaceBet | WithdrawBet | SitOut
    ) -> None:
        if state := await ask(interaction, press.table_id, command):
            await own_views_of(self.bot).show(interaction, state)

    async def _ask_for_stake(self, interaction: Interaction, press: Press) -> None:
        table = table_or_raise(self.bot.croupier, press.table_id)
        if table.for_points:
            await self._place(interaction, press, A_POINT)
            return
        if refused := unmet_precondition(table, Action.BET):
            await reply(interaction, refusal(refused))
            return
        assert table.bank is not None
        most = await self._most(interaction, table)
        if not most:
            await reply(
                interaction,
                f"No stake would do: the lowest is {chips(table.bank.lowest)}, and you or the bank must be "
                f"able to pay {table.rules.largest_multiple} times that.",
            )
            return
        seat = table.seat_of(interaction.user.id)
        last_stake = (seat.stake or seat.last_stake) if seat else None
        await interaction.response.send_modal(bet_form(press, table.bank.lowest, most, last_stake))

    async def _most(self, interaction: Interaction, table: TableState) -> int:
        """The largest stake that this member could bet now, in chips."""
        assert table.bank is not None
        member_id, banker_id = interaction.user.id, table.bank.member.member_id
        await self.bot.croupier.open_wallet(table.server_id, member_id)
        wallets = await self.bot.croupier.ledger.wallets(table.server_id, [member_id, banker_id])
        return largest_stake(table, member_id, wallets)


def _may_sit(interaction: Interaction) -> bool:
    """Whether a bet takes a seat: by direct message it does not, as who writes may have left the server."""
    return interaction.guild_id is not None


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Betting(bot))
