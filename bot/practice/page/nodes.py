"""What the page draws, as plain data: a tree of elements in which no text can ever become markup."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

HTML_TAGS: Final = frozenset(
    {"a", "aside", "blockquote", "button", "code", "div", "em", "footer", "h1", "h2", "h3", "header", "hr"}
    | {"input", "label", "li", "nav", "ol", "p", "pre", "s", "section", "small", "span", "strong", "textarea"}
    | {"u", "ul"}
)
"""The HTML elements that may be drawn: none of them loads or runs anything."""

WIDGETS: Final = frozenset({"picture", "picker", "spoiler", "stamp"})
"""The parts that live by themselves in the browser: `assets/widgets.js` has one of each name."""

_ATTRIBUTES: Final = re.compile(
    r"(?:aria|data)-[a-z-]+|checked|class|disabled|for|href|id|maxlength|minlength|name|placeholder|rel"
    r"|required|role|rows|start|style|tabindex|target|title|type|value"
)
_WIDGET_ATTRIBUTES: Final = re.compile(
    r"(?:data)-[a-z-]+|alt|at|block|busy|class|disabled|id|label|look|max|min|name|options|placeholder|src"
)
_ADDRESS: Final = re.compile(r"https?://|\?")


@dataclass(frozen=True, slots=True)
class Node:
    """One element.

    Attributes:
        tag: an HTML tag or the name of a widget.
        attrs: its attributes.
        children: elements and texts inside it, in order; a text stays a text, whatever it looks like.
        on: what to tell the page when a DOM event (`click`) or a widget's own event (`pick`) happens.
        key: what makes it the same element when its surroundings change, so that it keeps the focus.
    """

    tag: str
    attrs: Mapping[str, Any] = field(default_factory=dict)
    children: tuple["Node | str", ...] = ()
    on: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    key: str | None = None

    def __post_init__(self) -> None:
        if self.tag not in HTML_TAGS | WIDGETS:
            raise ValueError(f"<{self.tag}> is not drawn here")
        allowed = _WIDGET_ATTRIBUTES if self.tag in WIDGETS else _ATTRIBUTES
        for name, value in self.attrs.items():
            if not allowed.fullmatch(name):
                raise ValueError(f"<{self.tag}> takes no {name!r} here")
            if name in {"href", "src"} and not _ADDRESS.match(str(value)):
                raise ValueError(f"{value!r} is not an address that may be opened")

    def to_json(self) -> dict[str, Any]:
        """The tree as `assets/draw.js` reads it."""
        whole: dict[str, Any] = {"tag": self.tag, "attrs": dict(self.attrs)}
        if self.key is not None:
            whole["attrs"]["key"] = self.key
        if self.children:
            whole["children"] = [part if isinstance(part, str) else part.to_json() for part in self.children]
        if self.on:
            whole["on"] = {event: dict(action) for event, action in self.on.items()}
        return whole

    def walk(self) -> Iterator["Node"]:
        """This element and all inside it."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    @property
    def text(self) -> str:
        """All text inside it."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def find(self, tag: str | None = None, **attrs: Any) -> "Node | None":
        """The first element, itself or inside, of this tag and with these attributes, written as for `el`."""
        wanted = {_name(name): value for name, value in attrs.items()}
        return next(
            (
                node
                for node in self.walk()
                if tag in (None, node.tag) and all(node.attrs.get(name) == it for name, it in wanted.items())
            ),
            None,
        )


def el(
    tag: str,
    *children: Node | str | None,
    key: str | None = None,
    on: Mapping[str, Mapping[str, Any]] | None = None,
    **attrs: Any,
) -> Node:
    """Makes an element: `el("button", "Bet", class_="grey", data_id="7", on={"click": {"do": "press"}})`.

    Args:
        tag: the HTML tag or widget.
        children: what is inside; None is passed over.
        key: see `Node`.
        on: see `Node`.
        attrs: attributes; `_` is written for `-` and a trailing `_` is dropped. None and False leave one out.

    Raises:
        ValueError: for what may not be drawn.
    """
    return Node(
        tag,
        {_name(name): value for name, value in attrs.items() if value is not None and value is not False},
        tuple(child for child in children if child is not None and child != ""),
        on or {},
        key,
    )


def link_out(address: str, *shown: Node | str, class_: str | None = None) -> Node:
    """A link that opens in a tab of its own; what no browser can open (`discord://`) is drawn as text."""
    if not _ADDRESS.match(address):
        return el("span", *shown, class_=class_)
    return el("a", *shown, href=address, target="_blank", rel="noopener noreferrer", class_=class_)


def _name(keyword: str) -> str:
    return keyword.rstrip("_").replace("_", "-")
