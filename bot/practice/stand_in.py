"""The stand-in as a whole: starts and stops world, REST and gateway on one free port of this machine."""

from collections.abc import Iterable
from typing import Self

from fastapi import FastAPI

from bot.practice.limits import Limits
from bot.practice.person import Person
from bot.practice.places import Channel, Server
from bot.practice.world import World


class StandIn:
    """A Discord on 127.0.0.1: `async with StandIn() as discord`.

    Attributes:
        world: the state.
        limits: what is allowed; may be changed at any time.
        app: where more may be mounted (the page) before it is started.
        token: the bot's token.
    """

    def __init__(self, *, port: int = 0, limits: Limits | None = None) -> None:
        self.world = World()
        self.limits = limits or Limits()
        self.app = FastAPI()
        self.token = "practice"

    api_url: str
    gateway_url: str

    async def start(self) -> None:
        """Starts it."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Stops it."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def add_server(self, name: str) -> Server:
        """A new server with the bot in it."""
        return self.world.add_server(name)

    def add_channel(self, server: Server, name: str) -> Channel:
        """A new text channel."""
        return self.world.add_channel(server, name)

    def add_person(
        self, name: str, servers: Iterable[Server] = (), *, manage_server: bool = False, administrator: bool = False
    ) -> Person:
        """A new human, a member of these servers."""
        raise NotImplementedError
