"""Turns the markdown that the bot uses into elements; it works line by line, unlike CommonMark."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Final, Protocol

from bot.practice.page.safe_html import Node, el, external_link


class Names(Protocol):
    """Looks up the names in mentions."""

    def user_name(self, user_id: int) -> str | None:
        """The name of a user, or None."""

    def role_name(self, role_id: int) -> str | None:
        """The name of a role, or None."""

    def channel_name(self, channel_id: int) -> str | None:
        """The name of a channel, or None if it is gone or hidden."""

    def emoji_url(self, emoji_id: int) -> str:
        """Where the picture of an emoji is."""


Piece = Node | str

_DEEPEST: Final = 8
"""Marks nested deeper than this stay plain text."""

_HEADING: Final = re.compile(r"(?P<level>#{1,3})\s+(?P<text>\S.*)")
_SUBTEXT: Final = re.compile(r"-#\s+(?P<text>\S.*)")
_ITEM: Final = re.compile(r"(?P<indent> *)(?:[-*]|(?P<number>\d{1,9})\.) +(?P<text>\S.*)")


def parse(text: str, names: Names) -> tuple[Piece, ...]:
    """A message's text as elements and plain text, in order. Line breaks stay in the text."""
    return tuple(_Parser(names).blocks(text))


def plain_text(text: str, names: Names) -> str:
    """The text in one line: no marks, names for mentions, no times."""
    words = (
        part if isinstance(part, str) else part.text
        for line in text.split("\n")
        for part in parse(line, names)
    )
    return " ".join(" ".join(words).split())


@dataclass(frozen=True, slots=True)
class _Parser:
    """Parses one piece of text, and knows how deep it is inside marks."""

    names: Names
    depth: int = 0

    def blocks(self, text: str) -> Iterator[Piece]:
        lines = text.split("\n") if text else []
        plain: list[str] = []
        while lines:
            block, used = self._block(lines)
            if block:
                yield from self.inline("\n".join(plain))
                yield from block
                plain.clear()
            else:
                # Collected, because marks such as bold can span lines.
                plain.append(lines[0])
            del lines[: max(used, 1)]
        yield from self.inline("\n".join(plain))

    def _block(self, lines: list[str]) -> tuple[list[Node], int]:
        """The heading or list at the start, and its number of lines; empty for a plain line."""
        line = lines[0]
        if heading := _HEADING.fullmatch(line):
            return [el(f"h{len(heading['level'])}", *self.inline(heading["text"]))], 1
        if small := _SUBTEXT.fullmatch(line):
            return [el("small", *self.inline(small["text"]))], 1
        items = [item for item in takewhile(bool, map(_ITEM.fullmatch, lines)) if item]
        return list(self._lists(items)), len(items)

    def _lists(self, items: list[re.Match[str]]) -> Iterator[Node]:
        """The lists in these lines; deeper items become lists inside."""
        entries: list[tuple[re.Match[str], list[re.Match[str]]]] = []
        for item in items:
            if entries and len(item["indent"]) > len(items[0]["indent"]):
                entries[-1][1].append(item)
            else:
                entries.append((item, []))
        for numbered, group in groupby(entries, lambda entry: entry[0]["number"] is not None):
            alike = list(group)
            items_html = [el("li", *self.inline(top["text"]), *self._lists(below)) for top, below in alike]
            yield (
                el("ol", *items_html, start=int(alike[0][0]["number"])) if numbered else el("ul", *items_html)
            )

    def inline(self, text: str) -> tuple[Piece, ...]:
        if self.depth > _DEEPEST:
            return (text,)
        inside = _Parser(self.names, self.depth + 1)
        pieces: list[Piece] = []
        plain = ""
        at = 0
        while mark := _MARKS.search(text, at):
            plain += text[at : mark.start()]
            at = mark.start()
            for pattern, render in _RULES:
                if found := pattern.match(text, at):
                    rendered = render(found, inside)
                    if isinstance(rendered, str):
                        plain += rendered
                    else:
                        pieces += [plain, rendered] if plain else [rendered]
                        plain = ""
                    at = found.end()
                    break
            else:
                plain += text[at]
                at += 1
        plain += text[at:]
        return (*pieces, plain) if plain else tuple(pieces)


_Render = Callable[[re.Match[str], _Parser], Piece]


def _wrap(tag: str) -> _Render:
    return lambda found, parser: el(tag, *parser.inline(found["in"]))


def _user(found: re.Match[str], parser: _Parser) -> Piece:
    name = parser.names.user_name(int(found["id"]))
    return el("span", f"@{name or 'unknown-user'}", class_="mention", data_user=found["id"])


def _role(found: re.Match[str], parser: _Parser) -> Piece:
    name = parser.names.role_name(int(found["id"]))
    return el("span", f"@{name or 'unknown-role'}", class_="mention")


def _channel(found: re.Match[str], parser: _Parser) -> Piece:
    name = parser.names.channel_name(int(found["id"]))
    if name is None:
        return el("span", "# No access", class_="mention")
    open_it = {"click": {"do": "open", "channel": found["id"]}}
    return el("button", f"# {name}", class_="mention", type="button", on=open_it)


def _emoji(found: re.Match[str], parser: _Parser) -> Piece:
    looks = f"background-image: url({parser.names.emoji_url(int(found['id']))})"
    return el("span", class_="server-emoji", role="img", aria_label=f":{found['name']}:", style=looks)


def _place(found: re.Match[str], parser: _Parser) -> Piece:
    name = parser.names.channel_name(int(found["channel"]))
    if name is None:
        return el("span", "# No access", class_="mention")
    return el("button", f"# {name} › 💬", class_="mention", type="button", on={"click": _open_action(found)})


def _open_action(found: re.Match[str]) -> dict[str, str]:
    groups = {"channel": found["channel"], "message": found["message"]}
    return {"do": "open"} | {name: value for name, value in groups.items() if value is not None}


def _command(found: re.Match[str], parser: _Parser) -> Piece:
    put_it = {"click": {"do": "command", "name": found["name"]}}
    return el("button", f"/{found['name']}", class_="mention", type="button", on=put_it)


_JUMP: Final = re.compile(
    r"https://(?:\w+\.)?discord\.com/channels/(?:\d+|@me)/(?P<channel>\d+)(?:/(?P<message>\d+))?"
)

# The first rule that matches wins.
_RULES: Final[tuple[tuple[re.Pattern[str], _Render], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), render)
    for pattern, render in (
        (r"\\(?P<it>[^a-zA-Z0-9\s])", lambda found, _: found["it"]),
        (r"`(?P<code>[^`]+)`", lambda found, _: el("code", found["code"])),
        (r"<@!?(?P<id>\d+)>", _user),
        (r"<@&(?P<id>\d+)>", _role),
        (r"<#(?P<id>\d+)>", _channel),
        (r"<:(?P<name>\w+):(?P<id>\d+)>", _emoji),
        (r"</(?P<name>[^\s:>][^:>]*):\d+>", _command),
        (
            r"<t:(?P<at>-?\d{1,12})(?::(?P<look>[tTdDfFRsS]))?>",
            lambda found, _: el("timestamp", at=int(found["at"]), format=found["look"] or "f"),
        ),
        (_JUMP.pattern, _place),
        (r"<(?P<url>https?://[^\s<>]+)>", lambda found, _: external_link(found["url"], found["url"])),
        (
            r"\[(?P<in>[^\[\]\n]+)\]\(<?(?P<url>https?://[^\s<>()]+)>?\)",
            lambda found, parser: external_link(found["url"], *parser.inline(found["in"])),
        ),
        (r"https?://[^\s<>]*[^\s<>.,:;\"')\]]", lambda found, _: external_link(found[0], found[0])),
        (r"\*\*(?P<in>(?:\\.|[^\\])+?)\*\*(?!\*)", _wrap("strong")),
        (r"\*(?![\s*])(?P<in>(?:\*\*|\\.|[^\\*])+?)(?<!\s)\*(?!\*)", _wrap("em")),
    )
)
_MARKS: Final = re.compile(r"[\\`<\[h*]")
