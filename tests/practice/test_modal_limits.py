"""First replies at and beyond Discord's limits: modals, suggestions, and wrong kinds of reply."""

from typing import Any

import pytest

from bot.practice.interactions import InteractionKind
from tests.practice.conftest import Scene, error_at

Json = dict[str, Any]


def label(**fields: Any) -> Json:
    inner = {"type": 4, "custom_id": "amount", "style": 1}
    return {"type": 18, "label": "Amount", "component": inner | fields.pop("inner", {})} | fields


def select(**fields: Any) -> Json:
    options = {} if "type" in fields else {"options": [{"label": "One", "value": "1"}]}
    return {"type": 3, "custom_id": "pick"} | options | fields


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
    "a button": (
        modal({"type": 2, "style": 1, "label": "Press", "custom_id": "press"}),
        "components.0.type",
        "BASE_TYPE_CHOICES",
    ),
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
    "a greyed select": (
        modal(label(inner=select(disabled=True))),
        "components.0.component.disabled",
        "SELECT_COMPONENT_DISABLED_IN_MODAL",
    ),
    "a select that must be answered by nothing": (
        modal(label(inner=select(min_values=0))),
        "components.0.component.min_values",
        "SELECT_COMPONENT_REQUIRED_MIN_VALUES",
    ),
    "a user picked beforehand for a select of channels": (
        modal(label(inner=select(type=8, default_values=[{"type": "user", "id": "1"}]))),
        "components.0.component.default_values.0.type",
        "BASE_TYPE_CHOICES",
    ),
    "more picked beforehand than may be": (
        modal(
            label(inner=select(type=8, default_values=[{"type": "channel", "id": str(n)} for n in range(2)]))
        ),
        "components.0.component.default_values",
        "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
    ),
    "a kind of channel that there is not": (
        modal(label(inner=select(type=8, channel_types=[0, 99]))),
        "components.0.component.channel_types.1",
        "BASE_TYPE_CHOICES",
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
async def test_modal_beyond_a_limit_is_50035(scene: Scene, data: Json, path: str, code: str) -> None:
    status, answer = await answer_to(scene, InteractionKind.COMMAND, {"type": 9, "data": data})
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, f"data.{path}") == code


async def test_modal_within_the_limits_opens(scene: Scene) -> None:
    labels = [label(inner={"custom_id": f"{n}", "value": "1", "max_length": 1}) for n in range(4)]
    labels.append(label(inner=select(min_values=0, required=False)))
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
    status, answer = await answer_to(scene, kind, {"type": callback, "data": {"content": "x"}})
    assert (status, error_at(answer, "type")) == (400, "BASE_TYPE_CHOICES")


@pytest.mark.parametrize(("number", "status"), [(25, 200), (26, 400)])
async def test_suggestions_are_25_at_most(scene: Scene, number: int, status: int) -> None:
    typed = {"options": [{"name": "what", "type": 3, "value": "", "focused": True}]}
    choices = [{"name": f"{n}", "value": f"{n}"} for n in range(number)]
    body = {"type": 8, "data": {"choices": choices}}
    assert (await answer_to(scene, InteractionKind.AUTOCOMPLETE, body, typed))[0] == status
