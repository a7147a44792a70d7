"""Routes about the bot and what is around it: login, commands, the gateway's URL, servers, members, DMs."""

from base64 import b64decode
from itertools import takewhile
from typing import Any, Final

from bot.practice.changes import Change
from bot.practice.errors import (
    INVALID_RECIPIENT,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NOT_YOUR_APPLICATION,
    TOO_MANY_EMOJIS,
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_ROLE,
    UNKNOWN_USER,
    DiscordError,
    Validator,
)
from bot.practice.gateway import Gateway
from bot.practice.payloads import (
    application_json,
    channel_json,
    emoji_json,
    guild_json,
    member_json,
    own_user_json,
)
from bot.practice.rest.request_handler import Call, JsonResponse, Route
from bot.practice.servers import Member, Permission, Role, Server
from bot.practice.validation.commands import check_commands, stored_command
from bot.practice.world import World

MOST_EMOJIS: Final = 2_000
"""How many emojis an application may have."""


class AccountRoutes:
    """What a bot asks and registers when it starts, and looks up later."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._gateway = gateway
        self.gateway_url = ""

    def routes(self) -> list[Route]:
        """The routes."""
        application = "/applications/{application_id}"
        return [
            Route("GET", "/users/@me", self._me),
            Route("POST", "/users/@me/channels", self._open_dm),
            Route("DELETE", "/users/@me/guilds/{guild_id}", self._leave),
            Route("GET", "/oauth2/applications/@me", self._application),
            Route("GET", "/gateway/bot", self._gateway_url),
            Route("GET", "/guilds/{guild_id}", self._guild),
            Route("GET", "/guilds/{guild_id}/channels", self._channels),
            Route("GET", "/guilds/{guild_id}/members/{user_id}", self._member),
            Route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", self._add_role),
            Route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", self._remove_role),
            Route("GET", f"{application}/emojis", self._emojis),
            Route("POST", f"{application}/emojis", self._add_emoji),
            Route("GET", f"{application}/commands", self._commands),
            Route("PUT", f"{application}/commands", self._register),
            Route("PUT", f"{application}/guilds/{{guild_id}}/commands", self._register),
        ]

    async def _me(self, call: Call) -> JsonResponse:
        return 200, own_user_json(self._world.bot)

    async def _application(self, call: Call) -> JsonResponse:
        return 200, application_json(self._world)

    async def _gateway_url(self, call: Call) -> JsonResponse:
        limit = self._gateway.login_limit()
        return 200, {"url": self.gateway_url, "shards": 1, "session_start_limit": limit}

    async def _open_dm(self, call: Call) -> JsonResponse:
        recipient = self._world.users.get(int(call.body.get("recipient_id") or 0))
        if recipient is None or recipient.bot:
            raise DiscordError(*INVALID_RECIPIENT)
        return 200, channel_json(self._world.dm_with(recipient))

    async def _guild(self, call: Call) -> JsonResponse:
        return 200, guild_json(self._server(call))

    async def _leave(self, call: Call) -> JsonResponse:
        self._world.leave(self._server(call), self._world.bot)
        return 204, None

    async def _channels(self, call: Call) -> JsonResponse:
        return 200, [channel_json(channel) for channel in self._server(call).channels.values()]

    async def _add_role(self, call: Call) -> JsonResponse:
        member, role = self._role(call)
        member.roles = [one for one in member.roles if one is not role] + [role]
        return 204, None

    async def _remove_role(self, call: Call) -> JsonResponse:
        member, role = self._role(call)
        member.roles = [one for one in member.roles if one is not role]
        return 204, None

    def _role(self, call: Call) -> tuple[Member, Role]:
        """A member and a role below the bot's own, which it may give and take."""
        member = self._member_of(call)
        role = next((one for one in member.server.roles if one.id == call.snowflake("role_id")), None)
        if role is None:
            raise DiscordError(*UNKNOWN_ROLE)
        own = member.server.members[self._world.bot.id]
        below = takewhile(lambda role: role not in own.roles, member.server.roles)
        if role not in below or Permission.MANAGE_ROLES not in own.permissions:
            raise DiscordError(*MISSING_PERMISSIONS)
        return member, role

    async def _member(self, call: Call) -> JsonResponse:
        return 200, member_json(self._member_of(call))

    def _member_of(self, call: Call) -> Member:
        user = self._world.users.get(call.snowflake("user_id"))
        if user is None:
            raise DiscordError(*UNKNOWN_USER)
        member = self._server(call).member(user)
        if member is None:
            raise DiscordError(*UNKNOWN_MEMBER)
        return member

    async def _emojis(self, call: Call) -> JsonResponse:
        return 200, {"items": self._world.emojis}

    async def _add_emoji(self, call: Call) -> JsonResponse:
        """Adds an emoji of the application; its picture comes as a data URI."""
        validator = Validator()
        validator.text(("name",), call.body.get("name"), 2, 32)
        validator.text(("image",), call.body.get("image"), 1, 350_000)
        if any(one["name"] == call.body.get("name") for one in self._world.emojis):
            validator.add_error(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN")
        validator.raise_errors()
        if len(self._world.emojis) == MOST_EMOJIS:
            raise DiscordError(*TOO_MANY_EMOJIS)
        emoji = emoji_json(self._world.new_id(), call.body["name"])
        self._world.store_file(int(emoji["id"]), b64decode(call.body["image"].partition(",")[2]))
        self._world.emojis.append(emoji)
        return 201, emoji

    async def _commands(self, call: Call) -> JsonResponse:
        return 200, [raw for raw in self._world.commands.values() if raw.get("guild_id") is None]

    async def _register(self, call: Call) -> JsonResponse:
        """Replaces all commands, global or of one server. A command with the same name keeps its id."""
        world = self._world
        if call.snowflake("application_id") != world.application_id:
            raise DiscordError(*NOT_YOUR_APPLICATION)
        # As Discord does: whether there is such a server, a stranger to it is not told.
        if "guild_id" in call.params and call.snowflake("guild_id") not in world.servers:
            raise DiscordError(*MISSING_ACCESS)
        server = self._server(call) if "guild_id" in call.params else None
        guild_id = None if server is None else server.id
        validator = Validator()
        raws = validator.items((), call.body or [], 0, 130)
        check_commands(validator, raws)
        validator.raise_errors()
        scope = None if guild_id is None else str(guild_id)
        before = {raw["name"]: key for key, raw in world.commands.items() if raw.get("guild_id") == scope}
        kept: list[dict[str, Any]] = []
        for raw in raws:
            command_id = before.get(raw["name"]) or world.new_id()
            kept.append(stored_command(raw, command_id, world.application_id, world.new_id(), guild_id))
        for command_id in before.values():
            del world.commands[command_id]
        world.commands |= {int(raw["id"]): raw for raw in kept}
        world.publish(Change("commands_changed", server))
        return 200, kept

    def _server(self, call: Call) -> Server:
        server = self._world.servers.get(call.snowflake("guild_id"))
        if server is None:
            raise DiscordError(*UNKNOWN_GUILD)
        if server.member(self._world.bot) is None:
            raise DiscordError(*MISSING_ACCESS)
        return server
