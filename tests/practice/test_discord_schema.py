"""The check against Discord's API description finds errors, and the stand-in passes it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.practice.payloads import own_user_json, user_json
from tests import discord_schema
from tests.discord_schema import needs_description, validate, validate_request, validate_response
from tests.practice.conftest import Scene, Start
from tests.stand_in import RecordedRequest

pytestmark = needs_description


def sent(method: str, route: str, body: Any) -> RecordedRequest:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return RecordedRequest(method, route, route, {}, body, [], 200, None, True, at)


MESSAGES = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (sent("POST", MESSAGES, {"content": 5}), r"\$\.content: 5 is not"),
        (sent("POST", MESSAGES, {"content": "x" * 4001}), r"\$\.content: .* is too long"),
        (
            sent(
                "POST", MESSAGES, {"components": [{"type": 17, "components": [{"type": 10, "content": ""}]}]}
            ),
            r"\$\.components\[0\]\.components\[0\]\.content",
        ),
        (sent("POST", CALLBACK, {"type": 9, "data": {"title": "Form", "components": []}}), r"\$\.data"),
        (sent("POST", CALLBACK, {"type": 99}), r"\$"),
        (sent("POST", MESSAGES, None), "has no body"),
        (sent("GET", MESSAGES, {"content": "x"}), "takes no body"),
        (sent("POST", "/users/@me/cards", {}), "Discord has no POST /users/@me/cards"),
    ],
)
def test_wrong_requests_are_found(request_: RecordedRequest, reason: str) -> None:
    with pytest.raises(AssertionError, match=reason):
        validate_request(request_)


def test_right_requests_pass() -> None:
    validate_request(sent("POST", MESSAGES, {"content": "x", "nonce": "n", "attachments": [{"id": 0}]}))
    validate_request(sent("POST", CALLBACK, {"type": 6}))


def test_wrong_responses_are_found() -> None:
    answered = sent("GET", "/users/@me", None)
    answered.response = {"id": "1"}
    with pytest.raises(AssertionError, match="is a required property"):
        validate_response(answered)


def test_without_the_description_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord_schema, "PLACE", Path("/nowhere"))
    validate_request(sent("POST", MESSAGES, {"content": 5}))


async def test_responses_of_every_kind_match_the_description(scene: Scene, start: Start) -> None:
    await start()
    world = scene.stand_in.world
    validate(user_json(scene.alice.user), "UserResponse")
    validate(own_user_json(world.bot), "UserPIIResponse")
    board = (await scene.alice.slash(scene.channel, "table show")).message
    assert board is not None
    form = (await scene.alice.click(board, "Stake")).modal
    assert form is not None
    await scene.alice.submit(form)
    await scene.alice.click(board, "Raise 5")
    await scene.alice.slash(scene.channel, "write_to", who=scene.bob)
    await scene.alice.slash(scene.channel, "think")
    await scene.alice.slash(scene.alice.dm(), "tell", words="psst")
    thread = scene.stand_in.add_thread(scene.channel, "aside")
    for path in (
        f"/guilds/{scene.server.id}",
        f"/guilds/{scene.server.id}/members/{scene.alice.id}",
        f"/channels/{scene.channel.id}",
        f"/channels/{thread.id}",
        f"/channels/{scene.bob.dm().id}",
        "/gateway",
    ):
        assert (await scene.call("GET", path))[0] == 200
    answered = [recorded for recorded in scene.stand_in.requests if recorded.response is not None]
    assert len(answered) > 20
    for recorded in answered:
        validate_response(recorded)
