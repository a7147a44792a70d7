"""Requests of a bot: messages with files, direct messages, errors, rate limits, and faults on demand."""

import asyncio

import aiohttp
import pytest

from bot.practice.limits import Window
from bot.practice.servers import Permission
from bot.practice.validation import messages
from tests.practice.conftest import Scene
from tests.practice.raw import PIXEL, gallery, said, text, v2

pytestmark = pytest.mark.thorough

HELLO = said("hello")


async def fetched(url: str) -> tuple[int, str, bytes]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, answer.content_type, await answer.read()


# Files


async def test_the_picture_of_a_gallery_is_served_and_an_edit_keeps_it(scene: Scene) -> None:
    pictured = v2(gallery(1, description="one pixel"))
    status, sent = await scene.call("POST", scene.messages, pictured, files={"a.png": PIXEL})
    assert (status, scene.stand_in.requests[-1].files) == (200, ["a.png"])
    (seen,) = scene.alice.sees(scene.channel)
    (picture,) = seen.gallery()
    assert picture.description == "one pixel"
    assert picture.url.startswith(scene.stand_in.url)
    assert await fetched(picture.url) == (200, "image/png", PIXEL)
    (attachment,) = seen.attachments
    assert (attachment.filename, attachment.size, attachment.width) == ("a.png", len(PIXEL), 1)
    edited = {"components": [text("new"), *pictured["components"]]}
    assert (await scene.call("PATCH", f"{scene.messages}/{sent['id']}", edited))[0] == 200
    assert seen.text == "new"
    assert seen.gallery()[0].url == picture.url


async def test_an_edit_replaces_keeps_or_drops_files_that_a_page_can_load_for_a_while(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LOADED_SECONDS", 3.0)
    _, sent = await scene.call("POST", scene.messages, HELLO, files={"a.png": PIXEL, "b.png": PIXEL})
    one = f"{scene.messages}/{sent['id']}"
    (seen,) = scene.alice.sees(scene.channel)
    urls = [file.url for file in seen.attachments]
    await scene.call("PATCH", one, said("untouched"))
    assert [file.url for file in seen.attachments] == urls
    kept = {"attachments": [{"id": sent["attachments"][1]["id"]}, {"id": 0}]}
    await scene.call("PATCH", one, kept, files={"c.png": PIXEL})
    assert [file.filename for file in seen.attachments] == ["b.png", "c.png"]
    assert [(await fetched(url))[0] for url in urls] == [200, 200]
    await asyncio.sleep(3.1)
    assert [(await fetched(url))[0] for url in urls] == [404, 200]
    await scene.call("PATCH", one, {"attachments": []})
    assert seen.attachments == []


async def test_files_need_the_permission_and_have_a_largest_size(scene: Scene) -> None:
    scene.stand_in.limits.attachment_bytes = len(PIXEL) - 1
    status, answer = await scene.call("POST", scene.messages, HELLO, files={"a.png": PIXEL})
    assert (status, answer["code"]) == (413, 40005)
    scene.channel.denied[scene.stand_in.world.bot.id] = Permission.ATTACH_FILES
    status, answer = await scene.call("POST", scene.messages, HELLO, files={"a.txt": b""})
    assert (status, answer["code"]) == (403, 50013)


# Direct messages, and what is not there


async def test_only_two_see_a_direct_message_and_it_needs_open_dms_and_a_shared_server(scene: Scene) -> None:
    for number in (scene.bob.id, str(scene.bob.id)):
        status, dm = await scene.call("POST", "/users/@me/channels", {"recipient_id": number})
        assert (status, dm["id"]) == (200, str(scene.bob.dm().id))
    assert (await scene.call("POST", "/users/@me/channels", {"recipient_id": "1"}))[1]["code"] == 50033
    messages = f"/channels/{dm['id']}/messages"
    assert (await scene.call("POST", messages, HELLO))[0] == 200
    assert [message.text for message in scene.bob.sees(scene.bob.dm())] == ["hello"]
    assert scene.alice.sees(scene.bob.dm()) == []
    assert scene.bob.dm() in scene.bob.channels()
    assert scene.bob.dm() not in scene.alice.channels()
    scene.bob.user.dms_open = False
    assert (await scene.call("POST", messages, HELLO))[1]["code"] == 50007
    scene.bob.user.dms_open = True
    scene.stand_in.world.leave(scene.server, scene.bob.user)
    assert (await scene.call("POST", messages, HELLO))[1]["code"] == 50278
    assert len(scene.bob.sees(scene.bob.dm())) == 1


async def test_missing_things_have_their_error_codes(scene: Scene) -> None:
    world = scene.stand_in.world
    members = f"/guilds/{scene.server.id}/members"
    stranger = scene.stand_in.add_person("Stranger")
    said = await scene.alice.write(scene.channel, "mine")
    for method, path, code in (
        ("DELETE", f"{scene.messages}/1", 10008),
        ("PATCH", f"{scene.messages}/{said.id}", 50005),
        ("DELETE", f"{scene.messages}/{said.id}", 50013),
        ("GET", "/channels/1", 10003),
        ("GET", "/guilds/1", 10004),
        ("GET", f"{members}/1", 10013),
        ("GET", f"{members}/{stranger.id}", 10007),
    ):
        assert (await scene.call(method, path, HELLO if method == "PATCH" else None))[1]["code"] == code
    scene.channel.denied[world.bot.id] = Permission.SEND_MESSAGES
    assert (await scene.call("POST", scene.messages, HELLO))[1]["code"] == 50013
    scene.channel.denied[world.bot.id] = Permission.VIEW_CHANNEL
    assert (await scene.call("POST", scene.messages, HELLO))[1]["code"] == 50001
    world.leave(scene.server, world.bot)
    assert (await scene.call("GET", f"/guilds/{scene.server.id}"))[1]["code"] == 50001
    assert (await scene.call("GET", "/users/@me", token="guessed"))[0] == 401
    assert await scene.call("POST", "/guilds/1/bans", {"reason": "none"}) == (
        404,
        {"message": "404: Not Found", "code": 0},
    )
    recorded = scene.stand_in.requests[-1]
    assert (recorded.route, recorded.path, recorded.body) == (None, "/guilds/1/bans", {"reason": "none"})


# How often


async def test_a_nonce_prevents_a_second_message_for_some_minutes_if_it_is_enforced(scene: Scene) -> None:
    body = HELLO | {"nonce": "n", "enforce_nonce": True}
    first, second = [await scene.call("POST", scene.messages, body) for _ in range(2)]
    assert first == second
    await scene.call("POST", scene.messages, body | {"nonce": "another"})
    await scene.call("POST", scene.messages, body | {"enforce_nonce": False})
    assert len(scene.channel.message_ids) == 3
    scene.stand_in.world.advance_clock(scene.stand_in.limits.nonce_seconds + 1)
    await scene.call("POST", scene.messages, body)
    assert len(scene.channel.message_ids) == 4


async def test_a_full_bucket_of_a_channel_is_429(scene: Scene) -> None:
    scene.stand_in.limits.messages = Window(2, 30.0)
    answers = [await scene.call("POST", scene.messages, HELLO) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 429]
    refusal = answers[2][1]
    assert 29 < refusal["retry_after"] <= 30
    assert refusal["global"] is False
    assert len(scene.channel.message_ids) == 2
    other = scene.stand_in.add_channel(scene.server, "other")
    assert (await scene.call("POST", f"/channels/{other.id}/messages", HELLO))[0] == 200
    scene.stand_in.limits.rate_limits = False
    assert (await scene.call("POST", scene.messages, HELLO))[0] == 200


async def test_the_limit_of_the_whole_bot_does_not_count_what_a_token_authorises(scene: Scene) -> None:
    scene.stand_in.limits.all_requests = Window(1, 30.0)
    for _ in range(3):
        status, answer = await scene.call("POST", "/webhooks/1/guessed", HELLO)
        assert (status, answer["code"]) == (401, 50027)
        assert not scene.stand_in.requests[-1].budgeted
    assert (await scene.call("GET", "/users/@me"))[0] == 200
    status, refusal = await scene.call("GET", "/users/@me")
    assert (status, refusal["global"]) == (429, True)


async def test_edits_of_an_old_message_are_capped(scene: Scene) -> None:
    scene.stand_in.limits.messages = Window(None, 1.0)
    board = await scene.post(HELLO)
    one = f"{scene.messages}/{board.id}"
    for number in range(5):
        assert (await scene.call("PATCH", one, said(f"{number}")))[0] == 200
    scene.stand_in.world.advance_clock(60 * 60)
    answers = [await scene.call("PATCH", one, said(f"old {n}")) for n in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046
    assert board.text == "old 2"


# Faults
