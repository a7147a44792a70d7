"""The page's own NiceGUI elements: a drawn tree, the list of messages, the composer, the form of a modal."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from bot.practice.page.nodes import Node

Act = Callable[[dict[str, Any], Any], Awaitable[None]]
"""Called with the action of a node and the value of its event, if there is one."""


class Drawn(ui.element, component="assets/drawn.js", esm={"discord-page": "assets"}):
    """A tree that tells what is pressed in it."""

    def __init__(self, node: Node, act: Act) -> None:
        super().__init__()
        self._json = node.to_json()
        self._props["node"] = self._json

        async def told(event: GenericEventArguments) -> None:
            action, value = event.args
            await act(action, value)

        self.on("act", told)

    def draw(self, node: Node) -> None:
        """Draws this tree instead; one that looks the same is not sent again."""
        fresh = node.to_json()
        if fresh != self._json:
            self._json = fresh
            self._props["node"] = fresh
            self.update()


class Scroller(ui.element, component="assets/scroller.js"):
    """The list of messages, at the newest until the reader scrolls up."""

    def to_end(self) -> None:
        """Shows the newest message."""
        self.run_method("toEnd")

    def reveal(self, message_id: str) -> None:
        """Brings a message into view and points it out for a moment."""
        self.run_method("reveal", message_id)


class Composer(ui.element, component="assets/composer.js"):
    """The line where messages and slash commands are typed."""

    def __init__(
        self,
        *,
        say: Callable[[str], Awaitable[None]],
        run: Callable[[str, dict[str, Any]], Awaitable[None]],
        suggest: Callable[[str, str, str, dict[str, Any]], Awaitable[list[dict[str, Any]]]],
    ) -> None:
        super().__init__()

        async def asked(event: GenericEventArguments) -> None:
            it = event.args
            choices = await suggest(it["command"], it["focused"], it["value"], it["others"])
            self.run_method("suggested", it["serial"], choices)

        self.on("say", lambda event: say(event.args))
        self.on("run", lambda event: run(event.args["command"], event.args["options"]))
        self.on("suggest", asked)

    def offer(
        self,
        *,
        commands: list[dict[str, Any]],
        people: list[dict[str, Any]],
        places: list[dict[str, Any]],
        placeholder: str,
        writable: bool,
    ) -> None:
        """Sets what can be typed.

        Args:
            commands: `{"name", "description", "options"}` of each, options as Discord has them.
            people: who an option of a member may name, as `{"name", "value"}`.
            places: the same for channels.
            placeholder: what stands in the empty line.
            writable: whether anything may be written here at all.
        """
        fresh = {
            "commands": commands,
            "people": people,
            "places": places,
            "placeholder": placeholder,
            "writable": writable,
        }
        if any(self._props.get(name) != value for name, value in fresh.items()):
            self._props.update(fresh)
            self.update()

    def begin(self, command: str) -> None:
        """Puts a command into the line, its options still to be filled in."""
        self.run_method("begin", command)

    def refuse(self, reason: str) -> None:
        """Says why what was typed could not be sent."""
        self.run_method("refused", reason)


class Form(ui.element, component="assets/form.js"):
    """The dialog in which a modal is filled in."""

    def __init__(
        self, submit: Callable[[dict[str, list[str]]], Awaitable[None]], leave: Callable[[], None]
    ) -> None:
        super().__init__()
        self._serial = 0
        self.on("submitted", lambda event: submit(event.args))
        self.on("left", lambda: leave())

    def show(self, heading: str, asker: str, fields: Node) -> None:
        """Opens the dialog with a fresh form."""
        self._serial += 1
        self._set(
            heading=heading, asker=asker, node=fields.to_json(), serial=self._serial, busy=False, error=""
        )

    def wait(self) -> None:
        """Shows that an answer is waited for."""
        self._set(busy=True, error="")

    def fail(self, reason: str) -> None:
        """Says that it did not work; what was filled in stays."""
        self._set(busy=False, error=reason)

    def close(self) -> None:
        """Closes the dialog."""
        self._serial += 1
        self._set(node=None, serial=self._serial, busy=False, error="")

    def _set(self, **props: Any) -> None:
        self._props.update(props)
        self.update()
