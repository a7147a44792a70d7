"""The JSON in which Discord describes users, servers, channels, messages and interactions."""

import re
from typing import Any

from bot.practice.interactions import Interaction, InteractionKind
from bot.practice.messages import Attachment, InteractionMetadata, Message
from bot.practice.servers import Channel, ChannelKind, Member, Permission, Role, Server, User
from bot.practice.world import World, created_at

Json = dict[str, Any]

_USER_MENTION = re.compile(r"<@!?(\d+)>")


def user_json(user: User) -> Json:
    """A user as others see them."""
    return {
        "id": str(user.id),
        "username": user.name,
        "discriminator": "0",
        "global_name": None if user.bot else user.display_name,
        "avatar": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
        "bot": user.bot,
    }


def own_user_json(user: User) -> Json:
    """The bot's own account as the bot gets it."""
    return user_json(user) | {"mfa_enabled": False, "locale": user.locale, "verified": True, "email": None}


def application_json(world: World) -> Json:
    """The bot's application as its owner sees it."""
    owner = next(iter(world.servers.values())).owner if world.servers else world.bot
    return {
        "id": str(world.application_id),
        "name": world.bot.display_name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user_json(world.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {"0": {}},
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "max_participants": None,
        "tags": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user_json(owner),
        "approximate_guild_count": sum(world.bot.id in server.members for server in world.servers.values()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "event_webhooks_url": None,
        "event_webhooks_status": 1,
        "event_webhooks_types": [],
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


def emoji_json(emoji_id: int, name: str) -> Json:
    """An emoji of the application."""
    about: Json = {
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    return {"id": str(emoji_id), "name": name} | about


def role_json(role: Role, position: int) -> Json:
    """A role."""
    described: Json = {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(int(role.permissions)),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.managed_by is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    return described if role.managed_by is None else described | {"tags": {"bot_id": str(role.managed_by.id)}}


def member_json(member: Member, *, with_user: bool = True) -> Json:
    """A member of a server."""
    described: Json = {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": member.joined_at,
        "nick": member.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role.id) for role in member.roles],
        "mute": False,
        "deaf": False,
    }
    return described | {"user": user_json(member.user)} if with_user else described


def guild_json(server: Server) -> Json:
    """A server as `GET /guilds/{id}` describes it."""
    return {
        "id": str(server.id),
        "name": server.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(server.owner.id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None if server.system_channel is None else str(server.system_channel.id),
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role_json(role, position) for position, role in enumerate(server.roles)],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": server.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "premium_progress_bar_enabled_user_updated_at": None,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create_json(server: Server, bot: User) -> Json:
    """A server as the gateway describes it to a bot that is in it: without the other members."""
    seen = [it for it in server.channels.values() if Permission.VIEW_CHANNEL in it.permissions_of(bot)]
    return guild_json(server) | {
        "joined_at": server.members[bot.id].joined_at,
        "large": False,
        "member_count": len(server.members),
        "members": [member_json(server.members[bot.id])],
        "channels": [channel_json(channel) for channel in seen if not channel.is_thread],
        "threads": [channel_json(channel) for channel in seen if channel.is_thread and not channel.archived],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel_json(channel: Channel) -> Json:
    """A channel, thread or DM."""
    described: Json = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "flags": 0,
        "last_message_id": str(channel.message_ids[-1]) if channel.message_ids else None,
    }
    if channel.recipient is not None:
        return described | {"recipients": [user_json(channel.recipient)]}
    assert channel.server is not None
    described |= {
        "guild_id": str(channel.server.id),
        "name": channel.name,
        "rate_limit_per_user": 0,
        "parent_id": None if channel.parent is None else str(channel.parent.id),
    }
    if channel.kind is ChannelKind.PUBLIC_THREAD:
        return described | {
            "owner_id": str((channel.creator or channel.server.owner).id),
            "message_count": len(channel.message_ids),
            "total_message_sent": len(channel.message_ids),
            "member_count": 1,
            "thread_metadata": {
                "archived": channel.archived,
                "archive_timestamp": created_at(channel.id).isoformat(),
                "create_timestamp": created_at(channel.id).isoformat(),
                "auto_archive_duration": 1440,
                "locked": channel.locked,
            },
        }
    return described | {
        "position": list(channel.server.channels).index(channel.id)
        if channel.id in channel.server.channels
        else 0,
        "topic": None,
        "nsfw": False,
        "permission_overwrites": [
            {"id": str(user_id), "type": 1, "allow": "0", "deny": str(int(denied))}
            for user_id, denied in channel.denied.items()
        ],
    }


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
        # 20 replies to a slash command.
        "type": 0 if message.interaction is None or message.interaction.command is None else 20,
        "channel_id": str(message.channel.id),
        "author": user_json(message.author),
        "content": message.content,
        "embeds": [],
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
    return described


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
    """An interaction as the gateway sends it to the bot, which may reply with files of this size."""
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
