"""How the bot answers one person: texts that only they see, and promises of an answer."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import discord

from bot.table.state import Member
from bot.ui.discord_errors import ALREADY_ANSWERED, CONNECTION_BROKE, is_code
from bot.ui.views.components import LONGEST_TEXT, new_layout
from bot.words import translate

log = logging.getLogger(__name__)

Interaction = discord.Interaction[discord.Client]


def member_of(interaction: Interaction) -> Member:
    """The member who pressed or typed, as a table knows them."""
    return Member(interaction.user.id, interaction.user.display_name)


async def reply(interaction: Interaction, text: str) -> None:
    """Tells this person alone a sentence, whether or not the interaction is answered already.

    After an earlier answer the sentence is a follow-up: the one kind of message that may arrive twice on a
    bad connection, which does no harm here.
    """
    if not interaction.response.is_done():
        await interaction.response.send_message(text, ephemeral=True)
    elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(content=text)
    else:
        await interaction.followup.send(text, ephemeral=True)


async def defer(interaction: Interaction) -> None:
    """Promises this person alone an answer, which may then take longer than Discord's 3 seconds."""
    with _answered_once():
        await interaction.response.defer(ephemeral=True, thinking=True)


async def defer_update(interaction: Interaction) -> None:
    """Acknowledges a press on a message; an edit of that message may follow."""
    with _answered_once():
        await interaction.response.defer()


async def fill_reply(interaction: Interaction, view: discord.ui.LayoutView) -> None:
    """Replaces a promised answer; sent twice, it is still there once."""
    await interaction.edit_original_response(view=view)


def whole_lines(lines: Sequence[str]) -> str:
    """As many of these lines as fit into a message, and how many are left out."""
    kept: list[str] = []
    # The last line may say how many are left out.
    room = LONGEST_TEXT - 100
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, translate("reply.more_lines", count=len(lines) - number)])
        kept.append(line)
    return "\n".join(kept)


async def reply_text(interaction: Interaction, text: str) -> None:
    """Shows this person alone a longer text, of at most 4,000 characters."""
    view = new_layout()
    view.add_item(discord.ui.TextDisplay(text))
    await interaction.response.send_message(view=view, ephemeral=True)


@contextmanager
def _answered_once() -> Iterator[None]:
    """Goes on if Discord has the answer already, or may have it: what follows shows whether it has."""
    try:
        yield
    except CONNECTION_BROKE as broken:
        log.info("whether an answer arrived is not known: %s", broken)
    except discord.HTTPException as failed:
        # The library tried again because the first confirmation was lost.
        if not is_code(failed, ALREADY_ANSWERED):
            raise
