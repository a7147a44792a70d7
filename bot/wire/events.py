"""Which of Discord's events discord.py parses, and what happens if it cannot."""

import logging
from collections.abc import Callable
from typing import Any

import discord

log = logging.getLogger(__name__)


def guard_parsers(client: discord.Client) -> None:
    """Has events skipped that cannot be parsed, and those that the bot has no use for.

    An event that cannot be parsed would end the connection, and the process with it. Of a message that was
    edited, such as the bot's own boards, discord.py makes an object each time. And with several shards in
    mind, it never forgets a server that left the bot while there was no connection.

    Args:
        client: before it connects.
    """
    parsers = client._connection.parsers
    parse_ready = parsers["READY"]

    def ready(data: Any) -> None:
        _forget_unnamed(client, data)
        parse_ready(data)

    parsers["READY"] = ready
    parsers["MESSAGE_UPDATE"] = _skip
    for name, parse in parsers.items():
        parsers[name] = guarded(name, parse)


def _forget_unnamed(client: discord.Client, data: Any) -> None:
    """Drops the servers of a shard that Discord leaves out of a new session."""
    shard_id, _ = data["shard"]
    named = {int(server["id"]) for server in data["guilds"]}
    for server in client.guilds:
        if server.shard_id == shard_id and server.id not in named:
            client._connection._remove_guild(server)


def _skip(_: Any) -> None:
    """Takes an event that the bot has no use for."""


def guarded(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    """Takes events of this name as `parse` does, but logs and skips one at which that raises."""

    def guard(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("skipped an event %s of Discord's that cannot be parsed", name)

    return guard
