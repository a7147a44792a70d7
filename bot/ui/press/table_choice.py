"""Which table a command means: the one named, this channel's, or the one where the member sits.

And its server; for a new one, which game is played here, and which permission for a board is missing.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import discord
from discord import app_commands

from bot.croupier.croupier import Croupier
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.knobs import GameName
from bot.rules.typed_text import clean, quote
from bot.table.state import TableState
from bot.ui.press.errors import MemberError
from bot.ui.press.next_steps import tell_button
from bot.wire.intake import thread_parent
from bot.wire.requests import Interaction
from bot.words.translation import listed, translate

NOTHING: Final[Mapping[TableState, str]] = MappingProxyType({})
_LONGEST_PART: Final = 40
"""The most characters of a channel's or server's name in a list of tables: a suggestion takes 100."""
NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""The permissions that a board needs in a channel; threads have their own permission to send."""


def choose_table(
    interaction: Interaction,
    croupier: Croupier,
    wanted: str | None,
    elsewhere: Mapping[TableState, str] = NOTHING,
    *,
    only_here: bool = False,
) -> TableState:
    """The table a command means: the one named, else this channel's, else the one where the member sits.

    Args:
        wanted: the option `table`: an identity, as suggestions have it, or a table's number.
        elsewhere: the tables of other processes where the member sits, with their servers' names.
        only_here: whether a server's table elsewhere must be named, because the command ends something there.
    """
    within = [*tables_within_reach(interaction, croupier), *elsewhere]
    if wanted is not None:
        found = [table for table in within if wanted.strip() in (str(table.table_id), str(table.number))]
        if len(found) > 1:
            raise _several(interaction, found, elsewhere)
        if not found:
            raise MemberError("reply.no_such_table", wanted=quote(wanted))
        return found[0]
    for table in within:
        if table.channel_id == interaction.channel_id:
            return table
    if only_here and interaction.guild_id is not None:
        raise MemberError("reply.no_table_here")
    seated = [table for table in within if table in elsewhere or _sits_at(interaction, croupier, table)]
    if not seated:
        raise _none_here(interaction, croupier)
    if len(seated) > 1:
        raise _several(interaction, seated, elsewhere)
    return seated[0]


def _none_here(interaction: Interaction, croupier: Croupier) -> MemberError:
    """That no table is meant; where one may open, with the button to be told of it."""
    if interaction.guild_id is None:
        return MemberError("reply.no_table_of_yours")
    none = MemberError("reply.no_table_here")
    if is_for_tables(interaction, croupier):
        none.next_steps = (tell_button(),)
    return none


def is_for_tables(interaction: Interaction, croupier: Croupier) -> bool:
    """Whether the house allows tables in the channel of an interaction in a server (B06)."""
    allowed = croupier.house_of(server_of(interaction)).rules(DEFAULT_GAME).channels
    return not allowed or not {interaction.channel_id, thread_parent(interaction)}.isdisjoint(allowed)


def _several(
    interaction: Interaction, tables: list[TableState], elsewhere: Mapping[TableState, str]
) -> MemberError:
    """The question which of these tables is meant."""
    names = [_name(interaction, one, elsewhere.get(one)) for one in tables[:5]]
    return MemberError("reply.which_table", tables="; ".join(names))


def suggest_tables(
    interaction: Interaction, croupier: Croupier, typed: str, elsewhere: Mapping[TableState, str] = NOTHING
) -> list[app_commands.Choice[str]]:
    """The tables a command could mean, first those where the member sits."""
    tables = tables_within_reach(interaction, croupier)
    tables.sort(key=lambda table: not _sits_at(interaction, croupier, table))
    tables += elsewhere
    names = ((_name(interaction, table, elsewhere.get(table)), str(table.table_id)) for table in tables)
    typed = typed.casefold()
    return [app_commands.Choice(name=n, value=v) for n, v in names if typed in n.casefold()][:25]


def tables_within_reach(interaction: Interaction, croupier: Croupier) -> list[TableState]:
    """The server's tables that the member may know of, by number.

    In direct messages: the tables where the member sits, the newest first.
    """
    if interaction.guild_id is None:
        own = [table for table in croupier.tables.all() if _sits_at(interaction, croupier, table)]
        return sorted(own, key=lambda table: table.table_id, reverse=True)
    return [
        table
        for table in croupier.tables.of_server(interaction.guild_id)
        if _sits_at(interaction, croupier, table) or may_see(interaction, table.channel_id)
    ]


def _sits_at(interaction: Interaction, croupier: Croupier, table: TableState) -> bool:
    return table.has(croupier.identities.known(table.server_id, interaction.user.id))


def may_see(interaction: Interaction, channel_id: int) -> bool:
    """Whether the member may know of a channel: they see it, or manage the server.

    A channel or thread that the bot does not know, because it is gone or archived, is for managers only.
    """
    if channel_id == interaction.channel_id or interaction.permissions.manage_guild:
        return True
    server, member = interaction.guild, interaction.user
    channel = None if server is None else server.get_channel_or_thread(channel_id)
    if channel is None or not isinstance(member, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        # A thread is seen by those who see its channel, which is not known.
        return False
    allowed = channel.permissions_for(member)
    if isinstance(channel, discord.Thread) and channel.is_private() and not allowed.manage_threads:
        # Discord says who is in a private thread only to bots with the members intent.
        return False
    return allowed.view_channel


def _name(interaction: Interaction, table: TableState, elsewhere: str | None = None) -> str:
    """What a table is called in a list: its number, its channel and, in direct messages, its server.

    Args:
        elsewhere: the name of its server, if another process hosts it.
    """
    parts = [translate("table.name", number=table.number)]
    server = interaction.client.get_guild(table.server_id)
    if elsewhere:
        parts.append(clean(elsewhere, _LONGEST_PART))
    elif server is not None:
        channel = server.get_channel_or_thread(table.channel_id)
        parts += [f"#{clean(channel.name, _LONGEST_PART)}"] if channel else []
        parts += [clean(server.name, _LONGEST_PART)] if interaction.guild_id is None else []
    return " · ".join(parts)


def server_of(interaction: Interaction) -> int:
    """The server where somebody pressed or typed."""
    if interaction.guild_id is None:
        raise MemberError("reply.only_in_server")
    return interaction.guild_id


async def game_here(interaction: Interaction, croupier: Croupier) -> GameName:
    """The game of this channel: the one that it played last, else the one in its name, else the first one."""
    assert interaction.channel_id is not None
    last = await croupier.last_game_in(server_of(interaction), interaction.channel_id)
    return last or game_named(str(getattr(interaction.channel, "name", ""))) or DEFAULT_GAME


def game_named(channel: str) -> GameName | None:
    """The game in the name of a channel; None if it names none."""
    return next((game for game in GAMES if game in channel.casefold()), None)


async def chosen_game(interaction: Interaction, croupier: Croupier, text: str | None) -> GameName:
    """The game that an option names; that of this channel if it names none."""
    if text is None:
        return await game_here(interaction, croupier)
    if text not in GAMES:
        raise MemberError("reply.wrong_option", value=quote(text))
    return text


def missing_permissions(interaction: Interaction) -> str:
    """The permissions that the bot needs in this channel and lacks, in words; empty if none."""
    return lacking(interaction.app_permissions, thread=thread_parent(interaction) is not None)


def lacking(allowed: discord.Permissions, *, thread: bool = False) -> str:
    """The permissions for a table that are not among these, in words; empty if none."""
    needed = [*NEEDED, *(["send_messages_in_threads"] if thread else [])]
    if thread:
        needed.remove("send_messages")
    missing = [translate(f"permission.{name}") for name in needed if not getattr(allowed, name)]
    if len(missing) < 2:
        return "".join(missing)
    return translate("permission.and", some=listed(missing[:-1]), last=missing[-1])
