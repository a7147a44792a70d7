"""Injected faults of requests."""

import asyncio
import time

import aiohttp
import discord
import pytest

from tests.practice.conftest import Scene
from tests.practice.trial_bot import TrialBot

pytestmark = pytest.mark.thorough


async def channel_of(scene: Scene, bot: TrialBot) -> discord.TextChannel:
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_library_retries_after_a_bad_response(scene: Scene, bot: TrialBot) -> None:
    channel = await channel_of(scene, bot)
    scene.stand_in.faults.respond(500, method="POST", route="/channels/{channel_id}/messages")
    await channel.send("at last")
    assert [message.content for message in scene.alice.sees(scene.channel)] == ["at last"]
    assert [recorded.status for recorded in scene.stand_in.requests[-2:]] == [500, 200]
    assert scene.stand_in.requests[-2].fault == "respond 500"


async def test_response_lost_after_the_work_duplicates_a_follow_up(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.faults.respond(504, method="POST", route="/webhooks/", carried_out=True)
    await scene.alice.slash(scene.channel, "tell", words="psst")
    await scene.stand_in.world.wait_for(lambda: len(scene.alice.sees(scene.channel)) == 3)


async def test_nonce_prevents_a_second_message(scene: Scene, bot: TrialBot) -> None:
    channel = await channel_of(scene, bot)
    scene.stand_in.faults.respond(504, method="POST", carried_out=True)
    sent = await channel.send("with a nonce", nonce="round-1")
    assert [recorded.status for recorded in scene.stand_in.requests[-2:]] == [504, 200]
    (seen,) = scene.alice.sees(scene.channel)
    assert sent.id == seen.id
    await channel.send("another", nonce="round-2")
    assert len(scene.alice.sees(scene.channel)) == 2


async def test_nonce_expires_and_counts_only_if_enforced(scene: Scene) -> None:
    path = f"/channels/{scene.channel.id}/messages"
    body = {"content": "x", "nonce": "n"}
    await scene.call("POST", path, body | {"enforce_nonce": True})
    await scene.call("POST", path, body)
    assert len(scene.channel.message_ids) == 2
    scene.stand_in.world.advance_clock(scene.stand_in.limits.nonce_seconds + 1)
    await scene.call("POST", path, body | {"enforce_nonce": True})
    assert len(scene.channel.message_ids) == 3


@pytest.mark.parametrize("carried_out", [False, True])
async def test_connection_is_cut_before_or_after_the_work(scene: Scene, carried_out: bool) -> None:
    scene.stand_in.faults.drop_connection(carried_out=carried_out)
    with pytest.raises(aiohttp.ClientConnectionError):
        await scene.call("POST", f"/channels/{scene.channel.id}/messages", {"content": "x"})
    assert len(scene.channel.message_ids) == carried_out
    assert scene.stand_in.requests[-1].status == 0


async def test_latency_delays_a_request_and_a_held_response_does_not(scene: Scene) -> None:
    stand_in, path = scene.stand_in, f"/channels/{scene.channel.id}/messages"
    stand_in.faults.latency = (0.1, 0.1)
    began = time.monotonic()
    posting = asyncio.create_task(scene.call("POST", path, {"content": "x"}))
    await asyncio.sleep(0.05)
    assert not scene.channel.message_ids
    assert (await posting)[0] == 200
    assert time.monotonic() - began >= 0.1
    stand_in.faults.clear()
    stand_in.faults.hold(0.1)
    began = time.monotonic()
    await scene.call("POST", path, {"content": "x"})
    assert time.monotonic() - began >= 0.1
    assert len(scene.channel.message_ids) == 2


async def test_fault_applies_only_to_matching_requests(scene: Scene) -> None:
    faults = scene.stand_in.faults
    faults.respond(500, method="DELETE")
    faults.respond(502, route="/gateway", times=2)
    faults.respond(500, when=lambda method, path: path.endswith("/bot"))
    asked = ["/users/@me", "/gateway", "/gateway", "/gateway", "/gateway/bot"]
    assert [(await scene.call("GET", path))[0] for path in asked] == [200, 502, 502, 200, 500]
    faults.clear()
    path = f"/channels/{scene.channel.id}/messages/1"
    assert (await scene.call("DELETE", path))[0] == 404


async def test_first_reply_with_a_lost_response_is_seen_by_the_person(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.faults.respond(500, route="/callback", carried_out=True)
    reply = await scene.alice.slash(scene.channel, "table open")
    assert reply.kind == "message"
    assert reply.message in scene.alice.sees(scene.channel)
