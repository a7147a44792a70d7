"""The whole stand-in: starts and stops the world, the REST API and the gateway on one local port."""

import asyncio
import contextlib
import mimetypes
import socket
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, Self

import uvicorn
from fastapi import FastAPI, Response

from bot.practice.errors import NO_SUCH_ROUTE
from bot.practice.gateway import Gateway
from bot.practice.gateway_events import GatewayEvents
from bot.practice.limits import Limits
from bot.practice.person import Person
from bot.practice.rest.account import AccountRoutes
from bot.practice.rest.channels import ChannelRoutes
from bot.practice.rest.interactions import InteractionRoutes
from bot.practice.rest.request_handler import API, RequestHandler
from bot.practice.servers import NOTHING, Channel, Permission, Server
from bot.practice.world import World

HOST: Final = "127.0.0.1"
TOKEN: Final = "the-token.of-the-bot.in-practice"  # noqa: S105 - only for this stand-in


class StandIn:
    """A Discord on 127.0.0.1: `async with StandIn() as discord: …`.

    Attributes:
        limits: what is allowed; may be changed at any time.
        app: the web app; more can be mounted on it (the page) before the start.
        token: the bot's token.
    """

    # A test can put parts in their place that also do what Discord does rarely.
    makes_world: type[World] = World
    makes_events: type[GatewayEvents] = GatewayEvents
    makes_gateway: type[Gateway] = Gateway
    makes_handler: type[RequestHandler] = RequestHandler
    makes_person: type[Person] = Person

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        setup_time: datetime | None = None,
    ) -> None:
        """Sets everything up without listening.

        `setup_time` is the time (UTC) in all ids made before the start; None means now. Stand-ins with the
        same setup time and the same steps have the same ids.
        """
        self.token = TOKEN
        self.limits = limits or Limits()
        self.world = self.makes_world(setup_time)
        self.app = FastAPI(title="stand-in", docs_url=None, redoc_url=None, openapi_url=None)
        self._port = 0
        self._events = self.makes_events(self.world, self.limits)
        self.gateway = self.makes_gateway(self.world, self.limits, self._events, self.token)
        self._handler = self.makes_handler(self.world, self.limits, self.token)
        self._account = AccountRoutes(self.world, self.gateway)
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._add_routes()

    def _add_routes(self) -> None:
        world, limits = self.world, self.limits
        groups = (self._account, ChannelRoutes(world, limits), InteractionRoutes(world, limits))
        self._handler.add_routes(self.app, [route for group in groups for route in group.routes()])
        self.app.add_api_websocket_route("/gateway", self.gateway.serve)
        self.app.add_api_websocket_route("/gateway/", self.gateway.serve)
        self.app.add_api_route("/files/{channel_id}/{file_id}/{filename}", self._file, methods=["GET"])

    async def _file(self, channel_id: int, file_id: int, filename: str) -> Response:
        data = self.world.files.get(file_id)
        if data is None:
            return Response(NO_SUCH_ROUTE[2], NO_SUCH_ROUTE[0])
        return Response(data, media_type=mimetypes.guess_type(filename)[0] or "application/octet-stream")

    @property
    def url(self) -> str:
        """Its URL, once started."""
        return f"http://{HOST}:{self._port}"

    @property
    def api_url(self) -> str:
        """The URL of the REST API, for `DISCORD_API_URL`."""
        return f"{self.url}{API}"

    @property
    def gateway_url(self) -> str:
        """The URL of the gateway, for `DISCORD_GATEWAY_URL`."""
        return f"ws://{HOST}:{self._port}/gateway"

    # Starting and stopping

    async def start(self) -> None:
        """Starts to listen.

        Raises:
            OSError: if the port is taken.
        """
        # With the protocol named, asyncio switches Nagle's algorithm off. Otherwise the second part of a
        # response would wait 40 ms.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, self._port))
        except OSError:
            listener.close()
            raise
        self._port = listener.getsockname()[1]
        self.world.end_setup()
        self.world.files_url = f"{self.url}/files"
        self._account.gateway_url = self._events.resume_url = self.gateway_url
        self._server = server = _Server(self.app)
        self._serving = asyncio.create_task(server.serve(sockets=[listener]), name="stand-in")
        ready = asyncio.create_task(server.ready.wait())
        await asyncio.wait([ready, self._serving], return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._serving.done():
            self._serving.result()

    async def stop(self) -> None:
        """Closes every connection and stops listening."""
        if self._server is None or self._serving is None:
            return
        self.gateway.close()
        self._server.leave.set()
        await self._serving
        self._server = self._serving = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # Setup

    def add_server(self, name: str) -> Server:
        """Adds a server with the bot in it."""
        return self.world.add_server(name)

    def add_channel(self, server: Server, name: str) -> Channel:
        """Adds a text channel that everybody in the server sees."""
        return self.world.add_channel(server, name)

    def add_person(
        self,
        name: str,
        servers: Iterable[Server] = (),
        *,
        manage_server: bool = False,
        administrator: bool = False,
    ) -> Person:
        """Adds a human who is a member of these servers, with these permissions there."""
        extra = Permission.MANAGE_GUILD if manage_server else NOTHING
        extra |= Permission.ADMINISTRATOR if administrator else NOTHING
        user = self.world.add_user(name)
        for server in servers:
            self.world.join(server, user, extra)
        return self.makes_person(self.world, user, self.limits, self._events.send_interaction)


class _Server(uvicorn.Server):
    """Uvicorn inside a program with its own event loop and signal handlers."""

    def __init__(self, app: FastAPI) -> None:
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            date_header=False,
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            # Longer than a client waits for its turn: by default, one that comes after 5 seconds is cut off.
            timeout_keep_alive=60,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self.ready = asyncio.Event()
        self.leave = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to the program around it."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, and sets `ready`."""
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Waits for `leave`; uvicorn would poll ten times a second."""
        await self.leave.wait()
