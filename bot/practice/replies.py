"""What comes back to a person who typed a command or pressed something, as that person sees it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from bot.practice import component_tree
from bot.practice.component_tree import Kind, Select
from bot.practice.messages import Message, Origin
from bot.practice.places import Channel

ReplyKind = Literal["message", "update", "deferred", "deferred_update", "modal", "suggestions", "failed"]


_PARAGRAPH = 2


class NotPossibleError(ValueError):
    """Discord's client would not let a person do that: no such button, a greyed one, a bad option."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion or a listed choice: what is shown, and what is sent."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class TextInput:
    """A line or a paragraph to fill in; `value` is what already stands in it."""

    custom_id: str
    label: str
    description: str | None
    value: str
    placeholder: str | None
    required: bool
    paragraph: bool
    min_length: int
    max_length: int


@dataclass(frozen=True, slots=True)
class Modal:
    """A form the bot has opened for one person, who may submit it or leave it.

    Attributes:
        title: the heading.
        custom_id: the bot's name for it.
        components: the raw tree.
        channel: where the person is.
        message: the message whose button opened it; None where a command did.
        trigger: the interaction that opened it.
    """

    title: str
    custom_id: str
    components: list[dict[str, Any]]
    channel: Channel
    message: Message | None
    trigger: Origin

    def inputs(self) -> list[TextInput]:
        """The text inputs, in order, with the words of the label that each stands under."""
        return [
            TextInput(
                custom_id=part["custom_id"],
                label=part.get("label") or top.get("label") or "",
                description=top.get("description"),
                value=part.get("value") or "",
                placeholder=part.get("placeholder"),
                required=part.get("required", True),
                paragraph=part["style"] == _PARAGRAPH,
                min_length=part.get("min_length", 0),
                max_length=part.get("max_length", 4000),
            )
            for top in self.components
            for part in component_tree.walk([top])
            if part["type"] == Kind.TEXT_INPUT
        ]

    def selects(self) -> list[Select]:
        """The select menus, in order."""
        return list(component_tree.selects(self.components))

    @property
    def text(self) -> str:
        """What the form says by itself: its text displays, a line apart."""
        return "\n".join(component_tree.texts(self.components))


@dataclass(slots=True)
class Reply:
    """What came of it.

    Attributes:
        kind: how the bot answered: "message" (a new one), "update" (of the message that was pressed),
            "deferred" (it thinks; the message comes later), "deferred_update" (it took note),
            "modal", "suggestions", or "failed" (no answer in time, or none that could be shown).
        message: the new message, or the one that was pressed. For "deferred" it is the answer that
            followed; None where none came in the time the person waits.
        modal: the form that opened.
        choices: the suggestions.
        error: the line Discord's client shows in red; None unless failed.
    """

    kind: ReplyKind
    message: Message | None = None
    modal: Modal | None = None
    choices: list[Choice] = field(default_factory=list)
    error: str | None = None
