"""Routes that register application commands, globally or for one server."""

from typing import Any

from bot.practice.changes import Change
from bot.practice.errors import DiscordError, missing_access, unknown
from bot.practice.rest.calls import Call, JsonResponse, Route
from bot.practice.validation.commands import check_command, check_commands, stored_command
from bot.practice.validation.validator import Validator
from bot.practice.world import World


class CommandRoutes:
    """Keeps the commands of each scope. A command with the same name keeps its id."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        """The routes."""
        found = []
        for scope in ("/applications/{application_id}", "/applications/{application_id}/guilds/{guild_id}"):
            every, one = f"{scope}/commands", f"{scope}/commands/{{command_id}}"
            found += [
                Route("GET", every, self._list),
                Route("PUT", every, self._replace),
                Route("POST", every, self._upsert),
                Route("GET", one, self._get),
                Route("PATCH", one, self._edit),
                Route("DELETE", one, self._delete),
            ]
        return found

    async def _list(self, call: Call) -> JsonResponse:
        return 200, list(self._scope(call).values())

    async def _replace(self, call: Call) -> JsonResponse:
        before = self._scope(call)
        validator = Validator()
        raws = validator.items((), call.body or [], 0, 130)
        check_commands(validator, raws)
        validator.raise_errors()
        for command_id in before:
            del self._world.commands[command_id]
        kept = [self._keep(call, raw, before) for raw in raws]
        self._publish(call)
        return 200, kept

    async def _upsert(self, call: Call) -> JsonResponse:
        before = self._scope(call)
        others = [raw for raw in before.values() if _key(raw) != _key(call.body)]
        validator = Validator()
        check_command(validator, (), call.body)
        validator.raise_errors()
        if len(others) >= 100:
            raise DiscordError(400, 30032, "Maximum number of application commands reached (100)")
        kept = self._keep(call, call.body, before)
        self._publish(call)
        return 201 if len(others) == len(before) else 200, kept

    async def _get(self, call: Call) -> JsonResponse:
        return 200, self._one(call)

    async def _edit(self, call: Call) -> JsonResponse:
        changed = self._one(call) | call.body
        validator = Validator()
        check_command(validator, (), changed)
        validator.raise_errors()
        kept = self._keep(call, changed, {int(changed["id"]): changed})
        self._publish(call)
        return 200, kept

    async def _delete(self, call: Call) -> JsonResponse:
        del self._world.commands[int(self._one(call)["id"])]
        self._publish(call)
        return 204, None

    def _keep(self, call: Call, raw: dict[str, Any], before: dict[int, dict[str, Any]]) -> dict[str, Any]:
        twins = (command_id for command_id, old in before.items() if _key(old) == _key(raw))
        command_id = next(twins, None) or self._world.new_id()
        application, version = self._world.application_id, self._world.new_id()
        kept = stored_command(raw, command_id, application, version, self._guild_id(call))
        self._world.commands[command_id] = kept
        return kept

    def _one(self, call: Call) -> dict[str, Any]:
        found = self._scope(call).get(call.snowflake("command_id"))
        if found is None:
            raise unknown("application command")
        return found

    def _scope(self, call: Call) -> dict[int, dict[str, Any]]:
        """The global commands, or those of the server in the path."""
        if call.snowflake("application_id") != self._world.application_id:
            raise DiscordError(
                403, 20012, "You are not authorized to perform this action on this application"
            )
        guild_id = self._guild_id(call)
        if guild_id is not None:
            server = self._world.servers.get(guild_id)
            if server is None or server.member(self._world.bot) is None:
                raise missing_access()
        wanted = None if guild_id is None else str(guild_id)
        return {key: raw for key, raw in self._world.commands.items() if raw.get("guild_id") == wanted}

    def _guild_id(self, call: Call) -> int | None:
        return call.snowflake("guild_id") if "guild_id" in call.params else None

    def _publish(self, call: Call) -> None:
        guild_id = self._guild_id(call)
        server = None if guild_id is None else self._world.servers[guild_id]
        self._world.publish(Change("commands_changed", server))


def _key(raw: dict[str, Any]) -> tuple[int, str]:
    return raw.get("type") or 1, raw["name"]
