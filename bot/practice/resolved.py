"""Whom and what an interaction names, described beside its data: users, members, roles and channels."""

from collections.abc import Collection
from typing import Any

from bot.practice.payloads import channel_json, member_json, role_json, user_json
from bot.practice.permissions import Permission
from bot.practice.places import Channel, Role, User

Json = dict[str, Any]
Named = User | Role | Channel


class Resolved:
    """Gathers these descriptions while an interaction is filled in.

    Attributes:
        data: the `resolved` of the interaction: empty where nobody and nothing is named.
    """

    def __init__(self, channel: Channel) -> None:
        """Begins with none.

        Args:
            channel: where the interaction is made: users are described as members of its server.
        """
        self._channel = channel
        self.data: dict[str, dict[str, Json]] = {}

    def name(self, it: Named) -> str:
        """Describes a user, role or channel, and gives the id by which the data names it."""
        match it:
            case User():
                self._name_user(it)
            case Role():
                self._describe("roles", it.id, role_json(it, self._roles().index(it)))
            case Channel():
                permissions = str(int(Permission.EVERYTHING))
                self._describe("channels", it.id, channel_json(it) | {"permissions": permissions})
        return str(it.id)

    def _roles(self) -> list[Role]:
        server = self._channel.server
        return [] if server is None else server.roles

    def find(self, number: int, kinds: Collection[str]) -> Named | None:
        """The user, role or channel that can be named here and has this id; None where there is none.

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

    def _name_user(self, user: User) -> None:
        self._describe("users", user.id, user_json(user))
        server = self._channel.server
        member = None if server is None else server.member(user)
        if member is not None:
            permissions = str(int(self._channel.permissions_of(user)))
            described = member_json(member, with_user=False) | {"permissions": permissions}
            self._describe("members", user.id, described)

    def _describe(self, kind: str, number: int, described: Json) -> None:
        self.data.setdefault(kind, {})[str(number)] = described
