"""`/break`: a member does not play for a day, a week or a month, and cannot end that early."""

import logging

from discord import app_commands

from bot.clock import DAY_SECONDS
from bot.ledger.errors import LedgerError
from bot.ui.bot import BotCog
from bot.ui.components import button, row, text, text_view
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import BREAK_DAYS, Press, PressAction
from bot.ui.press.errors import log_failure
from bot.ui.press.replies import replace_pressed, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import translate

log = logging.getLogger(__name__)


class Breaks(BotCog):
    """Asks for how long, and begins a break."""

    @app_commands.command(name="break", description=command_text("command.break"))
    @app_commands.guild_only()
    async def ask(self, interaction: Interaction) -> None:
        """Asks for how long, or says until when a break lasts and offers a longer one."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        now = croupier.now()
        until = croupier.barred.break_until(await croupier.identities.find(server_id, interaction.user.id))
        asked = translate("break.ask") if until is None else translate("break.longer", until=int(until))
        longer = [days for days in BREAK_DAYS if now + int(days) * DAY_SECONDS > (until or now)]
        buttons = [
            button(Press(PressAction.BREAK, arguments=(days,)), translate(f"button.break_{days}"))
            for days in longer
        ]
        # A question: no answer to another command may take its place.
        await reply_layout(interaction, [text(asked), *([row(*buttons)] if buttons else [])], kind=None)

    @handles(PressAction.BREAK)
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
