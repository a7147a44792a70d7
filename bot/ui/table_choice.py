"""Which table somebody means: the one of this channel, or where he sits."""

from typing import Final

import discord
from discord import app_commands

from bot.croupier import Croupier, NoSuchTableError
from bot.table.state import TableState
from bot.ui.replies import Interaction, NoTableError

LONGEST_QUOTE: Final = 50
"""So much of what somebody wrote is said back to him."""


def table_or_raise(croupier: Croupier, table_id: int) -> TableState:
    """The open table of that identity.

    Raises:
        NoSuchTableError: where none is open.
    """
    table = croupier.tables.get(table_id)
    if table is None:
        raise NoSuchTableError(f"table {table_id} is not open")
    return table


def choose_table(interaction: Interaction, wanted: str | None) -> TableState:
    """The table that a command means: the one named, else this channel's, else where the member sits.

    Args:
        interaction: the command.
        wanted: the option `table`: an identity as `suggest_tables` offers it, or a table's number.

    Raises:
        NoTableError: with a sentence, where there is none.
    """
    within = tables_within_reach(interaction)
    if wanted is not None:
        found = [table for table in within if wanted.strip() in (str(table.table_id), str(table.number))]
        if len(found) > 1:
            raise NoTableError(_several(interaction, found))
        if not found:
            raise NoTableError(
                f'There is no table "{wanted[:LONGEST_QUOTE]}" here; `/table list` shows those that are open.'
            )
        return found[0]
    for table in within:
        if table.channel_id == interaction.channel_id:
            return table
    seated = [table for table in within if table.has(interaction.user.id)]
    if not seated:
        here = "in this channel" if interaction.guild_id else "where you sit"
        raise NoTableError(f"There is no table {here}. `/table open` in a server's channel opens one.")
    if len(seated) > 1:
        raise NoTableError(_several(interaction, seated))
    return seated[0]


def _several(interaction: Interaction, tables: list[TableState]) -> str:
    """The question which of these tables is meant."""
    names = "; ".join(f"Table {table.number}{_where(interaction, table)}" for table in tables[:5])
    return f"Several tables could be meant: {names}. Choose one by the option `table`."


async def suggest_tables(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The tables that a command could mean, those first where the member sits."""
    tables = sorted(tables_within_reach(interaction), key=lambda table: not table.has(interaction.user.id))
    names = ((f"Table {table.number}{_where(interaction, table)}", str(table.table_id)) for table in tables)
    typed = typed.casefold()
    return [app_commands.Choice(name=n[:100], value=v) for n, v in names if typed in n.casefold()][:25]


def tables_within_reach(interaction: Interaction) -> list[TableState]:
    """The server's tables that the member may know of; in direct messages, those where he sits.

    Returns:
        Them, by their numbers; in direct messages, the newest first.
    """
    tables, member_id = interaction.client.croupier.tables, interaction.user.id
    if interaction.guild_id is None:
        return tables.of_member(member_id)
    there = tables.of_server(interaction.guild_id)
    return [table for table in there if table.has(member_id) or may_see(interaction, table.channel_id)]


def may_see(interaction: Interaction, channel_id: int) -> bool:
    """Whether who asks in a server may know of a channel of it: he sees that, or he manages the server.

    A channel or thread that the bot does not know, since it is gone or archived, is seen by nobody else.
    """
    if channel_id == interaction.channel_id or interaction.permissions.manage_guild:
        return True
    server, member = interaction.guild, interaction.user
    channel = None if server is None else server.get_channel_or_thread(channel_id)
    if channel is None or not isinstance(member, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        # A thread is seen by those who see its channel, and that is not known.
        return False
    allowed = channel.permissions_for(member)
    if isinstance(channel, discord.Thread) and channel.is_private() and not allowed.manage_threads:
        # Who is in a private thread is told only to bots that may know every member.
        return False
    return allowed.view_channel


def _where(interaction: Interaction, table: TableState) -> str:
    server = interaction.client.get_guild(table.server_id)
    if server is None:
        return ""
    channel = server.get_channel_or_thread(table.channel_id)
    place = f" · #{channel.name}" if channel else ""
    return place if interaction.guild_id is not None else f"{place} · {server.name}"
