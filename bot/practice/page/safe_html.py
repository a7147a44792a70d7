"""Elements as plain data: a tree in which text can never become markup."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

HTML_TAGS: Final = frozenset(
    {"a", "aside", "button", "code", "div", "em", "footer", "h1", "h2", "h3", "header", "hr", "input"}
    | {"label", "li", "nav", "ol", "p", "section", "small", "span", "strong", "textarea", "ul"}
)
"""The allowed HTML elements; none of them loads or runs anything."""

WIDGETS: Final = frozenset({"choice", "phonewidth", "picture", "picker", "timestamp"})
"""The interactive elements; `assets/widgets.js` implements each."""

_ATTRIBUTES: Final = re.compile(
    r"(?:aria|data)-[a-z-]+|checked|class|disabled|for|href|id|maxlength|minlength|name|placeholder|rel"
    r"|popover|popovertarget|popovertargetaction|required|role|rows|start|style|tabindex|target|title|type|value"
)
_WIDGET_ATTRIBUTES: Final = re.compile(
    r"(?:data)-[a-z-]+|alt|at|busy|class|disabled|format|id|label|max|min|name|options|placeholder|src|value"
)
_ADDRESS: Final = re.compile(r"https?://|\?")


@dataclass(frozen=True, slots=True)
class Node:
    """One element.

    Attributes:
        tag: an HTML tag or the name of a widget.
        children: elements and texts, in order; text stays text, whatever it contains.
        on: the action for each DOM event (`click`) or widget event (`pick`).
        key: keeps it the same element, with the focus, when the elements around it change.
    """

    tag: str
    attrs: Mapping[str, Any] = field(default_factory=dict)
    children: tuple["Node | str", ...] = ()
    on: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    key: str | None = None

    def __post_init__(self) -> None:
        if self.tag not in HTML_TAGS | WIDGETS:
            raise ValueError(f"<{self.tag}> is not allowed here")
        allowed = _WIDGET_ATTRIBUTES if self.tag in WIDGETS else _ATTRIBUTES
        for name, value in self.attrs.items():
            if not allowed.fullmatch(name):
                raise ValueError(f"<{self.tag}> takes no {name!r} here")
            if name in {"href", "src"} and not _ADDRESS.match(str(value)):
                raise ValueError(f"{value!r} is not an address that can be opened")

    def to_json(self) -> dict[str, Any]:
        """The tree in the format of `assets/render.js`."""
        data: dict[str, Any] = {"tag": self.tag, "attrs": dict(self.attrs)}
        if self.key is not None:
            data["attrs"]["key"] = self.key
        if self.children:
            data["children"] = [part if isinstance(part, str) else part.to_json() for part in self.children]
        if self.on:
            data["on"] = {event: dict(action) for event, action in self.on.items()}
        return data

    @property
    def text(self) -> str:
        """All text inside it."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


def el(
    tag: str,
    *children: Node | str | None,
    key: str | None = None,
    on: Mapping[str, Mapping[str, Any]] | None = None,
    **attrs: Any,
) -> Node:
    """Makes an element: `el("button", "Bet", class_="grey", data_id="7", on={"click": {"do": "press"}})`.

    In names of attributes `_` stands for `-`, and a trailing `_` is dropped; None and False are left out.

    Raises:
        ValueError: for an element, attribute or address that is not allowed.
    """
    return Node(
        tag,
        {_name(name): value for name, value in attrs.items() if value is not None and value is not False},
        tuple(child for child in children if child is not None and child != ""),
        on or {},
        key,
    )


def external_link(address: str, *children: Node | str, class_: str | None = None) -> Node:
    """A link that opens in a new tab; other schemes (`discord://`) become plain text."""
    if not _ADDRESS.match(address):
        return el("span", *children, class_=class_)
    return el("a", *children, href=address, target="_blank", rel="noopener noreferrer", class_=class_)


def _name(keyword: str) -> str:
    return keyword.rstrip("_").replace("_", "-")
