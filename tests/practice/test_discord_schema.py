"""The check against Discord's API description finds errors, and the stand-in passes it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.practice.interactions import CallbackKind
from bot.practice.payloads import own_user_json, user_json
from tests.discord_schema import needs_description, validate, validate_request, validate_response
from tests.practice.conftest import Scene
from tests.practice.raw import button, in_row, label, modal, said
from tests.stand_in import RecordedRequest

pytestmark = needs_description


def sent(method: str, route: str, body: Any) -> RecordedRequest:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return RecordedRequest(method, route, route, {}, body, [], 0, 200, None, True, at)


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


async def test_what_nothing_else_asks_for_is_as_described(scene: Scene) -> None:
    validate(user_json(scene.alice.user), "UserResponse")
    validate(own_user_json(scene.stand_in.world.bot), "UserPIIResponse")
    thread = scene.stand_in.add_thread(scene.channel, "aside")
    for path in (
        f"/guilds/{scene.server.id}",
        f"/guilds/{scene.server.id}/members/{scene.alice.id}",
        f"/channels/{scene.channel.id}",
        f"/channels/{thread.id}",
        f"/channels/{scene.bob.dm().id}",
        "/gateway/bot",
    ):
        assert (await scene.call("GET", path))[0] == 200
    reply = await scene.answer(
        scene.alice.click(await scene.post(in_row(button())), "Press"),
        CallbackKind.MODAL,
        modal(label({"value": "1"})),
    )
    assert reply.modal is not None
    await scene.answer(scene.alice.submit(reply.modal), CallbackKind.MESSAGE, said("done"))
    assert (await scene.call("GET", f"{scene.hook(scene.last())}/messages/@original"))[0] == 200
