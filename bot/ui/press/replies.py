"""How the bot answers an interaction: with links to commands, and of each kind only the newest.

Of each kind of private reply, a member sees the newest in each channel, so that screens stay short.
"""

import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final

import discord
from discord.app_commands import AppCommand, AppCommandGroup

from bot.croupier.identities import User
from bot.rules.typed_text import text_length
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.components import LONGEST_TEXT, Layout, text_view
from bot.ui.press.discord_errors import SENDING_FAILED, UNKNOWN_MESSAGE, is_code, nonce
from bot.ui.press.errors import MemberError
from bot.ui.press.late_interactions import token_lives
from bot.wire import requests
from bot.wire.requests import Attachment, Content, Interaction, Response, delete_response
from bot.words.translation import translate

log = logging.getLogger(__name__)

MOST_KEPT: Final = 10_000
"""How many replies are remembered, the newest."""
_NAMED: Final = re.compile(r"`/(?P<name>[^`]+)`")


class Kind(Enum):
    """What a private reply is; one replaces another of its kind."""

    SENTENCE = auto()
    PAGE = auto()
    """A longer text, such as the rules, or a form of buttons."""
    GUIDE = auto()
    """*How to play*."""
    LESSON = auto()
    PANEL = auto()
    """A member's panel of a table."""
    SIDE_BETS = auto()


PutAway = Callable[[], Awaitable[None]]
"""Ends the edits of a reply; is awaited before the reply is deleted."""


class PrivateReplies:
    """The newest private replies, by member, channel and kind."""

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._newest: OrderedDict[tuple[int, int | None, Kind], tuple[Response, PutAway | None]]
        self._newest = OrderedDict()
        self._tasks = tasks

    def sent(self, response: Response, kind: Kind, put_away: PutAway | None) -> None:
        """Notes a private reply, and deletes the older of two, which is free while its token lives."""
        interaction = response.interaction
        if interaction.guild_id is None:
            # In a direct message, replies are messages like others, and the member can scroll.
            return
        key = interaction.user.id, interaction.channel_id, kind
        newest, before = (response, put_away), self._newest.pop(key, None)
        if before is not None and before[0].interaction.id > interaction.id:
            # Of two quick presses, the second was answered first.
            newest, before = before, newest
        self._newest[key] = newest
        while len(self._newest) > MOST_KEPT:
            self._newest.popitem(last=False)
        # Delivered twice, an interaction has one first response.
        if before is not None and before[0].interaction.id != newest[0].interaction.id:
            self._tasks.start(_delete(*before), "private-reply-deletion")


def note_private_reply(response: Response, kind: Kind, put_away: PutAway | None = None) -> None:
    """Notes a private reply where its interaction is handled; nothing where it is not."""
    replies = response.interaction.extras.get(PrivateReplies)
    if replies is not None:
        replies.sent(response, kind, put_away)


def keep_private_replies(interaction: Interaction, replies: PrivateReplies) -> None:
    """Lets `note_private_reply` know who keeps the replies to this interaction."""
    interaction.extras[PrivateReplies] = replies


async def _delete(response: Response, put_away: PutAway | None) -> None:
    if put_away is not None:
        await put_away()
    if not token_lives(response.interaction):
        return
    try:
        await delete_response(response)
    except SENDING_FAILED as failed:
        # Its member may have dismissed it.
        log.info("an earlier private reply could not be deleted: %s", failed)


class CommandLinks:
    """The link of every command that Discord knows, by its full name; empty until commands are synced."""

    def __init__(self) -> None:
        self._links: dict[str, str] = {}

    def learn(self, synced: Iterable[AppCommand]) -> None:
        """Takes the ids of these commands, which Discord returned, in place of earlier ones."""
        self._links = dict(link for command in synced for link in _links(command))

    def in_text(self, text: str) -> str:
        """The text with a link in place of each command in backticks; those without stay as they are."""
        return _NAMED.sub(lambda found: self._links.get(found["name"], found[0]), text)


def link_commands(interaction: Interaction, links: CommandLinks) -> None:
    """Lets `with_links` know the links of commands."""
    interaction.extras[CommandLinks] = links


def with_links(interaction: Interaction, text: str) -> str:
    """A text with clickable commands, where the interaction is handled by somebody who knows their links."""
    links: CommandLinks | None = interaction.extras.get(CommandLinks)
    return text if links is None else links.in_text(text)


def _links(command: AppCommand | AppCommandGroup) -> Iterator[tuple[str, str]]:
    """Full name and link of a command, or of each command in a group, which itself cannot be typed."""
    groups = [option for option in command.options if isinstance(option, AppCommandGroup)]
    if not groups:
        name = command.name if isinstance(command, AppCommand) else command.qualified_name
        yield name, command.mention
    for group in groups:
        yield from _links(group)


def user_of(interaction: Interaction) -> User:
    """Who pressed or typed."""
    user = interaction.user
    by_message = interaction.guild_id is None
    return User(user.id, user.display_name, interaction.locale.value, by_message)


async def reply(interaction: Interaction, text: str) -> None:
    """Tells this person alone a sentence, whether or not the interaction is answered already.

    After an earlier answer the sentence is a follow-up: the one kind of message that may arrive twice on a
    bad connection, which does no harm here.
    """
    note_private_reply(
        await requests.respond(interaction, Content(words=with_links(interaction, text))), Kind.SENTENCE
    )


async def reply_publicly(interaction: Interaction, content: Content) -> None:
    """Answers with a message that everybody sees; on a bad connection too it is there once."""
    if await requests.respond_publicly(interaction, content):
        return
    # The deferred answer is private, but not what follows it.
    await reply(interaction, translate("reply.done"))
    await post_publicly(interaction, content)


async def post_publicly(interaction: Interaction, content: Content) -> None:
    """Shows everybody a message after a private answer; on a bad connection too it is there once."""
    assert interaction.channel_id is not None
    try:
        await requests.post(
            interaction.client, interaction.channel_id, content, nonce("reply", interaction.id)
        )
    except discord.Forbidden:
        # Where the bot may write no message of its own, an answer is still allowed.
        await requests.follow_up(interaction, content, private=False)


async def open_modal(interaction: Interaction, modal: discord.ui.Modal) -> None:
    """Answers with a modal.

    Raises:
        MemberError: if it was deferred meanwhile, after which no modal can be opened.
    """
    if not await requests.send_modal(interaction, modal):
        raise MemberError("reply.too_late")


async def reply_layout(
    interaction: Interaction, layout: Layout, files: Sequence[Attachment] | None = None
) -> None:
    """Answers this person alone with a message, in place of the one before; one with files stays."""
    response = await requests.respond(interaction, Content(layout, files=files))
    if not files:
        note_private_reply(response, Kind.PAGE)


async def reply_guide(
    interaction: Interaction, layout: Layout, files: Sequence[Attachment], kind: Kind = Kind.GUIDE
) -> None:
    """Answers this person alone with *How to play*, or with a lesson, in place of the one before it."""
    note_private_reply(await requests.respond(interaction, Content(layout, files=files)), kind)


async def replace_pressed(interaction: Interaction, content: Content) -> None:
    """Replaces what the pressed private message says; without files, it keeps those that it has.

    Another private answer may take its place before a slow one comes. Then there is nothing to replace.
    """
    try:
        await requests.update(interaction, content)
    except discord.NotFound as failed:
        if not is_code(failed, UNKNOWN_MESSAGE):
            raise


async def fill_reply(interaction: Interaction, layout: Layout) -> None:
    """Gives a deferred answer, or replaces an earlier one; sent twice, it is still there once."""
    await requests.fulfil(interaction, Content(layout))


def whole_lines(lines: Sequence[str]) -> str:
    """As many of these lines as fit into a message, and how many are left out."""
    kept: list[str] = []
    # The last line may say how many are left out.
    room = LONGEST_TEXT - 100
    for number, line in enumerate(lines):
        room -= text_length(line) + 1
        if room < 0:
            return "\n".join([*kept, translate("reply.more_lines", count=len(lines) - number)])
        kept.append(line)
    return "\n".join(kept)


def lines_view(interaction: Interaction, lines: Sequence[str]) -> Layout:
    """A longer text with clickable commands: as many of these lines as fit into a message."""
    # Links are longer than the commands in whose place they stand.
    return text_view(whole_lines([with_links(interaction, line) for line in lines]))


async def reply_lines(interaction: Interaction, lines: Sequence[str]) -> None:
    """Shows this person alone a longer text, as `lines_view` does."""
    await reply_layout(interaction, lines_view(interaction, lines))
