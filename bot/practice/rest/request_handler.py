"""Handles REST requests: which route one is for, whether it may pass, and Discord's form of the answer."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import format_datetime
from typing import Any, Final, Literal

from fastapi import FastAPI, Request, Response
from starlette.background import BackgroundTask
from starlette.datastructures import UploadFile

from bot.practice.errors import INVALID_JSON, NO_SUCH_ROUTE, TOO_LARGE, UNAUTHORIZED, DiscordError
from bot.practice.limits import Limits, RateLimits
from bot.practice.validation.messages import Upload
from bot.practice.world import World

API: Final = "/api/v10"
METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]

JsonResponse = tuple[int, Any]
"""HTTP status and JSON; None for an empty body."""

_FILE_PART: Final = re.compile(r"files\[(\d+)\]")
_MAJOR: Final = ("channel_id", "guild_id", "webhook_id", "webhook_token")
"""The parts of a path that have their own buckets."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request that has been read.

    Attributes:
        params: the variable parts of the path.
        body: the JSON body; an empty object if there was none.
        uploads: the uploaded files, by part number.
        after_response: what to call once the response is sent.
    """

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: dict[int, Upload]
    after_response: list[Callable[[], object]] = field(default_factory=list)

    def snowflake(self, name: str) -> int:
        """A part of the path as an id; 404 if it is none."""
        text = self.params[name]
        if not text.isdecimal():
            raise DiscordError(*NO_SUCH_ROUTE)
        return int(text)


@dataclass(frozen=True, slots=True)
class Route:
    """A route.

    Attributes:
        template: the path with its variable parts in braces, as in Discord's API description.
        by_token: an interaction's token in the path authorises it, not the bot's own. Such requests do not
            count against the bot's global limit.
        bucket: which rate limit its bucket has; None for none.
    """

    method: str
    template: str
    handle: Callable[[Call], Awaitable[JsonResponse]]
    by_token: bool = False
    bucket: Literal["messages", "webhook"] | None = None


class RequestHandler:
    """Handles requests with the routes it is given."""

    def __init__(self, world: World, limits: Limits, token: str) -> None:
        self.world = world
        self.limits = limits
        self._authorization = f"Bot {token}"
        self._rate_limits = RateLimits()

    def add_routes(self, app: FastAPI, routes: Iterable[Route]) -> None:
        """Adds the routes to the app, and a 404 for everything else."""
        for route in routes:
            app.router.add_route(API + route.template, self._endpoint(route), methods=[route.method])
        app.router.add_route(f"{API}/{{rest:path}}", self._endpoint(None), methods=METHODS)

    def _endpoint(self, route: Route | None) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            return await self.serve(request, route)

        return endpoint

    async def serve(self, request: Request, route: Route | None) -> Response:
        """Answers a request; `route` is None if there is none for it."""
        headers = self.headers()
        try:
            call = await self.read(request)
        except DiscordError as error:
            return respond((error.status, error.body()), headers, [])
        answer = await self.carry_out(request, route, call, headers)
        return respond(answer, headers, [*call.after_response, self.world.wake_waiters])

    def headers(self) -> dict[str, str]:
        """The headers that every response has."""
        return {"Date": format_datetime(self.world.now(), usegmt=True)}

    async def read(self, request: Request) -> Call:
        """Reads a request.

        Raises:
            DiscordError: its body is no JSON, or a file is too large.
        """
        body, uploads = await _read_body(request)
        if any(len(upload.data) > self.limits.attachment_bytes for upload in uploads.values()):
            raise DiscordError(*TOO_LARGE)
        query = dict(request.query_params)
        return Call(request.path_params, query, {} if body is None else body, uploads)

    async def carry_out(
        self, request: Request, route: Route | None, call: Call, headers: dict[str, str]
    ) -> JsonResponse:
        """Carries out a call if it may pass; adds its headers."""
        by_token = route is not None and route.by_token
        try:
            if not by_token and request.headers.get("Authorization") != self._authorization:
                raise DiscordError(*UNAUTHORIZED)
            if (refused := self._limit(route, call, headers)) is not None:
                return refused
            if route is None:
                raise DiscordError(*NO_SUCH_ROUTE)
            return await route.handle(call)
        except DiscordError as error:
            return error.status, error.body()

    def _limit(self, route: Route | None, call: Call, headers: dict[str, str]) -> JsonResponse | None:
        """Counts the request; returns the 429 if it is one too many."""
        limits = self.limits
        if not limits.rate_limits:
            return None
        if route is None or not route.by_token:
            wait = self._rate_limits.take("all", limits.all_requests)
            if wait:
                return too_many_requests(wait, headers, whole_bot=True)
        if route is None or route.bucket is None:
            return None
        window = limits.messages if route.bucket == "messages" else limits.webhook
        name = f"{route.method} {route.template}"
        whose = " ".join(call.params[part] for part in _MAJOR if part in call.params)
        wait = self._rate_limits.take(f"{name} {whose}", window)
        headers |= self._rate_limits.headers(f"{name} {whose}", name)
        return too_many_requests(wait, headers, whole_bot=False) if wait else None


async def _read_body(request: Request) -> tuple[Any, dict[int, Upload]]:
    """The JSON body of a request and its uploaded files."""
    kind = request.headers.get("Content-Type", "")
    if kind.startswith("multipart/form-data"):
        async with request.form() as parts:
            uploads = {}
            for name, part in parts.items():
                if (match := _FILE_PART.fullmatch(name)) and isinstance(part, UploadFile):
                    uploads[int(match[1])] = Upload(part.filename or name, await part.read())
            return _parsed(str(parts.get("payload_json") or "null")), uploads
    raw = await request.body()
    return (_parsed(raw) if raw else None), {}


def _parsed(raw: str | bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise DiscordError(*INVALID_JSON) from None


def too_many_requests(seconds: float, headers: dict[str, str], *, whole_bot: bool) -> JsonResponse:
    """A 429 with this wait; adds its headers."""
    headers |= {
        "Retry-After": f"{seconds:.3f}",
        # Without it discord.py takes the response for a ban and does not wait.
        "Via": "1.1 stand-in",
        "X-RateLimit-Scope": "global" if whole_bot else "user",
    }
    if whole_bot:
        headers["X-RateLimit-Global"] = "true"
    wait = round(seconds, 3)
    return 429, {
        "message": "You are being rate limited.",
        "code": 0,
        "retry_after": wait,
        "global": whole_bot,
    }


def respond(
    answer: JsonResponse, headers: dict[str, str], after_response: list[Callable[[], object]]
) -> Response:
    """The HTTP response of an answer; afterwards calls what is to be called."""

    async def afterwards() -> None:
        for step in after_response:
            step()

    status, body = answer
    background = BackgroundTask(afterwards)
    if body is None:
        return Response(status_code=status, headers=headers, background=background)
    # Exactly this type: with a charset in it, discord.py would read the response as plain text.
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, headers | {"Content-Type": "application/json"}, background=background)
