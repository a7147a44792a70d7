"""One browser tab: who sits before it and in which channel; keeps what it shows up to date with the world."""

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

from nicegui import Client, ui

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.page import sidebar
from bot.practice.page.elements import Composer, Drawn
from bot.practice.page.hands import Hands
from bot.practice.page.message_list import Talk
from bot.practice.page.nodes import el
from bot.practice.page.reader import Reader
from bot.practice.page.reading import Reading
from bot.practice.permissions import Permission
from bot.practice.person import Person
from bot.practice.places import Channel


class Tab:
    """A tab, built inside the NiceGUI client that is being served.

    Args:
        client: that client.
        people: who the person may switch to.
        person: who sits before it.
        place: the channel that is open first.
        reading: what everybody has read.
    """

    def __init__(
        self, client: Client, people: list[Person], person: Person, place: Channel, reading: Reading
    ) -> None:
        self._client = client
        self._people = people
        self._reading = reading
        self._reader = Reader(person, place)
        self._menu_open = False
        self._changes: list[Change] = []
        self._title = ""
        world = person.world
        client.on_delete(world.on_change(self._note_change))
        with ui.element("div").classes("discord") as self._shell:
            with ui.element("aside").classes("left"):
                self._channels = Drawn(self._draw_channels(), self._act)
                self._panel = Drawn(self._draw_panel(), self._act)
            with ui.element("main"):
                self._header = Drawn(sidebar.draw_header(self._reader), self._act)
                self._middle = ui.element("div").classes("middle")
            with ui.element("aside").classes("right"):
                self._members = Drawn(sidebar.draw_members(self._reader), self._act)
            Drawn(el("button", type="button", class_="veil", aria_label="Close", on=_CLOSE), self._act)
            self._voice = Drawn(_spoken(""), self._act)
            self._hands = Hands(self._refresh_message)
        self._enter()

    # What is shown

    def _enter(self) -> None:
        """Shows the open channel afresh."""
        self._middle.clear()
        with self._middle:
            self._talk = Talk(self._reader, self._hands.waiting, self._act_on)
            self._composer = Composer(say=self._say, run=self._run, suggest=self._suggest)
        self._hands.enter(self._reader, self._talk)
        self._reading.mark(self._reader.person, self._reader.place)
        self._draw_sides()

    def _draw_sides(self) -> None:
        person, place = self._reader.person, self._reader.place
        self._channels.draw(self._draw_channels())
        self._panel.draw(self._draw_panel())
        self._header.draw(sidebar.draw_header(self._reader))
        self._members.draw(sidebar.draw_members(self._reader))
        bot = person.world.bot
        where = f"@{bot.display_name}" if place.is_dm else f"#{place.name}"
        people = [user for user in self._reader.people() if user is not bot]
        places = filter(self._reader.may_see, place.server.channels.values() if place.server else ())
        self._composer.offer(
            commands=sorted(person.commands(place), key=lambda command: command["name"]),
            people=[{"name": self._reader.name(user), "value": str(user.id)} for user in people],
            places=[{"name": channel.name, "value": str(channel.id)} for channel in places],
            placeholder=f"Message {where}, or / for commands",
            writable=place.can_write(person.user),
        )
        calls = sum(self._reading.unread(person, it).calls for it in self._all_channels())
        title = f"({calls}) {where}" if calls else where
        if title != self._title:
            self._title = title
            self._script(f"document.title = {json.dumps(title)}")

    def _draw_channels(self) -> Any:
        person = self._reader.person
        unread = {it: self._reading.unread(person, it) for it in self._all_channels()}
        servers = [it for it in person.world.servers.values() if it.member(person.user)]
        return sidebar.draw_channels(self._reader, servers, unread, person.dm())

    def _draw_panel(self) -> Any:
        return sidebar.draw_panel(self._reader, self._people, is_open=self._menu_open)

    def _all_channels(self) -> list[Channel]:
        return [it for it in self._reader.person.world.channels.values() if self._reader.may_see(it)]

    def _script(self, code: str) -> None:
        self._client.run_javascript(code)

    # What changes in the world

    def _note_change(self, change: Change) -> None:
        if not self._changes:
            # Later, and all at once: whoever changes the world must neither wait for a page nor fail by one.
            asyncio.get_running_loop().call_soon(self._catch_up)
        self._changes.append(change)

    def _catch_up(self) -> None:
        changes, self._changes = self._changes, []
        person, place = self._reader.person, self._reader.place
        if Permission.VIEW_CHANNEL not in place.permissions_of(person.user) or (
            place.id not in person.world.channels
        ):
            self._go(self._first_place())
            return
        for change in changes:
            message = change.message
            if message is None or message.channel is not place or not change.visible_to(person.user):
                continue
            self._talk.update(message)
            if change.kind == "message_created" and message.author is not person.user:
                self._voice.draw(_spoken(self._talk.spoken(message)))
        self._reading.mark(person, place)
        self._draw_sides()

    def _refresh_message(self, message: Message) -> None:
        self._talk.update(message)

    # What the person does

    def _go(self, place: Channel, person: Person | None = None) -> None:
        self._shell.props("data-drawer=none")
        person = person or self._reader.person
        if (person, place) == (self._reader.person, self._reader.place):
            return
        self._reader = Reader(person, place)
        self._menu_open = False
        self._enter()
        query = urlencode({"as": person.user.name, "in": place.id})
        self._script(f"history.replaceState(null, '', {json.dumps(f'?{query}')})")

    def _first_place(self) -> Channel:
        person = self._reader.person
        return next((it for it in self._all_channels() if not it.is_dm), person.dm())

    async def _act(self, action: dict[str, Any], value: Any) -> None:
        """Does what is pressed anywhere but on a message."""
        world = self._reader.person.world
        match action:
            case {"do": "open", "channel": channel_id}:
                channel = world.channels.get(int(channel_id))
                if channel is not None and self._reader.may_see(channel):
                    self._go(channel)
                    if message_id := action.get("message"):
                        self._talk.reveal(message_id)
            case {"do": "become", "person": person_id}:
                person = next(it for it in self._people if it.id == int(person_id))
                self._go(self._place_of(person), person)
            case {"do": "people"}:
                self._menu_open = not self._menu_open
            case {"do": "dms"}:
                self._reader.person.dms_open = not self._reader.person.dms_open
            case {"do": "drawer", "side": side}:
                now = self._shell.props.get("data-drawer")
                self._shell.props(f"data-drawer={'none' if now == side else side}")
            case {"do": "command", "name": name}:
                self._composer.begin(name)
        self._panel.draw(self._draw_panel())

    def _place_of(self, person: Person) -> Channel:
        """Where another person lands: in the same channel, from a DM in the own one."""
        place = self._reader.place
        return place if Reader(person, place).may_see(place) else person.dm()

    async def _act_on(self, message: Message, action: dict[str, Any], value: Any) -> None:
        if not await self._hands.use(message, action, value):
            await self._act(action, value)

    async def _say(self, text: str) -> None:
        self._talk.to_end()
        await self._reader.person.say(self._reader.place, text)

    async def _run(self, command: str, options: dict[str, Any]) -> None:
        self._talk.to_end()
        await self._hands.run(command, options, self._composer)

    async def _suggest(
        self, command: str, focused: str, value: str, others: dict[str, Any]
    ) -> list[dict[str, Any]]:
        return await self._hands.suggest(command, focused, value, others)


_CLOSE = {"click": {"do": "drawer", "side": "none"}}


def _spoken(text: str) -> Any:
    """What a screen reader says when a message comes in."""
    return el("div", text, class_="spoken", role="status", aria_live="polite")
