"""The `resolved` part of an interaction: the users, members, roles and channels that its data names."""

from collections.abc import Collection
from typing import Any

from bot.practice.payloads import channel_json, member_json, role_json, user_json
from bot.practice.permissions import Permission
from bot.practice.servers import Channel, Role, User

Json = dict[str, Any]
Named = User | Role | Channel


class ResolvedData:
    """Collects the descriptions while the data of an interaction is built.

    Attributes:
        data: the `resolved` part; empty if the interaction names nothing.
    """

    def __init__(self, channel: Channel) -> None:
        """Starts empty.

        Args:
            channel: the channel of the interaction; users are described as members of its server.
        """
        self._channel = channel
        self.data: dict[str, dict[str, Json]] = {}

    def add(self, it: Named) -> str:
        """Describes a user, role or channel, and returns the id for the data."""
        match it:
            case User():
                self._add_user(it)
            case Role():
                self._put("roles", it.id, role_json(it, self._roles().index(it)))
            case Channel():
                permissions = str(int(Permission.EVERYTHING))
                self._put("channels", it.id, channel_json(it) | {"permissions": permissions})
        return str(it.id)

    def _roles(self) -> list[Role]:
        server = self._channel.server
        return [] if server is None else server.roles

    def find(self, number: int, kinds: Collection[str]) -> Named | None:
        """The user, role or channel with this id, if it can be named in this channel.

        Args:
            number: the id.
            kinds: which of `user`, `role` and `channel` it may be.
        """
        server, recipient = self._channel.server, self._channel.recipient
        if server is None:
            return recipient if recipient is not None and recipient.id == number and "user" in kinds else None
        member = server.members.get(number)
        if member is not None and "user" in kinds:
            return member.user
        if number in server.channels and "channel" in kinds:
            return server.channels[number]
        return next((role for role in server.roles if role.id == number and "role" in kinds), None)

    def _add_user(self, user: User) -> None:
        self._put("users", user.id, user_json(user))
        server = self._channel.server
        member = None if server is None else server.member(user)
        if member is not None:
            permissions = str(int(self._channel.permissions_of(user)))
            described = member_json(member, with_user=False) | {"permissions": permissions}
            self._put("members", user.id, described)

    def _put(self, kind: str, number: int, described: Json) -> None:
        self.data.setdefault(kind, {})[str(number)] = described
