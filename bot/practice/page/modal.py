"""Renders the fields of a modal."""

from typing import Any

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.page import markdown
from bot.practice.page.components import picker
from bot.practice.page.safe_html import Node, el
from bot.practice.page.viewer import Viewer
from bot.practice.replies import Modal


def render_modal(modal: Modal, viewer: Viewer) -> Node:
    """The fields of a modal, one below the other, named by their custom_ids."""
    fields = [_field(it, viewer, f"field-{at}") for at, it in enumerate(modal.components)]
    return el("div", *fields, class_="fields")


def _field(it: dict[str, Any], viewer: Viewer, field_id: str) -> Node:
    kind = it["type"]
    if kind == Kind.TEXT_DISPLAY:
        return el("div", *markdown.parse(it["content"], viewer), class_="prose")
    # An old-style text input is in an action row and has its own label.
    inner = it["component"] if kind == Kind.LABEL else it["components"][0]
    required = inner.get("required", True)
    return el(
        "div",
        el(
            "label",
            it.get("label") or inner.get("label") or "",
            el("span", " *", class_="required", aria_hidden="true") if required else None,
            for_=field_id,
        ),
        el("p", it["description"], class_="hint", id=f"{field_id}-hint") if it.get("description") else None,
        _control(inner, viewer, field_id, it.get("label") or "", bool(it.get("description"))),
        class_="field",
    )


def _control(it: dict[str, Any], viewer: Viewer, field_id: str, label: str, has_hint: bool) -> Node:
    kind = it["type"]
    if kind in SELECTS:
        # An optional select menu may stay empty, whatever `min_values` says.
        least = it if it.get("required", True) else {**it, "min_values": 0}
        return picker(least, viewer, id=field_id, label=label, name=it["custom_id"])
    if kind != Kind.TEXT_INPUT:
        return el("p", f"Practice cannot show a field of kind {kind}.", class_="hint")
    paragraph = it["style"] == 2
    attrs = {
        "id": field_id,
        "name": it["custom_id"],
        "placeholder": it.get("placeholder"),
        "required": it.get("required", True),
        "minlength": it.get("min_length") or None,
        "maxlength": it.get("max_length", 4000),
        "aria_describedby": f"{field_id}-hint" if has_hint else None,
    }
    if paragraph:
        return el("textarea", it.get("value") or None, rows=4, **attrs)
    return el("input", type="text", value=it.get("value") or None, **attrs)
