"""A modal, drawn: the fields of the form that the bot opens."""

from typing import Any

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.page import markdown
from bot.practice.page.components import picker
from bot.practice.page.nodes import Node, el
from bot.practice.page.reader import Reader
from bot.practice.replies import Modal


def draw_form(modal: Modal, reader: Reader) -> Node:
    """The fields of a modal, one below the other; each is named by its custom_id."""
    fields = [_field(it, reader, f"field-{at}") for at, it in enumerate(modal.components)]
    return el("div", *fields, class_="fields")


def _field(it: dict[str, Any], reader: Reader, anchor: str) -> Node:
    kind = it["type"]
    if kind == Kind.TEXT_DISPLAY:
        return el("div", *markdown.read(it["content"], reader), class_="prose")
    # A text input of the old form stands in an action row and brings its label along.
    inner = it["component"] if kind == Kind.LABEL else it["components"][0]
    required = inner.get("required", True)
    return el(
        "div",
        el(
            "label",
            it.get("label") or inner.get("label") or "",
            el("span", " *", class_="must", aria_hidden="true") if required else None,
            for_=anchor,
        ),
        el("p", it["description"], class_="hint", id=f"{anchor}-hint") if it.get("description") else None,
        _control(inner, reader, anchor, it.get("label") or "", bool(it.get("description"))),
        class_="field",
    )


def _control(it: dict[str, Any], reader: Reader, anchor: str, label: str, hinted: bool) -> Node:
    kind = it["type"]
    if kind in SELECTS:
        # A select of a form may be left empty where it is not required, whatever the least number is.
        least = it if it.get("required", True) else {**it, "min_values": 0}
        return picker(least, reader, id=anchor, label=label, name=it["custom_id"])
    if kind != Kind.TEXT_INPUT:
        return el("p", f"A field of kind {kind} is not drawn in practice.", class_="hint")
    paragraph = it["style"] == 2
    attrs = {
        "id": anchor,
        "name": it["custom_id"],
        "placeholder": it.get("placeholder"),
        "required": it.get("required", True),
        "minlength": it.get("min_length") or None,
        "maxlength": it.get("max_length", 4000),
        "aria_describedby": f"{anchor}-hint" if hinted else None,
    }
    if paragraph:
        return el("textarea", it.get("value") or None, rows=4, **attrs)
    return el("input", type="text", value=it.get("value") or None, **attrs)
