"""What a person does in a tab: buttons, menus, commands and modals, and what the tab shows meanwhile."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

from bot.practice.messages import Message
from bot.practice.page.components import render_modal
from bot.practice.page.message_list import MessageList
from bot.practice.page.nicegui_elements import Composer, ModalDialog
from bot.practice.page.sidebar import sentence
from bot.practice.page.viewer import ComponentState, Viewer
from bot.practice.replies import Modal, NotPossibleError, Reply
from bot.practice.validation.commands import OptionKind

IDLE = ComponentState()

_CHANGED: Final = "This has changed in the meantime. Press what is here now."
_ON_ITS_WAY: Final = timedelta(seconds=2)
"""How long after an edit a press may be aimed at what the message showed before."""


class TabActions:
    """Carries out a person's actions. Builds the modal dialog in the current NiceGUI element.

    `refresh` is called with a message when the state of its components changes.
    """

    def __init__(self, refresh: Callable[[Message], None]) -> None:
        self._refresh = refresh
        self._states: dict[Message, ComponentState] = {}
        self._modal: Modal | None = None
        self._dialog = ModalDialog(self._submit, self._close_modal)

    def switch_to(self, viewer: Viewer, message_list: MessageList) -> None:
        """Switches to another channel or person; closes an open modal."""
        self._viewer = viewer
        self._message_list = message_list
        self._states.clear()
        if self._modal is not None:
            self._close_modal()

    def state_of(self, message: Message) -> ComponentState:
        """The state of a message's components."""
        return self._states.get(message, IDLE)

    async def act_on_message(self, message: Message, action: dict[str, Any], value: Any) -> bool:
        """Carries out an action on a message; returns False if it is not about the message."""
        person = self._viewer.person
        match action:
            case {"do": "press", "id": custom_id}:
                await self._interact(message, custom_id, lambda: self._press(message, custom_id))
            case {"do": "choose", "id": custom_id}:
                await self._interact(message, custom_id, lambda: person.choose(message, custom_id, *value))
            case {"do": "dismiss"}:
                await person.dismiss(message)
            case _:
                return False
        return True

    async def run(self, command: str, options: dict[str, Any], composer: Composer) -> None:
        """Sends a slash command, in whose options users are ids.

        The composer shows what can't be sent, the message list what failed.
        """
        viewer, message_list = self._viewer, self._message_list
        try:
            reply = await viewer.person.slash(
                viewer.channel, command, **self._resolve_options(command, options)
            )
        except NotPossibleError as refusal:
            composer.show_error(sentence(str(refusal)))
            return
        if viewer is not self._viewer:
            return
        self._open_modal(reply)
        if reply.error is not None:
            message_list.add_failed_command(command, reply.error)

    async def suggest(
        self, command: str, focused: str, value: str, others: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """The bot's suggestions for an option, as `{"name", "value"}`; empty if it does not reply."""
        viewer = self._viewer
        try:
            resolved = self._resolve_options(command, others)
            choices = await viewer.person.suggest(viewer.channel, command, focused, value, **resolved)
        except NotPossibleError:
            return []
        return [{"name": choice.name, "value": choice.value} for choice in choices]

    def _resolve_options(self, command: str, options: dict[str, Any]) -> dict[str, Any]:
        """The options with users instead of their ids."""
        person = self._viewer.person
        known = (it for it in person.commands(self._viewer.channel) if it["name"] == command)
        kinds = {option["name"]: option["type"] for it in known for option in it["options"]}
        return {
            name: person.world.users[int(value)] if kinds.get(name) == OptionKind.USER else value
            for name, value in options.items()
        }

    async def _press(self, message: Message, custom_id: str) -> Reply:
        """Presses a button; of one that has gone at this very moment, the bot says what became of it."""
        person = self._viewer.person
        try:
            return await person.click(message, custom_id)
        except NotPossibleError:
            edited, shown = message.edited, not (message.deleted or message.dismissed)
            if shown and edited is not None and person.world.now() - edited < _ON_ITS_WAY:
                return await person.press_raw(message, custom_id)
            raise

    async def _interact(self, message: Message, custom_id: str, send: Callable[[], Awaitable[Reply]]) -> None:
        before = self.state_of(message)
        if custom_id in before.busy:
            return
        viewer = self._viewer
        self._set_state(message, ComponentState(before.busy | {custom_id}))
        error = note = None
        try:
            reply = await send()
        except NotPossibleError:
            # Nothing has failed: somebody was quicker, or the table has closed.
            note = _CHANGED
        else:
            error = reply.error
            if viewer is self._viewer:
                self._open_modal(reply)
        finally:
            if viewer is self._viewer:
                busy = self.state_of(message).busy - {custom_id}
                self._set_state(message, ComponentState(busy, error, note))

    def _set_state(self, message: Message, state: ComponentState) -> None:
        self._states[message] = state
        self._refresh(message)

    def _open_modal(self, reply: Reply) -> None:
        if reply.modal is not None:
            self._modal = reply.modal
            bot = self._viewer.person.world.bot.display_name
            self._dialog.open(reply.modal.title, bot, render_modal(reply.modal, self._viewer))

    async def _submit(self, values: dict[str, list[str]]) -> None:
        modal = self._modal
        if modal is None:
            return
        many = {select.custom_id for select in modal.selects()}
        self._dialog.show_busy()
        try:
            reply = await self._viewer.person.submit(
                modal, **{name: list(given) if name in many else given[0] for name, given in values.items()}
            )
        except NotPossibleError as refusal:
            self._dialog.show_error(sentence(str(refusal)))
            return
        if modal is not self._modal:
            return
        if reply.error is not None:
            self._dialog.show_error("Something went wrong. Try again.")
            return
        self._close_modal()
        self._open_modal(reply)

    def _close_modal(self) -> None:
        self._modal = None
        self._dialog.close()
