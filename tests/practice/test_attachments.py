"""Attachments: stored, served, shown in galleries, kept or dropped by edits."""

import io
from typing import Any

import aiohttp
import discord
import pytest

from bot.practice.messages import png_size
from bot.practice.servers import Permission
from tests.practice.conftest import Scene
from tests.practice.trial_bot import PIXEL, Board, TrialBot


async def fetched(url: str) -> tuple[int, str, bytes]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, answer.content_type, await answer.read()


def pixel(name: str = "pixel.png") -> discord.File:
    return discord.File(io.BytesIO(PIXEL), name, description="one pixel")


async def test_picture_of_a_gallery_is_served(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "table show")
    assert reply.message is not None
    (picture,) = reply.message.gallery()
    assert picture.description == "one pixel"
    assert picture.url.startswith(scene.stand_in.url)
    assert await fetched(picture.url) == (200, "image/png", PIXEL)
    (attachment,) = reply.message.attachments
    assert (attachment.filename, attachment.size, attachment.width) == ("pixel.png", len(PIXEL), 1)
    assert scene.stand_in.requests[-1].files == ["pixel.png"]


async def test_edit_replaces_keeps_or_drops_files(scene: Scene, bot: TrialBot) -> None:
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    sent: Any = await channel.send("two", files=[pixel("a.png"), pixel("b.png")])
    (seen,) = scene.alice.sees(scene.channel)
    assert [file.filename for file in seen.attachments] == ["a.png", "b.png"]
    urls = [file.url for file in seen.attachments]
    await sent.edit(content="untouched")
    assert [file.url for file in seen.attachments] == urls
    await sent.edit(attachments=[sent.attachments[1], pixel("c.png")])
    assert [file.filename for file in seen.attachments] == ["b.png", "c.png"]
    assert (await fetched(urls[0]))[0] == 404
    assert (await fetched(urls[1]))[0] == 200
    await sent.edit(attachments=[])
    assert seen.attachments == []


async def test_an_edit_keeps_the_picture_of_a_board(scene: Scene, bot: TrialBot) -> None:
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    sent = await channel.send(view=Board("first", picture="attachment://pixel.png"), file=pixel())
    (seen,) = scene.alice.sees(scene.channel)
    before = seen.gallery()
    await sent.edit(view=Board("second", picture="attachment://pixel.png"))
    assert seen.text.startswith("second")
    assert [picture.url for picture in seen.gallery()] == [picture.url for picture in before]


async def test_files_need_the_permission(scene: Scene, bot: TrialBot) -> None:
    scene.channel.denied[scene.stand_in.world.bot.id] = Permission.ATTACH_FILES
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    with pytest.raises(discord.Forbidden) as error:
        await channel.send(file=pixel())
    assert error.value.code == 50013


async def test_file_beyond_the_limit_is_40005(scene: Scene, bot: TrialBot) -> None:
    channel = bot.get_channel(scene.channel.id)
    assert isinstance(channel, discord.TextChannel)
    scene.stand_in.limits.attachment_bytes = len(PIXEL) - 1
    with pytest.raises(discord.HTTPException) as error:
        await channel.send(file=pixel())
    assert (error.value.status, error.value.code) == (413, 40005)


def test_only_a_png_has_a_size() -> None:
    assert png_size(PIXEL) == (1, 1)
    assert png_size(b"GIF89a") == (None, None)
