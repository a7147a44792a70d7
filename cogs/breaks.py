"""`/break`: a member does not play for a day, a week or a month, or limits what they can lose a day."""

import logging

import discord
from discord import app_commands

from bot.clock import DAY_SECONDS
from bot.croupier.open_tables import ChipsMoved
from bot.ledger.errors import LedgerError
from bot.ui.bot import BotCog
from bot.ui.components import button, label, modal, row, text, text_input, text_view
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import BREAK_DAYS, Press, PressAction
from bot.ui.press.errors import log_failure
from bot.ui.press.replies import open_modal, replace_pressed, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.ui.stakes import AMOUNT, parse_chips
from bot.wire.requests import Content, Interaction
from bot.words.translation import sentences, translate

log = logging.getLogger(__name__)


class Breaks(BotCog):
    """Asks for how long, begins a break, and sets limits of loss."""

    @app_commands.command(name="break", description=command_text("command.break"))
    @app_commands.guild_only()
    async def begins(self, interaction: Interaction) -> None:
        """Asks for how long, or says until when a break lasts and offers a longer one."""
        await self._ask(interaction)

    @handles(PressAction.ASK_BREAK)
    async def ask(self, interaction: Interaction, press: Press) -> None:
        """Asks the same where it is pressed."""
        await self._ask(interaction)

    async def _ask(self, interaction: Interaction) -> None:
        croupier, server_id = self.bot.croupier, server_of(interaction)
        now = croupier.now()
        party = await croupier.identities.find(server_id, interaction.user.id)
        until = croupier.barred.break_until(party)
        asked = translate("break.ask") if until is None else translate("break.longer", until=int(until))
        longer = [days for days in BREAK_DAYS if now + int(days) * DAY_SECONDS > (until or now)]
        buttons = [
            button(Press(PressAction.BREAK, arguments=(days,)), translate(f"button.break_{days}"))
            for days in longer
        ]
        layout = [text(asked), *([row(*buttons)] if buttons else [])]
        if limit := await self._limit_words(server_id, party):
            layout.append(text(limit))
        layout.append(row(button(Press(PressAction.LOSS), translate("button.loss"))))
        # A question: no answer to another command may take its place.
        await reply_layout(interaction, layout, kind=None)

    @handles(PressAction.LOSS)
    async def ask_for_limit(self, interaction: Interaction, press: Press) -> None:
        """Asks how many chips the member wants to lose a day at most."""
        barred, server_id = self.bot.croupier.barred, server_of(interaction)
        limit = barred.limit(await self.bot.croupier.identities.find(server_id, interaction.user.id))
        amount = text_input(
            AMOUNT, "" if limit is None else str(limit.of(self.bot.croupier.now())), required=False
        )
        how = translate("modal.loss_how")
        part = label(translate("modal.loss_chips"), amount, how)
        await open_modal(interaction, modal(Press(PressAction.LOSS_MODAL), translate("modal.loss"), [part]))

    @handles(PressAction.LOSS_MODAL)
    async def set_limit(self, interaction: Interaction, press: Press) -> None:
        """Sets the entered limit of loss, or has it end."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        entered = press.fields.get(AMOUNT, ("",))[0].strip()
        chips = parse_chips(entered) if entered else None
        party = await self.bot.party_in(interaction, server_id)
        await croupier.barred.set_limit(server_id, party, chips)
        # Panels and boards offer what can be bet.
        croupier.listeners.notify_of_chips(ChipsMoved(server_id, {party: 0}))
        said = await self._limit_words(server_id, party) or translate("loss.none")
        await replace_pressed(interaction, Content(text_view(said)))

    async def _limit_words(self, server_id: int, party: int) -> str:
        """What a member's limit of loss is, and what it leaves them; empty without one."""
        croupier = self.bot.croupier
        barred = croupier.barred
        limit = barred.limit(party)
        left = await barred.left(server_id, party, await croupier.ledger.stacks.of((server_id, party)))
        if limit is None or left is None:
            return ""
        said = [translate("loss.now", chips=limit.of(croupier.now()) or 0, left=left)]
        if limit.at is not None and limit.at > croupier.now():
            then, at = limit.then, int(limit.at)
            said.append(
                translate("loss.then_none", at=at)
                if then is None
                else translate("loss.then", chips=then, at=at)
            )
        return f"{sentences(said)}\n{translate('loss.how', at=int(barred.tomorrow))}"

    @handles(PressAction.BREAK)
    async def ask_again(self, interaction: Interaction, press: Press) -> None:
        """Asks before a break, as nobody can end it early, and says until when it would last."""
        croupier, (days,) = self.bot.croupier, press.arguments
        party = await croupier.identities.find(server_of(interaction), interaction.user.id)
        until = max(croupier.now() + int(days) * DAY_SECONDS, croupier.barred.break_until(party) or 0)
        begin = Press(PressAction.BREAK_NOW, arguments=(days,))
        yes = button(begin, translate(f"button.break_{days}"), style=discord.ButtonStyle.danger)
        no = button(Press(PressAction.NO_BREAK), translate("house.leave"))
        asked = text(translate("break.sure", until=int(until)))
        await replace_pressed(interaction, Content([asked, row(yes, no)]))

    @handles(PressAction.NO_BREAK)
    async def begin_none(self, interaction: Interaction, press: Press) -> None:
        """Begins no break."""
        await replace_pressed(interaction, Content(text_view(translate("house.left"))))

    @handles(PressAction.BREAK_NOW)
    async def begin(self, interaction: Interaction, press: Press) -> None:
        """Begins the break that the button names: the member leaves every table of the server."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        party = await self.bot.party_in(interaction, server_id)
        seconds = int(press.arguments[0]) * DAY_SECONDS
        until = await croupier.barred.take_break(server_id, party, seconds)
        try:
            await croupier.take_leave(server_id, party, str(interaction.id))
        except LedgerError as failed:
            # Nothing new can be bet all the same, and who presses nothing loses the seat.
            log_failure(log, failed, "party %s takes a break, but may still have a seat", party)
        await replace_pressed(interaction, Content(text_view(translate("break.begun", until=int(until)))))
