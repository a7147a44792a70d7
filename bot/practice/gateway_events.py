"""Turns changes of the world into gateway events, for each session that may get them."""

import asyncio
from enum import IntFlag
from typing import Any, Final

from bot.practice.changes import Change
from bot.practice.faults import Faults
from bot.practice.gateway_session import GatewaySession
from bot.practice.interactions import Interaction
from bot.practice.limits import Limits
from bot.practice.message_payloads import interaction_json, message_event_json
from bot.practice.payloads import channel_json, guild_create_json, member_json, own_user_json, user_json
from bot.practice.servers import Channel, Server
from bot.practice.world import World


class Intent(IntFlag):
    """The intents that the stand-in knows, by Discord's numbers."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED_INTENTS: Final = Intent.GUILD_MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT
"""Intents that Discord must grant first."""

SUPPORTED_INTENTS: Final = PRIVILEGED_INTENTS | Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES
"""Every intent that makes a difference here."""


class GatewayEvents:
    """Turns changes into events and sends them to the sessions.

    Attributes:
        sessions: all sessions by id.
        resume_url: the URL in READY; set when the port is known.
    """

    def __init__(self, world: World, limits: Limits, faults: Faults) -> None:
        self._world = world
        self._limits = limits
        self._faults = faults
        self.sessions: dict[str, GatewaySession] = {}
        self.resume_url = ""
        world.on_change(self._announce)

    def send_ready(self, session: GatewaySession) -> None:
        """Sends READY and one GUILD_CREATE for each server to a new session."""
        world = self._world
        servers = [
            server
            for server in world.servers.values()
            if server.member(world.bot)
            and session.covers_server(server.id)
            and server.id not in self._faults.unlisted
        ]
        ready = {
            "v": 10,
            "user": own_user_json(world.bot),
            "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
            "session_id": session.id,
            "resume_gateway_url": self.resume_url,
            "application": {"id": str(world.application_id), "flags": 0},
            "shard": [session.shard, session.shards],
            "private_channels": [],
        }
        session.dispatch("READY", ready)
        for server in servers:
            self._send_server(session, server, known=True)

    def send_interaction(self, interaction: Interaction) -> None:
        """Sends an interaction to the bot."""
        described = interaction_json(interaction, self._world, self._limits.attachment_bytes)
        server = interaction.channel.server
        if delay := self._faults.random_interaction_delay():
            loop = asyncio.get_running_loop()
            loop.call_later(delay, self._dispatch, "INTERACTION_CREATE", described, server)
        else:
            self._dispatch("INTERACTION_CREATE", described, server)

    def send_raw(self, event: str, data: Any) -> None:
        """Sends every session an event with any contents."""
        for session in self.sessions.values():
            session.dispatch(event, data)

    def _dispatch(self, event: str, data: Any, server: Server | None, intent: Intent | None = None) -> None:
        times = 2 if self._faults.take_duplicate(event) else 1
        for session in self.sessions.values():
            wanted = intent is None or session.intents & intent
            if wanted and session.covers_server(None if server is None else server.id):
                for _ in range(times):
                    session.dispatch(event, data)

    def _announce(self, change: Change) -> None:
        """Sends the event of a change, if Discord has one."""
        match change.kind:
            case "message_created" | "message_updated" | "message_deleted":
                self._announce_message(change)
            case "messages_purged" if change.channel is not None and change.server is not None:
                purged = {
                    "ids": [str(message_id) for message_id in change.purged],
                    "channel_id": str(change.channel.id),
                    "guild_id": str(change.server.id),
                }
                self._dispatch("MESSAGE_DELETE_BULK", purged, change.server, Intent.GUILD_MESSAGES)
            case "thread_updated" if change.channel is not None:
                described = channel_json(change.channel)
                self._dispatch("THREAD_UPDATE", described, change.server, Intent.GUILDS)
            case "channel_created" | "channel_deleted":
                self._announce_channel(change)
            case "server_joined" if change.server is not None:
                for session in self.sessions.values():
                    if session.covers_server(change.server.id):
                        self._send_server(session, change.server, known=False)
            case "server_left" if change.server is not None:
                # The bot has left, so it gets only the id.
                self._dispatch("GUILD_DELETE", {"id": str(change.server.id)}, change.server, Intent.GUILDS)
            case "member_joined" | "member_left":
                self._announce_member(change)
            case _:
                pass

    def _announce_message(self, change: Change) -> None:
        message, channel = change.message, change.channel
        assert message is not None, "the change is about a message"
        assert channel is not None, "a message has a channel"
        if not self._bot_sees(channel):
            return
        # Discord counts ephemeral messages as direct messages, even in a server's channel.
        intent = Intent.DIRECT_MESSAGES if channel.is_dm or message.ephemeral else Intent.GUILD_MESSAGES
        if change.kind == "message_deleted":
            gone = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.server is not None:
                gone["guild_id"] = str(channel.server.id)
            self._dispatch("MESSAGE_DELETE", gone, channel.server, intent)
            return
        described = message_event_json(message, self._world)
        own = message.author is self._world.bot
        mentions_bot = self._world.bot.mention in message.content
        if not (own or channel.is_dm or mentions_bot or self._limits.privileged_intents):
            # Without the message content intent, a bot doesn't see what others write.
            described |= {"content": "", "embeds": [], "attachments": [], "components": []}
        event = "MESSAGE_CREATE" if change.kind == "message_created" else "MESSAGE_UPDATE"
        self._dispatch(event, described, channel.server, intent)

    def _announce_channel(self, change: Change) -> None:
        channel = change.channel
        assert channel is not None, "the change is about a channel"
        if channel.is_dm or not self._bot_sees(channel):
            return
        what = "THREAD" if channel.is_thread else "CHANNEL"
        how = "CREATE" if change.kind == "channel_created" else "DELETE"
        described = channel_json(channel)
        if channel.is_thread and how == "CREATE":
            described["newly_created"] = True
        self._dispatch(f"{what}_{how}", described, channel.server, Intent.GUILDS)

    def _announce_member(self, change: Change) -> None:
        server, user = change.server, change.user
        assert server is not None, "the change is about a server"
        assert user is not None, "the change is about a user"
        if change.kind == "member_left":
            event, described = "GUILD_MEMBER_REMOVE", {"user": user_json(user)}
        else:
            event, described = "GUILD_MEMBER_ADD", member_json(server.members[user.id])
        if server.member(self._world.bot) is not None:
            data = described | {"guild_id": str(server.id)}
            self._dispatch(event, data, server, Intent.GUILD_MEMBERS)

    def _send_server(self, session: GatewaySession, server: Server, *, known: bool) -> None:
        every = bool(session.intents & Intent.GUILD_MEMBERS)
        described = guild_create_json(server, self._world.bot, all_members=every)
        if known:
            # This tells a server that READY named from a server that the bot has just joined.
            described["unavailable"] = False
        session.dispatch("GUILD_CREATE", described)

    def send_members(self, session: GatewaySession, data: dict[str, Any]) -> None:
        """Answers a request for members, by ids or by the start of their names."""
        server = self._world.servers.get(int(data["guild_id"]))
        if server is None:
            return
        ids = data.get("user_ids")
        wanted = {int(user_id) for user_id in (ids if isinstance(ids, list) else [ids])} if ids else None
        query = str(data.get("query") or "").lower()
        found = [
            member
            for member in server.members.values()
            if (member.user.id in wanted if wanted is not None else member.user.name.startswith(query))
        ]
        chunk = {
            "guild_id": str(server.id),
            "members": [member_json(member) for member in found[: int(data.get("limit") or len(found))]],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": data.get("nonce"),
        }
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _bot_sees(self, channel: Channel) -> bool:
        return bool(channel.permissions_of(self._world.bot))
