"""Renders what is around the messages: channels, members, the person panel, the header, and a notice."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.practice.page.message import avatar
from bot.practice.page.safe_html import Node, el
from bot.practice.page.viewer import Unread, Viewer
from bot.practice.person import Person
from bot.practice.servers import Channel, Server

LANGUAGES: Final = {
    "en-US": "English, US",
    "en-GB": "English, UK",
    "zh-CN": "简体中文",
    "zh-TW": "繁體中文",
    "de": "Deutsch",
    "ja": "日本語",
}
"""The languages of Discord in which there are players, by Discord's locale, each in that language."""


def render_channels(
    viewer: Viewer, servers: Sequence[Server], unread: dict[Channel, Unread], dm: Channel
) -> Node:
    """The left sidebar: the DM with the bot, then each server's channels with their threads."""
    sections = [
        el("h2", "Direct messages"),
        el("ul", _entry(dm, viewer, unread, viewer.person.world.bot.display_name)),
    ]
    for server in servers:
        seen = [channel for channel in server.channels.values() if viewer.can_see(channel)]
        top = [channel for channel in seen if not channel.is_thread]
        entries: list[Node] = []
        for channel in top:
            entries.append(_entry(channel, viewer, unread))
            entries += (_entry(thread, viewer, unread) for thread in seen if thread.parent is channel)
        sections += [el("h2", server.name), el("ul", *entries)]
    return el("nav", *sections, class_="channels", aria_label="Channels")


def _entry(channel: Channel, viewer: Viewer, unread: dict[Channel, Unread], name: str | None = None) -> Node:
    new = unread.get(channel, Unread())
    here = channel is viewer.channel
    look = ["channel", channel.kind.name.lower(), "here" if here else "", "unread" if new.messages else ""]
    return el(
        "li",
        el(
            "button",
            avatar(viewer.person.world.bot, name) if name else None,
            el("span", name or channel.name, class_="label"),
            el("span", str(new.badge), class_="badge", aria_label=f"{new.badge} unread")
            if new.badge
            else None,
            type="button",
            class_=" ".join(filter(None, look)),
            aria_current="page" if here else None,
            data_channel_id=str(channel.id),
            data_channel=name or channel.name,
            on={"click": {"do": "open", "channel": str(channel.id)}},
        ),
        key=str(channel.id),
    )


def render_members(viewer: Viewer) -> Node:
    """The right sidebar: the bot, then everybody else."""
    members = viewer.members()
    groups = [("App", [user for user in members if user.bot]), ("Online", [u for u in members if not u.bot])]
    parts: list[Node] = []
    for title, users in groups:
        parts.append(el("h2", f"{title} — {len(users)}"))
        parts.append(
            el(
                "ul",
                *(
                    el(
                        "li",
                        avatar(user, viewer.name_of(user)),
                        el("span", viewer.name_of(user), class_="label"),
                        el("span", "APP", class_="tag") if user.bot else None,
                        key=str(user.id),
                    )
                    for user in users
                ),
            )
        )
    return el("section", *parts, class_="members", aria_label="Members")


def render_person_panel(viewer: Viewer, people: Iterable[Person]) -> Node:
    """The panel at the lower left: the current person, and when pressed, the people to switch to."""
    person = viewer.person
    menu = el(
        "div",
        el("p", "Continue as", class_="hint"),
        *(_person(other, here=other is person) for other in people),
        el("hr"),
        el(
            "button",
            el("span", "Direct messages", class_="label"),
            el("span", class_="switch"),
            type="button",
            role="switch",
            aria_checked="true" if person.user.dms_open else "false",
            on={"click": {"do": "dms"}},
        ),
        class_="people",
        id="people",
        popover="auto",
    )
    return el(
        "div",
        menu,
        el(
            "button",
            avatar(person.user, person.name),
            el("span", el("span", person.name, class_="name"), el("small", "Switch person"), class_="who"),
            type="button",
            class_="me",
            popovertarget="people",
            aria_label=f"You are {person.name}. Switch person",
            data_person=person.name,
        ),
        class_="panel",
    )


def _person(person: Person, *, here: bool) -> Node:
    return el(
        "div",
        el(
            "button",
            avatar(person.user, person.name),
            el("span", person.name, class_="label"),
            type="button",
            popovertarget="people",
            popovertargetaction="hide",
            aria_current="true" if here else None,
            data_person_choice=person.name,
            on={"click": {"do": "become", "person": str(person.id)}},
        ),
        el(
            "a",
            "New tab",
            href=f"?as={person.user.name}",
            target="_blank",
            aria_label=f"Open a new tab as {person.name}",
        ),
        class_="person",
        key=str(person.id),
    )


def render_header(viewer: Viewer, badges: int) -> Node:
    """The channel's name, the person's language, the phone width, and the buttons that open the sidebars.

    Args:
        badges: how many messages wait in other channels, by the badges there.
    """
    channel = viewer.channel
    name = viewer.person.world.bot.display_name if channel.is_dm else channel.name
    return el(
        "header",
        _icon("menu", f"Channels, {badges} unread" if badges else "Channels", "left", badges),
        el("h1", name, class_=channel.kind.name.lower(), data_here=name),
        el(
            "choice",
            value=viewer.person.user.locale,
            label=f"Language of {viewer.person.name}",
            options=[{"value": locale, "label": name} for locale, name in LANGUAGES.items()],
            on={"pick": {"do": "language"}},
        ),
        el("phonewidth"),
        _icon("people-icon", "Members", "right"),
        class_="top",
    )


def _icon(look: str, label: str, side: str, badges: int = 0) -> Node:
    action = {"click": {"do": "drawer", "side": side}}
    badge = el("span", str(badges), class_="badge") if badges else None
    return el("button", badge, type="button", class_=f"icon {look}", aria_label=label, on=action)


def render_notice(text: str) -> Node:
    """A notice above the messages until it is closed; an empty one takes no space."""
    if not text:
        return el("div", role="alert")
    close = el(
        "button", type="button", class_="icon close", aria_label="Close", on={"click": {"do": "understood"}}
    )
    return el("div", el("p", text), close, class_="notice", role="alert")


def sentence(reason: str) -> str:
    """A reason such as `amount must be a number` as a sentence."""
    return f"{reason[:1].upper()}{reason[1:]}{'' if reason.endswith(('.', '!', '?', '…')) else '.'}"
