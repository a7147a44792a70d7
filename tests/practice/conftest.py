"""A stand-in with one server and two of its members, and requests to it as a bot sends them."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from bot.practice.interactions import CallbackKind, Interaction
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel, Server
from tests.discord_schema import validate_request, validate_response
from tests.practice.raw import call, callback_of
from tests.stand_in import StandIn

T = TypeVar("T")


@dataclass
class Scene:
    """A stand-in with a server, a channel, and two of its members."""

    stand_in: StandIn
    server: Server
    channel: Channel
    alice: Person
    bob: Person

    @property
    def messages(self) -> str:
        """The route of the channel's messages."""
        return f"/channels/{self.channel.id}/messages"

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        """Sends one request to the REST API, as the function does."""
        return await call(self.stand_in, method, path, body, **options)

    async def post(self, body: Any, **files: bytes) -> Message:
        """Has the bot send a message to the channel, with these files."""
        status, sent = await self.call("POST", self.messages, body, files=files)
        assert status == 200, sent
        return self.stand_in.world.messages[int(sent["id"])]

    async def answer(self, acting: Coroutine[Any, Any, T], kind: CallbackKind, data: Any = None) -> T:
        """What somebody sees who does this, once the bot has replied so."""
        seen = asyncio.create_task(acting)
        await asyncio.sleep(0)
        if not seen.done():
            body = {"type": kind} | ({} if data is None else {"data": data})
            status, answered = await self.call("POST", callback_of(self.last()), body)
            assert status == 204, answered
        return await seen

    def last(self) -> Interaction:
        """What somebody did last."""
        return next(reversed(self.stand_in.world.interactions.values()))

    def hook(self, interaction: Interaction) -> str:
        """The route for what follows the first reply."""
        return f"/webhooks/{self.stand_in.world.application_id}/{interaction.token}"


def error_at(answer: dict[str, Any], path: str) -> str:
    """The code of the first 50035 error at this path."""
    place = answer["errors"]
    for step in path.split("."):
        place = place[step]
    return str(place["_errors"][0]["code"])


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    """After the test, responses, and requests that were accepted, must be as Discord describes them."""
    async with StandIn() as stand_in:
        server = stand_in.add_server("Oxford")
        channel = stand_in.add_channel(server, "general")
        alice = stand_in.add_person("Alice", [server])
        yield Scene(stand_in, server, channel, alice, stand_in.add_person("Bob", [server]))
    for recorded in stand_in.requests:
        if recorded.status < 400:
            validate_request(recorded)
        # The description says that the codes inside a 400 are numbers; Discord sends names.
        if recorded.fault is None and recorded.status != 400:
            validate_response(recorded)
