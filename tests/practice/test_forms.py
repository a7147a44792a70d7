"""What Discord refuses, with its codes: one request for each limit, and one just within it."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.practice.commands import valid_name
from bot.practice.interactions import InteractionKind
from bot.practice.messages import Flag
from tests.practice.conftest import Scene

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


def error_at(answer: Json, path: str) -> str:
    """The code of the inner error at this place."""
    place = answer["errors"]
    for step in path.split("."):
        place = place[step]
    return str(place["_errors"][0]["code"])


REFUSED = {
    "content of 2,001 characters": ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
    "content beside components V2": (
        v2(text()) | {"content": "x"},
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "embeds beside components V2": (
        v2(text()) | {"embeds": [{"title": "x"}]},
        "embeds",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "a text display without the flag": (
        {"content": "x", "components": [text()]},
        "components.0.type",
        "BASE_TYPE_CHOICES",
    ),
    "six rows without the flag": (
        {"content": "x", "components": [row(button(custom_id=f"{n}")) for n in range(6)]},
        "components",
        "BASE_TYPE_MAX_LENGTH",
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
    "an empty text": (v2(text("")), "components.0.content", "BASE_TYPE_REQUIRED"),
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
    "a section without an accessory": (
        v2({"type": 9, "components": [text()]}),
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    "a section of four texts": (
        v2({"type": 9, "components": [text()] * 4, "accessory": button()}),
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
    "a link without an address": (
        v2(row({"type": 2, "style": 5, "label": "Go"})),
        "components.0.components.0.url",
        "BASE_TYPE_REQUIRED",
    ),
    "26 options": (
        v2(row(select(options=options(26)))),
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "an option's label of 101 characters": (
        v2(row(select(options=options(1, label="x" * 101)))),
        "components.0.components.0.options.0.label",
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
    "an embed of 4,097 characters": (
        {"embeds": [{"description": "x" * 4097}]},
        "embeds.0.description",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "embeds of 6,001 characters in all": (
        {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]},
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
    "a nonce of 26 characters": ({"content": "x", "nonce": "x" * 26}, "nonce", "BASE_TYPE_MAX_LENGTH"),
    "a reply to nothing": (
        {"content": "x", "message_reference": {"message_id": "1"}},
        "message_reference",
        "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
    ),
    "a poll": ({"content": "x", "poll": {"question": {"text": "?"}}}, "poll", "NOT_PLAYED"),
}

ACCEPTED = {
    "content of 2,000 characters": {"content": "x" * 2000},
    "40 components": v2({"type": 17, "components": [row(*buttons(5)), *[text("x" * 10)] * 33]}),
    "4,000 characters of text in all": v2(text("x" * 2000), text("x" * 2000)),
    "a section of three texts": v2({"type": 9, "components": [text()] * 3, "accessory": button()}),
    "a gallery of ten": v2({"type": 12, "items": [picture(description="x" * 1024)] * 10}),
    "a row of five buttons": v2(row(*buttons(5))),
    "a label of 80 characters": v2(row(button(label="x" * 80))),
    "a custom_id of 100 characters": v2(row(button(custom_id="x" * 100))),
    "an emoji for a label": v2(row(button(label=None, emoji={"id": None, "name": "🐂"}))),
    "25 options": v2(row(select(options=options(25), max_values=25))),
    "a thumbnail for an accessory": v2({"type": 9, "components": [text()], "accessory": picture(type=11)}),
    "a reply to nothing, if need be": {
        "content": "x",
        "message_reference": {"message_id": "1", "fail_if_not_exists": False},
    },
}


@pytest.mark.parametrize(("body", "path", "code"), REFUSED.values(), ids=REFUSED)
async def test_message_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str, code: str) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path) == code
    assert not scene.channel.messages


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED)
async def test_message_at_a_limit_is_taken(scene: Scene, body: Json) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert status == 200, answer
    assert len(scene.channel.messages) == 1


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"flags": V2}, v2(), {"components": [row(button())]}])
async def test_message_without_anything_to_see_is_50006(scene: Scene, body: Json) -> None:
    status, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50006)


async def test_every_component_gets_an_id_of_its_own(scene: Scene) -> None:
    body = v2(text(), {"type": 17, "id": 2, "components": [row(*buttons(2))]})
    _, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    top, box = answer["components"]
    inner = box["components"][0]
    assert [top["id"], box["id"], inner["id"], *[b["id"] for b in inner["components"]]] == [1, 2, 3, 4, 5]
    body = v2(text() | {"id": 7}, text() | {"id": 7})
    _, answer = await scene.call("POST", f"/channels/{scene.channel.id}/messages", body)
    assert error_at(answer, "components") == "COMPONENT_ID_DUPLICATED"


async def test_flag_of_components_v2_is_for_good(scene: Scene) -> None:
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


async def test_message_becomes_components_v2_only_without_its_old_text(scene: Scene) -> None:
    messages = f"/channels/{scene.channel.id}/messages"
    _, sent = await scene.call("POST", messages, {"content": "old"})
    one = f"{messages}/{sent['id']}"
    _, answer = await scene.call("PATCH", one, v2(text()))
    assert error_at(answer, "content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    status, edited = await scene.call("PATCH", one, v2(text()) | {"content": None})
    assert (status, edited["content"]) == (200, "")


def command(**fields: Any) -> Json:
    return {"name": "bet", "description": "Bets"} | fields


def option(**fields: Any) -> Json:
    return {"type": 3, "name": "what", "description": "What"} | fields


def named(number: int, make: Callable[..., Json]) -> list[Json]:
    return [make(name=f"n{n}") for n in range(number)]


LONG_CHOICES = [{"name": "x" * 100, "value": "x" * 100}] * 25

BAD_COMMANDS = {
    "capitals in the name": ([command(name="Bet")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    "a space in the name": ([command(name="bet now")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    "a name of 33 characters": ([command(name="x" * 33)], "0.name", "BASE_TYPE_BAD_LENGTH"),
    "no description": ([command(description=None)], "0.description", "BASE_TYPE_REQUIRED"),
    "a description of 101 characters": (
        [command(description="x" * 101)],
        "0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a bad localized name": (
        [command(name_localizations={"de": "Einsatz"})],
        "0.name_localizations.de",
        "APPLICATION_COMMAND_INVALID_NAME",
    ),
    "26 options": ([command(options=named(26, option))], "0.options", "BASE_TYPE_MAX_LENGTH"),
    "26 choices": (
        [command(options=[option(choices=[{"name": f"{n}", "value": f"{n}"} for n in range(26)])])],
        "0.options.0.choices",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "an option twice": (
        [command(options=[option(), option()])],
        "0.options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    "a required option last": (
        [command(options=[option(), option(name="more", required=True)])],
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "a subcommand beside an option": (
        [command(options=[option(), option(type=1, name="sub")])],
        "0.options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "a group in a group": (
        [command(options=[option(type=2, options=[option(type=2, name="inner")])])],
        "0.options.0.options.0.type",
        "BASE_TYPE_CHOICES",
    ),
    "a text for the choice of a number": (
        [command(options=[option(type=4, choices=[{"name": "one", "value": "1"}])])],
        "0.options.0.choices.0.value",
        "APPLICATION_COMMAND_OPTIONS_VALUE_INVALID",
    ),
    "choices and suggestions both": (
        [command(options=[option(autocomplete=True, choices=[{"name": "a", "value": "a"}])])],
        "0.options.0",
        "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
    ),
    "a name twice": ([command(), command()], "1", "APPLICATION_COMMANDS_DUPLICATE_NAME"),
    "8,001 characters in all": (
        [command(options=[option(name=f"o{n}", choices=LONG_CHOICES) for n in range(2)])],
        "0",
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
}


@pytest.mark.parametrize(("body", "path", "code"), BAD_COMMANDS.values(), ids=BAD_COMMANDS)
async def test_command_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str, code: str) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    status, answer = await scene.call("PUT", route, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path) == code
    assert not scene.stand_in.world.commands


async def test_hundred_commands_are_the_most(scene: Scene) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    status, _ = await scene.call("PUT", route, named(100, command))
    assert status == 200
    assert (await scene.call("PUT", route, named(101, command)))[1]["code"] == 50035
    assert (await scene.call("POST", route, command(name="one-more")))[1]["code"] == 30032
    assert len(scene.stand_in.world.commands) == 100


def label(**fields: Any) -> Json:
    inner = {"type": 4, "custom_id": "amount", "style": 1}
    return {"type": 18, "label": "Amount", "component": inner | fields.pop("inner", {})} | fields


def modal(*components: Json, **fields: Any) -> Json:
    return {"custom_id": "form", "title": "Form", "components": list(components)} | fields


BAD_MODALS = {
    "a title of 46 characters": (modal(label(), title="x" * 46), "title", "BASE_TYPE_BAD_LENGTH"),
    "nothing in it": (modal(), "components", "BASE_TYPE_BAD_LENGTH"),
    "six labels": (
        modal(*[label(inner={"custom_id": f"{n}"}) for n in range(6)]),
        "components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a label of 46 characters": (modal(label(label="x" * 46)), "components.0.label", "BASE_TYPE_BAD_LENGTH"),
    "a button": (modal(row(button())), "components.0.components.0.type", "BASE_TYPE_CHOICES"),
    "a label inside a label": (
        modal(label(inner={"label": "Amount"})),
        "components.0.component.label",
        "TEXT_INPUT_LABEL_INVALID",
    ),
    "one custom_id twice": (
        modal(label(), label()),
        "components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a least length above the most": (
        modal(label(inner={"min_length": 5, "max_length": 4})),
        "components.0.component.min_length",
        "TEXT_INPUT_MIN_LENGTH",
    ),
    "a value longer than it may be": (
        modal(label(inner={"max_length": 2, "value": "100"})),
        "components.0.component.value",
        "BASE_TYPE_MAX_LENGTH",
    ),
}


async def answer_to(
    scene: Scene, kind: InteractionKind, body: Json, data: Json | None = None
) -> tuple[int, Json]:
    interaction = scene.stand_in.world.open_interaction(kind, scene.alice.user, scene.channel, data or {})
    path = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"
    return await scene.call("POST", path, body)


@pytest.mark.parametrize(("data", "path", "code"), BAD_MODALS.values(), ids=BAD_MODALS)
async def test_form_beyond_a_limit_is_50035(scene: Scene, data: Json, path: str, code: str) -> None:
    status, answer = await answer_to(scene, InteractionKind.COMMAND, {"type": 9, "data": data})
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, f"data.{path}") == code


async def test_form_within_the_limits_opens(scene: Scene) -> None:
    labels = [label(inner={"custom_id": f"{n}", "value": "1", "max_length": 1}) for n in range(5)]
    status, _ = await answer_to(scene, InteractionKind.COMMAND, {"type": 9, "data": modal(*labels)})
    assert status == 200


@pytest.mark.parametrize(
    ("kind", "callback"),
    [
        (InteractionKind.COMMAND, 7),
        (InteractionKind.COMMAND, 6),
        (InteractionKind.COMMAND, 8),
        (InteractionKind.MODAL, 9),
        (InteractionKind.AUTOCOMPLETE, 4),
    ],
)
async def test_answer_that_does_not_suit_the_interaction(
    scene: Scene, kind: InteractionKind, callback: int
) -> None:
    status, answer = await answer_to(scene, kind, {"type": callback, "data": {"content": "x"}})
    assert (status, error_at(answer, "type")) == (400, "BASE_TYPE_CHOICES")


@pytest.mark.parametrize(("number", "status"), [(25, 200), (26, 400)])
async def test_suggestions_are_25_at_most(scene: Scene, number: int, status: int) -> None:
    typed = {"options": [{"name": "what", "type": 3, "value": "", "focused": True}]}
    choices = [{"name": f"{n}", "value": f"{n}"} for n in range(number)]
    body = {"type": 8, "data": {"choices": choices}}
    assert (await answer_to(scene, InteractionKind.AUTOCOMPLETE, body, typed))[0] == status


@pytest.mark.parametrize("name", ["bet", "einsatz-2", "牌桌", "ล้ม", "हाथ", "d'or", "a_b"])
def test_names_of_commands_in_many_scripts(name: str) -> None:
    assert valid_name(name)


@pytest.mark.parametrize("name", ["", "Bet", "a b", "a!", "x" * 33, "🐂", None])
def test_what_does_not_name_a_command(name: object) -> None:
    assert not valid_name(name)
