"""What one human can do and see in Discord's client. Everything reaches the bot over the wire."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.practice.command_input import available_commands, command_data, find_command, member_command_data
from bot.practice.component_input import ResolvedData, input_data, modal_data
from bot.practice.component_tree import Button, Kind, Select, walk
from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.replies import Choice, Modal, NotPossibleError, Reply, read_reply
from bot.practice.servers import Channel, Permission, User
from bot.practice.world import World

_FAILED = {
    InteractionKind.COMMAND: "The application did not respond",
    InteractionKind.AUTOCOMPLETE: "Loading options failed",
    InteractionKind.COMPONENT: "This interaction failed",
    InteractionKind.MODAL: "Something went wrong. Try again.",
}
"""What Discord's client displays if no reply comes."""
_DEFERRED_SECONDS = 10.0
"""How long a person waits for the message of a deferred reply."""


class Person:
    """One human user.

    Attributes:
        reaction_seconds: how long they look at a reply. A bot that opens a modal must get Discord's response
            before the modal is submitted.
    """

    def __init__(self, world: World, user: User, limits: Limits, send: Callable[[Interaction], None]) -> None:
        """Creates a user who can act; `send` sends an interaction to the bot."""
        self.world = world
        self.user = user
        self.reaction_seconds = 0.005
        self._limits = limits
        self._send = send

    @property
    def id(self) -> int:
        """The id of their account."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name others see."""
        return self.user.display_name

    # What they see

    def dm(self) -> Channel:
        """Their DM channel with the bot."""
        return self.world.dm_with(self.user)

    def channels(self) -> list[Channel]:
        """The channels, threads and DM that they see, in the order of creation."""
        every = self.world.channels.values()
        return [channel for channel in every if Permission.VIEW_CHANNEL in channel.permissions_of(self.user)]

    def sees(self, channel: Channel) -> list[Message]:
        """The messages that they see in a channel, oldest first."""
        return self.world.messages_seen_by(self.user, channel)

    async def dismiss(self, message: Message) -> None:
        """Dismisses an ephemeral message."""
        self.world.dismiss(message, self.user)

    async def write(self, channel: Channel, content: str) -> Message:
        """Writes a message.

        Raises:
            NotPossibleError: if they may not write in the channel.
        """
        if not channel.can_write(self.user):
            raise NotPossibleError(f"{self.name} may not write in {channel.name}")
        world = self.world
        return world.post(Message(world.new_id(), channel, self.user, world.now(), content))

    # Commands

    def commands(self, channel: Channel) -> list[dict[str, Any]]:
        """The commands that their client offers in a channel, each as `AvailableCommand.localized`."""
        return [it.localized(self.user.locale) for it in available_commands(self.world, self.user, channel)]

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Reply:
        """Types a slash command and sends it.

        Args:
            channel: a channel or thread of a server, or their DM with the bot.
            command: its full name, such as `table open`.
            options: by name. A listed choice by its value or name, a user as a person.

        Raises:
            NotPossibleError: says why the client would not send it.
        """
        typed = find_command(self.world, self.user, channel, command)
        data = command_data(channel, typed, _with_users(options))
        return await self._act(InteractionKind.COMMAND, channel, data, command=command)

    async def of_member(self, channel: Channel, command: str, member: "Person") -> Reply:
        """Chooses a command in the menu of a member."""
        data = member_command_data(self.world, channel, command, member.user)
        return await self._act(InteractionKind.COMMAND, channel, data, command=command)

    async def suggest(
        self, channel: Channel, command: str, focused: str, typed: str = "", /, **others: object
    ) -> list[Choice]:
        """The bot's suggestions for the option `focused`; empty if it does not reply.

        `typed` is the option's text so far, `others` are the options that are filled in already.

        Raises:
            NotPossibleError: as for `slash`, or if the option has no suggestions.
        """
        found = find_command(self.world, self.user, channel, command)
        data = command_data(channel, found, _with_users(others) | {focused: typed}, focused)
        return (await self._act(InteractionKind.AUTOCOMPLETE, channel, data)).choices

    # Components

    async def click(self, message: Message, button: str | Button) -> Reply:
        """Presses a button, by its custom_id or exact label.

        Raises:
            NotPossibleError: if the button is missing or disabled, or they don't see the message.
        """
        self._check_sees(message)
        key = button if isinstance(button, str) else button.custom_id
        found = message.button(key)
        if found is None:
            there = ", ".join(repr(other.label or other.custom_id) for other in message.buttons())
            raise NotPossibleError(f"there is no button {key!r}; there are: {there or 'none'}")
        if found.disabled:
            raise NotPossibleError(f"the button {key!r} is disabled")
        return await self.press_raw(message, found.custom_id)

    async def press_raw(
        self, message: Message, custom_id: str, *, kind: Kind = Kind.BUTTON, values: Sequence[str] = ()
    ) -> Reply:
        """Sends an old or forged press, without any checks; the message may be deleted.

        Args:
            values: what is picked in a menu.
        """
        parts = walk(message.components)
        ids = (part["id"] for part in parts if part.get("custom_id") == custom_id)
        data = {"component_type": int(kind), "custom_id": custom_id, "id": next(ids, 0)}
        if values:
            data["values"] = list(values)
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message=message)

    async def choose(self, message: Message, select: str | Select, *values: object) -> Reply:
        """Picks values or labels of a select menu, which is named by custom_id or placeholder.

        Raises:
            NotPossibleError: if the menu is missing or disabled, or does not take these values.
        """
        self._check_sees(message)
        key = select if isinstance(select, str) else select.custom_id
        found = message.select(key)
        if found is None:
            raise NotPossibleError(f"there is no select {key!r}")
        raw = next(part for part in walk(message.components) if part.get("custom_id") == found.custom_id)
        resolved = ResolvedData(message.channel)
        data = input_data(raw, values, resolved) | {"component_type": int(found.kind)}
        if resolved.data:
            data["resolved"] = resolved.data
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message=message)

    async def submit(self, modal: Modal, /, **values: object) -> Reply:
        """Submits a modal, with values as for `modal_data`: for a menu, one value or a list of them.

        Raises:
            NotPossibleError: for an unknown input, or a value that does not fit.
        """
        data = modal_data(modal, values)
        return await self._act(
            InteractionKind.MODAL, modal.channel, data, message=modal.message, trigger=modal
        )

    def _check_sees(self, message: Message) -> None:
        if message not in self.sees(message.channel):
            raise NotPossibleError(f"{self.name} does not see that message")

    # The bot's reply

    async def _act(
        self,
        kind: InteractionKind,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        trigger: Modal | None = None,
        command: str | None = None,
    ) -> Reply:
        if Permission.VIEW_CHANNEL not in channel.permissions_of(self.user):
            raise NotPossibleError(f"{self.name} is not in {channel.name}")
        opened_by = None if trigger is None else trigger.trigger
        interaction = self.world.open_interaction(
            kind, self.user, channel, data, message=message, trigger=opened_by, command=command
        )
        self._send(interaction)
        try:
            async with asyncio.timeout(self._limits.reply_seconds):
                await interaction.replied.wait()
        except TimeoutError:
            interaction.timed_out = True
            return Reply("failed", error=_FAILED[kind])
        if interaction.callback is CallbackKind.DEFERRED_MESSAGE:
            await self._wait_for_deferred(interaction)
        await asyncio.sleep(self.reaction_seconds)
        return read_reply(interaction)

    async def _wait_for_deferred(self, interaction: Interaction) -> None:
        def came() -> bool:
            return interaction.original is not None and not interaction.original.loading

        with contextlib.suppress(TimeoutError):
            await self.world.wait_for(came, timeout=_DEFERRED_SECONDS)


def _with_users(values: Mapping[str, object]) -> dict[str, object]:
    """The same values, with users in place of persons."""
    return {name: value.user if isinstance(value, Person) else value for name, value in values.items()}
