"""The JSON in which Discord describes messages and interactions."""

import re
from typing import Any

from bot.practice.interactions import Interaction, InteractionKind
from bot.practice.messages import Attachment, InteractionMetadata, Message
from bot.practice.payloads import channel_json, member_json, user_json
from bot.practice.servers import Channel
from bot.practice.world import World

Json = dict[str, Any]

_USER_MENTION = re.compile(r"<@!?(\d+)>")


def attachment_json(file: Attachment, *, ephemeral: bool) -> Json:
    """A message's attachment."""
    described: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": file.size,
        "url": file.url,
        "proxy_url": file.url,
        "content_type": file.content_type,
    }
    for key in ("description", "width", "height"):
        if (value := getattr(file, key)) is not None:
            described[key] = value
    return described | {"ephemeral": True} if ephemeral else described


def message_json(message: Message, world: World) -> Json:
    """A message."""
    mentioned = dict.fromkeys(map(int, _USER_MENTION.findall(message.text)))
    described: Json = {
        "id": str(message.id),
        "type": message_type(message),
        "channel_id": str(message.channel.id),
        "author": user_json(message.author),
        "content": message.content,
        "embeds": message.embeds,
        "attachments": [attachment_json(file, ephemeral=message.ephemeral) for file in message.attachments],
        "components": message.components,
        "mentions": [user_json(world.users[user_id]) for user_id in mentioned if user_id in world.users],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "flags": int(message.flags),
        "timestamp": message.created.isoformat(),
        "edited_timestamp": None if message.edited is None else message.edited.isoformat(),
    }
    if message.nonce is not None:
        described["nonce"] = message.nonce
    if message.author is world.bot:
        described["application_id"] = str(world.application_id)
    if message.interaction is not None:
        described["webhook_id"] = str(world.application_id)
        described["interaction_metadata"] = metadata_json(message.interaction, message.channel)
        if message.interaction.command is not None:
            described["interaction"] = {
                "id": str(message.interaction.interaction_id),
                "type": int(InteractionKind.COMMAND),
                "name": message.interaction.command,
                "user": user_json(message.interaction.user),
            }
    if message.reply_to is not None:
        described["message_reference"] = {
            "type": 0,
            "message_id": str(message.reply_to.id),
            "channel_id": str(message.reply_to.channel.id),
        }
        gone = message.reply_to.deleted
        described["referenced_message"] = None if gone else message_json(message.reply_to, world)
    return described


def message_type(message: Message) -> int:
    """Discord's message type: 20 replies to a slash command, 19 is a reply, 0 is any other."""
    if message.interaction is not None and message.interaction.command is not None:
        return 20
    return 19 if message.reply_to is not None else 0


def message_event_json(message: Message, world: World) -> Json:
    """A message as the gateway announces it; ephemeral ones come without server and member."""
    described = message_json(message, world)
    server = message.channel.server
    if server is None or message.ephemeral:
        return described
    described["guild_id"] = str(server.id)
    member = server.member(message.author)
    if member is not None and message.interaction is None:
        described["member"] = member_json(member, with_user=False)
    return described


def metadata_json(origin: InteractionMetadata, channel: Channel) -> Json:
    """What a message shows about the interaction it replies to."""
    described: Json = {
        "id": str(origin.interaction_id),
        "type": int(origin.kind),
        "user": user_json(origin.user),
        "authorizing_integration_owners": _owners(channel),
    }
    if origin.original_response_id is not None:
        described["original_response_message_id"] = str(origin.original_response_id)
    if origin.kind == InteractionKind.COMPONENT:
        described["interacted_message_id"] = str(origin.interacted_message_id)
    if origin.kind == InteractionKind.MODAL and origin.trigger is not None:
        described["triggering_interaction_metadata"] = metadata_json(origin.trigger, channel)
    return described


def interaction_json(interaction: Interaction, world: World, attachment_bytes: int) -> Json:
    """An interaction as the gateway sends it to the bot.

    Args:
        interaction: what a user did.
        world: the state of the stand-in.
        attachment_bytes: the largest file the bot may reply with.
    """
    channel, user = interaction.channel, interaction.user
    described: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": channel_json(channel) | {"permissions": str(int(channel.permissions_of(user)))},
        "app_permissions": str(int(channel.permissions_of(world.bot))),
        "locale": user.locale,
        "entitlements": [],
        "authorizing_integration_owners": _owners(channel),
        "context": channel.context,
        "attachment_size_limit": attachment_bytes,
    }
    if interaction.message is not None:
        described["message"] = message_json(interaction.message, world)
    if channel.server is None:
        return described | {"user": user_json(user)}
    member = channel.server.member(user)
    assert member is not None, "only members act in a server"
    return described | {
        "guild_id": str(channel.server.id),
        "guild": {"id": str(channel.server.id), "locale": channel.server.locale, "features": []},
        "guild_locale": channel.server.locale,
        "member": member_json(member) | {"permissions": str(int(channel.permissions_of(user)))},
    }


def _owners(channel: Channel) -> Json:
    # In a DM with the bot, Discord writes 0 for the server.
    return {"0": "0" if channel.server is None else str(channel.server.id)}
