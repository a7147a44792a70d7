"""What every press and every command goes through, once: locale, log context, errors and latency.

The router uses it for buttons, menus and modals, the command tree for slash commands.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final

import discord

from bot.log_context import set_log_context
from bot.ui.press.discord_errors import SENDING_FAILED, is_outage, log_failure
from bot.ui.press.errors import outcome_of, sentence_for
from bot.ui.press.late_interactions import Arrival, LateInteractions
from bot.ui.press.replies import CommandLinks, PrivateReplies, keep_private_replies, link_commands, reply
from bot.ui.readers import Readers
from bot.wire.requests import Interaction
from bot.words.translation import set_reader

log = logging.getLogger(__name__)

SLOW_SECONDS: Final = 1.5
"""An interaction that takes longer is logged as a warning: Discord gives up after 3 seconds."""
_STARTED: Final = "started"


class Reception:
    """Receives every interaction."""

    def __init__(
        self, late: LateInteractions, private: PrivateReplies, readers: Readers, links: CommandLinks
    ) -> None:
        self._late = late
        self._private = private
        self._readers = readers
        self._links = links

    def begin(
        self, interaction: Interaction, *, table_id: int | None = None, round_number: int | None = None
    ) -> None:
        """Sets the reader's locale and the log context of this task, and starts the clocks."""
        interaction.extras[_STARTED] = perf_counter()
        self._late.arrived(interaction)
        keep_private_replies(interaction, self._private)
        link_commands(interaction, self._links)
        set_reader(self._readers.of_interaction(interaction))
        set_log_context(
            server=interaction.guild_id, table=table_id, round=round_number, interaction=interaction.id
        )

    def answer_in(self, interaction: Interaction, server_id: int) -> None:
        """Sets the reader again: the interaction came by direct message, and is about this server."""
        set_reader(self._readers.of_interaction(interaction, server_id))

    @asynccontextmanager
    async def handling(
        self,
        interaction: Interaction,
        action: str,
        *,
        table_id: int | None = None,
        round_number: int | None = None,
    ) -> AsyncIterator[None]:
        """Handles an interaction in this block: what it raises becomes one sentence."""
        self.begin(interaction, table_id=table_id, round_number=round_number)
        outcome, answerable = "done", True
        try:
            yield
        except Exception as error:
            outcome = outcome_of(error)
            answerable = await report(interaction, error)
        finally:
            finish(interaction, action, outcome, answerable=answerable)


def finish(interaction: Interaction, action: str, outcome: str, *, answerable: bool = True) -> None:
    """Logs how long an interaction took and how it ended: `done` or as `outcome_of`.

    Args:
        action: what the log calls it.
        answerable: whether Discord could take an answer; else it took long for that reason.
    """
    if (arrival := interaction.extras.get(Arrival)) is not None:
        arrival.ended()
    seconds = perf_counter() - interaction.extras.get(_STARTED, perf_counter())
    level = logging.WARNING if answerable and seconds > SLOW_SECONDS else logging.DEBUG
    log.log(level, "%s: %s after %.3f seconds", action, outcome, seconds)


async def report(interaction: Interaction, error: Exception) -> bool:
    """Tells the member what went wrong, in one sentence; never raises.

    Returns:
        Whether Discord could take an answer: not during an outage.
    """
    if interaction.client.is_closed():
        log.info("the bot was stopping")
        return True
    sentence = sentence_for(error)
    if sentence is None or interaction.type is discord.InteractionType.autocomplete:
        return not is_outage(error)
    try:
        await reply(interaction, sentence)
    except SENDING_FAILED as failed:
        log_failure(log, failed, "an answer could not be sent")
        return not is_outage(failed)
    except Exception:
        log.exception("an answer could not be made")
    return True
