"""Routes for a bot's reply to an interaction, and for what its token reaches afterwards."""

from typing import Any, Final

from bot.practice.errors import (
    ALREADY_ACKNOWLEDGED,
    DEAD_TOKEN,
    UNKNOWN_CHANNEL,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    DiscordError,
    Validator,
)
from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.limits import Limits
from bot.practice.messages import Flag, Message
from bot.practice.payloads import message_json
from bot.practice.rest.request_handler import Call, JsonResponse, Route
from bot.practice.validation.commands import MOST_CHOICES, OptionKind, check_choices
from bot.practice.validation.components import check_modal
from bot.practice.validation.messages import MessageDraft
from bot.practice.world import World

_NEEDS_MESSAGE: Final = (CallbackKind.DEFERRED_UPDATE, CallbackKind.UPDATE)


class InteractionRoutes:
    """Carries out what a bot does with an interaction's token."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._limits = limits

    def routes(self) -> list[Route]:
        """The routes."""
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        one = f"{hook}/messages/{{message_id}}"
        callback = "/interactions/{interaction_id}/{interaction_token}/callback"
        return [
            Route("POST", callback, self._callback, by_token=True),
            Route("POST", hook, self._follow_up, by_token=True, bucket="webhook"),
            Route("GET", one, self._get, by_token=True, bucket="webhook"),
            Route("PATCH", one, self._edit, by_token=True, bucket="webhook"),
            Route("DELETE", one, self._delete, by_token=True, bucket="webhook"),
        ]

    async def _callback(self, call: Call) -> JsonResponse:
        interaction = self._world.interactions.get(call.snowflake("interaction_id"))
        if interaction is None or interaction.token != call.params["interaction_token"]:
            raise DiscordError(*UNKNOWN_INTERACTION)
        if interaction.callback is not None:
            raise DiscordError(*ALREADY_ACKNOWLEDGED)
        if interaction.timed_out or self._age(interaction) > self._limits.reply_seconds:
            raise DiscordError(*UNKNOWN_INTERACTION)
        if interaction.channel.id not in self._world.channels:
            raise DiscordError(*UNKNOWN_CHANNEL)
        validator = Validator()
        if not validator.one_of(("type",), call.body.get("type"), _allowed_callbacks(interaction)):
            validator.raise_errors()
        kind = CallbackKind(call.body["type"])
        self._first_reply(interaction, kind, call)
        interaction.callback = kind
        # Set after the response, or a modal could come back before the bot knows that it opened.
        call.after_response.append(interaction.replied.set)
        if call.query.get("with_response") not in ("1", "true"):
            return 204, None
        return 200, self._callback_json(interaction)

    def _first_reply(self, interaction: Interaction, kind: CallbackKind, call: Call) -> None:
        data: dict[str, Any] = call.body.get("data") or {}
        match kind:
            case CallbackKind.MESSAGE:
                interaction.original = self._send(interaction, self._draft(interaction, call, data))
            case CallbackKind.DEFERRED_MESSAGE:
                asked = Flag(int(data.get("flags") or 0)) & Flag.EPHEMERAL
                interaction.original = self._post(interaction, asked | Flag.LOADING)
            case CallbackKind.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case CallbackKind.UPDATE:
                message = self._still_there(interaction.message)
                draft = self._draft(interaction, call, data, old=message)
                interaction.original = self._world.edit(message, draft.apply)
            case CallbackKind.SUGGESTIONS:
                interaction.callback_data = {"choices": _checked_choices(interaction, data)}
            case CallbackKind.MODAL:
                validator = Validator()
                modal = check_modal(validator, ("data",), data)
                validator.raise_errors()
                interaction.callback_data = modal

    async def _follow_up(self, call: Call) -> JsonResponse:
        interaction = self._alive(call)
        draft = self._draft(interaction, call, call.body, path=())
        original = interaction.original
        if (
            interaction.callback is CallbackKind.DEFERRED_MESSAGE
            and original is not None
            and original.loading
        ):
            # The first follow-up replaces a deferred reply and keeps its visibility.
            return 200, message_json(self._fill(self._still_there(original), draft), self._world)
        message = self._send(interaction, draft)
        interaction.followups.append(message)
        self._world.wake_waiters()
        return 200, message_json(message, self._world)

    async def _get(self, call: Call) -> JsonResponse:
        return 200, message_json(self._reached(self._alive(call), call), self._world)

    async def _edit(self, call: Call) -> JsonResponse:
        interaction = self._alive(call)
        message = self._reached(interaction, call)
        draft = self._draft(interaction, call, call.body, old=message, path=())
        if message.loading:
            return 200, message_json(self._fill(message, draft), self._world)
        return 200, message_json(self._world.edit(message, draft.apply), self._world)

    async def _delete(self, call: Call) -> JsonResponse:
        self._world.delete_message(self._reached(self._alive(call), call))
        return 204, None

    def _alive(self, call: Call) -> Interaction:
        """The interaction of the token in the path, if it has a reply and has not expired."""
        interaction = self._world.interaction_by_token(call.params["webhook_token"])
        if interaction is None or self._age(interaction) > self._limits.token_seconds:
            raise DiscordError(*DEAD_TOKEN)
        answered = interaction.callback not in (None, CallbackKind.SUGGESTIONS)
        if call.snowflake("webhook_id") != self._world.application_id or not answered:
            raise DiscordError(*UNKNOWN_WEBHOOK)
        if interaction.channel.id not in self._world.channels:
            raise DiscordError(*UNKNOWN_CHANNEL)
        return interaction

    def _reached(self, interaction: Interaction, call: Call) -> Message:
        """The message in the path, if the interaction's token reaches it."""
        if call.params["message_id"] == "@original":
            return self._still_there(interaction.original)
        message = self._world.message_in(interaction.channel, call.snowflake("message_id"))
        if message is None or not interaction.owns(message):
            raise DiscordError(*UNKNOWN_MESSAGE)
        return message

    def _still_there(self, message: Message | None) -> Message:
        if message is None or message.deleted:
            raise DiscordError(*UNKNOWN_MESSAGE)
        return message

    def _draft(
        self,
        interaction: Interaction,
        call: Call,
        body: dict[str, Any],
        *,
        old: Message | None = None,
        path: tuple[str, ...] = ("data",),
    ) -> MessageDraft:
        return MessageDraft(
            self._world, interaction.channel, body, call.uploads, old=old, may_be_private=True, path=path
        )

    def _send(self, interaction: Interaction, draft: MessageDraft) -> Message:
        message = self._new(interaction, draft.flags)
        draft.apply(message)
        return self._world.post(message)

    def _post(self, interaction: Interaction, flags: Flag) -> Message:
        return self._world.post(self._new(interaction, flags))

    def _new(self, interaction: Interaction, flags: Flag) -> Message:
        world = self._world
        return Message(
            world.new_id(),
            interaction.channel,
            world.bot,
            world.now(),
            flags=flags,
            ephemeral_for=interaction.user if Flag.EPHEMERAL in flags else None,
            interaction=interaction.metadata(),
        )

    def _fill(self, message: Message, draft: MessageDraft) -> Message:
        def fill(message: Message) -> None:
            visibility = message.flags & Flag.EPHEMERAL
            draft.apply(message)
            message.flags = draft.flags & ~(Flag.EPHEMERAL | Flag.LOADING) | visibility

        return self._world.edit(message, fill, silently=True)

    def _age(self, interaction: Interaction) -> float:
        return (self._world.now() - interaction.created).total_seconds()

    def _callback_json(self, interaction: Interaction) -> dict[str, Any]:
        original = interaction.original
        described: dict[str, Any] = {"id": str(interaction.id), "type": int(interaction.kind)}
        answer: dict[str, Any] = {"interaction": described}
        assert interaction.callback is not None, "it has just been replied to"
        if original is not None:
            described |= {
                "response_message_id": str(original.id),
                "response_message_loading": original.loading,
                "response_message_ephemeral": original.ephemeral,
            }
        if original is not None and interaction.callback in (CallbackKind.MESSAGE, CallbackKind.UPDATE):
            message = message_json(original, self._world)
            answer["resource"] = {"type": int(interaction.callback), "message": message}
        return answer


def _allowed_callbacks(interaction: Interaction) -> tuple[CallbackKind, ...]:
    """How the bot may reply first to this kind of interaction."""
    if interaction.kind is InteractionKind.AUTOCOMPLETE:
        return (CallbackKind.SUGGESTIONS,)
    allowed = [CallbackKind.MESSAGE, CallbackKind.DEFERRED_MESSAGE]
    if interaction.message is not None:
        allowed += _NEEDS_MESSAGE
    if interaction.kind is not InteractionKind.MODAL:
        allowed.append(CallbackKind.MODAL)
    return tuple(allowed)


def _checked_choices(interaction: Interaction, data: dict[str, Any]) -> list[dict[str, Any]]:
    validator = Validator()
    path = ("data", "choices")
    choices = validator.items(path, data.get("choices"), 0, MOST_CHOICES)
    check_choices(validator, path, choices, _focused_kind(interaction.data))
    validator.raise_errors()
    return choices


def _focused_kind(data: dict[str, Any]) -> OptionKind:
    """The kind of the option that is being typed."""
    for option in data.get("options") or ():
        if option.get("focused"):
            return OptionKind(option["type"])
        if option.get("options"):
            return _focused_kind(option)
    raise ValueError("an autocomplete interaction has no focused option")
