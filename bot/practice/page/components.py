"""Renders the components of messages and modals: containers, texts, pictures, buttons, menus and inputs."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.page import markdown
from bot.practice.page.safe_html import Node, el, external_link
from bot.practice.page.viewer import ComponentState, Viewer
from bot.practice.replies import Modal
from bot.practice.servers import ChannelKind

Component = Mapping[str, Any]

PARAGRAPH: Final = 2
"""The style of a text input of several lines, by Discord's number."""
BUTTON_LOOKS: Final = {1: "primary", 2: "secondary", 3: "success", 4: "danger"}
"""The CSS class of each button style, by Discord's numbers."""


class ComponentRenderer:
    """Renders components for one viewer, given what waits for a reply."""

    def __init__(self, viewer: Viewer, state: ComponentState) -> None:
        self._viewer = viewer
        self._state = state
        self._renderers: dict[int, Callable[[Component], Node]] = {
            Kind.ACTION_ROW: lambda it: el("div", *self.render_all(it["components"]), class_="row"),
            Kind.BUTTON: self._button,
            Kind.TEXT_DISPLAY: lambda it: render_text(it["content"], viewer),
            Kind.MEDIA_GALLERY: self._gallery,
            Kind.FILE: lambda it: external_link(it["file"]["url"], it["name"], class_="file"),
            Kind.SEPARATOR: lambda it: el("hr"),
            Kind.CONTAINER: self._container,
            **dict.fromkeys(SELECTS, self._select),
        }

    def render_all(self, components: Iterable[Component]) -> list[Node]:
        """Renders these components, one below the other.

        The key of each is its kind and its place among those of its kind. So it stays the same element, keeps
        the keyboard's focus, and a menu stays open, when the bot edits the message around it.
        """
        seen: Counter[str] = Counter()
        nodes = []
        for component in components:
            kind = _kind_of_place(component)
            seen[kind] += 1
            node = self._renderers[component["type"]](component)
            nodes.append(Node(node.tag, node.attrs, node.children, node.on, f"{kind}-{seen[kind]}"))
        return nodes

    def _container(self, it: Component) -> Node:
        colour = it.get("accent_color")
        return el(
            "div",
            *self.render_all(it["components"]),
            class_="container" if colour is None else "container accented",
            style=None if colour is None else f"--accent: #{colour:06x}",
        )

    def _gallery(self, it: Component) -> Node:
        pictures = (
            el("picture", src=item["media"]["url"], alt=item.get("description") or "Image")
            for item in it["items"]
        )
        return el("div", *pictures, class_="gallery")

    def _button(self, it: Component) -> Node:
        emoji = (it.get("emoji") or {}).get("name")
        label = it.get("label")
        inside = [el("span", label, class_="label")] if label else []
        if emoji:
            inside.insert(0, el("span", emoji, class_="emoji", aria_hidden="true" if label else None))
        custom_id = it["custom_id"]
        busy = custom_id in self._state.busy
        return el(
            "button",
            *inside,
            render_dots() if busy else None,
            class_=f"button {BUTTON_LOOKS[it['style']]}{' busy' if busy else ''}",
            type="button",
            disabled=it.get("disabled", False),
            aria_busy="true" if busy else None,
            data_custom_id=custom_id,
            on={"click": {"do": "press", "id": custom_id}},
        )

    def _select(self, it: Component) -> Node:
        return _picker(it, self._viewer, busy=it["custom_id"] in self._state.busy)


def _kind_of_place(component: Component) -> str:
    """The kind of a component; a row with a menu is another kind than one of buttons, which come and go."""
    inner = component["components"][0]["type"] if component["type"] == Kind.ACTION_ROW else ""
    return f"{component['type']}{'-menu' if inner in SELECTS else ''}"


def render_text(content: str, viewer: Viewer) -> Node:
    """A text with its markdown."""
    return el("div", *markdown.parse(content, viewer), class_="prose")


def render_dots() -> Node:
    """The three dots that tell that something is coming."""
    return el("span", el("span"), el("span"), el("span"), class_="dots")


def _picker(it: Component, viewer: Viewer, *, busy: bool = False, **attrs: Any) -> Node:
    """A select menu; picking from it does `choose`."""
    custom_id = it["custom_id"]
    return el(
        "picker",
        options=_options(it, viewer),
        placeholder=it.get("placeholder") or "Make a selection",
        min=it.get("min_values", 1),
        max=it.get("max_values", 1),
        disabled=it.get("disabled", False),
        busy=busy,
        data_custom_id=custom_id,
        on={"pick": {"do": "choose", "id": custom_id}},
        **attrs,
    )


def _options(it: Component, viewer: Viewer) -> list[dict[str, Any]]:
    if it["type"] == Kind.STRING_SELECT:
        return [
            {
                "label": option["label"],
                "value": option["value"],
                "description": option.get("description"),
                "chosen": option.get("default", False),
            }
            for option in it["options"]
        ]
    chosen = {value["id"] for value in it.get("default_values") or ()}
    server = viewer.channel.server
    kinds = it.get("channel_types") or list(ChannelKind)
    return [
        {"label": f"#{channel.name}", "value": str(channel.id), "chosen": str(channel.id) in chosen}
        for channel in (server.channels.values() if server else ())
        if channel.kind in kinds and viewer.can_see(channel)
    ]


def render_modal(modal: Modal, viewer: Viewer) -> Node:
    """The fields of a modal, one below the other, named by their custom_ids."""
    fields = [_field(it, viewer, f"field-{at}") for at, it in enumerate(modal.components)]
    return el("div", *fields, class_="fields")


def _field(it: dict[str, Any], viewer: Viewer, field_id: str) -> Node:
    if it["type"] == Kind.TEXT_DISPLAY:
        return render_text(it["content"], viewer)
    inner, hint = it["component"], it.get("description")
    required = inner.get("required", True)
    return el(
        "div",
        el(
            "label",
            it["label"],
            el("span", " *", class_="required", aria_hidden="true") if required else None,
            for_=field_id,
        ),
        el("p", hint, class_="hint", id=f"{field_id}-hint") if hint else None,
        _control(inner, viewer, field_id, it["label"], has_hint=bool(hint)),
        class_="field",
    )


def _control(it: dict[str, Any], viewer: Viewer, field_id: str, label: str, *, has_hint: bool) -> Node:
    if it["type"] in SELECTS:
        # An optional select menu may stay empty, whatever `min_values` says.
        least = it if it.get("required", True) else {**it, "min_values": 0}
        return _picker(least, viewer, id=field_id, label=label, name=it["custom_id"])
    attrs = {
        "id": field_id,
        "name": it["custom_id"],
        "placeholder": it.get("placeholder"),
        "required": it.get("required", True),
        "minlength": it.get("min_length") or None,
        "maxlength": it.get("max_length", 4000),
        "aria_describedby": f"{field_id}-hint" if has_hint else None,
    }
    if it["style"] == PARAGRAPH:
        return el("textarea", it.get("value") or None, rows=4, **attrs)
    return el("input", type="text", value=it.get("value") or None, **attrs)
