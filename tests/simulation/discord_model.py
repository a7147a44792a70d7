"""A modelled Discord: servers, channels, members, boards, and sends that fail."""

import asyncio
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from random import Random
from typing import Final

from bot.croupier import User
from bot.rules.knobs import GameName, Play
from bot.table.commands import MemberCommand
from bot.table.state import TableState
from tests.simulation.marks import new_name, new_user_id

Member = tuple[int, int]
"""A member of a server: the ids of the server and of the user."""
LOCALES: Final = ("en-US", "de", "zh-TW")


class Sent(Enum):
    """The outcome of sending or editing a message."""

    DONE = "done"
    UNKNOWN_CHANNEL = "10003"
    UNKNOWN_MESSAGE = "10008"
    MISSING_ACCESS = "50001"
    CLOSED_TO_MESSAGES = "50007"
    TOO_MANY = "429"
    SERVER_ERROR = "500"
    ANSWER_LOST = "the message is there, and nobody said so"


@dataclass(frozen=True, slots=True)
class Press:
    """An interaction: a member's request, with a unique id.

    Attributes:
        key: its id.
        user_id: the user who asks.
        channel_id: the channel.
        table_id: the table; None to open one.
        command: the command for the table, by the party that they knew; None to open one.
        game: the game of a table to open.
        play: for chips or points.
        receiver: the user who gets a gift; None for a table.
        chips: the chips of a gift.
        made: when, in virtual seconds; None for a press that cannot be late.
    """

    key: int
    user_id: int
    channel_id: int
    table_id: int | None = None
    command: MemberCommand | None = None
    game: GameName = "gnau"
    play: Play = Play.CHIPS
    receiver: int | None = None
    chips: int = 0
    made: float | None = None


@dataclass(slots=True)
class DiscordModel:
    """The state of the modelled Discord.

    Attributes:
        random: decides the outcome of a send.
        channels: the server of each channel.
        members: the users in each server.
        users: each member as they are seen now, also those who left.
        names: every name of each member.
        parties: the party by which the bot knew a member last, as members see on boards.
        closed_to_messages: users with closed direct messages.
        boards: the board in each channel.
        trouble: whether sends fail now and then.
    """

    random: Random
    channels: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    users: dict[Member, User] = field(default_factory=dict)
    names: dict[Member, list[str]] = field(default_factory=dict)
    parties: dict[Member, int] = field(default_factory=dict)
    closed_to_messages: dict[int, None] = field(default_factory=dict)
    boards: dict[int, TableState] = field(default_factory=dict)
    trouble: bool = True
    _ids: "count[int]" = field(default_factory=lambda: count(1000))

    def new_id(self) -> int:
        """A new id, larger than all before, as Discord's are."""
        return next(self._ids)

    def add_server(self, channels: int, members: int) -> None:
        """Adds a server."""
        server_id = self.new_id()
        self.members[server_id] = []
        for _ in range(channels):
            self.add_channel(server_id)
        for _ in range(members):
            self.add_member(server_id)

    def add_channel(self, server_id: int) -> None:
        """Adds a channel."""
        self.channels[self.new_id()] = server_id

    def add_member(self, server_id: int) -> None:
        """Adds a member: a new user, or one from another server."""
        here = self.members[server_id]
        elsewhere = [user for users in self.members.values() for user in users if user not in here]
        if elsewhere and self.random.random() < 0.2:
            user_id = self.random.choice(elsewhere)
        else:
            user_id = new_user_id(self.random)
            if self.random.random() < 0.1:
                self.closed_to_messages[user_id] = None
        here.append(user_id)
        self.rename((server_id, user_id))

    def rename(self, member: Member) -> None:
        """Gives a member a name and a language that they did not have before."""
        user = User(member[1], new_name(self.random), self.random.choice(LOCALES))
        self.users[member] = user
        self.names.setdefault(member, []).append(user.name)

    def start_over(self, member: Member) -> None:
        """An erased member leaves, and somebody new comes; or stays, and is seen under a new name."""
        server_id, user_id = member
        self.parties.pop(member, None)
        self.rename(member)
        if user_id in self.members.get(server_id, []) and self.random.random() < 0.7:
            self.members[server_id].remove(user_id)
            self.add_member(server_id)

    def remove_channel(self, channel_id: int) -> None:
        """Deletes a channel and its board."""
        del self.channels[channel_id]
        self.boards.pop(channel_id, None)

    def remove_server(self, server_id: int) -> None:
        """Removes the bot from a server."""
        del self.members[server_id]
        for channel_id in [one for one, of in self.channels.items() if of == server_id]:
            self.remove_channel(channel_id)

    def company(self, channel_id: int, most: int) -> list[int]:
        """Some users in a channel's server."""
        members = self.members[self.channels[channel_id]]
        return self.random.sample(members, min(most, len(members)))

    async def show(self, channel_id: int, state: TableState) -> Sent:
        """Sends or edits a board."""
        await self._takes_its_time()
        if channel_id not in self.channels:
            return Sent.UNKNOWN_CHANNEL
        failed = self._failure(Sent.MISSING_ACCESS, Sent.UNKNOWN_MESSAGE)
        if failed is Sent.UNKNOWN_MESSAGE:
            self.boards.pop(channel_id, None)
        if failed is Sent.DONE or failed is Sent.ANSWER_LOST:
            self.boards[channel_id] = state
        return failed

    async def message(self, user_id: int) -> Sent:
        """Sends a direct message."""
        await self._takes_its_time()
        if user_id in self.closed_to_messages:
            return Sent.CLOSED_TO_MESSAGES
        return self._failure(Sent.MISSING_ACCESS)

    async def _takes_its_time(self) -> None:
        slow = self.trouble and self.random.random() < 0.02
        await asyncio.sleep(self.random.uniform(1, 30) if slow else self.random.uniform(0.02, 0.2))

    def _failure(self, *own: Sent) -> Sent:
        if not self.trouble or self.random.random() > 0.05:
            return Sent.DONE
        return self.random.choice([*own, Sent.TOO_MANY, Sent.SERVER_ERROR, Sent.ANSWER_LOST])
