"""A round from its bets to its hands: `/play`, `/bet`, `/hand`, the bank, dealing and revealing."""

from collections.abc import Callable, Mapping
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.croupier.bank_queue import Candidate
from bot.games.register import GAMES
from bot.games.settle import largest_multiple
from bot.rules.knobs import BankPasses, GameName, Play
from bot.table.bank import Limits, limits_refused
from bot.table.betting import A_POINT, gave_way, largest_stake
from bot.table.commands import (
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberCommand,
    PlaceBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.preconditions import (
    LIMITS_WAIT,
    Action,
    can_wait_for_bank,
    other_round,
    unmet_precondition,
)
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import TableState
from bot.ui.bot import BotCog
from bot.ui.components import button, text_view
from bot.ui.press.arrivals import Kind, not_after, take_back_private_reply, token_lives
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.errors import MemberError, RefusedError
from bot.ui.press.replies import open_modal, replace_pressed, reply
from bot.ui.press.router import handles
from bot.ui.stakes import (
    AMOUNT,
    DEFAULT_LIMITS,
    HIGHEST,
    LOWEST,
    bank_modal,
    bet_modal,
    entered_chips,
    offered_limits,
)
from bot.wire.requests import Content, Interaction
from bot.words.translation import sentences, speaking_to, translate

_COMMANDS: Final[Mapping[PressAction, Callable[[Press], MemberCommand]]] = {
    PressAction.JOIN: lambda press: Join(press.presser),
    PressAction.LEAVE: lambda press: Leave(press.presser),
    PressAction.SIT_OUT: lambda press: SitOut(press.presser, press.meant_round),
    PressAction.WITHDRAW: lambda press: WithdrawBet(press.presser, press.meant_round),
    PressAction.GIVE_UP: lambda press: GiveUpBank(press.presser),
    PressAction.DEAL: lambda press: Deal(press.presser, round_number=press.meant_round),
    PressAction.REVEAL: lambda press: RevealHand(press.presser, press.meant_round),
}
"""What a button asks of the table, where the press alone says it."""


class PlayCog(BotCog, name="Play"):
    """What a member at a table does in a round."""

    @app_commands.command(name="play", description=command_text("command.play"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    @app_commands.guild_only()
    async def play(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        """Seats the member at a table here, which may be opened for them, and asks for the first bet."""
        await self._play(interaction, None if game is None else game.value)

    @handles(PressAction.PLAY_NOW)
    async def play_now(self, interaction: Interaction, press: Press) -> None:
        """Does what `/play` does, with the game that the button names."""
        await self._play(interaction, press.arguments[0])

    async def _play(self, interaction: Interaction, game: GameName | None) -> None:
        table = await self.bot.open_table(interaction, game, Play.CHIPS)
        party = await self.bot.party_in(interaction, table.server_id)
        answer: TableState | Refused = table
        if table.bank is None:
            answer = await self._play_house(interaction, table, party, f"{interaction.id}:house")
            # Somebody else may have had the house bank meanwhile.
            table = self.bot.croupier.tables[table.table_id]
        if isinstance(answer, Refused) and table.bank is None and self.bot.boards.link(table.table_id):
            raise await self.bot.refused(answer, table, party)
        table = await self._seated(interaction, table, party)
        if await self.bot.boards.post(interaction, table):
            # The board says what to press, also where the house does not bank.
            return
        seat = table.seat_of(party)
        if not table.is_banker(party) and (seat is None or seat.stake is None):
            most = largest_stake(table, party, await self.bot.croupier.free_chips(table, party))
            # Who has just sat down while a round is on sees that on their panel.
            if isinstance(most, Refused) and (seat is None or most.code is not Refusal.ALREADY_DEALT):
                raise await self.bot.refused(most, table, party)
        await self.bot.panels.show(interaction, table)

    @handles(PressAction.PLAY_HOUSE)
    async def play_house(self, interaction: Interaction, press: Press) -> None:
        """Has the house bank, and seats the member."""
        table = self.bot.croupier.tables[press.table_id]
        decided = await self._play_house(interaction, table, press.presser, str(interaction.id))
        if isinstance(decided, Refused):
            raise await self.bot.refused(decided, table, press.presser)
        await self.bot.panels.update(interaction, await self._seated(interaction, decided, press.presser))

    async def _seated(self, interaction: Interaction, table: TableState, party: int) -> TableState:
        """The table with the member in a seat, if they may take one and have the chips to play.

        So nobody deals before they have bet. Who backs a player stays without a seat.
        """
        if table.has(party) or table.side_bets_of(party):
            return table
        most = largest_stake(table, party, await self.bot.croupier.free_chips(table, party))
        if isinstance(most, Refused) and most.code is Refusal.PLAYER_TOO_POOR:
            return table
        join, key, until = Join(party), f"{interaction.id}:seat", await not_after(interaction)
        seated = await self.bot.croupier.ask(table.table_id, join, party, key, until)
        return table if isinstance(seated, Refused) else seated

    async def _play_house(
        self, interaction: Interaction, table: TableState, party: int, key: str
    ) -> TableState | Refused:
        """Asks the house to bank; its admin is told if it cannot."""
        command = PlayHouse(party, self.bot.croupier.rules_for(table))
        until = await not_after(interaction)
        decided = await self.bot.croupier.ask(table.table_id, command, party, key, until)
        if isinstance(decided, Refused) and decided.code is Refusal.HOUSE_CANNOT_COVER:
            self.bot.notices.out_of_chips(table.server_id)
        return decided

    @handles(PressAction.BANK)
    async def take(self, interaction: Interaction, press: Press) -> None:
        """Asks for limits; a table for points has none, so the bank is taken at once (G22).

        Nor are there limits yet where the house leaves the bank to the dice after the round (B07).
        """
        table = self.bot.croupier.tables[press.table_id]
        await self._refuse_banker(table, press.presser)
        if refused := unmet_precondition(table, Action.TAKE_BANK):
            raise await self.bot.refused(refused, table, press.presser)
        if table.for_points or (table.bets and table.game.rolls_for_bank):
            await self._take(interaction, press, None)
            return
        if not table.bets:
            self.bot.croupier.bank_queue.hold(table.table_id, press.presser)
        await self._ask_for_bank(interaction, press, table)

    @handles(PressAction.BANK_NEXT)
    async def wait_for_bank(self, interaction: Interaction, press: Press) -> None:
        """Has the member wait for the bank that somebody has; who waits already reads after whom."""
        table = self.bot.croupier.tables[press.table_id]
        queue, party = self.bot.croupier.bank_queue, press.presser
        if not can_wait_for_bank(table):
            await self.take(interaction, press)
        elif table.is_banker(party):
            raise await self.bot.refused(refuse(Refusal.HOLDS_THE_BANK), table, party)
        elif party in queue.waiting(table.table_id):
            await self._told_who_is_before(interaction, table, party)
        elif table.for_points:
            await self._wait(interaction, table, party, None)
        else:
            await self._ask_for_bank(interaction, press, table)

    async def _ask_for_bank(self, interaction: Interaction, press: Press, table: TableState) -> None:
        """Asks for the limits of a bank."""
        await self._refuse_banker(table, press.presser)
        rules = self.bot.croupier.rules_for(table)
        waits = bool(table.bets) or can_wait_for_bank(table)
        chips = await self._chips_to_bank(table, press.presser)
        limits = offered_limits(rules, chips)
        modal = Press(PressAction.BANK_MODAL, table.table_id, ANY_ROUND)
        title = translate("menu.bank_next" if can_wait_for_bank(table) else "button.bank")
        multiple = largest_multiple(rules)
        form = bank_modal(modal, title, *limits, multiple, chips, waits=waits)
        await open_modal(interaction, form)

    async def _refuse_banker(self, table: TableState, party: int) -> None:
        """Raises an error if a member may not play, or not bank in this server."""
        await self.bot.croupier.barred.refuse(party)
        if refused := self.bot.croupier.bank_refused(table.server_id, party):
            raise await self.bot.refused(refused, table, party)

    async def _chips_to_bank(self, table: TableState, party: int) -> int:
        """What a member may lose as banker: of their free chips, and what the table holds of theirs."""
        free = await self.bot.croupier.free_chips(table, party)
        return free.get(party, 0) + table.held.get(party, 0)

    @handles(PressAction.BANK_MODAL)
    async def take_within(self, interaction: Interaction, press: Press) -> None:
        """Takes the bank with the entered limits, or waits for it if somebody else was quicker."""
        table, limits = self.bot.croupier.tables[press.table_id], _limits(press)
        party, queue = press.presser, self.bot.croupier.bank_queue
        await self._refuse_banker(table, party)
        others_turn = table.bank is None and not queue.is_free_for(table.table_id, party)
        waits = others_turn or can_wait_for_bank(table)
        if table.is_banker(party) or not (waits or table.game.rolls_for_bank):
            await self._take(interaction, press, limits)
            return
        chips = await self._chips_to_bank(table, party)
        if refused := limits_refused(self.bot.croupier.rules_for(table), limits, chips):
            raise await self.bot.refused(refused, table, party)
        refused = unmet_precondition(table, Action.TAKE_BANK)
        if waits:
            await self._wait(interaction, table, party, limits)
        elif refused is not None and refused.code is Refusal.BANK_TAKEN and table.bank is not None:
            why = translate("reply.bank_went_to", who=self.bot.names.mention(table.bank.party))
            await self._take_later(interaction, table, party, why, None)
        elif refused is not None and refused.code is Refusal.DICE_PICK_BANKER:
            await self._take_later(interaction, table, party, translate("reply.dice_pick_now"), limits)
        else:
            await self._take(interaction, press, limits)

    async def _wait(
        self, interaction: Interaction, table: TableState, party: int, limits: Limits | None
    ) -> None:
        """Has a member wait for the bank, and tells them who has it before."""
        queue = self.bot.croupier.bank_queue
        await self._refuse_banker(table, party)

        def tell(refused: Refused | None) -> None:
            if token_lives(interaction):
                told = self._hand_over(interaction, table.table_id, party, refused)
                self.bot.tasks.start(told, "bank-handover")
            elif refused is None:
                # They asked too long ago for an answer.
                told = self.bot.delivery.tell_banker(self.bot.croupier.tables[table.table_id], party)
                self.bot.tasks.start(told, "bank-handover")

        if not queue.ask(table.table_id, Candidate(party, str(interaction.id), limits, tell)):
            raise MemberError("reply.too_many_wait")
        await self._told_who_is_before(interaction, table, party)

    async def _told_who_is_before(self, interaction: Interaction, table: TableState, party: int) -> None:
        """Tells a member who waits for the bank who has it before, and offers to leave the queue."""
        bank = [] if table.bank is None else [table.bank.party]
        line = [*bank, *self.bot.croupier.bank_queue.waiting(table.table_id)]
        before = line[: line.index(party)]
        if before:
            note = translate("reply.waits_for_bank", who=self.bot.names.mention(before[-1]))
        else:
            note = translate("reply.waits_for_form")
        if limits := self.bot.croupier.bank_queue.limits_of(table.table_id, party):
            note = sentences([note, translate("reply.your_limits", lowest=limits[0], highest=limits[1])])
        if table.bank is not None and table.rules.bank_passes is not BankPasses.STAYS:
            # A member who waits has the bank only if it does not pass on before (B05).
            rule = translate(f"rules.bank.{table.rules.game}.{table.rules.bank_passes}")
            note = sentences([note, rule])
        self.bot.boards.refresh(table.table_id)
        leave = Press(PressAction.LEAVE_QUEUE, table.table_id)
        await reply(interaction, note, [button(leave, translate("button.leave_queue"))])

    @handles(PressAction.LEAVE_QUEUE)
    async def leave_queue(self, interaction: Interaction, press: Press) -> None:
        """Lets the member wait for the bank no longer."""
        self.bot.croupier.bank_queue.leave(press.table_id, press.presser)
        self.bot.boards.refresh(press.table_id)
        await replace_pressed(interaction, Content(text_view(translate("reply.waits_no_longer"))))

    async def _hand_over(
        self, interaction: Interaction, table_id: int, party: int, refused: Refused | None
    ) -> None:
        """Shows who waited the panel of their bank, or tells them why they cannot have it."""
        table = self.bot.croupier.tables[table_id]
        # It says after whom they bank.
        take_back_private_reply(interaction, Kind.SENTENCE)
        # This runs for somebody else's click, so the reader is set here.
        with speaking_to(self.bot.readers.of_interaction(interaction, table.server_id)):
            if refused is not None:
                why = await self.bot.refused(refused, table, party)
                await reply(interaction, why.sentence, why.next_steps, is_newest=True)
                return
            note = translate("reply.bank_is_yours", table=table.number)
            await self.bot.panels.show(interaction, table, note=note)

    @handles(PressAction.ROLL)
    async def roll(self, interaction: Interaction, press: Press) -> None:
        """Rolls for the bank."""
        rules = self.bot.croupier.rules_for(self.bot.croupier.tables[press.table_id])
        # The croupier throws the dice: that is where chance is kept.
        await self.bot.carry_out(interaction, press.table_id, RollForBank(press.presser, (), rules))

    @handles(PressAction.LIMITS)
    async def ask_for_limits(self, interaction: Interaction, press: Press) -> None:
        """Asks the banker for new limits, from the next round on if bets are down."""
        table = self.bot.croupier.tables[press.table_id]
        refused = unmet_precondition(table, Action.LIMITS)
        if refused is not None and refused.code in LIMITS_WAIT:
            refused = None
        if refused is None and table.bank is not None and not table.is_banker(press.presser):
            refused = refuse(Refusal.NOT_BANKER, banker=table.bank.party)
        if refused is not None:
            raise await self.bot.refused(refused, table, press.presser)
        assert table.bank is not None
        modal = Press(PressAction.LIMITS_MODAL, table.table_id, ANY_ROUND)
        title, multiple = translate("modal.limits"), largest_multiple(table.rules)
        form = bank_modal(modal, title, table.bank.lowest, table.bank.highest, multiple)
        await open_modal(interaction, form)

    @handles(PressAction.LIMITS_MODAL)
    async def set_limits(self, interaction: Interaction, press: Press) -> None:
        """Sets the limits of the bank; if bets are down, they are set before the next ones."""
        limits = _limits(press)
        try:
            await self.bot.carry_out(interaction, press.table_id, SetLimits(press.presser, *limits))
            return
        except RefusedError as failed:
            table = self.bot.croupier.tables[press.table_id]
            if failed.refused.code not in LIMITS_WAIT or not table.is_banker(press.presser):
                raise
        chips = await self._chips_to_bank(table, press.presser)
        if refused := limits_refused(self.bot.croupier.rules_for(table), limits, chips):
            raise await self.bot.refused(refused, table, press.presser)
        self.bot.croupier.bank_queue.state_limits(table.table_id, press.presser, limits)
        note = translate("reply.limits_next", lowest=limits[0], highest=limits[1])
        await self.bot.panels.show(interaction, table, note=note)

    async def _take(self, interaction: Interaction, press: Press, limits: Limits | None) -> None:
        """Takes the bank, now or after the round; without limits, with those of a banker who set none."""
        rules = self.bot.croupier.rules_for(self.bot.croupier.tables[press.table_id])
        take = TakeBank(press.presser, *(limits or DEFAULT_LIMITS), rules)
        await self.bot.carry_out(interaction, press.table_id, take)
        table = self.bot.croupier.tables[press.table_id]
        # Dealing, limits and giving up are on the banker's panel, not on the board.
        if not table.house_banks:
            await self.bot.panels.show(interaction, table)
        elif table.game.rolls_for_bank:
            why = translate("reply.house_leaves_to_dice")
            await self._take_later(interaction, table, press.presser, why, limits)
        else:
            await self._wait(interaction, table, press.presser, limits)

    async def _take_later(
        self, interaction: Interaction, table: TableState, party: int, why: str, limits: Limits | None
    ) -> None:
        """Seats who asked for a bank that they cannot have now, so that they can roll for it, and says why.

        Args:
            limits: what they stated for the bank, if the dice may give it to them.
        """
        table = await self._seated(interaction, table, party)
        if limits is not None:
            self.bot.croupier.bank_queue.state_limits(table.table_id, party, limits)
            lowest, highest = limits
            why = sentences([why, translate("reply.limits_if_yours", lowest=lowest, highest=highest)])
        await self.bot.panels.show(interaction, table, note=why)

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
        state = await self.bot.choose_table(interaction, table)
        party = await self.bot.party_in(interaction, state.server_id)
        command = PlaceBet(party, amount, takes_seat=_may_sit(interaction))
        after = await self.bot.ask(interaction, state.table_id, command)
        note = translate("reply.side_bets_returned") if gave_way(state, after, party) else None
        await self.bot.panels.show(interaction, after, note=note)

    @handles(PressAction.OTHER_BET)
    async def ask_for_stake(self, interaction: Interaction, press: Press) -> None:
        """Asks how much to bet."""
        table = self.bot.croupier.tables[press.table_id]
        if refused := other_round(table, press.meant_round):
            raise await self.bot.refused(refused, table, press.presser)
        party = press.presser
        most = largest_stake(table, party, await self.bot.croupier.free_chips(table, party))
        if isinstance(most, Refused):
            raise await self.bot.refused(most, table, party)
        assert table.bank is not None
        seat = table.seat_of(party)
        last_stake = (seat.stake or seat.last_stake) if seat else None
        modal = Press(PressAction.BET_MODAL, press.table_id, press.round_number)
        multiple = largest_multiple(table.rules)
        await open_modal(interaction, bet_modal(modal, table.bank.lowest, most, last_stake, multiple))

    @handles(PressAction.BET, PressAction.PLAY, PressAction.AGAIN, PressAction.BET_MODAL)
    async def place(self, interaction: Interaction, press: Press) -> None:
        """Bets the number on the button, a point, the member's last stake, or what they entered."""
        if self.bot.boards.had_hands(interaction, press.table_id):
            raise MemberError("reply.round_just_ended")
        match press.action:
            case PressAction.PLAY:
                stake = A_POINT
            case PressAction.AGAIN:
                seat = self.bot.croupier.tables[press.table_id].seat_of(press.presser)
                if seat is None or seat.last_stake is None:
                    # They have nothing to bet again.
                    await self.ask_for_stake(interaction, press)
                    return
                stake = seat.last_stake
            case PressAction.BET_MODAL:
                stake = entered_chips(press, AMOUNT)
            case _:
                assert press.number is not None
                stake = press.number
        bet = PlaceBet(press.presser, stake, press.meant_round, takes_seat=_may_sit(interaction))
        await self.bot.carry_out(interaction, press.table_id, bet)

    @handles(*_COMMANDS)
    async def carry_out(self, interaction: Interaction, press: Press) -> None:
        """Has the table do what the button says."""
        await self.bot.carry_out(interaction, press.table_id, _COMMANDS[press.action](press))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Sends the hands that were dealt when the bot stopped."""
        self.bot.delivery.send_again()

    @handles(PressAction.HAND)
    async def look(self, interaction: Interaction, press: Press) -> None:
        """Shows the member's panel."""
        await self.bot.panels.show(interaction, self.bot.croupier.tables[press.table_id])

    @handles(PressAction.MESSAGES)
    async def message_again(self, interaction: Interaction, press: Press) -> None:
        """Tries direct messages to the member again."""
        await self.bot.delivery.retry(interaction, self.bot.croupier.tables[press.table_id])

    @app_commands.command(name="hand", description=command_text("command.hand"))
    @app_commands.describe(table=command_text("option.table"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Shows the member's panel of a table."""
        state = await self.bot.choose_table(interaction, table)
        await self.bot.panels.show(interaction, state)

    @bet.autocomplete("table")
    @hand.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return await self.bot.suggest_tables(interaction, typed)


def _limits(press: Press) -> tuple[int, int]:
    return entered_chips(press, LOWEST), entered_chips(press, HIGHEST)


def _may_sit(interaction: Interaction) -> bool:
    """Whether a bet takes a seat; not by direct message, whose writer may have left the server."""
    return interaction.guild_id is not None
