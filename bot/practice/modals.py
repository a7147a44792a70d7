"""What Discord accepts as a modal: its title, and the labels, inputs and texts in it."""

from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.components import number_components
from bot.practice.forms import Form, Path
from bot.practice.selects import check_select

_TOP: Final = (Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.LABEL)
_IN_LABEL: Final = (Kind.TEXT_INPUT, *sorted(SELECTS))
"""Discord has file uploads, radio groups and checkboxes too; the stand-in plays none of these."""
_SHORT, _PARAGRAPH = 1, 2


def check_modal(form: Form, path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Checks a modal, and gives it back with its components numbered.

    Args:
        form: gathers what is wrong.
        path: where the modal stands in the body.
        data: its `custom_id`, `title` and `components`.
    """
    form.text((*path, "custom_id"), data.get("custom_id"), 1, 100)
    form.text((*path, "title"), data.get("title"), 1, 45)
    here = (*path, "components")
    seen: set[str] = set()
    kept = [
        _top_level(form, (*here, place), part, seen)
        for place, part in enumerate(form.items(here, data.get("components"), 1, 5))
    ]
    number_components(form, here, kept)
    return {"custom_id": data.get("custom_id"), "title": data.get("title"), "components": kept}


def _top_level(form: Form, path: Path, part: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    if not form.one_of((*path, "type"), part.get("type"), _TOP):
        return {"type": 0}
    kept: dict[str, Any] = {"type": part["type"]}
    if part.get("id"):
        kept["id"] = part["id"]
    if part["type"] == Kind.TEXT_DISPLAY:
        form.text((*path, "content"), part.get("content"), 1, 4000)
        return kept | {"content": part.get("content") or ""}
    if part["type"] == Kind.ACTION_ROW:
        here = (*path, "components")
        children = form.items(here, part.get("components"), 1, 1)
        inputs = [
            _input(form, (*here, n), child, (Kind.TEXT_INPUT,), seen) for n, child in enumerate(children)
        ]
        for n, child in enumerate(children):
            form.text((*here, n, "label"), child.get("label"), 1, 45)
        return kept | {"components": inputs}
    form.text((*path, "label"), part.get("label"), 1, 45)
    form.text((*path, "description"), part.get("description"), 1, 100, required=False)
    kept |= {"label": part.get("label"), "description": part.get("description")}
    inner = part.get("component")
    if not isinstance(inner, dict):
        form.wrong((*path, "component"), "BASE_TYPE_REQUIRED")
        return kept
    if inner.get("label") is not None:
        form.wrong((*path, "component", "label"), "TEXT_INPUT_LABEL_INVALID")
    return kept | {"component": _input(form, (*path, "component"), inner, _IN_LABEL, seen)}


def _input(
    form: Form, path: Path, part: dict[str, Any], allowed: tuple[Kind, ...], seen: set[str]
) -> dict[str, Any]:
    if not form.one_of((*path, "type"), part.get("type"), allowed):
        return {"type": 0}
    kept = {key: value for key, value in part.items() if value is not None}
    if part["type"] == Kind.TEXT_INPUT:
        form.text((*path, "custom_id"), part.get("custom_id"), 1, 100)
        form.one_of((*path, "style"), part.get("style"), (_SHORT, _PARAGRAPH))
        form.text((*path, "placeholder"), part.get("placeholder"), 0, 100, required=False)
        least = form.whole((*path, "min_length"), part.get("min_length"), 0, 4000, 0)
        most = form.whole((*path, "max_length"), part.get("max_length"), 1, 4000, 4000)
        if least > most:
            form.wrong((*path, "min_length"), "TEXT_INPUT_MIN_LENGTH")
        if part.get("value"):
            form.text((*path, "value"), part["value"], least, most)
    else:
        kept |= check_select(form, path, part, in_form=True)
    custom_id = part.get("custom_id")
    if custom_id in seen:
        form.wrong((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED")
    seen.add(str(custom_id))
    return kept
