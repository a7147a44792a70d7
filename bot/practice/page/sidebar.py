"""What stands around the messages: servers, channels and DMs at the left, the person's panel, the members."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.practice.page.message import avatar
from bot.practice.page.nodes import Node, el
from bot.practice.page.reader import Reader
from bot.practice.person import Person
from bot.practice.places import Channel, Server


@dataclass(frozen=True, slots=True)
class Unread:
    """What a person has not read in a channel: how many messages, and how many of them call for a badge."""

    messages: int = 0
    calls: int = 0


def draw_channels(
    reader: Reader, servers: Sequence[Server], unread: dict[Channel, Unread], dm: Channel
) -> Node:
    """The list at the left: the DM with the bot, then each server's channels, threads below their own."""
    sections = [
        el("h2", "Direct messages"),
        el("ul", _entry(dm, reader, unread, reader.person.world.bot.display_name)),
    ]
    for server in servers:
        seen = [place for place in server.channels.values() if reader.may_see(place)]
        top = [place for place in seen if not place.is_thread]
        entries: list[Node] = []
        for place in top:
            entries.append(_entry(place, reader, unread))
            entries += (_entry(thread, reader, unread) for thread in seen if thread.parent is place)
        sections += [el("h2", server.name), el("ul", *entries)]
    return el("nav", *sections, class_="channels", aria_label="Channels")


def _entry(place: Channel, reader: Reader, unread: dict[Channel, Unread], name: str | None = None) -> Node:
    fresh = unread.get(place, Unread())
    here = place is reader.place
    look = ["channel", place.kind.name.lower(), "here" if here else "", "unread" if fresh.messages else ""]
    calls = fresh.calls
    return el(
        "li",
        el(
            "button",
            avatar(reader.person.world.bot, name) if name else None,
            el("span", name or place.name, class_="label"),
            el("span", str(calls), class_="badge", aria_label=f"{calls} unread") if calls else None,
            type="button",
            class_=" ".join(filter(None, look)),
            aria_current="page" if here else None,
            data_channel_id=str(place.id),
            data_channel=name or place.name,
            on={"click": {"do": "open", "channel": str(place.id)}},
        ),
        key=str(place.id),
    )


def draw_members(reader: Reader) -> Node:
    """The list at the right: the bot, then everybody else."""
    people = reader.people()
    groups = [("App", [user for user in people if user.bot]), ("Online", [u for u in people if not u.bot])]
    parts: list[Node] = []
    for title, users in groups:
        parts.append(el("h2", f"{title} — {len(users)}"))
        parts.append(
            el(
                "ul",
                *(
                    el(
                        "li",
                        avatar(user, reader.name(user)),
                        el("span", reader.name(user), class_="label"),
                        el("span", "APP", class_="tag") if user.bot else None,
                        key=str(user.id),
                    )
                    for user in users
                ),
            )
        )
    return el("section", *parts, class_="members", aria_label="Members")


def draw_panel(reader: Reader, people: Iterable[Person], *, is_open: bool) -> Node:
    """The panel at the lower left: who one is, and, opened, who else one may be."""
    person = reader.person
    menu = el(
        "div",
        el("p", "Go on as", class_="hint"),
        *(_person(other, here=other is person) for other in people),
        el("hr", class_="narrow drawn"),
        el(
            "button",
            el("span", "Allow direct messages", class_="label"),
            el("span", class_="switch"),
            type="button",
            role="switch",
            aria_checked="true" if person.dms_open else "false",
            on={"click": {"do": "dms"}},
        ),
        class_="people",
        id="people",
    )
    return el(
        "div",
        menu if is_open else None,
        el(
            "button",
            avatar(person.user, person.name),
            el("span", el("span", person.name, class_="name"), el("small", "Switch person"), class_="who"),
            type="button",
            class_="me",
            aria_expanded="true" if is_open else "false",
            aria_controls="people",
            aria_label=f"You are {person.name}. Switch person",
            data_person=person.name,
            on={"click": {"do": "people"}},
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


def draw_header(reader: Reader) -> Node:
    """The line above the messages: where one is, and on a phone the buttons for the lists at the sides."""
    place = reader.place
    name = reader.person.world.bot.display_name if place.is_dm else place.name
    return el(
        "header",
        _icon("menu", "Channels", "left"),
        el("h1", name, class_=place.kind.name.lower(), data_here=name),
        _icon("people-icon", "Members", "right"),
        class_="top",
    )


def _icon(look: str, label: str, side: str) -> Node:
    action = {"click": {"do": "drawer", "side": side}}
    return el("button", type="button", class_=f"icon {look}", aria_label=label, on=action)
