"""One message, drawn as its reader sees it: who wrote it, when, what for, what it says, who else sees it."""

from datetime import timedelta
from typing import Final

from bot.practice.messages import Flag, Message
from bot.practice.page import markdown
from bot.practice.page.components import ComponentArtist
from bot.practice.page.nodes import Node, el, link_out
from bot.practice.page.reader import Reader, Waiting
from bot.practice.places import User

TOGETHER: Final = timedelta(minutes=7)
"""How close the messages of one author must be for the later ones to go without avatar and name."""

COLOURS: Final = ("#5865f2", "#3ba55c", "#d9822b", "#c2557a", "#2f8fb3", "#8e5bd0", "#b3543f", "#4b8a7a")


def avatar(user: User, name: str) -> Node:
    """A user's picture: the initials on a colour that is always the same for the same account."""
    initials = "".join(word[0] for word in name.split()[:2]).upper()
    # Both halves of the id: accounts of a practice are made within one millisecond.
    colour = COLOURS[((user.id >> 22) + user.id) % len(COLOURS)]
    return el("span", initials, class_="avatar", style=f"background: {colour}", aria_hidden="true")


def goes_on(message: Message, before: Message | None) -> bool:
    """Whether a message stands under the one before as more of the same author's."""
    return (
        before is not None
        and before.author is message.author
        and before.ephemeral == message.ephemeral
        and message.interaction is None
        and message.created - before.created < TOGETHER
    )


def draw_message(message: Message, reader: Reader, waiting: Waiting, before: Message | None = None) -> Node:
    """Draws a message.

    Args:
        message: the message.
        reader: who looks at it.
        waiting: what its components wait for.
        before: the message that stands above it.
    """
    more = goes_on(message, before)
    author = reader.name(message.author)
    look = [
        "message",
        "more" if more else "first",
        "called" if reader.is_called_by(message) else "",
        "private" if message.ephemeral else "",
    ]
    return el(
        "li",
        None if more else _origin(message, reader),
        None if more else avatar(message.author, author),
        el("stamp", at=message.created.timestamp(), look="t", class_="beside") if more else None,
        None if more else _byline(message, author),
        el("div", *_inside(message, reader, waiting), class_="body"),
        el("p", waiting.error, class_="failure", role="alert") if waiting.error else None,
        _footer() if message.ephemeral else None,
        class_=" ".join(filter(None, look)),
        data_message_id=str(message.id),
        data_author=author,
    )


def draw_note(reader: Reader, command: str, error: str, anchor: str) -> Node:
    """What the client itself says when a command failed: the line in red that only the person sees."""
    person, bot = reader.person, reader.person.world.bot
    return el(
        "li",
        _used(person.user, person.name, command),
        avatar(bot, bot.display_name),
        el(
            "h3",
            el("span", bot.display_name, class_="name"),
            el("span", "APP", class_="tag"),
            class_="byline",
        ),
        el("div", el("p", error, class_="failure", role="alert"), class_="body"),
        _footer(),
        class_="message first private",
        data_note=anchor,
    )


def summary(message: Message, reader: Reader) -> str:
    """The message in one line of plain text, for a screen reader and for what refers to it."""
    text = markdown.plain(message.text, reader)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _byline(message: Message, author: str) -> Node:
    return el(
        "h3",
        el("span", author, class_="name"),
        el("span", "APP", class_="tag") if message.author.bot else None,
        el("stamp", at=message.created.timestamp(), look="message"),
        class_="byline",
    )


def _origin(message: Message, reader: Reader) -> Node | None:
    """The line above a message that says what it answers."""
    origin = message.interaction
    if origin is None:
        return None
    who = reader.name(origin.user)
    if origin.command is not None:
        return _used(origin.user, who, origin.command)
    asked = reader.person.world.message_in(message.channel, origin.interacted_message_id or 0)
    about = summary(asked, reader) if asked is not None else "Original message was deleted"
    name = reader.name(message.author)
    return el(
        "div",
        avatar(message.author, name),
        el("span", name, class_="name"),
        " ",
        el("span", about, class_="about"),
        class_="origin",
    )


def _used(user: User, name: str, command: str) -> Node:
    return el(
        "div",
        avatar(user, name),
        el("span", name, class_="name"),
        " used ",
        el("span", f"/{command}", class_="mention"),
        class_="origin",
    )


def _inside(message: Message, reader: Reader, waiting: Waiting) -> list[Node]:
    if message.loading:
        dots = el("span", el("span"), el("span"), el("span"), class_="dots")
        return [el("div", dots, f"{reader.name(message.author)} is thinking…", class_="thinking")]
    parts = []
    if message.content:
        parts.append(el("div", *markdown.read(message.content, reader), class_="prose"))
    if Flag.COMPONENTS_V2 not in message.flags:
        parts += (
            el("picture", src=file.url, alt=file.description or file.filename, look="wide")
            if file.content_type.startswith("image/")
            else link_out(file.url, file.filename, class_="file")
            for file in message.attachments
        )
    parts += ComponentArtist(reader, waiting).all(message.components)
    if message.edited is not None:
        parts.append(el("span", "(edited)", class_="edited", title=f"{message.edited:%d %B %Y %H:%M} UTC"))
    return parts


def _footer() -> Node:
    return el(
        "footer",
        el("span", "Only you can see this", class_="eye"),
        " • ",
        el("button", "Dismiss message", type="button", class_="as-link", on={"click": {"do": "dismiss"}}),
    )
