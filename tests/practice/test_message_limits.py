"""Messages at and beyond each of Discord's limits."""

from typing import Any

import pytest

from bot.practice.messages import Flag
from tests.practice.conftest import Scene, error_at

V2 = int(Flag.COMPONENTS_V2)

Json = dict[str, Any]


def button(**fields: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": "press"} | fields


def row(*children: Json) -> Json:
    return {"type": 1, "components": list(children)}


def text(words: str = "words") -> Json:
    return {"type": 10, "content": words}


def select(**fields: Any) -> Json:
    option = {"label": "Ox", "value": "ox"}
    return {"type": 3, "custom_id": "pick", "options": [option]} | fields


def options(number: int, **fields: Any) -> list[Json]:
    return [{"label": f"{n}", "value": f"{n}"} | fields for n in range(number)]


def v2(*components: Json) -> Json:
    return {"flags": V2, "components": list(components)}


def buttons(number: int) -> list[Json]:
    return [button(custom_id=f"b{n}") for n in range(number)]


def picture(**fields: Any) -> Json:
    return {"media": {"url": "https://example.com/a.png"}} | fields


REFUSED = {
    "content of 2,001 characters": ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
    "content beside components V2": (
        v2(text()) | {"content": "x"},
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "a text display without the flag": (
        {"content": "x", "components": [text()]},
        "components.0.type",
        "BASE_TYPE_CHOICES",
    ),
    "41 components": (v2(*[text()] * 41), "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    "41 components, the nested ones counted": (
        v2({"type": 17, "components": [row(*buttons(5)), *[text()] * 34]}),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4,001 characters of text in all": (
        v2(text("x" * 2000), text("x" * 2001)),
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "a container in a container": (
        v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        "components.0.components.0.type",
        "BASE_TYPE_CHOICES",
    ),
    "an empty container": (
        v2({"type": 17, "components": []}),
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a gallery of eleven": (
        v2({"type": 12, "items": [picture()] * 11}),
        "components.0.items",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a picture that was not sent along": (
        v2({"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}),
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "an alt text of 1,025 characters": (
        v2({"type": 12, "items": [picture(description="x" * 1025)]}),
        "components.0.items.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a row of six buttons": (v2(row(*buttons(6))), "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    "a select beside a button": (
        v2(row(select(), button())),
        "components.0.components",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "a label of 81 characters": (
        v2(row(button(label="x" * 81))),
        "components.0.components.0.label",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "neither label nor emoji": (
        v2(row(button(label=None))),
        "components.0.components.0",
        "BUTTON_COMPONENT_INVALID_LABEL",
    ),
    "a custom_id of 101 characters": (
        v2(row(button(custom_id="x" * 101))),
        "components.0.components.0.custom_id",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "no custom_id": (
        v2(row(button(custom_id=None))),
        "components.0.components.0.custom_id",
        "BASE_TYPE_REQUIRED",
    ),
    "one custom_id twice, in different rows": (
        v2(row(button()), row(button())),
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "26 options": (
        v2(row(select(options=options(26)))),
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "an option twice": (
        v2(row(select(options=options(2, value="same")))),
        "components.0.components.0.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more to pick than there is": (
        v2(row(select(max_values=2))),
        "components.0.components.0.max_values",
        "SELECT_COMPONENT_MAX_VALUES",
    ),
    "more to pick at least than at most": (
        v2(row(select(options=options(3), min_values=3, max_values=2))),
        "components.0.components.0.min_values",
        "SELECT_COMPONENT_MIN_VALUES",
    ),
    "users both named and parsed": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "what nothing here sends": ({"content": "x", "embeds": [{"title": "x"}]}, "embeds", "NOT_SUPPORTED"),
    "a nonce of 26 characters": ({"content": "x", "nonce": "x" * 26}, "nonce", "BASE_TYPE_MAX_LENGTH"),
}

ACCEPTED = {
    "content of 2,000 characters": {"content": "x" * 2000},
    "40 components": v2({"type": 17, "components": [row(*buttons(5)), *[text("x" * 10)] * 33]}),
    "4,000 characters of text in all": v2(text("x" * 2000), text("x" * 2000)),
    "a row of five buttons": v2(row(*buttons(5))),
    "a label of 80 characters": v2(row(button(label="x" * 80))),
    "a custom_id of 100 characters": v2(row(button(custom_id="x" * 100))),
    "an emoji for a label": v2(row(button(label=None, emoji={"id": None, "name": "🐂"}))),
    "25 options": v2(row(select(options=options(25), max_values=25))),
}


@pytest.mark.parametrize(("body", "path", "code"), REFUSED.values(), ids=REFUSED)
async def test_message_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str, code: str) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path) == code
    assert not scene.channel.message_ids


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED)
async def test_message_at_a_limit_is_accepted(scene: Scene, body: Json) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert status == 200, answer
    assert len(scene.channel.message_ids) == 1


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"flags": V2}, v2()])
async def test_empty_message_is_50006(scene: Scene, body: Json) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50006)


async def test_every_component_gets_a_unique_id(scene: Scene) -> None:
    body = v2(text(), {"type": 17, "id": 2, "components": [row(*buttons(2))]})
    _, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    top, box = answer["components"]
    inner = box["components"][0]
    assert [top["id"], box["id"], inner["id"], *[b["id"] for b in inner["components"]]] == [1, 2, 3, 4, 5]
    body = v2(text() | {"id": 7}, text() | {"id": 7})
    _, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert error_at(answer, "components") == "COMPONENT_ID_DUPLICATED"


async def test_components_v2_flag_cannot_be_removed(scene: Scene) -> None:
    messages = f"/channels/{scene.channel.id}/messages"
    _, sent = await scene.call("POST", messages, v2(text()))
    one = f"{messages}/{sent['id']}"
    for body in ({"flags": 0}, {"content": "plain"}):
        status, answer = await scene.call("PATCH", one, body)
        assert (status, answer["code"]) == (400, 50035)
    status, edited = await scene.call("PATCH", one, {"components": [text("new")]})
    assert status == 200
    assert edited["components"][0]["content"] == "new"
    assert edited["flags"] == V2


async def test_message_becomes_components_v2_only_if_its_text_is_cleared(scene: Scene) -> None:
    messages = f"/channels/{scene.channel.id}/messages"
    _, sent = await scene.call("POST", messages, {"content": "old"})
    one = f"{messages}/{sent['id']}"
    _, answer = await scene.call("PATCH", one, v2(text()))
    assert error_at(answer, "content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    status, edited = await scene.call("PATCH", one, v2(text()) | {"content": None})
    assert (status, edited["content"]) == (200, "")
