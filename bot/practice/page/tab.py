"""One browser tab: one person in one channel, kept up to date with the world."""

import asyncio
import json
import logging
from typing import Any

from nicegui import Client, ui

from bot.practice.changes import Change
from bot.practice.command_input import why_no_command
from bot.practice.messages import Message
from bot.practice.page import sidebar
from bot.practice.page.message_list import MessageList
from bot.practice.page.nicegui_elements import Composer, RenderedNode
from bot.practice.page.safe_html import el
from bot.practice.page.sidebar import LANGUAGES, render_notice, sentence
from bot.practice.page.tab_actions import TabActions
from bot.practice.page.viewer import Opening, ReadMarkers, Viewer, write_address
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel, Permission

log = logging.getLogger(__name__)

_FAILED = "Sorry, something went wrong in practice itself. The terminal says more."


class Tab:
    """A tab, built inside the current NiceGUI client."""

    def __init__(
        self, client: Client, people: list[Person], opening: Opening, read_markers: ReadMarkers
    ) -> None:
        self._client = client
        self._people = people
        self._read_markers = read_markers
        self._viewer = opening.viewer
        self._changes: list[Change] = []
        self._title = ""
        world = self._viewer.person.world
        self._opened = world.new_id()
        client.on_exception(self._on_exception)
        client.on_delete(world.on_change(self._on_change))
        with ui.element("div").classes("discord") as self._shell:
            with ui.element("aside").classes("left"):
                self._channels = RenderedNode(self._render_channels(), self._act)
                self._panel = RenderedNode(sidebar.render_person_panel(self._viewer, self._people), self._act)
            with ui.element("main"):
                self._header = RenderedNode(sidebar.render_header(self._viewer, 0), self._act)
                self._notice = RenderedNode(render_notice(opening.notice), self._act)
                self._middle = ui.element("div").classes("middle")
            with ui.element("aside").classes("right"):
                self._members = RenderedNode(sidebar.render_members(self._viewer), self._act)
            RenderedNode(
                el("button", type="button", class_="veil", aria_label="Close", on=_CLOSE_DRAWER),
                self._act,
            )
            self._announcer = RenderedNode(_announcement(""), self._act)
            self._actions = TabActions(lambda message: self._messages.update(message))
        self._enter()

    # What is shown

    def _enter(self) -> None:
        """Builds the open channel."""
        self._middle.clear()
        with self._middle:
            self._messages = MessageList(self._viewer, self._actions.state_of, self._act_on, self._opened)
            self._composer = Composer(
                send=self._send, run=self._run, explain=self._explain, suggest=self._actions.suggest
            )
        self._actions.switch_to(self._viewer, self._messages)
        self._read_markers.mark_read(self._viewer.person, self._viewer.channel)
        self._render_sidebars()

    def _render_sidebars(self) -> None:
        person, channel = self._viewer.person, self._viewer.channel
        self._channels.render(self._render_channels())
        self._panel.render(sidebar.render_person_panel(self._viewer, self._people))
        badges = sum(self._read_markers.unread(person, it).badge for it in self._all_channels())
        self._header.render(sidebar.render_header(self._viewer, badges))
        self._members.render(sidebar.render_members(self._viewer))
        bot = person.world.bot
        where = f"@{bot.display_name}" if channel.is_dm else f"#{channel.name}"
        members = [user for user in self._viewer.members() if user is not bot]
        self._composer.set_options(
            commands=sorted(person.commands(channel), key=lambda command: command["name"]),
            members=[{"name": self._viewer.name_of(user), "value": str(user.id)} for user in members],
            placeholder=f"Message {where}, or / for commands",
            writable=channel.can_write(person.user),
        )
        title = f"({badges}) {where}" if badges else where
        if title != self._title:
            self._title = title
            self._client.run_javascript(f"document.title = {json.dumps(title)}")

    def _render_channels(self) -> Any:
        person = self._viewer.person
        unread = {it: self._read_markers.unread(person, it) for it in self._all_channels()}
        servers = [it for it in person.world.servers.values() if it.member(person.user)]
        return sidebar.render_channels(self._viewer, servers, unread, person.dm())

    def _all_channels(self) -> list[Channel]:
        return [it for it in self._viewer.person.world.channels.values() if self._viewer.can_see(it)]

    def _notify(self, notice: str) -> None:
        self._notice.render(render_notice(notice))

    def _on_exception(self, failed: Exception) -> None:
        """Says in one sentence that something failed; the log has the rest."""
        if isinstance(failed, NotPossibleError):
            self._notify(sentence(str(failed)))
        else:
            log.error("the page failed", exc_info=failed)
            self._notify(_FAILED)

    # Changes in the world

    def _on_change(self, change: Change) -> None:
        if not self._changes:
            # Later and all at once, so that a page can't delay or break a change.
            asyncio.get_running_loop().call_soon(self._catch_up)
        self._changes.append(change)

    def _catch_up(self) -> None:
        changes, self._changes = self._changes, []
        person, channel = self._viewer.person, self._viewer.channel
        if Permission.VIEW_CHANNEL not in channel.permissions_of(person.user) or (
            channel.id not in person.world.channels
        ):
            self._switch_to(self._first_channel())
            return
        for change in changes:
            message = change.message
            if message is None or message.channel is not channel or not change.visible_to(person.user):
                continue
            self._messages.update(message)
            if change.kind == "message_created" and message.author is not person.user:
                self._announcer.render(_announcement(self._messages.announcement(message)))
                if message.ephemeral:
                    # It answers what this person has just done, wherever they had scrolled to.
                    self._messages.scroller.to_end()
        self._read_markers.mark_read(person, channel)
        self._render_sidebars()

    # Actions of the person

    def _switch_to(self, channel: Channel, person: Person | None = None) -> None:
        self._shell.props("data-drawer=none")
        person = person or self._viewer.person
        if (person, channel) == (self._viewer.person, self._viewer.channel):
            return
        self._viewer = Viewer(person, channel)
        self._enter()
        self._notify("")
        self._client.run_javascript(
            f"history.replaceState(null, '', {json.dumps(write_address(self._viewer))})"
        )

    def _first_channel(self) -> Channel:
        person = self._viewer.person
        return next((it for it in self._all_channels() if not it.is_dm), person.dm())

    async def _act(self, action: dict[str, Any], value: Any) -> None:
        """Handles every action that is not about a message."""
        world = self._viewer.person.world
        match action:
            case {"do": "open", "channel": channel_id}:
                channel = world.channels.get(int(channel_id))
                if channel is not None and self._viewer.can_see(channel):
                    self._switch_to(channel)
                    if message_id := action.get("message"):
                        self._messages.scroller.highlight(message_id)
            case {"do": "become", "person": person_id}:
                person = next(it for it in self._people if it.id == int(person_id))
                self._switch_to(self._landing_channel(person), person)
            case {"do": "dms"}:
                self._viewer.person.user.dms_open = not self._viewer.person.user.dms_open
            case {"do": "language"} if value in LANGUAGES:
                self._viewer.person.user.locale = value
                self._render_sidebars()
            case {"do": "understood"}:
                self._notify("")
            case {"do": "drawer", "side": side}:
                now = self._shell.props.get("data-drawer")
                self._shell.props(f"data-drawer={'none' if now == side else side}")
            case {"do": "command", "name": name}:
                self._composer.start_command(name)
        self._panel.render(sidebar.render_person_panel(self._viewer, self._people))

    def _landing_channel(self, person: Person) -> Channel:
        """The channel to show after switching person: the same one if they see it, or their DM."""
        channel = self._viewer.channel
        return channel if Viewer(person, channel).can_see(channel) else person.dm()

    async def _act_on(self, message: Message, action: dict[str, Any], value: Any) -> None:
        if not await self._actions.act_on_message(message, action, value):
            await self._act(action, value)

    async def _send(self, text: str) -> None:
        self._messages.scroller.to_end()
        await self._viewer.person.write(self._viewer.channel, text)

    async def _run(self, command: str, options: dict[str, Any]) -> None:
        self._messages.scroller.to_end()
        await self._actions.run(command, options, self._composer)

    def _explain(self, typed: str) -> str:
        person = self._viewer.person
        return why_no_command(person.world, person.user, self._viewer.channel, typed)


_CLOSE_DRAWER = {"click": {"do": "drawer", "side": "none"}}


def _announcement(text: str) -> Any:
    """The text a screen reader reads when a message arrives."""
    return el("div", text, class_="announcement", role="status", aria_live="polite")
