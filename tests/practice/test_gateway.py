"""The gateway: resumed and lost sessions, duplicated events, and what the bot is told."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from bot.practice.gateway_events import INTENTS
from bot.practice.messages import Message
from bot.practice.servers import Channel, Permission
from tests.practice.conftest import Scene

pytestmark = pytest.mark.thorough


class Line:
    """A connection to the gateway. It logs in, unless it is told what to send first."""

    def __init__(self, scene: Scene, *, first: dict[str, Any] | None = None, intents: int = INTENTS) -> None:
        self._scene = scene
        self._first = first or {"op": 2, "d": {"token": scene.stand_in.token, "intents": intents}}

    async def __aenter__(self) -> "Line":
        self._session = aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(self._scene.stand_in.gateway_url)
        assert (await self._socket.receive_json())["op"] == 10
        await self._socket.send_json(self._first)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def frame(self) -> dict[str, Any]:
        """The next frame."""
        async with asyncio.timeout(60):
            frame: dict[str, Any] = await self._socket.receive_json()
        return frame

    async def next(self, event: str) -> Any:
        """The data of the next event with this name."""
        while (frame := await self.frame())["t"] != event:
            pass
        return frame["d"]

    async def rest(self) -> list[str]:
        """The names of all further events: those before the answer to a heartbeat."""
        names = []
        await self.send(1)
        while (frame := await self.frame())["op"] != 11:
            names.append(frame["t"])
        return names

    async def closed(self) -> int | None:
        """The close code from the other side."""
        while (await self._socket.receive(timeout=60)).type is not aiohttp.WSMsgType.CLOSE:
            pass
        return self._socket.close_code

    async def send(self, op: int) -> None:
        """Sends an empty frame of this kind."""
        await self._socket.send_str(json.dumps({"op": op, "d": {}}))


def resume(scene: Scene, session: str, after: int = 2) -> dict[str, Any]:
    return {"op": 6, "d": {"token": scene.stand_in.token, "session_id": session, "seq": after}}


def post(scene: Scene, channel: Channel, words: str, only: Any = None) -> Message:
    world = scene.stand_in.world
    return world.post(Message(world.new_id(), channel, world.bot, world.now(), words, ephemeral_for=only))


async def test_no_event_is_lost_when_the_gateway_drops(scene: Scene) -> None:
    gateway = scene.stand_in.gateway
    async with Line(scene) as line:
        session = (await line.next("READY"))["session_id"]
        gateway.ask_to_reconnect()
        await line.next("GUILD_CREATE")
        assert (await line.frame())["op"] == 7
        gateway.drop()
        assert not scene.stand_in.bot_connected
    post(scene, scene.channel, "meanwhile")
    async with Line(scene, first=resume(scene, session)) as line:
        assert (await line.next("MESSAGE_CREATE"))["content"] == "meanwhile"
        assert (await line.frame())["t"] == "RESUMED"
    assert scene.stand_in.gateway_sessions == [session]


@pytest.mark.parametrize("how", ["dropped for good", "invalidated", "unknown"])
async def test_who_has_lost_a_session_must_log_in_again(scene: Scene, how: str) -> None:
    async with Line(scene) as line:
        session = (await line.next("READY"))["session_id"]
        if how == "invalidated":
            scene.stand_in.gateway.invalidate_sessions()
        elif how == "dropped for good":
            scene.stand_in.gateway.drop(resumable=False)
    async with Line(scene, first=resume(scene, "guessed" if how == "unknown" else session)) as line:
        assert await line.frame() == {"op": 9, "d": False, "s": None, "t": None}


async def test_the_bot_is_told_of_what_it_sees_and_not_of_direct_and_private_messages(scene: Scene) -> None:
    world = scene.stand_in.world
    async with Line(scene) as line:
        await line.next("GUILD_CREATE")
        post(scene, scene.channel, "psst", scene.alice.user)
        post(scene, scene.bob.dm(), "psst")
        hidden = world.add_channel(scene.server, "hidden")
        hidden.denied[world.bot.id] = Permission.VIEW_CHANNEL
        post(scene, hidden, "nobody hears")
        world.delete_message(world.edit(post(scene, scene.channel, "aloud"), lambda message: None))
        world.archive(scene.stand_in.add_thread(scene.channel, "aside"))
        world.delete_channel(scene.channel)
        scene.stand_in.add_server("Cambridge")
        world.leave(scene.server, world.bot)
        assert await line.rest() == [
            *("CHANNEL_CREATE", "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"),
            *("THREAD_CREATE", "THREAD_UPDATE", "CHANNEL_DELETE", "GUILD_CREATE", "GUILD_DELETE"),
        ]
    assert scene.alice.commands(scene.channel) == []


async def test_what_members_write_is_hidden_unless_they_mention_the_bot(scene: Scene) -> None:
    mention = f"hello {scene.stand_in.world.bot.mention}"
    async with Line(scene) as line:
        await line.next("GUILD_CREATE")
        await scene.alice.write(scene.channel, "hello all")
        await scene.alice.write(scene.channel, mention)
        told = [await line.next("MESSAGE_CREATE") for _ in range(2)]
    assert [message["content"] for message in told] == ["", mention]


async def test_without_their_intent_there_are_no_events_of_messages(scene: Scene) -> None:
    async with Line(scene, intents=1) as line:
        await line.next("GUILD_CREATE")
        post(scene, scene.channel, "aloud")
        assert await line.rest() == []


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "guessed", "intents": 0}}, 4004),
        ({"op": 6, "d": {"token": "guessed"}}, 4004),
        ({"op": 2, "d": {"intents": INTENTS | 1 << 15}}, 4014),
        ({"op": 3, "d": {}}, 4001),
    ],
)
async def test_the_gateway_closes_on_what_it_does_not_take(
    scene: Scene, frame: dict[str, Any], code: int
) -> None:
    async with Line(scene, first=frame | {"d": {"token": scene.stand_in.token} | frame["d"]}) as line:
        assert await line.closed() == code


async def test_a_silent_connection_is_closed_and_its_session_kept(scene: Scene) -> None:
    scene.stand_in.limits.silence_seconds = 0.05
    async with Line(scene) as line:
        assert await line.closed() == 4009
    assert len(scene.stand_in.gateway_sessions) == 1


async def test_heartbeats_are_acknowledged(scene: Scene) -> None:
    async with Line(scene, first={"op": 1, "d": None}) as line:
        assert (await line.frame())["op"] == 11
