"""Opening tables: by a command or a button, under the same checks, with the board as the answer."""

from typing import Final

from bot.croupier.open_tables import ChannelNotAllowedError, ChannelTakenError
from bot.rules.knobs import GameName, Play
from bot.table.state import TableState
from bot.ui.absences import channels_there
from bot.ui.bot import GnauBot
from bot.ui.press.arrivals import not_after
from bot.ui.press.errors import MemberError
from bot.ui.press.table_choice import game_here
from bot.wire.intake import thread_parent
from bot.wire.requests import Interaction
from bot.words.translation import listed, translate

NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""The permissions that a board needs in a channel; threads have their own permission to send."""


async def open_table(bot: GnauBot, interaction: Interaction, game: GameName | None, play: Play) -> TableState:
    """Opens a table here; returns the one that is open, if there is one.

    Args:
        game: the game; None for the one of the channel, as `game_here` has it.
        play: for chips or points.

    Raises:
        MemberError: if the bot lacks a permission in this channel.
        ChannelNotAllowedError: if the house allows tables in other channels only.
        LateInteractionError: if the answer cannot arrive any more.
    """
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    if missing := _missing_permissions(interaction):
        raise MemberError("reply.missing_permissions", permissions=missing)
    if game is None:
        game = await game_here(interaction, bot.croupier)
    try:
        return await bot.croupier.open_table(
            interaction.guild_id,
            interaction.channel_id,
            await bot.party_in(interaction, interaction.guild_id),
            interaction.id,
            game,
            play,
            parent_id=thread_parent(interaction),
            not_after=await not_after(interaction),
        )
    except ChannelTakenError as taken:
        return taken.table
    except ChannelNotAllowedError as elsewhere:
        there = await channels_there(bot, interaction.guild_id, elsewhere.channels)
        if not there:
            bot.house_alarm.channels_gone(interaction.guild_id)
        raise ChannelNotAllowedError(tuple(there)) from None


def _missing_permissions(interaction: Interaction) -> str:
    """The permissions that the bot needs in this channel and lacks, in words; empty if none."""
    thread = thread_parent(interaction) is not None
    needed = [*NEEDED, *(["send_messages_in_threads"] if thread else [])]
    if thread:
        needed.remove("send_messages")
    allowed = interaction.app_permissions
    missing = [translate(f"permission.{name}") for name in needed if not getattr(allowed, name)]
    if len(missing) < 2:
        return "".join(missing)
    return translate("permission.and", some=listed(missing[:-1]), last=missing[-1])
