"""Renders a message's components: containers, texts, sections, pictures, buttons and select menus."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.practice.component_tree import SELECTS, Kind
from bot.practice.page import markdown
from bot.practice.page.safe_html import Node, el, external_link
from bot.practice.page.viewer import ComponentState, Viewer
from bot.practice.servers import ChannelKind

Component = Mapping[str, Any]

BUTTON_LOOKS: Final = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link"}
"""The CSS class of each button style, by Discord's numbers."""

_PLACEHOLDERS: Final = {
    Kind.USER_SELECT: "Select a user",
    Kind.ROLE_SELECT: "Select a role",
    Kind.MENTIONABLE_SELECT: "Select a user or role",
    Kind.CHANNEL_SELECT: "Select a channel",
}


class ComponentRenderer:
    """Renders components for one viewer, given what waits for a reply."""

    def __init__(self, viewer: Viewer, state: ComponentState) -> None:
        self._viewer = viewer
        self._state = state
        self._renderers: dict[int, Callable[[Component], Node]] = {
            Kind.ACTION_ROW: lambda it: el("div", *self.render_all(it["components"]), class_="row"),
            Kind.BUTTON: self._button,
            Kind.SECTION: self._section,
            Kind.TEXT_DISPLAY: self._text,
            Kind.THUMBNAIL: lambda it: self._picture(it, it.get("spoiler", False), "thumbnail"),
            Kind.MEDIA_GALLERY: self._gallery,
            Kind.FILE: self._file,
            Kind.SEPARATOR: self._separator,
            Kind.CONTAINER: self._container,
            **dict.fromkeys(SELECTS, self._select),
        }

    def render_all(self, components: Iterable[Component]) -> list[Node]:
        """Renders these components, one below the other.

        The key of each is its kind and its place among those of its kind. So it stays the same element, and
        keeps the keyboard's focus, when the bot edits the message around it.
        """
        seen: Counter[int] = Counter()
        nodes = []
        for component in components:
            kind = component["type"]
            seen[kind] += 1
            node = self._renderers[kind](component)
            nodes.append(Node(node.tag, node.attrs, node.children, node.on, f"{kind}-{seen[kind]}"))
        return nodes

    def _container(self, it: Component) -> Node:
        colour = it.get("accent_color")
        style = None if colour is None else f"--accent: #{colour:06x}"
        box = el(
            "div",
            *self.render_all(it["components"]),
            class_="container" if style is None else "container accented",
            style=style,
        )
        return el("spoiler", box, block=True) if it.get("spoiler") else box

    def _text(self, it: Component) -> Node:
        return el("div", *markdown.parse(it["content"], self._viewer), class_="prose")

    def _section(self, it: Component) -> Node:
        return el(
            "div",
            el("div", *self.render_all(it["components"]), class_="section-texts"),
            *self.render_all([it["accessory"]]),
            class_="section",
        )

    def _separator(self, it: Component) -> Node:
        size = "wide" if it.get("spacing", 1) == 2 else "narrow"
        return el("hr", class_=f"{size} {'line' if it.get('divider', True) else 'empty'}")

    def _gallery(self, it: Component) -> Node:
        items = it["items"]
        pictures = (self._picture(item, item.get("spoiler", False), "wide") for item in items)
        return el("div", *pictures, class_="gallery", data_count=str(len(items)))

    def _picture(self, it: Component, spoiler: bool, look: str) -> Node:
        url, alt = it["media"]["url"], it.get("description") or ""
        if not self._viewer.can_load(url):
            return el(
                "a", alt or url, href=url, target="_blank", rel="noopener noreferrer", class_="elsewhere"
            )
        picture = el("picture", src=url, alt=alt or "Image", look=look)
        return el("spoiler", picture, block=True) if spoiler else picture

    def _file(self, it: Component) -> Node:
        url = it["file"]["url"]
        name = it.get("name") or url.rsplit("/", 1)[-1].split("?")[0]
        return external_link(url, name, class_="file")

    def _button(self, it: Component) -> Node:
        emoji = (it.get("emoji") or {}).get("name")
        label = it.get("label")
        inside = [el("span", label, class_="label")] if label else []
        if emoji:
            inside.insert(0, el("span", emoji, class_="emoji", aria_hidden="true" if label else None))
        look = BUTTON_LOOKS[it["style"]]
        if url := it.get("url"):
            if jump := markdown.jump_action(url):
                return el("button", *inside, class_=f"button {look}", type="button", on={"click": jump})
            return external_link(url, *inside, class_=f"button {look}")
        custom_id = it["custom_id"]
        busy = custom_id in self._state.busy
        return el(
            "button",
            *inside,
            _dots() if busy else None,
            class_=f"button {look}{' busy' if busy else ''}",
            type="button",
            disabled=it.get("disabled", False),
            aria_busy="true" if busy else None,
            data_custom_id=custom_id,
            on={"click": {"do": "press", "id": custom_id}},
        )

    def _select(self, it: Component) -> Node:
        return picker(it, self._viewer, busy=it["custom_id"] in self._state.busy)


def picker(it: Component, viewer: Viewer, *, busy: bool = False, **attrs: Any) -> Node:
    """A select menu of any kind; picking from it does `choose`.

    Args:
        it: the raw component.
        viewer: whose server's users, roles and channels are on offer.
        busy: whether it waits for a reply.
        attrs: more attributes, as for `el`.
    """
    custom_id = it["custom_id"]
    return el(
        "picker",
        options=_options(it, viewer),
        placeholder=it.get("placeholder") or _PLACEHOLDERS.get(it["type"], "Make a selection"),
        min=it.get("min_values", 1),
        max=it.get("max_values", 1),
        disabled=it.get("disabled", False),
        busy=busy,
        data_custom_id=custom_id,
        on={"pick": {"do": "choose", "id": custom_id}},
        **attrs,
    )


def _options(it: Component, viewer: Viewer) -> list[dict[str, Any]]:
    kind = it["type"]
    if kind == Kind.STRING_SELECT:
        return [
            {
                "label": option["label"],
                "value": option["value"],
                "description": option.get("description"),
                "emoji": (option.get("emoji") or {}).get("name"),
                "chosen": option.get("default", False),
            }
            for option in it["options"]
        ]
    chosen = {value["id"] for value in it.get("default_values") or ()}
    server = viewer.channel.server
    offered: list[tuple[str, int]] = []
    if kind in {Kind.USER_SELECT, Kind.MENTIONABLE_SELECT}:
        offered += ((viewer.name_of(user), user.id) for user in viewer.members())
    if kind in {Kind.ROLE_SELECT, Kind.MENTIONABLE_SELECT} and server:
        offered += ((f"@{role.name.lstrip('@')}", role.id) for role in server.roles)
    if kind == Kind.CHANNEL_SELECT and server:
        kinds = it.get("channel_types") or list(ChannelKind)
        channels = (channel for channel in server.channels.values() if channel.kind in kinds)
        offered += ((f"#{channel.name}", channel.id) for channel in channels if viewer.can_see(channel))
    return [{"label": label, "value": str(each), "chosen": str(each) in chosen} for label, each in offered]


def _dots() -> Node:
    return el("span", el("span"), el("span"), el("span"), class_="dots")
