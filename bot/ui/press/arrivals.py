"""Interactions as they come in: until when each is answered, in which language, and what its answers need.

Nothing is carried out whose answer can no longer arrive. Discord waits three seconds for the first response
to an interaction. Then it tells its member that the interaction failed, and they try again. An interaction's
id says when it was made, so its age is known as well as the two clocks agree. A young one is carried out. An
older one, or one from the future, is carried out only once Discord lets it be deferred, and so is each one
while requests fail. One that takes long is deferred meanwhile. What is asked for carries a `NotAfter`, which
the ledger checks inside its transaction.

Of each kind of private reply, a member sees the newest in each channel, so that screens stay short.
"""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import Final

import discord
from cachetools import LRUCache
from discord.app_commands import AppCommand, AppCommandGroup

from bot.clock import steady_time
from bot.croupier.identities import MANAGER, User
from bot.ledger.changes import NotAfter
from bot.log_context import set_log_context
from bot.ui.press.errors import SENDING_FAILED, UNKNOWN_INTERACTION, LateInteractionError, Outcome, is_code
from bot.ui.readers import Readers
from bot.ui.services import BackgroundTasks
from bot.wire import requests
from bot.wire.intake import pressed, roles_of
from bot.wire.requests import Content, Interaction, Response, delete_response, edit_response
from bot.wire.traffic import DiscordOutage
from bot.words.translation import set_reader

log = logging.getLogger(__name__)

YOUNG_SECONDS: Final = 2.0
"""The age up to which an interaction is carried out without being deferred."""
LAST_SECONDS: Final = 2.5
"""The age up to which it may be written: the rest of Discord's three seconds is for the answer's way."""
DEFER_SECONDS: Final = 1.5
"""The age at which an interaction that has no answer yet is deferred."""
SOON_SECONDS: Final = 0.25
"""How long the bot has for an interaction that came in at that age or older, before it is deferred."""
TOKEN_SECONDS: Final = 14 * 60
"""How long an interaction's token is used; Discord takes it for a minute more."""
MOST_KEPT: Final = 10_000
"""How many replies are remembered, the newest."""
_NEW_MESSAGE: Final = (
    discord.InteractionResponseType.channel_message,
    discord.InteractionResponseType.deferred_channel_message,
)
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
    """A member's panel of a table, also where it is about side bets."""


PutAway = Callable[[], Awaitable[Content | None]]
"""Ends the edits of a reply before it is deleted; returns what stays of it if it is not, None for all."""


_Key = tuple[int, int | None, Kind]
"""A member, a channel, and what a reply there is."""


@dataclass(slots=True)
class _PrivateReply:
    """A private reply that another one may take the place of.

    Attributes:
        response: the newest response that it is.
        made_by: the interaction that it first answered.
        outlives_presses: whether it stays when its member presses something else.
        is_replied_to: whether a message replies to it. Were it deleted, Discord's client would say so there.
    """

    response: Response
    put_away: PutAway | None
    made_by: int
    outlives_presses: bool = False
    is_replied_to: bool = False

    def is_pressed_by(self, interaction: Interaction) -> bool:
        """Whether this is the message that was pressed."""
        message = pressed(interaction)
        return message is not None and message.is_private and message.interaction_id == self.made_by


Finished = Callable[[str, Outcome, float], object]
"""Is told of an interaction: its action, its outcome, and how long it took, in seconds."""


class Arrivals:
    """The interactions that are being handled, and what the answers to all of them share.

    Args:
        outage: whether requests to Discord fail now.
        tasks: where interactions are deferred, and earlier replies are deleted.

    Attributes:
        on_begun: called when one begins that names no table.
        on_finished: called when one is over.
    """

    def __init__(self, outage: DiscordOutage, tasks: BackgroundTasks, readers: Readers) -> None:
        self.outage = outage
        self.tasks = tasks
        self.readers = readers
        self.links = CommandLinks()
        self.handled: set[Arrival] = set()
        self.on_begun: Callable[[Interaction], None] = lambda _: None
        self.on_finished: Finished = lambda *_: None
        self._newest: LRUCache[_Key, _PrivateReply]
        self._newest = LRUCache(MOST_KEPT)

    def begin(
        self, interaction: Interaction, *, table_id: int | None = None, round_number: int | None = None
    ) -> None:
        """Sets the reader's locale and the log context of this task, and starts the clocks."""
        Arrival(interaction, self)
        set_reader(self.readers.of_interaction(interaction))
        set_log_context(
            server=interaction.guild_id, table=table_id, round=round_number, interaction=interaction.id
        )
        if table_id is None:
            self.on_begun(interaction)

    def replied(
        self,
        response: Response,
        kind: Kind,
        put_away: PutAway | None,
        *,
        is_newest: bool | None,
        is_question: bool,
    ) -> None:
        """Notes a private reply, and puts the older of two away, which is free while its token lives."""
        interaction = response.interaction
        if interaction.guild_id is None:
            # In a direct message, replies are messages like others, and the member can scroll.
            return
        if response.message_id is not None:
            self.replied_to_pressed(interaction)
        key = interaction.user.id, interaction.channel_id, kind
        message = pressed(interaction)
        made_by = interaction.id
        if kind is Kind.PANEL and message is not None and message.is_private:
            # It has taken the place of the pressed message, which is of its earlier kind no longer.
            for earlier in set(Kind) - {Kind.PANEL}:
                reply = self._newest.get((*key[:2], earlier))
                if reply is not None and reply.is_pressed_by(interaction):
                    del self._newest[*key[:2], earlier]
            if response.message_id is None:
                made_by = message.interaction_id or made_by
        newest, before = _PrivateReply(response, put_away, made_by), self._newest.pop(key, None)
        # Who has waited may be looking elsewhere, and a question waits for its answer.
        newest.outlives_presses = is_newest is True or is_question
        if before is not None and response.message_id is None and before.made_by == made_by:
            # The same message, which from now on is put away by the token of this press.
            newest.is_replied_to, before = before.is_replied_to, None
        elif before is not None and before.put_away is not None and before.put_away == put_away:
            # The same panel is sent again: what it was before is put away with that, and its edits go on.
            before = None
        if before is not None:
            if is_newest is None:
                # Of two quick presses, the second may be answered first.
                is_newest = before.response.interaction.id <= interaction.id
            if not is_newest:
                newest, before = before, newest
        self._newest[key] = newest
        # Delivered twice, an interaction has one first response.
        if before is not None and before.response.interaction.id != newest.response.interaction.id:
            self.tasks.start(_put_away(before), "private-reply-put-away")

    def replied_to_pressed(self, interaction: Interaction) -> None:
        """Notes that a message replies to the private reply that was pressed, if one was."""
        for kind in Kind:
            reply = self._newest.get((interaction.user.id, interaction.channel_id, kind))
            if reply is not None and reply.is_pressed_by(interaction):
                reply.is_replied_to = True

    def replaces_pressed(self, interaction: Interaction, kind: Kind) -> bool:
        """Whether a reply of this kind takes the place of what was pressed: the one before it."""
        newest = self._newest.get((interaction.user.id, interaction.channel_id, kind))
        return newest is not None and newest.is_pressed_by(interaction) and not interaction.response.is_done()

    def replaced_pressed(self, interaction: Interaction, kind: Kind) -> None:
        """Notes that it has: from now on it is deleted by the token of this press."""
        newest = self._newest.get((interaction.user.id, interaction.channel_id, kind))
        if newest is not None:
            newest.response = Response(interaction)

    def pressed_next(self, interaction: Interaction) -> None:
        """Puts away the sentence that answered the press before this one, so that a panel stays in sight."""
        key = interaction.user.id, interaction.channel_id, Kind.SENTENCE
        newest = self._newest.get(key)
        if newest is None or newest.outlives_presses or newest.is_pressed_by(interaction):
            return
        if newest.response.interaction.id < interaction.id:
            del self._newest[key]
            self.tasks.start(_put_away(newest), "private-reply-put-away")

    def take_back(self, interaction: Interaction, kind: Kind) -> None:
        """Deletes the private reply to an interaction, unless another has taken its place."""
        key = interaction.user.id, interaction.channel_id, kind
        newest = self._newest.get(key)
        if newest is not None and newest.response.interaction.id == interaction.id:
            del self._newest[key]
            self.tasks.start(put_reply_away(newest.response), "private-reply-deletion")

    def close(self) -> None:
        """Ends the interactions that are still handled: what they have not written stays unwritten."""
        for arrival in list(self.handled):
            arrival.ended()


class Arrival:
    """When an interaction came in, and what follows from it.

    Attributes:
        shared: what its answers share with all others.
        at: when it came in, in seconds of `steady_time`.
    """

    def __init__(self, interaction: Interaction, shared: Arrivals) -> None:
        self.shared = shared
        self._interaction = interaction
        self.at = steady_time()
        # Over, until it turns out to be young or Discord lets it be deferred.
        self._not_after = NotAfter(-inf)
        self._timer: asyncio.TimerHandle | None = None
        if interaction.type is not discord.InteractionType.autocomplete:
            soon = max(SOON_SECONDS, DEFER_SECONDS - max(0.0, age_of(interaction)))
            self._timer = asyncio.get_running_loop().call_later(soon, self._defer_soon)
        interaction.extras[Arrival] = self
        shared.handled.add(self)

    @classmethod
    def of(cls, interaction: Interaction) -> "Arrival":
        """The arrival of an interaction that is handled, or was."""
        arrival: Arrival = interaction.extras[cls]
        return arrival

    def ended(self) -> None:
        """Ends the handling: the interaction is not deferred any more, and nothing more is written for it."""
        self.shared.handled.discard(self)
        if self._interaction.response.type in _NEW_MESSAGE:
            self.shared.replied_to_pressed(self._interaction)
        if self._timer is not None:
            self._timer.cancel()
        self._not_after.at = -inf

    async def not_after(self) -> NotAfter:
        """Until when may be written what the interaction asks for; defers it first if it may be too old."""
        age = age_of(self._interaction)
        if 0.0 <= age <= YOUNG_SECONDS and not self.shared.outage.requests_fail:
            self._not_after.at = steady_time() - age + LAST_SECONDS
        elif not self._interaction.response.is_done():
            try:
                await requests.defer_meanwhile(self._interaction)
            except discord.HTTPException as refused:
                if is_code(refused, UNKNOWN_INTERACTION):
                    raise LateInteractionError from refused
                raise
        self._note_answer()
        return self._not_after

    def _defer_soon(self) -> None:
        if not self._interaction.response.is_done():
            self.shared.tasks.start(self._defer(), "deferral")

    async def _defer(self) -> None:
        try:
            await requests.defer_meanwhile(self._interaction)
        except SENDING_FAILED as failed:
            log.info("an interaction could not be deferred: %s", failed)
        self._note_answer()

    def _note_answer(self) -> None:
        """Once Discord took a response, others can follow as long as the token lives."""
        if self._interaction.response.is_done():
            self._not_after.at = self.at + TOKEN_SECONDS


def age_of(interaction: Interaction) -> float:
    """Seconds since an interaction was made, if the machine's clock is right; negative if it is behind."""
    return time.time() - discord.utils.snowflake_time(interaction.id).timestamp()


def made_at(interaction: Interaction) -> float:
    """When an interaction was made, by `steady_time`; when it came in, if the machine's clock seems wrong."""
    age = age_of(interaction)
    return steady_time() - age if 0.0 <= age <= YOUNG_SECONDS else Arrival.of(interaction).at


async def not_after(interaction: Interaction) -> NotAfter:
    """Until when that may be written what an interaction asks for: as long as its answer can arrive.

    Raises:
        LateInteractionError: if its answer cannot.
        One of `SENDING_FAILED`: if nobody knows whether it can.
    """
    return await Arrival.of(interaction).not_after()


def token_seconds_left(interaction: Interaction) -> float:
    """For how long the first response can be changed, and others can follow; negative once it is over."""
    return Arrival.of(interaction).at + TOKEN_SECONDS - steady_time()


def token_lives(interaction: Interaction) -> bool:
    """Whether the first response can be changed, and others can follow."""
    return token_seconds_left(interaction) > 0


def user_of(interaction: Interaction) -> User:
    """Who pressed or typed."""
    user = interaction.user
    by_message = interaction.guild_id is None
    roles = roles_of(interaction)
    if roles is not None and interaction.permissions.manage_guild:
        roles |= {MANAGER}
    return User(user.id, user.display_name, interaction.locale.value, by_message, roles)


def note_private_reply(
    response: Response,
    kind: Kind,
    put_away: PutAway | None = None,
    *,
    is_newest: bool | None = None,
    is_question: bool = False,
) -> None:
    """Notes a private reply, which takes the place of the one before it.

    Args:
        is_newest: whether it is newer than every other, also if what it answers is older, as for who has
            waited; None if the newest press or command has the newest reply.
    """
    Arrival.of(response.interaction).shared.replied(
        response, kind, put_away, is_newest=is_newest, is_question=is_question
    )


def take_back_private_reply(interaction: Interaction, kind: Kind) -> None:
    """Deletes the private reply to an interaction, which is not true any more."""
    Arrival.of(interaction).shared.take_back(interaction, kind)


async def _put_away(reply: _PrivateReply) -> None:
    """Deletes a private reply; if a message replies to it, what is to stay of it does."""
    kept = None if reply.put_away is None else await reply.put_away()
    if not reply.is_replied_to:
        await put_reply_away(reply.response)
    elif kept is not None:
        await put_reply_away(reply.response, kept)


async def put_reply_away(response: Response, kept: Content | None = None) -> None:
    """Deletes a private reply while its token lives, or lets it show no more than what is kept."""
    if not token_lives(response.interaction):
        return
    try:
        if kept is None:
            await delete_response(response)
        else:
            await edit_response(response, kept)
    except SENDING_FAILED as failed:
        # Its member may have dismissed it.
        log.info("an earlier private reply could not be put away: %s", failed)


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


def with_links(interaction: Interaction, text: str) -> str:
    """A text with clickable commands."""
    return Arrival.of(interaction).shared.links.in_text(text)


def _links(command: AppCommand | AppCommandGroup) -> Iterator[tuple[str, str]]:
    """Full name and link of a command, or of each command in a group, which itself cannot be typed."""
    groups = [option for option in command.options if isinstance(option, AppCommandGroup)]
    if not groups:
        name = command.name if isinstance(command, AppCommand) else command.qualified_name
        yield name, command.mention
    for group in groups:
        yield from _links(group)
