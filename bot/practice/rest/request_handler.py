"""Handles every REST request: authorisation, rate limits, faults, and the record for tests."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from email.utils import format_datetime
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from starlette.background import BackgroundTask
from starlette.datastructures import UploadFile

from bot.practice.errors import DiscordError, no_such_route, unauthorized
from bot.practice.faults import Fault, Faults
from bot.practice.limits import Limits, Window
from bot.practice.rate_limits import RateLimits
from bot.practice.rest.calls import Call, JsonResponse, RecordedRequest, Route
from bot.practice.validation.messages import Upload
from bot.practice.world import World

API: Final = "/api/v10"
METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
MOST_RECORDS: Final = 50_000
"""Caps memory in a long practice: beyond this, the older half is dropped."""

_FILE_PART: Final = re.compile(r"files\[(\d+)\]")
_MAJOR: Final = ("channel_id", "guild_id", "webhook_id", "webhook_token")
"""The parts of a path that have their own buckets."""


class RequestHandler:
    """Handles requests with the routes it is given.

    Attributes:
        requests: every request so far, oldest first.
        cut: cuts the connection of a client (host, port); the server sets it.
    """

    def __init__(self, world: World, limits: Limits, faults: Faults, token: str) -> None:
        self._world = world
        self._limits = limits
        self._faults = faults
        self._authorization = f"Bot {token}"
        self._rate_limits = RateLimits()
        self.requests: list[RecordedRequest] = []
        self.cut: Callable[[tuple[str, int]], None] = lambda _: None

    def add_routes(self, app: FastAPI, routes: Iterable[Route]) -> None:
        """Adds the routes to the app, and a 404 for everything else."""
        for route in routes:
            app.router.add_route(API + route.template, self._endpoint(route), methods=[route.method])
        app.router.add_route(f"{API}/{{rest:path}}", self._endpoint(None), methods=METHODS)

    def _endpoint(self, route: Route | None) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            return await self._serve(request, route)

        return endpoint

    async def _serve(self, request: Request, route: Route | None) -> Response:
        record = RecordedRequest(
            method=request.method,
            path=request.url.path.removeprefix(API),
            route=None if route is None else route.template,
            query=dict(request.query_params),
            body=None,
            files=[],
            status=0,
            response=None,
            budgeted=route is None or not route.by_token,
            at=self._world.now(),
        )
        self._record(record)
        fault = self._faults.take(record.method, record.route or record.path, record.path)
        record.fault = None if fault is None else str(fault)
        headers = {"Date": format_datetime(self._world.now(), usegmt=True)}
        after_response: list[Callable[[], object]] = []
        try:
            body, uploads = await _read(request)
            record.body, record.files = body, [upload.filename for upload in uploads.values()]
            if any(len(upload.data) > self._limits.attachment_bytes for upload in uploads.values()):
                raise DiscordError(413, 40005, "Request entity too large")
            params, query = request.path_params, record.query
            call = Call(params, query, {} if body is None else body, uploads, after_response)
            if latency := self._faults.random_latency():
                await asyncio.sleep(latency)
            answer = await self._answer(request, route, call, fault, headers)
        except DiscordError as error:
            answer = error.status, error.body()
        except Exception:
            # A bug of the stand-in itself: the server logs it, and the record shows it.
            record.status = 500
            raise
        after_response.append(self._world.wake_waiters)
        if fault is not None and fault.kind != "respond":
            # Even if the response is lost or late, others see the effect at once.
            await _run(after_response)
            if fault.kind == "drop":
                assert request.client is not None, "the server tells who asks"
                self.cut((request.client.host, request.client.port))
                return Response()
            await asyncio.sleep(fault.seconds)
        record.status, record.response = answer
        return _response(answer, headers, BackgroundTask(_run, after_response))

    async def _answer(
        self, request: Request, route: Route | None, call: Call, fault: Fault | None, headers: dict[str, str]
    ) -> JsonResponse:
        if fault is not None and not fault.carried_out:
            return self._faulty(fault, headers)
        by_token = route is not None and route.by_token
        if not by_token and request.headers.get("Authorization") != self._authorization:
            raise unauthorized()
        if (refused := self._limit(route, call, headers)) is not None:
            return refused
        if route is None:
            raise no_such_route()
        answer = await route.handle(call)
        return self._faulty(fault, headers) if fault is not None and fault.kind == "respond" else answer

    def _limit(self, route: Route | None, call: Call, headers: dict[str, str]) -> JsonResponse | None:
        """Counts the request; returns the 429 if it is one too many."""
        limits = self._limits
        if not limits.rate_limits:
            return None
        if route is None or not route.by_token:
            wait = self._rate_limits.take("all", limits.all_requests)
            if wait:
                return _too_many_requests(wait, headers, whole_bot=True)
        if route is None or route.bucket == "none":
            return None
        windows: dict[str, Window] = {
            "messages": limits.messages,
            "webhook": limits.webhook,
            "others": limits.others,
        }
        name = f"{route.method} {route.template}"
        whose = " ".join(call.params[part] for part in _MAJOR if part in call.params)
        wait = self._rate_limits.take(f"{name} {whose}", windows[route.bucket])
        headers |= self._rate_limits.headers(f"{name} {whose}", name)
        return _too_many_requests(wait, headers, whole_bot=False) if wait else None

    def _faulty(self, fault: Fault, headers: dict[str, str]) -> JsonResponse:
        if fault.status == 429:
            return _too_many_requests(fault.seconds, headers, whole_bot=fault.whole_bot)
        return fault.status, {"message": f"{fault.status}: injected fault", "code": 0}

    def _record(self, record: RecordedRequest) -> None:
        self.requests.append(record)
        if len(self.requests) > MOST_RECORDS:
            del self.requests[: MOST_RECORDS // 2]


async def _read(request: Request) -> tuple[Any, dict[int, Upload]]:
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
        raise DiscordError(400, 50109, "The request body contains invalid JSON.") from None


def _too_many_requests(seconds: float, headers: dict[str, str], *, whole_bot: bool) -> JsonResponse:
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


async def _run(steps: list[Callable[[], object]]) -> None:
    while steps:
        steps.pop(0)()


def _response(answer: JsonResponse, headers: dict[str, str], after_response: BackgroundTask) -> Response:
    status, body = answer
    if body is None:
        return Response(status_code=status, headers=headers, background=after_response)
    # Exactly this type: with a charset in it, discord.py would read the response as plain text.
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    headers |= {"Content-Type": "application/json"}
    return Response(text, status, headers, background=after_response)
