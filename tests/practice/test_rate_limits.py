"""Rate limits: what counts, the headers, and that discord.py waits."""

import asyncio
import time

import discord
import pytest

from bot.practice.limits import Window
from tests.practice.conftest import Scene, Start
from tests.practice.trial_bot import TrialBot

pytestmark = pytest.mark.thorough


async def test_full_bucket_of_a_channel_is_429(scene: Scene) -> None:
    scene.stand_in.limits.messages = Window(2, 30.0)
    path = f"/channels/{scene.channel.id}/messages"
    answers = [await scene.call("POST", path, {"content": "x"}) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 429]
    refusal = answers[2][1]
    assert 29 < refusal["retry_after"] <= 30
    assert refusal["global"] is False
    assert len(scene.channel.message_ids) == 2
    other = scene.stand_in.add_channel(scene.server, "other")
    assert (await scene.call("POST", f"/channels/{other.id}/messages", {"content": "x"}))[0] == 200


async def test_library_waits_for_the_bucket_without_being_refused(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.limits.messages = Window(2, 0.3)
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    began = time.monotonic()
    for number in range(5):
        await channel.send(f"{number}")
    assert time.monotonic() - began > 0.5
    assert [message.content for message in scene.alice.sees(scene.channel)] == ["0", "1", "2", "3", "4"]
    assert all(recorded.status != 429 for recorded in scene.stand_in.requests)


async def test_library_waits_out_429_and_tries_again(scene: Scene, bot: TrialBot) -> None:
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    scene.stand_in.faults.respond(429, times=2, route="/messages", retry_after=0.05)
    await channel.send("at last")
    statuses = [recorded.status for recorded in scene.stand_in.requests if recorded.method == "POST"]
    assert statuses == [429, 429, 200]
    assert [message.content for message in scene.alice.sees(scene.channel)] == ["at last"]


async def test_global_limit_does_not_count_interaction_replies(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.limits.all_requests = Window(1, 30.0)
    before = len(scene.stand_in.requests)
    for _ in range(3):
        reply = await scene.alice.slash(scene.channel, "tell", words="free")
        assert reply.kind == "message"
    await asyncio.sleep(0.05)
    assert not any(recorded.budgeted for recorded in scene.stand_in.requests[before:])
    assert (await scene.call("GET", "/users/@me"))[0] == 200
    status, refusal = await scene.call("GET", "/users/@me")
    assert (status, refusal["global"]) == (429, True)


async def test_limits_can_be_switched_off(scene: Scene) -> None:
    scene.stand_in.limits.rate_limits = False
    path = f"/channels/{scene.channel.id}/messages"
    for _ in range(60):
        assert (await scene.call("POST", path, {"content": "x"}))[0] == 200


async def test_edits_of_an_old_message_are_capped(scene: Scene) -> None:
    scene.stand_in.limits.messages = Window(None, 1.0)
    path = f"/channels/{scene.channel.id}/messages"
    _, sent = await scene.call("POST", path, {"content": "board"})
    for number in range(5):
        assert (await scene.call("PATCH", f"{path}/{sent['id']}", {"content": f"{number}"}))[0] == 200
    scene.stand_in.world.advance_clock(60 * 60)
    answers = [await scene.call("PATCH", f"{path}/{sent['id']}", {"content": f"old {n}"}) for n in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046
    assert scene.stand_in.world.messages[int(sent["id"])].content == "old 2"


async def test_follow_ups_have_one_bucket_per_token(scene: Scene, start: Start) -> None:
    bot = await start()
    scene.stand_in.limits.webhook = Window(2, 0.2)

    @bot.tree.command(description="Says much")
    async def much(interaction: discord.Interaction[TrialBot]) -> None:
        await interaction.response.send_message("0")
        for number in range(1, 5):
            await interaction.followup.send(f"{number}")

    await bot.tree.sync()
    await scene.alice.slash(scene.channel, "much")
    await scene.stand_in.world.wait_for(lambda: len(scene.alice.sees(scene.channel)) == 5)
    assert all(recorded.status != 429 for recorded in scene.stand_in.requests)
