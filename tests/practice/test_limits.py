"""Messages, modals, suggestions and commands at and beyond each of Discord's limits."""

from typing import Any

import pytest

from bot.practice.interactions import InteractionKind
from bot.practice.validation.commands import valid_name
from tests.practice.conftest import Scene, error_at
from tests.practice.raw import (
    V2,
    Json,
    box,
    button,
    buttons,
    callback_of,
    command,
    gallery,
    in_row,
    label,
    modal,
    named,
    option,
    options,
    row,
    said,
    select,
    text,
    v2,
)

pytestmark = pytest.mark.thorough

ROW = "components.0.components"

REFUSED_MESSAGES: dict[str, tuple[Json, str]] = {
    "content beside components V2": (said() | {"content": "x"}, "content"),
    "what the bot never sends": (said() | {"embeds": [{"title": "x"}]}, "embeds"),
    "a text display without the flag": ({"components": [text()]}, "flags"),
    "41 components": (v2(*[text()] * 41), "components"),
    "41 components, the nested ones counted": (v2(box(row(*buttons(5)), *[text()] * 34)), "components"),
    "4,001 characters of text in all": (v2(text("x" * 2000), text("x" * 2001)), "components"),
    "an empty text": (v2(text("")), "components.0.content"),
    "a container in a container": (v2(box(box(text()))), f"{ROW}.0.type"),
    "an empty container": (v2(box()), ROW),
    "a gallery of eleven": (v2(gallery(11)), "components.0.items"),
    "a picture that was not sent along": (v2(gallery(1)), "components.0.items.0.media.url"),
    "an alt text of 1,025": (v2(gallery(1, description="x" * 1025)), "components.0.items.0.description"),
    "a row of six buttons": (in_row(*buttons(6)), ROW),
    "a select beside a button": (in_row(select(), button()), ROW),
    "a style that there is not": (in_row(button(style=9)), f"{ROW}.0.style"),
    "a label of 81 characters": (in_row(button(label="x" * 81)), f"{ROW}.0.label"),
    "neither label nor emoji": (in_row(button(label=None)), f"{ROW}.0"),
    "a custom_id of 101 characters": (in_row(button(custom_id="x" * 101)), f"{ROW}.0.custom_id"),
    "no custom_id": (in_row(button(custom_id=None)), f"{ROW}.0.custom_id"),
    "one custom_id twice": (v2(row(button()), row(button())), "components.1.components.0.custom_id"),
    "one id twice": (v2(text() | {"id": 7}, text() | {"id": 7}), "components"),
    "26 options": (in_row(select(options=options(26))), f"{ROW}.0.options"),
    "an option of 101": (in_row(select(options=options(1, label="x" * 101))), f"{ROW}.0.options.0.label"),
    "an option twice": (in_row(select(options=options(2, value="one"))), f"{ROW}.0.options.1.value"),
    "two defaults of one": (in_row(select(options=options(2, default=True))), f"{ROW}.0.options"),
    "more to pick than there is": (in_row(select(max_values=2)), f"{ROW}.0.max_values"),
    "at least 3 of at most 2": (
        in_row(select(options=options(3), min_values=3, max_values=2)),
        f"{ROW}.0.min_values",
    ),
    "users both named and parsed": (
        said() | {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
    "a nonce of 26 characters": (said() | {"nonce": "x" * 26}, "nonce"),
}

ACCEPTED_MESSAGES: dict[str, Json] = {
    "40 components": v2(box(row(*buttons(5)), *[text("x" * 10)] * 33)),
    "4,000 characters of text in all": v2(text("x" * 2000), text("x" * 2000)),
    "a row of five buttons": in_row(*buttons(5)),
    "a label of 80 characters": in_row(button(label="x" * 80)),
    "a custom_id of 100 characters": in_row(button(custom_id="x" * 100)),
    "an emoji for a label": in_row(button(label=None, emoji={"name": "🐂"})),
    "25 options": in_row(select(options=options(25), max_values=25)),
}


@pytest.mark.parametrize(("body", "path"), REFUSED_MESSAGES.values(), ids=REFUSED_MESSAGES)
async def test_message_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str) -> None:
    status, answer = await scene.call("POST", scene.messages, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path)
    assert not scene.channel.message_ids


@pytest.mark.parametrize("body", ACCEPTED_MESSAGES.values(), ids=ACCEPTED_MESSAGES)
async def test_message_at_a_limit_is_accepted(scene: Scene, body: Json) -> None:
    status, answer = await scene.call("POST", scene.messages, body)
    assert status == 200, answer
    assert len(scene.channel.message_ids) == 1


async def test_empty_message_is_50006(scene: Scene) -> None:
    for body in ({"flags": V2}, v2()):
        status, answer = await scene.call("POST", scene.messages, body)
        assert (status, answer["code"]) == (400, 50006)


async def test_every_component_gets_a_unique_id(scene: Scene) -> None:
    body = v2(text(), box(row(*buttons(2))) | {"id": 2})
    _, answer = await scene.call("POST", scene.messages, body)
    top, container = answer["components"]
    inner = container["components"][0]
    ids = [part["id"] for part in (top, container, inner, *inner["components"])]
    assert ids == [1, 2, 3, 4, 5]


async def test_an_edit_needs_no_flags(scene: Scene) -> None:
    _, sent = await scene.call("POST", scene.messages, said("old"))
    one = f"{scene.messages}/{sent['id']}"
    status, edited = await scene.call("PATCH", one, {"components": [text("new")]})
    assert (status, edited["flags"], edited["components"][0]["content"]) == (200, V2, "new")


# First replies


def channels(*kinds: str, **fields: Any) -> Json:
    values = [{"type": kind, "id": str(number)} for number, kind in enumerate(kinds)]
    return modal(label(select(type=8, default_values=values, **fields)))


INNER = "components.0.component"

REFUSED_MODALS: dict[str, tuple[Json, str]] = {
    "a title of 46 characters": (modal(label(), title="x" * 46), "title"),
    "nothing in it": (modal(), "components"),
    "six labels": (modal(*[label({"custom_id": f"{n}"}) for n in range(6)]), "components"),
    "a label of 46 characters": (modal(label(label="x" * 46)), "components.0.label"),
    "a button": (modal(button()), "components.0.type"),
    "a label inside a label": (modal(label({"label": "Amount"})), f"{INNER}.label"),
    "one custom_id twice": (modal(label(), label()), "components.1.component.custom_id"),
    "a least length above the most": (
        modal(label({"min_length": 5, "max_length": 4})),
        f"{INNER}.min_length",
    ),
    "a value longer than it may be": (modal(label({"max_length": 2, "value": "100"})), f"{INNER}.value"),
    "a greyed select": (modal(label(select(disabled=True))), f"{INNER}.disabled"),
    "a required select of nothing": (modal(label(select(min_values=0))), f"{INNER}.min_values"),
    "a user among channels": (channels("user"), f"{INNER}.default_values.0.type"),
    "more picked beforehand than may be": (channels("channel", "channel"), f"{INNER}.default_values"),
    "a kind of channel that there is not": (channels(channel_types=[0, 99]), f"{INNER}.channel_types.1"),
}


async def answer_to(
    scene: Scene, kind: InteractionKind, body: Json, data: Json | None = None
) -> tuple[int, Json]:
    interaction = scene.stand_in.world.open_interaction(kind, scene.alice.user, scene.channel, data or {})
    return await scene.call("POST", f"{callback_of(interaction)}?with_response=1", body)


@pytest.mark.parametrize(("data", "path"), REFUSED_MODALS.values(), ids=REFUSED_MODALS)
async def test_modal_beyond_a_limit_is_50035(scene: Scene, data: Json, path: str) -> None:
    status, answer = await answer_to(scene, InteractionKind.COMMAND, {"type": 9, "data": data})
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, f"data.{path}")


async def test_modal_within_the_limits_opens(scene: Scene) -> None:
    labels = [label({"custom_id": f"{n}", "value": "1", "max_length": 1}) for n in range(4)]
    labels.append(label(select(min_values=0, required=False)))
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
async def test_reply_of_a_kind_that_the_interaction_does_not_allow(
    scene: Scene, kind: InteractionKind, callback: int
) -> None:
    status, answer = await answer_to(scene, kind, {"type": callback, "data": said()})
    assert (status, error_at(answer, "type")) == (400, "BASE_TYPE_CHOICES")


@pytest.mark.parametrize(("number", "status"), [(25, 200), (26, 400)])
async def test_suggestions_are_25_at_most(scene: Scene, number: int, status: int) -> None:
    typed = {"options": [{"name": "what", "type": 3, "value": "", "focused": True}]}
    choices = [{"name": f"{n}", "value": f"{n}"} for n in range(number)]
    body = {"type": 8, "data": {"choices": choices}}
    assert (await answer_to(scene, InteractionKind.AUTOCOMPLETE, body, typed))[0] == status


# Commands


def with_options(*every: Json) -> list[Json]:
    return [command(options=list(every))]


LONG_CHOICES = [{"name": "x" * 100, "value": "x" * 100}] * 25
TEXT_CHOICE = [{"name": "one", "value": "1"}]

REFUSED_COMMANDS: dict[str, tuple[list[Json], str]] = {
    "capitals in the name": ([command(name="Bet")], "0.name"),
    "a name of 33 characters": ([command(name="x" * 33)], "0.name"),
    "no description": ([command(description=None)], "0.description"),
    "a description of 101 characters": ([command(description="x" * 101)], "0.description"),
    "26 options": (with_options(*named(26, option)), "0.options"),
    "26 choices": (
        with_options(option(choices=[{"name": f"{n}", "value": f"{n}"} for n in range(26)])),
        "0.options.0.choices",
    ),
    "an option twice": (with_options(option(), option()), "0.options.1.name"),
    "a required option last": (with_options(option(), option(name="more", required=True)), "0.options.1"),
    "a subcommand beside an option": (with_options(option(), option(type=1, name="sub")), "0.options"),
    "a text for a number": (
        with_options(option(type=4, choices=TEXT_CHOICE)),
        "0.options.0.choices.0.value",
    ),
    "choices and suggestions both": (
        with_options(option(autocomplete=True, choices=TEXT_CHOICE)),
        "0.options.0",
    ),
    "a name twice": ([command(), command()], "1"),
    "8,001 characters in all": (
        with_options(*(option(name=f"o{n}", choices=LONG_CHOICES) for n in range(2))),
        "0",
    ),
}


@pytest.mark.parametrize(("body", "path"), REFUSED_COMMANDS.values(), ids=REFUSED_COMMANDS)
async def test_command_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    status, answer = await scene.call("PUT", route, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path)
    assert not scene.stand_in.world.commands


async def test_at_most_100_commands_are_accepted(scene: Scene) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    assert (await scene.call("PUT", route, named(100, command)))[0] == 200
    assert (await scene.call("PUT", route, named(101, command)))[1]["code"] == 50035
    assert len(scene.stand_in.world.commands) == 100


def test_names_of_commands_in_many_scripts() -> None:
    assert all(map(valid_name, ["bet", "einsatz-2", "牌桌", "ล้ม", "हाथ", "d'or", "a_b"]))
    assert not any(map(valid_name, ["", "Bet", "a b", "a!", "x" * 33, "🐂", None]))
