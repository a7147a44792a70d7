"""A round from its bets to its hands: `/play`, `/bet`, `/hand`, the bank, dealing and revealing."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from cachetools import LRUCache
from discord import app_commands
from discord.ext import commands

from bot.games.register import GAMES
from bot.games.settle import largest_multiple
from bot.rules.knobs import BankPasses, GameName, Play
from bot.table.bank import Limits, limits_refused
from bot.table.betting import A_POINT, gave_way, largest_stake, not_covered, too_poor
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
    banks_after_round,
    can_wait_for_bank,
    unmet_precondition,
)
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.state import Phase, TableState
from bot.ui.board.text import bets_to_return
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import button, text_view
from bot.ui.hand.pressed_message import is_on_panel, is_private
from bot.ui.press.arrivals import Kind, not_after, take_back_private_reply, token_lives
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.errors import MemberError, RefusedError, nonce
from bot.ui.press.replies import open_modal, replace_pressed, reply
from bot.ui.press.router import handles
from bot.ui.stakes import (
    DEFAULT_LIMITS,
    HIGHEST,
    LOWEST,
    bank_modal,
    bet_modal,
    entered_chips,
    entered_stake,
    offered_limits,
)
from bot.wire.requests import Content, Interaction
from bot.words.translation import countdown, sentences, speaking_to, translate

ASKED_KEPT: Final = 1_000
"""How many of those who wait for a bank get the answer to what they asked with: the last ones."""
_DICE_DECIDE: Final = {Refusal.DICE_PICK_BANKER, Refusal.TOO_FEW_SEATED}
"""Why nobody just takes a free bank: who asks for it gets a seat, to roll with the others."""
_COMMANDS: Final[Mapping[PressAction, Callable[[Press], MemberCommand]]] = {
    PressAction.SIT_OUT: lambda press: SitOut(press.presser, press.meant_round),
    PressAction.WITHDRAW: lambda press: WithdrawBet(press.presser, press.meant_round),
    PressAction.DEAL: lambda press: Deal(press.presser, round_number=press.meant_round),
    PressAction.REVEAL: lambda press: RevealHand(press.presser, press.meant_round),
}
"""What a button asks of the table, where the press alone says it."""
_OTHER_LIMITS_HELP: Final = {
    "reply.number_missing",
    "reply.no_number",
    Refusal.LIMITS_CROSSED,
    Refusal.LIMITS_OUTSIDE_HOUSE,
    Refusal.BANK_TOO_POOR,
}
"""Why limits are refused where others may be accepted."""


class PlayCog(BotCog, name="Play"):
    """What a member at a table does in a round."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        # With which interaction each who waits for a bank has asked, by table and party.
        self._asked_with: LRUCache[tuple[int, int], Interaction] = LRUCache(ASKED_KEPT)
        # What they have entered as limits that were refused, by table and party.
        self._entered: LRUCache[tuple[int, int], tuple[str, str]] = LRUCache(ASKED_KEPT)
        bot.croupier.bank_queue.tell = self._tell_next
        bot.croupier.bank_queue.on_moved = self._queue_moved

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
            raise await self.bot.refused(interaction, answer, table, party)
        table = await self._seated(interaction, table, party)
        is_new = await self.bot.boards.post(interaction, table)
        free = await self.bot.croupier.wallets.free_chips(table, party)
        if poor := too_poor(table, party, free.get(party, 0)):
            raise await self.bot.refused(interaction, poor, table, party)
        if is_new:
            # The board says what to press, also where the house does not bank.
            return
        seat = table.seat_of(party)
        if not table.is_banker(party) and (seat is None or seat.stake is None):
            most = largest_stake(table, party, free)
            # Who has just sat down while a round is on sees that on their panel.
            if isinstance(most, Refused) and (seat is None or most.code is not Refusal.ALREADY_DEALT):
                raise await self.bot.refused(interaction, most, table, party)
        await self.bot.panels.show(interaction, table)

    @handles(PressAction.PLAY_HOUSE)
    async def play_house(self, interaction: Interaction, press: Press) -> None:
        """Has the house bank, and seats the member."""
        table = self.bot.croupier.tables[press.table_id]
        decided = await self._play_house(interaction, table, press.presser, str(interaction.id))
        if isinstance(decided, Refused):
            table = self.bot.croupier.tables[press.table_id]
            if decided.code is not Refusal.HOUSE_HAS_BANK:
                raise await self.bot.refused(interaction, decided, table, press.presser)
            # Somebody else was quicker.
            decided = table
        await self.bot.panels.update(interaction, await self._seated(interaction, decided, press.presser))

    async def _seated(self, interaction: Interaction, table: TableState, party: int) -> TableState:
        """The table with the member in a seat, if they may take one and have the chips to play.

        So nobody deals before they have bet. Who backs a player stays without a seat.
        """
        if table.has(party) or table.side_bets_of(party):
            return table
        most = largest_stake(table, party, await self.bot.croupier.wallets.free_chips(table, party))
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
        await self._refuse_banker(interaction, table, press.presser)
        if refused := unmet_precondition(table, Action.TAKE_BANK):
            raise await self.bot.refused(interaction, refused, table, press.presser)
        if table.for_points or (table.bets and table.game.rolls_for_bank):
            await self._take(interaction, press, None)
            return
        await self._ask_for_bank(interaction, press, table)

    @handles(PressAction.BANK_NEXT)
    async def wait_for_bank(self, interaction: Interaction, press: Press) -> None:
        """Has the member wait for the bank that somebody has; who waits already reads after whom."""
        table = self.bot.croupier.tables[press.table_id]
        queue, party = self.bot.croupier.bank_queue, press.presser
        if not can_wait_for_bank(table):
            await self.take(interaction, press)
        elif table.is_banker(party):
            raise await self.bot.refused(interaction, refuse(Refusal.HOLDS_THE_BANK), table, party)
        elif party in queue.waiting(table.table_id):
            await self._told_who_is_before(interaction, table, party)
        elif table.for_points:
            await self._wait(interaction, table, party, None)
        else:
            await self._ask_for_bank(interaction, press, table)

    async def _ask_for_bank(self, interaction: Interaction, press: Press, table: TableState) -> None:
        """Asks for the limits of a bank."""
        await self._refuse_banker(interaction, table, press.presser)
        rules = self.bot.croupier.rules_for(table)
        waits = bool(table.bets) or can_wait_for_bank(table)
        chips = await self._chips_to_bank(table, press.presser)
        limits = offered_limits(rules, chips)
        if refused := limits_refused(rules, limits, chips):
            raise await self.bot.refused(interaction, refused, table, press.presser)
        if not waits:
            self.bot.croupier.bank_queue.hold(table.table_id, press.presser)
        modal = Press(PressAction.BANK_MODAL, table.table_id, ANY_ROUND)
        title = translate("menu.bank_next" if can_wait_for_bank(table) else "button.bank")
        form = bank_modal(modal, title, *self._filled_in(press, limits), largest_multiple(rules), chips)
        await open_modal(interaction, form)

    def _filled_in(self, press: Press, limits: Limits) -> tuple[str, str]:
        """What a form for limits begins with: these, or what the member entered before and was refused."""
        lowest, highest = map(str, limits)
        return self._entered.pop((press.table_id, press.presser), (lowest, highest))

    @contextmanager
    def _offering_again(self, press: Press, form: PressAction) -> Iterator[None]:
        """Has a refusal of entered limits offer the form again, with what was entered."""
        try:
            yield
        except (MemberError, RefusedError) as failed:
            why = failed.code if isinstance(failed, MemberError) else failed.refused.code
            if why in _OTHER_LIMITS_HELP and {LOWEST, HIGHEST} <= press.fields.keys():
                entered = press.fields[LOWEST][0], press.fields[HIGHEST][0]
                self._entered[press.table_id, press.presser] = entered
                again = Press(form, press.table_id, ANY_ROUND)
                failed.next_steps = (button(again, translate("button.limits")),)
            raise

    async def _refuse_banker(self, interaction: Interaction, table: TableState, party: int) -> None:
        """Raises an error if a member may not play, or not bank in this server."""
        await self.bot.croupier.barred.refuse(party)
        if refused := self.bot.croupier.bank_refused(table.server_id, party):
            raise await self.bot.refused(interaction, refused, table, party)

    async def _chips_to_bank(self, table: TableState, party: int) -> int:
        """What a member may lose as banker: of their free chips, and what the table holds of theirs."""
        free = await self.bot.croupier.wallets.free_chips(table, party)
        return free.get(party, 0) + table.held.get(party, 0)

    @handles(PressAction.BANK_MODAL)
    async def take_within(self, interaction: Interaction, press: Press) -> None:
        """Takes the bank with the entered limits, or waits for it if somebody else was quicker."""
        with self._offering_again(press, PressAction.BANK_NEXT):
            table, limits = self.bot.croupier.tables[press.table_id], _limits(press)
            party, queue = press.presser, self.bot.croupier.bank_queue
            await self._refuse_banker(interaction, table, party)
            others_turn = table.bank is None and not queue.is_free_for(table.table_id, party)
            waits = others_turn or can_wait_for_bank(table)
            if table.is_banker(party) or not (waits or table.game.rolls_for_bank):
                await self._take(interaction, press, limits)
                return
            chips = await self._chips_to_bank(table, party)
            if refused := limits_refused(self.bot.croupier.rules_for(table), limits, chips):
                raise await self.bot.refused(interaction, refused, table, party)
            refused = unmet_precondition(table, Action.TAKE_BANK)
            if waits:
                await self._wait(interaction, table, party, limits)
            elif refused is not None and refused.code is Refusal.BANK_TAKEN and table.bank is not None:
                why = translate("reply.bank_went_to", who=self.bot.names.mention(table.bank.party))
                await self._take_later(interaction, table, party, why, None)
            elif refused is not None and refused.code in _DICE_DECIDE:
                await self._take_later(interaction, table, party, translate("reply.dice_pick_now"), limits)
            else:
                await self._take(interaction, press, limits)

    async def _wait(
        self, interaction: Interaction, table: TableState, party: int, limits: Limits | None
    ) -> None:
        """Has a member wait for the bank, and tells them who has it before."""
        queue = self.bot.croupier.bank_queue
        await self._refuse_banker(interaction, table, party)
        self._asked_with[table.table_id, party] = interaction
        if not await queue.ask(table.table_id, party, str(interaction.id), limits):
            raise MemberError("reply.too_many_wait")
        # It may have been their turn before that was stored; then they are told so.
        table = self.bot.croupier.tables[table.table_id]
        if party in queue.waiting(table.table_id):
            await self._told_who_is_before(interaction, table, party)

    def _tell_next(self, table_id: int, party: int, refused: Refused | None) -> None:
        """Tells who waited that the bank is theirs, or why not."""
        interaction = self._asked_with.pop((table_id, party), None)
        if interaction is not None and token_lives(interaction):
            told = self._hand_over(interaction, table_id, party, refused)
        else:
            # They asked too long ago for an answer, or before the bot started.
            told = self._tell_by_message(self.bot.croupier.tables[table_id], party, refused)
        self.bot.tasks.start(told, "bank-handover")

    async def _tell_by_message(self, table: TableState, party: int, refused: Refused | None) -> None:
        """Tells who waited by direct message."""
        if refused is None:
            await self.bot.delivery.tell_banker(table, party)
        elif (identity := self.bot.croupier.identities.get(party)) is not None:
            await self.bot.stand_back()
            with speaking_to(self.bot.readers.of_member(identity)):
                why = await self.bot.next_chips.refused(refused, table, party, only_words=True)
                turn = translate("reply.bank_turn_over", table=table.number, channel=table.channel_id)
                content = Content(text_view(sentences([turn, why.sentence])))
            same = nonce("no-bank", table.table_id, table.sequence, party)
            await self.bot.delivery.send_message(identity, content, same)

    async def _told_who_is_before(self, interaction: Interaction, table: TableState, party: int) -> None:
        """Tells a member who waits for the bank who has it before, and offers to leave the queue.

        On their panel, that and how long they wait is there anyway.
        """
        queue, bank = self.bot.croupier.bank_queue, [] if table.bank is None else [table.bank.party]
        line = [*bank, *queue.waiting(table.table_id)]
        before = line[: line.index(party)]
        on_panel = is_on_panel(interaction)
        is_next = len(before) == len(bank) and banks_after_round(table, party)
        if on_panel:
            note = ""
        elif is_next:
            note = translate("reply.bank_after_round")
        elif before:
            note = translate("reply.waits_for_bank", who=self.bot.names.mention(before[-1]))
        else:
            note = translate("reply.waits_for_form")
        place = queue.place_of(table.table_id, party)
        if place is not None and place.limits is not None:
            lowest, highest = place.limits
            note = sentences([note, translate("reply.your_limits", lowest=lowest, highest=highest)])
        if place is not None and place.plan.at is not None and not (on_panel or is_next):
            note = sentences([note, translate("reply.in_queue_until", until=countdown(place.plan.at))])
        stays = table.house_banks or table.rules.bank_passes is BankPasses.STAYS
        if table.bank is not None and not stays:
            # A member who waits has the bank only if it does not pass on before (B05).
            rule = translate(f"rules.bank.{table.rules.game}.{table.rules.bank_passes}")
            note = sentences([note, rule])
        if on_panel:
            await self.bot.panels.show(interaction, table, note=note or None)
            return
        leave = Press(PressAction.LEAVE_QUEUE, table.table_id)
        await reply(interaction, note, [button(leave, translate("button.leave_queue"))])

    @handles(PressAction.LEAVE_QUEUE)
    async def leave_queue(self, interaction: Interaction, press: Press) -> None:
        """Lets the member wait for the bank no longer."""
        table, told = self.bot.croupier.tables[press.table_id], translate("reply.waits_no_longer")
        await self.bot.croupier.bank_queue.leave(press.table_id, press.presser)
        if is_on_panel(interaction):
            await self.bot.panels.show(interaction, table, note=told)
        else:
            await replace_pressed(interaction, Content(text_view(told)))

    def _queue_moved(self, table_id: int, parties: Collection[int]) -> None:
        """Shows who waits for the bank now, on the board and to those who wait or did."""
        if (table := self.bot.croupier.tables.get(table_id)) is not None:
            self.bot.boards.refresh(table_id)
            for party in parties:
                self.bot.panels.refresh(table, party)

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
                why = await self.bot.refused(interaction, refused, table, party)
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
        table, party = self.bot.croupier.tables[press.table_id], press.presser
        if not table.throws or any(throw.party == party for throw in table.throws):
            return
        chips = await self._chips_to_bank(table, party)
        if refused := limits_refused(rules, offered_limits(rules, chips), chips):
            raise await self.bot.refused(interaction, refused, table, party)

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
            raise await self.bot.refused(interaction, refused, table, press.presser)
        assert table.bank is not None
        modal = Press(PressAction.LIMITS_MODAL, table.table_id, ANY_ROUND)
        title, multiple = translate("modal.limits"), largest_multiple(table.rules)
        filled_in = self._filled_in(press, (table.bank.lowest, table.bank.highest))
        chips = await self._chips_to_bank(table, press.presser)
        form = bank_modal(modal, title, *filled_in, multiple, chips)
        await open_modal(interaction, form)

    @handles(PressAction.LIMITS_MODAL)
    async def set_limits(self, interaction: Interaction, press: Press) -> None:
        """Sets the limits of the bank; if bets are down, they are set before the next ones."""
        with self._offering_again(press, PressAction.LIMITS):
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
                raise await self.bot.refused(interaction, refused, table, press.presser)
            await self.bot.croupier.bank_queue.state_limits(table.table_id, press.presser, limits)
            note = translate("reply.limits_next", lowest=limits[0], highest=limits[1])
            await self.bot.panels.show(interaction, table, note=note)

    @handles(PressAction.GIVE_UP)
    async def give_up(self, interaction: Interaction, press: Press) -> None:
        """Gives up the bank; who has a seat then reads so on their panel, and which bets go back."""
        self.bot.panels.note_press(interaction, press.table_id, press.presser)
        before = self.bot.croupier.tables[press.table_id]
        table = await self.bot.ask(interaction, press.table_id, GiveUpBank(press.presser))
        seat = table.seat_of(press.presser)
        told = [] if seat is None else [translate("reply.bank_given_up", seat=seat.number)]
        if before.is_banker(press.presser) and (returned := bets_to_return([before], self.bot.names)):
            told.append(returned)
        await self.bot.panels.show(interaction, table, note=sentences(told) or None)

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
            await self.bot.croupier.bank_queue.state_limits(table.table_id, party, limits)
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
        bet = PlaceBet(party, amount, takes_seat=_may_sit(interaction))
        await self._show_bet(interaction, state, bet)

    async def _show_bet(self, interaction: Interaction, before: TableState, bet: PlaceBet) -> None:
        """Places a bet, and answers with the member's panel, which says what else became of it."""
        after = await self.bot.ask(interaction, before.table_id, bet)
        told = [await self._why_less(after, bet)]
        if gave_way(before, after, bet.party):
            told.append(translate("reply.side_bets_returned"))
        await self.bot.panels.show(interaction, after, note=sentences(told) or None)

    @handles(PressAction.OTHER_BET)
    async def ask_for_stake(self, interaction: Interaction, press: Press) -> None:
        """Asks how much to bet."""
        table = self.bot.croupier.tables[press.table_id]
        party = press.presser
        most = largest_stake(table, party, await self.bot.croupier.wallets.free_chips(table, party))
        if isinstance(most, Refused):
            raise await self.bot.refused(interaction, most, table, party)
        assert table.bank is not None
        last_stake = table.usual_stake(party)
        round_number = ANY_ROUND if press.meant_round is None else table.round_number
        modal = Press(PressAction.BET_MODAL, table.table_id, round_number)
        multiple = largest_multiple(table.rules)
        stack = await self.bot.croupier.wallets.stack(table.server_id, party)
        own = stack.free + table.held.get(party, 0)
        await open_modal(interaction, bet_modal(modal, own, table.bank.lowest, most, last_stake, multiple))

    @handles(PressAction.BET, PressAction.PLAY, PressAction.AGAIN, PressAction.BET_MODAL)
    async def place(self, interaction: Interaction, press: Press) -> None:
        """Bets the number on the button, a point, the member's last stake, or what they entered."""
        if self.bot.boards.had_hands(interaction, press.table_id):
            raise MemberError("reply.round_just_ended")
        match press.action:
            case PressAction.PLAY:
                stake = A_POINT
            case PressAction.AGAIN:
                usual = self.bot.croupier.tables[press.table_id].usual_stake(press.presser)
                if usual is None:
                    # They have nothing to bet again.
                    await self.ask_for_stake(interaction, press)
                    return
                stake = usual
            case PressAction.BET_MODAL:
                table, party = self.bot.croupier.tables[press.table_id], press.presser
                most = largest_stake(table, party, await self.bot.croupier.wallets.free_chips(table, party))
                stake = entered_stake(press, table, most)
            case _:
                assert press.number is not None
                stake = press.number
        bet = PlaceBet(press.presser, stake, press.meant_round, takes_seat=_may_sit(interaction))
        await self.bot.carry_out(interaction, press.table_id, bet)

    @handles(PressAction.BET_MOST)
    async def place_most(self, interaction: Interaction, press: Press) -> None:
        """Bets the number on the button, or less if less is possible by now; the panel says so."""
        assert press.number is not None
        self.bot.panels.note_press(interaction, press.table_id, press.presser)
        sits, table = _may_sit(interaction), self.bot.croupier.tables[press.table_id]
        bet = PlaceBet(press.presser, press.number, press.meant_round, takes_seat=sits, or_less=True)
        await self._show_bet(interaction, table, bet)

    async def _why_less(self, table: TableState, bet: PlaceBet) -> str:
        """What a member has bet, and why it is less than they wanted; empty if it is as much."""
        seat = table.seat_of(bet.party)
        if seat is None or seat.stake is None or seat.stake >= bet.stake or table.for_points:
            return ""
        free = await self.bot.croupier.wallets.free_chips(table, bet.party)
        why = not_covered(table, bet.party, bet.stake, free)
        by_bank = why is not None and why.code is Refusal.BANK_CANNOT_COVER
        return translate("reply.bet_less_by_bank" if by_bank else "reply.bet_less", stake=seat.stake)

    @handles(PressAction.JOIN)
    async def join(self, interaction: Interaction, press: Press) -> None:
        """Seats the member; who sits down while hands are dealt reads from when on they play."""
        await self.bot.carry_out(interaction, press.table_id, Join(press.presser))
        table = self.bot.croupier.tables[press.table_id]
        seat = table.seat_of(press.presser)
        # A panel says so itself.
        if table.phase is Phase.DEALT and seat is not None and not is_private(interaction):
            await reply(interaction, translate("panel.plays_next_round", seat=seat.number))

    @handles(PressAction.LEAVE)
    async def leave(self, interaction: Interaction, press: Press) -> None:
        """Leaves the table; who had a bet down reads that it is back."""
        self.bot.panels.note_press(interaction, press.table_id, press.presser)
        before = self.bot.croupier.tables.get(press.table_id)
        seat = None if before is None else before.seat_of(press.presser)
        table = await self.bot.ask(interaction, press.table_id, Leave(press.presser))
        stake = None if seat is None or table.for_points or table.has(press.presser) else seat.stake
        note = None if stake is None else translate("reply.bet_is_back", stake=stake)
        await self.bot.panels.show(interaction, table, note=note)

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
