"""The page's custom NiceGUI elements: a rendered tree, the message list, the composer, the modal dialog."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from bot.practice.page.safe_html import Node

Act = Callable[[dict[str, Any], Any], Awaitable[None]]
"""Called with a node's action and the event's value, if it has one."""


class RenderedNode(ui.element, component="assets/rendered_node.js", esm={"discord-page": "assets"}):
    """A tree of elements that reports its actions."""

    def __init__(self, node: Node, act: Act) -> None:
        super().__init__()
        self._json = node.to_json()
        self._props["node"] = self._json

        async def on_act(event: GenericEventArguments) -> None:
            action, value = event.args
            await act(action, value)

        self.on("act", on_act)

    def render(self, node: Node) -> None:
        """Renders this tree instead; sends nothing if it is the same."""
        fresh = node.to_json()
        if fresh != self._json:
            self._json = fresh
            self._props["node"] = fresh
            self.update()


class Scroller(ui.element, component="assets/scroller.js"):
    """The list of messages. Stays at the newest until the user scrolls up."""

    def to_end(self) -> None:
        """Scrolls to the newest message."""
        self.run_method("toEnd")

    def highlight(self, message_id: str) -> None:
        """Scrolls to a message, if it is on the page, and highlights it for a moment."""
        self.run_method("highlight", message_id)


class Composer(ui.element, component="assets/composer.js"):
    """The line for messages and slash commands."""

    def __init__(
        self,
        *,
        send: Callable[[str], Awaitable[None]],
        run: Callable[[str, dict[str, Any]], Awaitable[None]],
        explain: Callable[[str], str],
        suggest: Callable[[str, str, str, dict[str, Any]], Awaitable[list[dict[str, Any]]]],
    ) -> None:
        super().__init__()

        async def on_suggest(event: GenericEventArguments) -> None:
            it = event.args
            choices = await suggest(it["command"], it["focused"], it["value"], it["others"])
            self.run_method("showSuggestions", it["serial"], choices)

        self.on("send", lambda event: send(event.args))
        self.on("run", lambda event: run(event.args["command"], event.args["options"]))
        self.on("unknown", lambda event: self.show_error(explain(event.args)))
        self.on("suggest", on_suggest)

    def set_options(
        self,
        *,
        commands: list[dict[str, Any]],
        members: list[dict[str, Any]],
        placeholder: str,
        writable: bool,
    ) -> None:
        """Sets what can be typed.

        Args:
            commands: each as `AvailableCommand.localized`.
            members: the values for a member option, as `{"name", "value"}`.
        """
        fresh = {
            "commands": commands,
            "members": members,
            "placeholder": placeholder,
            "writable": writable,
        }
        if any(self._props.get(name) != value for name, value in fresh.items()):
            self._props.update(fresh)
            self.update()

    def start_command(self, command: str) -> None:
        """Puts a command into the line, ready for its options."""
        self.run_method("startCommand", command)

    def show_error(self, reason: str) -> None:
        """Displays why the typed line was not sent."""
        self.run_method("showError", reason)


class ModalDialog(ui.element, component="assets/modal_dialog.js"):
    """The dialog of a modal."""

    def __init__(
        self, submit: Callable[[dict[str, list[str]]], Awaitable[None]], cancel: Callable[[], None]
    ) -> None:
        super().__init__()
        self._serial = 0
        self.on("submitted", lambda event: submit(event.args))
        self.on("cancelled", lambda: cancel())

    def open(self, heading: str, asker: str, fields: Node) -> None:
        """Opens the dialog with new fields."""
        self._serial += 1
        self._set(
            heading=heading, asker=asker, node=fields.to_json(), serial=self._serial, busy=False, error=""
        )

    def show_busy(self) -> None:
        """Displays that it waits for a reply."""
        self._set(busy=True, error="")

    def show_error(self, reason: str) -> None:
        """Displays an error and keeps the values."""
        self._set(busy=False, error=reason)

    def close(self) -> None:
        """Closes the dialog."""
        self._serial += 1
        self._set(node=None, serial=self._serial, busy=False, error="")

    def _set(self, **props: Any) -> None:
        self._props.update(props)
        self.update()
