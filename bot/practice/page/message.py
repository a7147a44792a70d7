"""Renders one message as its viewer sees it: author, time, content, and the ephemeral note."""

from datetime import timedelta
from typing import Final

from bot.practice.messages import Message
from bot.practice.page import markdown
from bot.practice.page.components import ComponentRenderer, render_dots, render_text
from bot.practice.page.safe_html import Node, el
from bot.practice.page.viewer import ComponentState, Viewer
from bot.practice.servers import User

GROUP_WITHIN: Final = timedelta(minutes=7)
"""Messages of one author this close together share one avatar and name."""

COLOURS: Final = ("#5865f2", "#3ba55c", "#d9822b", "#c2557a", "#2f8fb3", "#8e5bd0", "#b3543f", "#4b8a7a")


def avatar(user: User, name: str) -> Node:
    """A user's avatar: their initials on a colour that depends on the account."""
    initials = "".join(word[0] for word in name.split()[:2]).upper()
    # Uses both halves of the id: a practice creates its accounts within one millisecond.
    colour = COLOURS[((user.id >> 22) + user.id) % len(COLOURS)]
    return el("span", initials, class_="avatar", style=f"background: {colour}", aria_hidden="true")


def is_grouped(message: Message, before: Message | None) -> bool:
    """Whether a message continues the one before, without avatar and name."""
    return (
        before is not None
        and before.author is message.author
        and before.ephemeral == message.ephemeral
        and message.interaction is None
        and message.created - before.created < GROUP_WITHIN
    )


def render_message(
    message: Message, viewer: Viewer, state: ComponentState, before: Message | None = None
) -> Node:
    """Renders a message; `before` is the message above it."""
    grouped = is_grouped(message, before)
    author = viewer.name_of(message.author)
    look = [
        "message",
        "more" if grouped else "first",
        "mentioned" if viewer.is_mentioned_in(message) else "",
        _kind(message, viewer),
    ]
    return el(
        "li",
        None if grouped else _origin(message, viewer),
        None if grouped else avatar(message.author, author),
        el("timestamp", at=message.created.timestamp(), format="t", class_="beside") if grouped else None,
        None if grouped else _byline(message, author),
        el("div", *_content(message, viewer, state), class_="body"),
        el("p", state.error, class_="failure", role="alert") if state.error else None,
        el("p", state.note, class_="changed", role="status") if state.note else None,
        _footer() if message.ephemeral else None,
        class_=" ".join(filter(None, look)),
        data_message_id=str(message.id),
        data_author=author,
    )


def render_failed_command(viewer: Viewer, command: str, error: str, anchor: str) -> Node:
    """The red note of Discord's client after a command failed; only its user sees it."""
    person, bot = viewer.person, viewer.person.world.bot
    return el(
        "li",
        _used_command(person.user, person.name, command),
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


def summary(message: Message, viewer: Viewer) -> str:
    """The message in one line of plain text, for screen readers and for references to it."""
    text = markdown.plain_text(message.text, viewer)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _kind(message: Message, viewer: Viewer) -> str:
    """What the style sheet calls a message that stays in view, or that is given room."""
    if message.ephemeral:
        return "private"
    # In a direct message nobody talks, and the newest message is the one to read.
    if message.author.bot and message.buttons() and not message.channel.is_dm:
        return "board"
    return "answer" if message.interaction and message.interaction.user is viewer.person.user else ""


def _byline(message: Message, author: str) -> Node:
    return el(
        "h3",
        el("span", author, class_="name"),
        el("span", "APP", class_="tag") if message.author.bot else None,
        el("timestamp", at=message.created.timestamp(), format="message"),
        class_="byline",
    )


def _origin(message: Message, viewer: Viewer) -> Node | None:
    """The line above a message with what it replies to: a follow-up replies to the first response."""
    origin = message.interaction
    if origin is None:
        return None
    if origin.command is not None and origin.original_response_id is None:
        return _used_command(origin.user, viewer.name_of(origin.user), origin.command)
    replied_to = origin.original_response_id or origin.interacted_message_id or 0
    asked = viewer.person.world.message_in(message.channel, replied_to)
    about = summary(asked, viewer) if asked is not None else "Original message was deleted"
    name = viewer.name_of(message.author)
    return el(
        "div",
        avatar(message.author, name),
        el("span", name, class_="name"),
        " ",
        el("span", about, class_="about"),
        class_="origin",
    )


def _used_command(user: User, name: str, command: str) -> Node:
    return el(
        "div",
        avatar(user, name),
        el("span", name, class_="name"),
        " used ",
        el("span", f"/{command}", class_="mention"),
        class_="origin",
    )


def _content(message: Message, viewer: Viewer, state: ComponentState) -> list[Node]:
    if message.loading:
        return [el("div", render_dots(), f"{viewer.name_of(message.author)} is thinking…", class_="thinking")]
    parts = []
    if message.content:
        parts.append(render_text(message.content, viewer))
    parts += ComponentRenderer(viewer, state).render_all(message.components)
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
