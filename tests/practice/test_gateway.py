"""The gateway: resumed and lost sessions, duplicated events, and who gets which event."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest

from bot.practice.servers import Permission
from tests.practice.conftest import Scene, Start
from tests.practice.trial_bot import TrialBot

pytestmark = pytest.mark.thorough


async def eventually(look: Callable[[], bool]) -> None:
    """Waits for something inside the bot, by polling."""
    async with asyncio.timeout(5):
        while not look():  # noqa: ASYNC110 - the library has no event for it
            await asyncio.sleep(0.01)


async def heard(bot: TrialBot, what: str) -> None:
    await eventually(lambda: what in bot.heard)


def sessions(scene: Scene) -> int:
    """The number of sessions; a bot that resumes makes no new one."""
    return len(scene.stand_in.gateway_sessions)


async def test_no_event_is_lost_when_the_gateway_drops(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.gateway.drop()
    assert not scene.stand_in.bot_connected
    reply = await scene.alice.slash(scene.channel, "table open")
    assert reply.kind == "message"
    assert "resumed" in bot.heard
    assert sessions(scene) == 1


async def test_bot_resumes_when_asked_to_reconnect(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.gateway.ask_to_reconnect()
    await heard(bot, "resumed")
    assert (await scene.alice.slash(scene.channel, "table open")).kind == "message"
    assert sessions(scene) == 1


@pytest.mark.thorough  # discord.py waits five seconds before it identifies again
@pytest.mark.parametrize("how", ["dropped for good", "invalidated"])
async def test_a_lost_session_loses_its_events(scene: Scene, bot: TrialBot, how: str) -> None:
    (lost,) = scene.stand_in.gateway_sessions
    if how == "invalidated":
        scene.stand_in.gateway.invalidate_sessions()
    else:
        scene.stand_in.gateway.drop(resumable=False)
    scene.stand_in.limits.reply_seconds = 0.2
    assert (await scene.alice.slash(scene.channel, "table open")).kind == "failed"
    await scene.stand_in.world.wait_for(lambda: scene.stand_in.bot_connected)
    scene.stand_in.limits.reply_seconds = 3.0
    assert (await scene.alice.slash(scene.channel, "table open")).kind == "message"
    assert "resumed" not in bot.heard
    assert lost not in scene.stand_in.gateway_sessions


async def test_duplicated_event_arrives_twice_and_only_one_reply_works(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.faults.duplicate("INTERACTION_CREATE")
    reply = await scene.alice.slash(scene.channel, "table open")
    assert reply.kind == "message"
    await eventually(lambda: bool(bot.errors))
    (error,) = bot.errors
    assert isinstance(error, discord.app_commands.CommandInvokeError)
    assert isinstance(error.original, discord.HTTPException)
    assert error.original.code == 40060
    assert len(scene.alice.sees(scene.channel)) == 1


async def test_bot_gets_events_of_deletions_and_removals(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "table open")
    assert reply.message is not None
    world = scene.stand_in.world
    world.delete_message(reply.message)
    await heard(bot, f"deleted {reply.message.id}")
    scene.stand_in.add_thread(scene.channel, "table 2")
    await heard(bot, "thread table 2")
    world.delete_channel(scene.channel)
    await heard(bot, "no channel general")
    world.leave(scene.server, world.bot)
    await heard(bot, "removed from Oxford")
    assert not list(bot.guilds)
    assert scene.alice.commands(scene.channel) == []
    scene.stand_in.add_server("Cambridge")
    await heard(bot, "added to Cambridge")


async def test_missing_things_have_their_error_codes(scene: Scene, bot: TrialBot) -> None:
    world = scene.stand_in.world
    messages = f"/channels/{scene.channel.id}/messages"
    assert (await scene.call("DELETE", f"{messages}/1"))[1]["code"] == 10008
    assert (await scene.call("GET", "/channels/1"))[1]["code"] == 10003
    assert (await scene.call("GET", "/guilds/1"))[1]["code"] == 10004
    assert (await scene.call("GET", f"/guilds/{scene.server.id}/members/1"))[1]["code"] == 10013
    stranger = scene.stand_in.add_person("Stranger")
    path = f"/guilds/{scene.server.id}/members/{stranger.id}"
    assert (await scene.call("GET", path))[1]["code"] == 10007
    scene.channel.denied[world.bot.id] = Permission.SEND_MESSAGES
    assert (await scene.call("POST", messages, {"content": "x"}))[1]["code"] == 50013
    scene.channel.denied[world.bot.id] = Permission.VIEW_CHANNEL
    assert (await scene.call("POST", messages, {"content": "x"}))[1]["code"] == 50001
    world.leave(scene.server, world.bot)
    assert (await scene.call("GET", f"/guilds/{scene.server.id}"))[1]["code"] == 50001


async def test_unknown_route_is_404_and_recorded(scene: Scene) -> None:
    status, answer = await scene.call("POST", "/guilds/1/bans", {"reason": "none"})
    assert (status, answer) == (404, {"message": "404: Not Found", "code": 0})
    recorded = scene.stand_in.requests[-1]
    assert (recorded.route, recorded.path, recorded.body) == (None, "/guilds/1/bans", {"reason": "none"})


async def test_message_content_is_hidden_without_the_intent(scene: Scene, bot: TrialBot) -> None:
    await scene.alice.write(scene.channel, "hello all")
    await scene.alice.write(scene.channel, f"hello {scene.stand_in.world.bot.mention}")
    await heard(bot, f"message hello {scene.stand_in.world.bot.mention}")
    assert bot.heard == ["message ", f"message hello {scene.stand_in.world.bot.mention}"]


async def test_bot_gets_only_the_events_of_its_intents(scene: Scene, start: Start) -> None:
    bot = await start(intents=discord.Intents(guilds=True, dm_messages=True))
    await scene.alice.write(scene.channel, f"in the channel {scene.stand_in.world.bot.mention}")
    await scene.alice.write(scene.alice.dm(), "in the DM")
    await heard(bot, "message in the DM")
    assert bot.heard == ["message in the DM"]


async def test_ephemeral_messages_need_the_direct_messages_intent(scene: Scene, start: Start) -> None:
    bot = await start(intents=discord.Intents(guilds=True, guild_messages=True))
    await scene.alice.slash(scene.channel, "tell", words="psst")
    await scene.alice.write(scene.channel, f"aloud {scene.stand_in.world.bot.mention}")
    await heard(bot, f"message aloud {scene.stand_in.world.bot.mention}")
    assert bot.heard == [f"message aloud {scene.stand_in.world.bot.mention}"]


async def test_privileged_intents_are_refused(scene: Scene) -> None:
    async with TrialBot(intents=discord.Intents(guilds=True, members=True)) as bot:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await bot.start(scene.stand_in.token)


async def test_each_shard_gets_events_of_its_own_servers(scene: Scene) -> None:
    async with Line(scene, shard=[0, 2]) as first, Line(scene, shard=[1, 2]) as second:
        home = (scene.server.id >> 22) % 2
        lines = [first, second]
        assert await lines[home].next("GUILD_CREATE")
        await scene.alice.write(scene.channel, "hello")
        assert await lines[home].next("MESSAGE_CREATE")
        await scene.alice.write(scene.alice.dm(), "psst")
        assert (await first.next("MESSAGE_CREATE"))["channel_id"] == str(scene.alice.dm().id)
        assert "MESSAGE_CREATE" not in await second.rest() or home == 1


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "guessed", "intents": 0}}, 4004),
        ({"op": 3, "d": {}}, 4003),
        ({"op": 2, "d": {"token": "", "intents": 0, "shard": [2, 2]}}, 4010),
        ("no frame", 4002),
    ],
)
async def test_gateway_closes_on_invalid_frames(scene: Scene, frame: Any, code: int) -> None:
    if isinstance(frame, dict) and frame["d"].get("token") == "":
        frame["d"]["token"] = scene.stand_in.token
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.stand_in.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == code


async def test_silent_connection_is_closed_and_its_session_kept(scene: Scene) -> None:
    scene.stand_in.limits.silence_seconds = 0.05
    async with Line(scene) as line:
        assert await line.closed() == 4009
    assert sessions(scene) == 1


async def test_unknown_session_must_identify(scene: Scene) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.stand_in.gateway_url) as socket:
        await socket.receive_json()
        resume = {"token": scene.stand_in.token, "session_id": "guessed", "seq": 1}
        await socket.send_json({"op": 6, "d": resume})
        assert await socket.receive_json() == {"op": 9, "d": False, "s": None, "t": None}


class Line:
    """A gateway connection without a library."""

    def __init__(self, scene: Scene, shard: list[int] | None = None) -> None:
        self._scene = scene
        self._shard = shard or [0, 1]

    async def __aenter__(self) -> "Line":
        self._session = aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(self._scene.stand_in.gateway_url)
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True).value
        hello = {"token": self._scene.stand_in.token, "intents": intents, "shard": self._shard}
        await self._socket.send_json({"op": 2, "d": hello})
        await self.next("READY")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()
        await self._session.close()

    async def next(self, event: str) -> Any:
        """The data of the next event with this name."""
        async with asyncio.timeout(5):
            while (frame := await self._socket.receive_json())["t"] != event:
                pass
        return frame["d"]

    async def rest(self) -> list[str]:
        """The names of all further events."""
        names = []
        while True:
            try:
                names.append((await self._socket.receive_json(timeout=0.1))["t"])
            except TimeoutError:
                return names

    async def closed(self) -> int | None:
        """The close code from the other side."""
        while (await self._socket.receive(timeout=5)).type is not aiohttp.WSMsgType.CLOSE:
            pass
        return self._socket.close_code
