"""How the bot answers one person: a sentence only he sees, and never a traceback."""

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import discord

from bot.client import GnauBot
from bot.croupier import NoSuchTableError
from bot.ledger.errors import LedgerError
from bot.table.commands import Command
from bot.table.refusals import Refused
from bot.table.state import Member, TableState
from bot.ui.discord_errors import ALREADY_ANSWERED, CONNECTION_BROKE, SENDING_FAILED, is_code
from bot.ui.views.presses import new_layout
from bot.words import refusal

log = logging.getLogger(__name__)

NO_SUCH_TABLE: Final = "That table is closed. `/table open` opens another."
BOOKS_CLOSED: Final = (
    "The books cannot be written just now: look at the board in a moment, and try again if nothing changed."
)
SOMETHING_WRONG: Final = (
    "Something went wrong here, and it has been noted. `/wallet` and the board tell how things stand."
)

LONGEST_TEXT: Final = 3900
"""What a message's texts may total, less room for a line about what is left out."""

Interaction = discord.Interaction[GnauBot]


class NoTableError(Exception):
    """There is no table that could be meant; its text is a sentence for the member."""


def member_of(interaction: Interaction) -> Member:
    """Who pressed or wrote, as a table knows him."""
    return Member(interaction.user.id, interaction.user.display_name)


async def reply(interaction: Interaction, text: str) -> None:
    """Tells this person alone a sentence, whether or not the interaction is answered already.

    Where he was shown something else first, the sentence is a follow-up: the one kind of message that may
    come twice when the connection is bad, which does no harm to him.
    """
    if not interaction.response.is_done():
        await interaction.response.send_message(text, ephemeral=True)
    elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(content=text)
    else:
        await interaction.followup.send(text, ephemeral=True)


async def defer(interaction: Interaction) -> None:
    """Promises this person alone an answer, which may then take longer than Discord waits for a first one."""
    with _answered_but_once():
        await interaction.response.defer(ephemeral=True, thinking=True)


async def defer_update(interaction: Interaction) -> None:
    """Takes note of a press on a message; an edit of that message may follow."""
    with _answered_but_once():
        await interaction.response.defer()


async def fill_reply(interaction: Interaction, view: discord.ui.LayoutView) -> None:
    """Shows what was promised; in place of the promise, so that it is there once however often it is sent."""
    await interaction.edit_original_response(view=view)


def whole_lines(lines: Sequence[str]) -> str:
    """As many of these lines as a message takes, and how many are left out."""
    shown: list[str] = []
    room = LONGEST_TEXT
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*shown, f"… and {len(lines) - number} more"])
        shown.append(line)
    return "\n".join(shown)


async def reply_text(interaction: Interaction, text: str) -> None:
    """Shows this person alone a longer text, of at most 4,000 characters."""
    view = new_layout()
    view.add_item(discord.ui.TextDisplay(text))
    await interaction.response.send_message(view=view, ephemeral=True)


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncIterator[None]:
    """Turns whatever goes wrong while an interaction is answered into one sentence."""
    try:
        yield
    except NoTableError as missing:
        await _try_to_say(interaction, str(missing))
    except NoSuchTableError:
        await _try_to_say(interaction, NO_SUCH_TABLE)
    except LedgerError as failed:
        log.error("the ledger failed for interaction %s: %s", interaction.id, failed)
        await _try_to_say(interaction, BOOKS_CLOSED)
    except SENDING_FAILED as failed:
        log.warning("interaction %s could not be answered: %s", interaction.id, failed)
    except Exception:
        if interaction.client.is_closed():
            log.info("interaction %s came while the bot was stopping", interaction.id)
            return
        log.exception("interaction %s failed", interaction.id)
        await _try_to_say(interaction, SOMETHING_WRONG)


async def ask(interaction: Interaction, table_id: int, command: Command) -> TableState | None:
    """Has a table do what this person asks.

    Returns:
        The table as it is then; None where it refused, and the person has been told why.

    Raises:
        NoSuchTableError: where the table is closed.
        LedgerError: where it could not be written.
    """
    decided = await interaction.client.croupier.ask(
        table_id, command, interaction.user.id, str(interaction.id)
    )
    if isinstance(decided, Refused):
        await reply(interaction, refusal(decided))
        return None
    return decided


@contextmanager
def _answered_but_once() -> Iterator[None]:
    """Goes on where Discord has the answer already, or may have it: what follows shows whether it has."""
    try:
        yield
    except CONNECTION_BROKE as broken:
        log.info("whether an answer arrived is not known: %s", broken)
    except discord.HTTPException as failed:
        # Word of it was lost, and the library tried again.
        if not is_code(failed, ALREADY_ANSWERED):
            raise


async def _try_to_say(interaction: Interaction, text: str) -> None:
    if interaction.client.is_closed():
        return
    try:
        await reply(interaction, text)
    except SENDING_FAILED as failed:
        log.warning("interaction %s could not be answered: %s", interaction.id, failed)
