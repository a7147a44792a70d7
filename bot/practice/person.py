"""What one human can do and see in Discord's client. Whatever he does reaches the bot over the wire alone."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from bot.practice.component_tree import Button, Kind, Select, walk
from bot.practice.composer import Filled, command_named, commands_for
from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.permissions import Permission
from bot.practice.places import Channel, User
from bot.practice.replies import Choice, Modal, NotPossibleError, Reply
from bot.practice.resolved import Resolved
from bot.practice.submission import filled_form, filled_in
from bot.practice.world import World

_FAILED = {
    InteractionKind.COMMAND: "The application did not respond",
    InteractionKind.AUTOCOMPLETE: "Loading options failed",
    InteractionKind.COMPONENT: "This interaction failed",
    InteractionKind.MODAL: "Something went wrong. Try again.",
}
"""What Discord's client says when no answer comes."""

_LINK = 5


class Person:
    """One human user.

    Attributes:
        world: where he lives.
        user: his account.
        patience: how long he waits for what a deferred answer promises, in seconds.
        reaction: how long he takes to look at an answer, in seconds. No hand is quicker than the wire: a bot
            that has just opened a form must hear from Discord that it did before the form comes back.
    """

    def __init__(self, world: World, user: User, limits: Limits, send: Callable[[Interaction], None]) -> None:
        """Makes him able to act.

        Args:
            world: where he lives.
            user: his account.
            limits: how long Discord's client waits for an answer.
            send: what hands an interaction to the bot.
        """
        self.world = world
        self.user = user
        self.patience = 10.0
        self.reaction = 0.005
        self._limits = limits
        self._send = send

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    @property
    def id(self) -> int:
        """His account's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name others read."""
        return self.user.display_name

    @property
    def dms_open(self) -> bool:
        """Whether the bot may write to him."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value

    @property
    def locale(self) -> str:
        """The language of his client, as Discord names it: `en-US`, `de`."""
        return self.user.locale

    @locale.setter
    def locale(self, value: str) -> None:
        self.user.locale = value

    # What he sees

    def dm(self) -> Channel:
        """His DM channel with the bot."""
        return self.world.dm_with(self.user)

    def channels(self) -> list[Channel]:
        """The channels and threads he sees, in the order they were made; his DM with the bot among them."""
        every = self.world.channels.values()
        return [channel for channel in every if Permission.VIEW_CHANNEL in channel.permissions_of(self.user)]

    def sees(self, channel: Channel) -> list[Message]:
        """What he sees there, oldest first; of the ephemeral messages only his own."""
        return self.world.seen_by(self.user, channel)

    async def dismiss(self, message: Message) -> None:
        """Puts away a message that only he sees."""
        self.world.dismiss(message, self.user)

    async def say(self, channel: Channel, content: str) -> Message:
        """Writes a message of his own.

        Raises:
            NotPossibleError: where he may not write there.
        """
        if not channel.can_write(self.user):
            raise NotPossibleError(f"{self.name} may not write in {channel.name}")
        world = self.world
        return world.post(Message(world.new_id(), channel, self.user, world.now(), content))

    # Commands

    def commands(self, channel: Channel) -> list[dict[str, Any]]:
        """The commands his client offers him there.

        Returns:
            For each, by name: `name` (the full one: `table open`), `description`, and the raw `options`.
        """
        return [
            {"name": typed.name, "description": typed.leaf["description"], "options": typed.options}
            for typed in commands_for(self.world, self.user, channel)
        ]

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Reply:
        """Types a command.

        Args:
            channel: where: a channel or thread of a server, or his DM with the bot.
            command: its full name, such as `table open`.
            options: by name; a listed choice by its value or its name, a user as a person.

        Raises:
            NotPossibleError: a ValueError that says why the client would not send it.
        """
        typed = command_named(self.world, self.user, channel, command)
        data = Filled(channel, typed, _with_accounts(options)).data
        return await self._act(InteractionKind.COMMAND, channel, data, command=command)

    async def suggest(
        self, channel: Channel, command: str, /, *, focused: str, value: str = "", **others: object
    ) -> list[Choice]:
        """What the bot suggests while `value` stands in the option `focused`; nothing if it is silent.

        Raises:
            NotPossibleError: as for `slash`, and where the option has no suggestions.
        """
        typed = command_named(self.world, self.user, channel, command)
        data = Filled(channel, typed, _with_accounts(others) | {focused: value}, focused).data
        return (await self._act(InteractionKind.AUTOCOMPLETE, channel, data)).choices

    # Components

    async def click(self, message: Message, button: str | Button) -> Reply:
        """Presses a button, by its custom_id or its exact label.

        Raises:
            NotPossibleError: it is not there, or greyed, or he does not see the message.
        """
        self._check_sees(message)
        key = button if isinstance(button, str) else button.custom_id or button.label
        found = message.button(key)
        if found is None:
            there = ", ".join(repr(other.label or other.custom_id) for other in message.buttons())
            raise NotPossibleError(f"there is no button {key!r}; there are: {there or 'none'}")
        if found.disabled:
            raise NotPossibleError(f"the button {key!r} is greyed")
        if found.custom_id is None or found.style == _LINK:
            raise NotPossibleError(f"the button {key!r} leads elsewhere, and not to the bot")
        return await self.press_raw(message, found.custom_id)

    async def press_raw(self, message: Message, custom_id: str, *, kind: Kind = Kind.BUTTON) -> Reply:
        """An old or forged click, checked by nobody.

        Args:
            message: the message it claims to come from, which may be deleted.
            custom_id: what it claims to have pressed.
            kind: what that claims to be.
        """
        parts = walk(message.components)
        ids = (part["id"] for part in parts if part.get("custom_id") == custom_id)
        data = {"component_type": int(kind), "custom_id": custom_id, "id": next(ids, 0)}
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message=message)

    async def choose(self, message: Message, select: str | Select, *values: object) -> Reply:
        """Picks values of a select.

        Args:
            message: the message that has it.
            select: its custom_id or its placeholder.
            values: the values or labels of its options; for a select of persons, roles or channels these, or
                their ids as texts. None takes back what was picked.

        Raises:
            NotPossibleError: it is not there, or greyed, or does not take these.
        """
        self._check_sees(message)
        key = select if isinstance(select, str) else select.custom_id
        found = message.select(key)
        if found is None:
            raise NotPossibleError(f"there is no select {key!r}")
        raw = next(part for part in walk(message.components) if part.get("custom_id") == found.custom_id)
        resolved = Resolved(message.channel)
        data = filled_in(raw, [_account(value) for value in values], resolved) | {
            "component_type": int(found.kind)
        }
        if resolved.data:
            data["resolved"] = resolved.data
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message=message)

    async def submit(self, modal: Modal, /, **values: object) -> Reply:
        """Submits a form; what is not named keeps what already stands there.

        Args:
            modal: the form.
            values: by the custom_id of the input or by its label; of a select one value or a list, as for
                `choose`.

        Raises:
            NotPossibleError: an input that there is not, or a value that it does not take.
        """
        data = filled_form(modal, _with_accounts(values))
        return await self._act(
            InteractionKind.MODAL, modal.channel, data, message=modal.message, trigger=modal
        )

    def _check_sees(self, message: Message) -> None:
        if message not in self.sees(message.channel):
            raise NotPossibleError(f"{self.name} does not see that message")

    # What comes of it

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
            async with asyncio.timeout(self._limits.first_answer):
                await interaction.answered.wait()
        except TimeoutError:
            interaction.given_up = True
            return Reply("failed", error=_FAILED[kind])
        reply = await self._reply(interaction)
        await asyncio.sleep(self.reaction)
        return reply

    async def _reply(self, interaction: Interaction) -> Reply:
        answer = interaction.callback_data
        match interaction.callback:
            case CallbackKind.SUGGESTIONS:
                choices = [Choice(choice["name"], choice["value"]) for choice in answer["choices"]]
                return Reply("suggestions", choices=choices)
            case CallbackKind.MODAL:
                modal = Modal(
                    answer["title"],
                    answer["custom_id"],
                    answer["components"],
                    interaction.channel,
                    interaction.message,
                    interaction.origin(),
                )
                return Reply("modal", modal=modal)
            case CallbackKind.DEFERRED_MESSAGE:
                return Reply("deferred", await self._promised(interaction))
            case CallbackKind.UPDATE:
                return Reply("update", interaction.original)
            case CallbackKind.DEFERRED_UPDATE:
                return Reply("deferred_update", interaction.original)
            case _:
                return Reply("message", interaction.original)

    async def _promised(self, interaction: Interaction) -> Message | None:
        """The message that a deferred answer promised; None where it did not come in the time he waits."""

        def came() -> Message | None:
            original = interaction.original
            return original if original is not None and not original.loading else None

        try:
            return await self.world.wait_for(came, timeout=self.patience)
        except TimeoutError:
            return None


def _with_accounts(values: Mapping[str, object]) -> dict[str, object]:
    """The same values, with the user in place of each person, also inside lists."""
    return {
        name: [_account(each) for each in value] if isinstance(value, list | tuple) else _account(value)
        for name, value in values.items()
    }


def _account(value: object) -> object:
    return value.user if isinstance(value, Person) else value
