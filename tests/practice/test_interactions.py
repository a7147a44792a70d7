"""Pressing, picking, submitting, and the ways a bot can reply."""

import asyncio
from typing import Any

import discord
import pytest

from bot.practice.messages import Flag, Message
from bot.practice.replies import NotPossibleError
from tests.practice.conftest import Scene, Start
from tests.practice.trial_bot import TrialBot

pytestmark = pytest.mark.thorough


async def board(scene: Scene) -> Message:
    reply = await scene.alice.slash(scene.channel, "table open")
    assert reply.message is not None
    return reply.message


async def test_dynamic_button_updates_the_message_for_all(scene: Scene, bot: TrialBot) -> None:
    message = await board(scene)
    reply = await scene.bob.click(message, "Raise 5")
    assert reply.kind == "update"
    assert reply.message is message
    assert scene.alice.sees(scene.channel)[0].text.startswith("raised by 5")
    assert message.edited is not None


async def test_button_works_after_a_restart(scene: Scene, start: Start) -> None:
    first = await start()
    message = await board(scene)
    await first.close()
    await start()
    assert (await scene.bob.click(message, "raise:5")).kind == "update"


async def test_ephemeral_reply_is_seen_by_one_user(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "tell", words="psst")
    await scene.stand_in.world.wait_for(lambda: len(scene.alice.sees(scene.channel)) == 2)
    assert [message.text for message in scene.alice.sees(scene.channel)] == ["psst", "psst, again"]
    assert scene.bob.sees(scene.channel) == []
    assert reply.message is not None
    assert reply.message.ephemeral_for is scene.alice.user
    await scene.alice.dismiss(reply.message)
    assert [message.text for message in scene.alice.sees(scene.channel)] == ["psst, again"]


async def test_modal_opens_and_is_submitted(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.click(await board(scene), "Stake")
    assert reply.kind == "modal"
    assert reply.modal is not None
    assert reply.modal.title == "Your stake"
    (amount,) = reply.modal.inputs()
    assert (amount.label, amount.value, amount.max_length) == ("Amount", "10", 4)
    answer = await scene.alice.submit(reply.modal, Amount="250")
    assert answer.message is not None
    assert answer.message.text == "staked 250"


async def test_unchanged_modal_sends_its_default_values(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.click(await board(scene), "Stake")
    assert reply.modal is not None
    answer = await scene.alice.submit(reply.modal)
    assert answer.message is not None
    assert answer.message.text == "staked 10"


async def test_modal_accepts_only_valid_values(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.click(await board(scene), "Stake")
    assert reply.modal is not None
    with pytest.raises(NotPossibleError, match="1 to 4 characters"):
        await scene.alice.submit(reply.modal, amount="12345")
    with pytest.raises(NotPossibleError, match="must be filled in"):
        await scene.alice.submit(reply.modal, amount="")
    with pytest.raises(NotPossibleError, match="no input colour"):
        await scene.alice.submit(reply.modal, colour="red")


async def test_select_sends_what_was_picked(scene: Scene, bot: TrialBot) -> None:
    message = await board(scene)
    reply = await scene.alice.choose(message, "Pick an animal", "Horse")
    assert reply.message is not None
    assert reply.message.text == "picked horse"
    with pytest.raises(NotPossibleError, match="there is no option"):
        await scene.alice.choose(message, "pick", "Dog")
    with pytest.raises(NotPossibleError, match="1 to 1 values"):
        await scene.alice.choose(message, "pick", "Ox", "Horse")


async def test_person_can_press_only_visible_enabled_buttons(scene: Scene, bot: TrialBot) -> None:
    message = await board(scene)
    with pytest.raises(NotPossibleError, match="disabled"):
        await scene.alice.click(message, "Greyed")
    with pytest.raises(NotPossibleError, match="no button 'Fold'; there are"):
        await scene.alice.click(message, "Fold")
    stranger = scene.stand_in.add_person("Stranger")
    with pytest.raises(NotPossibleError, match="does not see"):
        await stranger.click(message, "Quiet")


async def test_person_waits_for_a_deferred_reply(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "think")
    assert reply.kind == "deferred"
    assert reply.message is not None
    assert reply.message.text.startswith("thought")
    assert not reply.message.loading
    assert reply.message.edited is None
    alone = await scene.alice.slash(scene.channel, "think", alone=1)
    assert alone.message is not None
    assert alone.message.ephemeral_for is scene.alice.user


async def test_follow_up_replaces_a_deferred_reply(scene: Scene, start: Start) -> None:
    bot = await start()

    @bot.tree.command(description="Thinks, and sends a message")
    async def ponder(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.followup.send("pondered")

    await bot.tree.sync()
    reply = await scene.alice.slash(scene.channel, "ponder")
    assert reply.message is not None
    assert reply.message.text == "pondered"
    # It keeps the visibility of the deferred reply.
    assert reply.message.ephemeral
    assert reply.message.flags == Flag.EPHEMERAL
    assert scene.alice.sees(scene.channel) == [reply.message]


async def test_deferred_update_does_not_change_the_message(scene: Scene, bot: TrialBot) -> None:
    message = await board(scene)
    reply = await scene.alice.click(message, "Quiet")
    assert reply.kind == "deferred_update"
    assert reply.message is message
    assert message.edited is None


async def test_reply_can_be_fetched_and_edited_by_its_token(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "rename")
    message = reply.message
    assert message is not None
    await scene.stand_in.world.wait_for(lambda: message.content == "second")
    assert message.edited is not None


async def test_no_reply_in_time_fails_for_the_person(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.limits.reply_seconds = 0.05
    reply = await scene.alice.slash(scene.channel, "slow")
    assert (reply.kind, reply.error) == ("failed", "The application did not respond")


async def test_late_reply_is_10062(scene: Scene, start: Start) -> None:
    bot = await start()
    codes: asyncio.Queue[int] = asyncio.Queue()

    @bot.tree.command(description="Answers when it is too late")
    async def late(interaction: discord.Interaction[Any]) -> None:
        scene.stand_in.world.advance_clock(3.1)
        with pytest.raises(discord.NotFound) as error:
            await interaction.response.send_message("sorry")
        codes.put_nowait(error.value.code)

    await bot.tree.sync()
    scene.stand_in.limits.reply_seconds = 0.5
    reply = await scene.alice.slash(scene.channel, "late")
    assert reply.kind == "failed"
    assert await codes.get() == 10062
    assert scene.alice.sees(scene.channel) == []


async def test_second_reply_is_40060(scene: Scene, start: Start) -> None:
    bot = await start()
    codes: asyncio.Queue[int] = asyncio.Queue()

    @bot.tree.command(description="Answers twice")
    async def twice(interaction: discord.Interaction[Any]) -> None:
        again = discord.Interaction(data=interaction_data(interaction), state=interaction._state)
        await interaction.response.send_message("once")
        with pytest.raises(discord.HTTPException) as error:
            await again.response.send_message("twice")
        codes.put_nowait(error.value.code)

    await bot.tree.sync()
    await scene.alice.slash(scene.channel, "twice")
    assert await codes.get() == 40060
    assert len(scene.alice.sees(scene.channel)) == 1


def interaction_data(interaction: discord.Interaction[Any]) -> Any:
    """Enough of an interaction for the library to reply to it a second time."""
    return {
        "id": str(interaction.id),
        "type": interaction.type.value,
        "token": interaction.token,
        "version": 1,
        "application_id": str(interaction.application_id),
        "attachment_size_limit": 0,
    }


async def test_token_expires_after_15_minutes(scene: Scene, start: Start) -> None:
    bot = await start()
    kept: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()

    @bot.tree.command(description="Keeps its token")
    async def keep(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("kept")
        kept.put_nowait(interaction)

    await bot.tree.sync()
    await scene.alice.slash(scene.channel, "keep")
    interaction = await kept.get()
    scene.stand_in.world.advance_clock(14 * 60)
    await interaction.edit_original_response(content="still alive")
    scene.stand_in.world.advance_clock(61)
    with pytest.raises(discord.HTTPException) as error:
        await interaction.edit_original_response(content="too late")
    assert (error.value.status, error.value.code) == (401, 50027)


async def test_token_reaches_only_its_own_messages(scene: Scene, start: Start) -> None:
    bot = await start()
    message = await board(scene)
    kept: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()

    @bot.tree.command(description="Keeps its token")
    async def keep(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("kept")
        kept.put_nowait(interaction)

    await bot.tree.sync()
    await scene.alice.slash(scene.channel, "keep")
    with pytest.raises(discord.NotFound) as error:
        await (await kept.get()).followup.edit_message(message.id, view=None)
    assert error.value.code == 10008


async def test_old_click_on_a_deleted_message_still_reaches_the_bot(scene: Scene, start: Start) -> None:
    bot = await start()
    message = await board(scene)
    scene.stand_in.world.delete_message(message)
    came: list[Any] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction[Any]) -> None:
        came.append(interaction.data)

    scene.stand_in.limits.reply_seconds = 0.2
    reply = await scene.alice.press_raw(message, "quiet")
    assert [data["custom_id"] for data in came] == ["quiet"]
    # A press on a deleted message can only be acknowledged.
    assert reply.kind == "deferred_update"
    updated = await scene.alice.press_raw(message, "raise:5")
    assert (updated.kind, updated.error) == ("failed", "This interaction failed")
