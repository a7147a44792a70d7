"""Routes about the bot and the users and servers around it: login, gateway URL, users, servers, DMs."""

from typing import Any

from bot.practice.errors import DiscordError, missing_access, unknown
from bot.practice.gateway import LOGINS_A_DAY, Gateway
from bot.practice.payloads import (
    application_json,
    channel_json,
    guild_json,
    member_json,
    own_user_json,
    user_json,
)
from bot.practice.rest.calls import Call, JsonResponse, Route
from bot.practice.servers import Server
from bot.practice.world import World


class AccountRoutes:
    """What a bot asks when it starts, and looks up later.

    Attributes:
        gateway_url: the gateway's URL; set when the port is known.
    """

    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._logins_of = gateway
        self.gateway_url = ""

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("GET", "/users/@me", self._me),
            Route("GET", "/users/{user_id}", self._user),
            Route("POST", "/users/@me/channels", self._open_dm),
            Route("DELETE", "/users/@me/guilds/{guild_id}", self._leave),
            Route("GET", "/applications/@me", self._application),
            Route("GET", "/oauth2/applications/@me", self._application),
            Route("GET", "/gateway", self._gateway),
            Route("GET", "/gateway/bot", self._gateway_for_bots),
            Route("GET", "/guilds/{guild_id}", self._guild),
            Route("GET", "/guilds/{guild_id}/channels", self._channels),
            Route("GET", "/guilds/{guild_id}/members/{user_id}", self._member),
        ]

    async def _me(self, call: Call) -> JsonResponse:
        return 200, own_user_json(self._world.bot)

    async def _user(self, call: Call) -> JsonResponse:
        user = self._world.users.get(call.snowflake("user_id"))
        if user is None:
            raise unknown("User")
        return 200, user_json(user)

    async def _application(self, call: Call) -> JsonResponse:
        return 200, application_json(self._world)

    async def _gateway(self, call: Call) -> JsonResponse:
        return 200, {"url": self.gateway_url}

    async def _gateway_for_bots(self, call: Call) -> JsonResponse:
        starts: dict[str, Any] = {
            "total": LOGINS_A_DAY,
            "remaining": self._logins_of.logins,
            "reset_after": int(self._logins_of.logins_in * 1000),
            "max_concurrency": 1,
        }
        return 200, {"url": self.gateway_url, "shards": 1, "session_start_limit": starts}

    async def _open_dm(self, call: Call) -> JsonResponse:
        recipient = self._world.users.get(int(call.body.get("recipient_id") or 0))
        if recipient is None or recipient.bot:
            raise DiscordError(400, 50033, "Invalid Recipient(s)")
        return 200, channel_json(self._world.dm_with(recipient))

    async def _leave(self, call: Call) -> JsonResponse:
        self._world.leave(self._server(call), self._world.bot)
        return 204, None

    async def _guild(self, call: Call) -> JsonResponse:
        server = self._server(call)
        described = guild_json(server)
        if call.query.get("with_counts") in ("1", "true"):
            described |= {
                "approximate_member_count": len(server.members),
                "approximate_presence_count": len(server.members),
            }
        return 200, described

    async def _channels(self, call: Call) -> JsonResponse:
        channels = self._server(call).channels.values()
        return 200, [channel_json(channel) for channel in channels if not channel.is_thread]

    async def _member(self, call: Call) -> JsonResponse:
        user = self._world.users.get(call.snowflake("user_id"))
        if user is None:
            raise unknown("User")
        member = self._server(call).member(user)
        if member is None:
            raise unknown("Member")
        return 200, member_json(member)

    def _server(self, call: Call) -> Server:
        server = self._world.servers.get(call.snowflake("guild_id"))
        if server is None:
            raise unknown("Guild")
        if server.member(self._world.bot) is None:
            raise missing_access()
        return server
