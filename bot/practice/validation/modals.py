"""What Discord accepts as a modal: its title, labels, inputs and texts."""

from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.validation.components import number_components
from bot.practice.validation.selects import check_select
from bot.practice.validation.validator import Path, Validator

_TOP: Final = (Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.LABEL)
_IN_LABEL: Final = (Kind.TEXT_INPUT, *sorted(SELECTS))
"""Discord also has file uploads, radio groups and checkboxes; the stand-in has none of these."""
_SHORT, _PARAGRAPH = 1, 2


def check_modal(validator: Validator, path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Checks a modal and returns it with its components numbered.

    Args:
        validator: collects the errors.
        path: the place of the modal in the body.
        data: its `custom_id`, `title` and `components`.
    """
    validator.text((*path, "custom_id"), data.get("custom_id"), 1, 100)
    validator.text((*path, "title"), data.get("title"), 1, 45)
    here = (*path, "components")
    seen: set[str] = set()
    kept = [
        _top_level(validator, (*here, place), part, seen)
        for place, part in enumerate(validator.items(here, data.get("components"), 1, 5))
    ]
    number_components(validator, here, kept)
    return {"custom_id": data.get("custom_id"), "title": data.get("title"), "components": kept}


def _top_level(validator: Validator, path: Path, part: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    if not validator.one_of((*path, "type"), part.get("type"), _TOP):
        return {"type": 0}
    kept: dict[str, Any] = {"type": part["type"]}
    if part.get("id"):
        kept["id"] = part["id"]
    if part["type"] == Kind.TEXT_DISPLAY:
        validator.text((*path, "content"), part.get("content"), 1, 4000)
        return kept | {"content": part.get("content") or ""}
    if part["type"] == Kind.ACTION_ROW:
        here = (*path, "components")
        children = validator.items(here, part.get("components"), 1, 1)
        inputs = [
            _input(validator, (*here, n), child, (Kind.TEXT_INPUT,), seen) for n, child in enumerate(children)
        ]
        for n, child in enumerate(children):
            validator.text((*here, n, "label"), child.get("label"), 1, 45)
        return kept | {"components": inputs}
    validator.text((*path, "label"), part.get("label"), 1, 45)
    validator.text((*path, "description"), part.get("description"), 1, 100, required=False)
    kept |= {"label": part.get("label"), "description": part.get("description")}
    inner = part.get("component")
    if not isinstance(inner, dict):
        validator.add_error((*path, "component"), "BASE_TYPE_REQUIRED")
        return kept
    if inner.get("label") is not None:
        validator.add_error((*path, "component", "label"), "TEXT_INPUT_LABEL_INVALID")
    return kept | {"component": _input(validator, (*path, "component"), inner, _IN_LABEL, seen)}


def _input(
    validator: Validator, path: Path, part: dict[str, Any], allowed: tuple[Kind, ...], seen: set[str]
) -> dict[str, Any]:
    if not validator.one_of((*path, "type"), part.get("type"), allowed):
        return {"type": 0}
    kept = {key: value for key, value in part.items() if value is not None}
    if part["type"] == Kind.TEXT_INPUT:
        validator.text((*path, "custom_id"), part.get("custom_id"), 1, 100)
        validator.one_of((*path, "style"), part.get("style"), (_SHORT, _PARAGRAPH))
        validator.text((*path, "placeholder"), part.get("placeholder"), 0, 100, required=False)
        least = validator.integer((*path, "min_length"), part.get("min_length"), 0, 4000, 0)
        most = validator.integer((*path, "max_length"), part.get("max_length"), 1, 4000, 4000)
        if least > most:
            validator.add_error((*path, "min_length"), "TEXT_INPUT_MIN_LENGTH")
        if part.get("value"):
            validator.text((*path, "value"), part["value"], least, most)
    else:
        kept |= check_select(validator, path, part, in_modal=True)
    custom_id = part.get("custom_id")
    if custom_id in seen:
        validator.add_error((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED")
    seen.add(str(custom_id))
    return kept
