"""HTML: elements in which every text is escaped, the bot's texts as elements, and the frame of a page."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Final

_FRAME: Final = Template(Path(__file__).with_name("page.html").read_text("utf-8"))
_INLINE: Final = re.compile(
    # An escaped sign, bold, and code. An emoji or a mention, which has an id, is left out.
    r"\\([\\*_~`|<>\[\]])|\*\*((?:\\.|[^\\])+?)\*\*|`([^`]+)`|<[^<>\s]*\d>",
)
_BLOCKS: Final = (("#", "h2"), ("-# ", "p"), ("- ", "ul"))
"""How lines begin in the bot's texts, and what they become; a number begins a line of an ordered list."""
_NUMBERED: Final = re.compile(r"(\d+)\. ")


class Html(str):
    """Text that is HTML already: what people wrote is escaped in it."""

    __slots__ = ()


def joined(*parts: str) -> Html:
    """These one after another; what is no Html is escaped, here and nowhere else."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def tag(name: str, *inside: str, **attributes: str) -> Html:
    """An element; an attribute may end with `_`, as `class_` must."""
    said = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{said}>{joined(*inside)}</{name}>")


def link(to: str, text: str, **attributes: str) -> Html:
    """A link to another file of the site."""
    return tag("a", text, href=to, **attributes)


def inline(text: str) -> Html:
    """A line in Discord's markdown, as the bot writes it."""
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        sign, bold, code = found.groups()
        parts.append(text[at : found.start()])
        if bold is not None:
            parts.append(tag("strong", inline(bold)))
        else:
            parts.append(tag("code", code) if code is not None else sign or "")
        at = found.end()
    return joined(*parts, text[at:])


def blocks(text: str) -> Html:
    """Lines in Discord's markdown: headings, lists, small print and paragraphs."""
    return joined(*_blocks(text.splitlines()))


def _blocks(lines: Sequence[str]) -> Iterator[Html]:
    for kind, group in groupby(filter(None, lines), _kind):
        if kind in ("ul", "ol"):
            told = (line.split(" ", 1)[1] for line in group)
            yield tag(kind, *(tag("li", inline(line)) for line in told))
            continue
        for line in group:
            if kind == "h2":
                yield tag("h2", inline(line.lstrip("# ")))
            elif line.startswith("-# "):
                yield tag("p", inline(line.removeprefix("-# ")), class_="quiet")
            else:
                yield tag("p", inline(line))


def _kind(line: str) -> str:
    if _NUMBERED.match(line):
        return "ol"
    return next((kind for beginning, kind in _BLOCKS if line.startswith(beginning)), "p")


def rows(*lines: Sequence[str]) -> Html:
    """A table without a heading."""
    return tag("table", *(tag("tr", *(tag("td", cell) for cell in cells)) for cells in lines))


def page(heading: str, menu: Sequence[str], body: Iterable[str], foot: str, *, site: str, lang: str) -> str:
    """A whole page. It has no script, and asks for nothing.

    Args:
        menu: links to the other pages.
        site: what the whole site is called.
    """
    return _FRAME.substitute(
        lang=joined(lang),
        title=joined(heading if heading == site else f"{heading} · {site}"),
        menu=joined(*menu),
        heading=joined(heading),
        body=Html("\n").join(body),
        foot=joined(foot),
    )
