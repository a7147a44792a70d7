"""The bot's reply to a user who typed a command, pressed a button or submitted a modal."""

from dataclasses import dataclass, field
from typing import Any, Literal

from bot.practice import component_tree
from bot.practice.component_tree import Select
from bot.practice.interactions import CallbackKind, Interaction
from bot.practice.messages import InteractionMetadata, Message
from bot.practice.servers import Channel

ReplyKind = Literal["message", "update", "deferred", "deferred_update", "modal", "suggestions", "failed"]


class NotPossibleError(ValueError):
    """Discord's client would not let the user do that: no such button, a disabled one, a bad option."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion or a listed choice: the name that is displayed and the value that is sent."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal that the bot opened for one user: by the button of a message, or by a command."""

    title: str
    custom_id: str
    components: list[dict[str, Any]]
    channel: Channel
    message: Message | None
    trigger: InteractionMetadata

    def selects(self) -> list[Select]:
        """The select menus, in order."""
        return list(component_tree.selects(self.components))


@dataclass(slots=True)
class Reply:
    """The bot's reply.

    Attributes:
        kind: "message" (a new one), "update" (of the message whose component was used), "deferred" (the
            message comes later), "deferred_update" (acknowledged, nothing changes), "modal", "suggestions",
            or "failed" (no reply in time, or none that could be displayed).
        message: the new message, or the message whose component was used. For "deferred", the message that
            followed; None if none came in time.
        modal: the modal that opened.
        choices: the suggestions.
        error: the red line in Discord's client; None unless failed.
    """

    kind: ReplyKind
    message: Message | None = None
    modal: Modal | None = None
    choices: list[Choice] = field(default_factory=list)
    error: str | None = None


def read_reply(interaction: Interaction) -> Reply:
    """The bot's first reply to an interaction, or what followed a deferred one."""
    data, original = interaction.callback_data, interaction.original
    match interaction.callback:
        case CallbackKind.SUGGESTIONS:
            choices = [Choice(choice["name"], choice["value"]) for choice in data["choices"]]
            return Reply("suggestions", choices=choices)
        case CallbackKind.MODAL:
            modal = Modal(
                data["title"],
                data["custom_id"],
                data["components"],
                interaction.channel,
                interaction.message,
                interaction.metadata(),
            )
            return Reply("modal", modal=modal)
        case CallbackKind.DEFERRED_MESSAGE:
            return Reply("deferred", None if original is None or original.loading else original)
        case CallbackKind.UPDATE:
            return Reply("update", original)
        case CallbackKind.DEFERRED_UPDATE:
            return Reply("deferred_update", original)
        case _:
            return Reply("message", original)
