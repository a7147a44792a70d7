"""Routes of channels and their messages, for a bot with its own token."""

from datetime import timedelta
from typing import Final

from bot.practice.errors import (
    CLOSED_DMS,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NO_SHARED_SERVER,
    NOT_A_TEXT_CHANNEL,
    NOT_THE_AUTHOR,
    THREAD_IS_ARCHIVED,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    DiscordError,
    Validator,
)
from bot.practice.limits import Limits, RateLimits
from bot.practice.messages import Message
from bot.practice.payloads import channel_json, message_json
from bot.practice.rest.request_handler import Call, JsonResponse, Route
from bot.practice.servers import Channel, ChannelKind, Permission
from bot.practice.validation.messages import MessageDraft
from bot.practice.world import World

LONGEST_NAME: Final = 100
"""The most characters of a thread's name."""


class ChannelRoutes:
    """Sends, edits and deletes messages."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._limits = limits
        self._old_edits = RateLimits()

    def routes(self) -> list[Route]:
        """The routes."""
        messages = "/channels/{channel_id}/messages"
        one = f"{messages}/{{message_id}}"
        return [
            Route("GET", "/channels/{channel_id}", self._channel),
            Route("POST", "/channels/{channel_id}/threads", self._make_thread),
            Route("GET", messages, self._messages),
            Route("POST", messages, self._send, bucket="messages"),
            Route("PATCH", one, self._edit, bucket="messages"),
            Route("DELETE", one, self._delete, bucket="messages"),
        ]

    async def _channel(self, call: Call) -> JsonResponse:
        return 200, channel_json(self._seen(call))

    async def _make_thread(self, call: Call) -> JsonResponse:
        """Makes a public thread that begins with no message."""
        channel, world = self._seen(call), self._world
        if channel.kind is not ChannelKind.TEXT or call.body.get("type") != ChannelKind.PUBLIC_THREAD:
            raise DiscordError(*NOT_A_TEXT_CHANNEL)
        if Permission.CREATE_PUBLIC_THREADS not in channel.permissions_of(world.bot):
            raise DiscordError(*MISSING_PERMISSIONS)
        name, checked = call.body.get("name"), Validator()
        checked.text(("name",), name, 1, LONGEST_NAME)
        checked.raise_errors()
        thread = Channel(
            *(world.new_id(), ChannelKind.PUBLIC_THREAD, str(name), channel.server, channel),
            creator=world.bot,
        )
        return 201, channel_json(world.insert_channel(thread))

    async def _messages(self, call: Call) -> JsonResponse:
        channel, most = self._seen(call), int(call.query.get("limit", 50))
        seen = [one for one in self._world.messages_in(channel) if not one.ephemeral]
        return 200, [message_json(one, self._world) for one in reversed(seen[-most:])]

    async def _send(self, call: Call) -> JsonResponse:
        channel, world = self._seen(call), self._world
        if channel.kind in (ChannelKind.CATEGORY, ChannelKind.FORUM):
            raise DiscordError(*NOT_A_TEXT_CHANNEL)
        if channel.archived and channel.locked:
            raise DiscordError(*THREAD_IS_ARCHIVED)
        if not channel.can_write(world.bot):
            raise DiscordError(*MISSING_PERMISSIONS)
        if call.uploads and Permission.ATTACH_FILES not in channel.permissions_of(world.bot):
            raise DiscordError(*MISSING_PERMISSIONS)
        if channel.recipient is not None:
            self._check_recipient(channel)
        draft = MessageDraft(world, channel, call.body, call.uploads)
        if draft.enforce_nonce and (twin := self._sent_before(channel, draft.nonce)) is not None:
            return 200, message_json(twin, world)
        message = Message(world.new_id(), channel, world.bot, world.now(), nonce=draft.nonce)
        draft.apply(message)
        if channel.archived:
            world.unarchive(channel)
        return 200, message_json(world.post(message), world)

    async def _edit(self, call: Call) -> JsonResponse:
        channel, world = self._seen(call), self._world
        message = self._message(call, channel)
        if message.author is not world.bot:
            raise DiscordError(*NOT_THE_AUTHOR)
        if channel.archived:
            raise DiscordError(*THREAD_IS_ARCHIVED)
        draft = MessageDraft(world, channel, call.body, call.uploads, old=message)
        self._check_age(message)
        return 200, message_json(world.edit(message, draft.apply), world)

    async def _delete(self, call: Call) -> JsonResponse:
        channel, world = self._seen(call), self._world
        message = self._message(call, channel)
        if message.author is not world.bot:
            raise DiscordError(*MISSING_PERMISSIONS)
        world.delete_message(message)
        return 204, None

    def _seen(self, call: Call) -> Channel:
        """The channel in the path, if the bot sees it."""
        channel = self._world.channels.get(call.snowflake("channel_id"))
        if channel is None:
            raise DiscordError(*UNKNOWN_CHANNEL)
        if Permission.VIEW_CHANNEL not in channel.permissions_of(self._world.bot):
            raise DiscordError(*MISSING_ACCESS)
        return channel

    def _message(self, call: Call, channel: Channel) -> Message:
        message = self._world.message_in(channel, call.snowflake("message_id"))
        # Only the interaction's token reaches an ephemeral message.
        if message is None or message.ephemeral:
            raise DiscordError(*UNKNOWN_MESSAGE)
        return message

    def _check_recipient(self, channel: Channel) -> None:
        recipient = channel.recipient
        assert recipient is not None, "only DMs have a recipient"
        if not recipient.dms_open:
            raise DiscordError(*CLOSED_DMS)
        shared = (
            s for s in self._world.servers.values() if s.member(recipient) and s.member(self._world.bot)
        )
        if next(shared, None) is None:
            raise DiscordError(*NO_SHARED_SERVER)

    def _sent_before(self, channel: Channel, nonce: str | int | None) -> Message | None:
        since = self._world.now() - timedelta(seconds=self._limits.nonce_seconds)
        for message in reversed(self._world.messages_in(channel)):
            if message.created < since:
                return None
            if nonce is not None and message.nonce == nonce and message.author is self._world.bot:
                return message
        return None

    def _check_age(self, message: Message) -> None:
        if (self._world.now() - message.created).total_seconds() < self._limits.old_message_seconds:
            return
        wait = self._old_edits.take(str(message.channel.id), self._limits.old_edits)
        if wait:
            raise OldMessageError(wait)


class OldMessageError(DiscordError):
    """30046: too many edits of messages older than an hour. Has a time to wait like any 429."""

    def __init__(self, retry_after: float) -> None:
        sentence = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        super().__init__(429, 30046, sentence)
        self.retry_after = retry_after

    def body(self) -> dict[str, object]:
        """The JSON body of the response."""
        return super().body() | {"retry_after": round(self.retry_after, 3), "global": False}
