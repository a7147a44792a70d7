"""What a person does from a tab: buttons, menus, commands and forms; and what the tab shows meanwhile."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.practice.commands import OptionKind
from bot.practice.messages import Message
from bot.practice.page.elements import Composer, Form
from bot.practice.page.forms import draw_form
from bot.practice.page.message_list import Talk
from bot.practice.page.reader import Reader, Waiting
from bot.practice.replies import Modal, NotPossibleError, Reply

IDLE = Waiting()


class Hands:
    """The hands of whoever sits before a tab. The dialog for forms is built in the NiceGUI element open now.

    Args:
        refresh: called with a message when what it waits for has changed.
    """

    def __init__(self, refresh: Callable[[Message], None]) -> None:
        self._refresh = refresh
        self._waits: dict[Message, Waiting] = {}
        self._modal: Modal | None = None
        self._form = Form(self._submit, self._leave)

    def enter(self, reader: Reader, talk: Talk) -> None:
        """Turns to another channel or person; a form that is open is left."""
        self._reader = reader
        self._talk = talk
        self._waits.clear()
        if self._modal is not None:
            self._leave()

    def waiting(self, message: Message) -> Waiting:
        """What the components of a message wait for."""
        return self._waits.get(message, IDLE)

    async def use(self, message: Message, action: dict[str, Any], value: Any) -> bool:
        """Does what was pressed in a message; False where that is nothing to be done to a message."""
        person = self._reader.person
        match action:
            case {"do": "press", "id": custom_id}:
                await self._interact(message, custom_id, lambda: person.click(message, custom_id))
            case {"do": "choose", "id": custom_id}:
                await self._interact(message, custom_id, lambda: person.choose(message, custom_id, *value))
            case {"do": "dismiss"}:
                await person.dismiss(message)
            case _:
                return False
        return True

    async def run(self, command: str, options: dict[str, Any], composer: Composer) -> None:
        """Sends a slash command; what can't be sent is said at the composer, what fails under the messages.

        Args:
            command: its full name.
            options: by name; a user or channel by the id, as a text.
            composer: where it was typed.
        """
        reader, talk = self._reader, self._talk
        try:
            reply = await reader.person.slash(reader.place, command, **self._meant(command, options))
        except NotPossibleError as refusal:
            composer.refuse(str(refusal))
            return
        if reader is not self._reader:
            return
        self._take(reply)
        if reply.error is not None:
            talk.add_note(command, reply.error)

    async def suggest(
        self, command: str, focused: str, value: str, others: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """What the bot suggests for an option, as `{"name", "value"}`; nothing where it does not answer."""
        reader = self._reader
        try:
            meant = self._meant(command, others)
            choices = await reader.person.suggest(
                reader.place, command, focused=focused, value=value, **meant
            )
        except NotPossibleError:
            return []
        return [{"name": choice.name, "value": choice.value} for choice in choices]

    def _meant(self, command: str, options: dict[str, Any]) -> dict[str, Any]:
        """The options with users and channels in place of their ids."""
        world, place = self._reader.person.world, self._reader.place
        known = (it for it in self._reader.person.commands(place) if it["name"] == command)
        kinds = {option["name"]: option["type"] for it in known for option in it["options"]}
        lists: dict[int, Mapping[int, object]] = {
            OptionKind.USER: world.users,
            OptionKind.CHANNEL: world.channels,
        }
        return {
            name: lists[kinds[name]][int(value)] if kinds.get(name) in lists else value
            for name, value in options.items()
        }

    async def _interact(self, message: Message, custom_id: str, send: Callable[[], Awaitable[Reply]]) -> None:
        before = self.waiting(message)
        if custom_id in before.busy:
            return
        reader = self._reader
        self._wait(message, Waiting(before.busy | {custom_id}))
        error = None
        try:
            reply = await send()
        except NotPossibleError as refusal:
            error = str(refusal)
        else:
            error = reply.error
            if reader is self._reader:
                self._take(reply)
        finally:
            if reader is self._reader:
                self._wait(message, Waiting(self.waiting(message).busy - {custom_id}, error))

    def _wait(self, message: Message, waiting: Waiting) -> None:
        self._waits[message] = waiting
        self._refresh(message)

    def _take(self, reply: Reply) -> None:
        if reply.modal is not None:
            self._modal = reply.modal
            bot = self._reader.person.world.bot.display_name
            self._form.show(reply.modal.title, bot, draw_form(reply.modal, self._reader))

    async def _submit(self, values: dict[str, list[str]]) -> None:
        modal = self._modal
        if modal is None:
            return
        many = {select.custom_id for select in modal.selects()}
        self._form.wait()
        try:
            reply = await self._reader.person.submit(
                modal, **{name: list(given) if name in many else given[0] for name, given in values.items()}
            )
        except NotPossibleError as refusal:
            self._form.fail(str(refusal))
            return
        if modal is not self._modal:
            return
        if reply.error is not None:
            self._form.fail("Something went wrong. Try again.")
            return
        self._leave()
        self._take(reply)

    def _leave(self) -> None:
        self._modal = None
        self._form.close()
