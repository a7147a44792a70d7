"""Roles that members have for a time because they came first: given by the bot, and taken by it again.

What the bot gives is a plan of the member, noted before. So whatever ends the process, the role is taken from
them when others get it. A member who had the role already keeps it.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final, Self

import discord

from bot.croupier.identities import Identities
from bot.croupier.plans import PlanKind, role_name
from bot.ledger.changes import Identity, Plan, PlanChanged
from bot.ledger.errors import Overtaken
from bot.table.standings import Award
from bot.ui.house.notices import HouseNotices
from bot.ui.press.errors import (
    LEFT_SERVER,
    SENDING_FAILED,
    UNKNOWN_ROLE,
    is_code,
    is_temporary,
    log_failure,
)
from bot.ui.services import Services
from bot.wire.requests import CONNECTION_BROKE

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER: Final = (5.0, 60.0, 600.0)
"""Seconds after which the role of an erased member is taken again, if Discord was away."""


class Given(StrEnum):
    """Whether a member has a role from the bot."""

    NOTED = "noted"
    """The bot is about to give it, or has given it just before it ended."""
    YES = "yes"
    HAD_IT = "had"
    """The member had it already, so the bot never takes it."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A member's role, as a plan has it.

    Attributes:
        when: what it is given for, such as a week.
    """

    role_id: int
    award: Award
    when: str
    given: Given = Given.NOTED

    @property
    def is_given(self) -> bool:
        """Whether nothing is left to do, until somebody else gets it."""
        return self.given is not Given.NOTED

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """What a plan says."""
        what = json.loads(plan.what)
        return cls(what["role_id"], Award(what["award"]), what["when"], Given(what["given"]))

    @property
    def as_json(self) -> str:
        """What a plan stores."""
        return json.dumps(asdict(self))


class Awards:
    """Gives roles to members, and takes them from those who had them before."""

    def __init__(self, services: Services, notices: HouseNotices) -> None:
        self._client = services.client
        self._identities: Identities = services.croupier.identities
        self._ledger = services.croupier.ledger
        self._notices = notices
        self._stand_back = services.stand_back
        self._tasks = services.tasks

    async def holders(self) -> Mapping[tuple[int, Award], list[Holder]]:
        """Who has a role from the bot, by server and award."""
        found: dict[tuple[int, Award], list[Holder]] = {}
        for plan in await self._ledger.plans_of_kind(PlanKind.ROLE):
            holder = Holder.of(plan)
            found.setdefault((plan.server_id, holder.award), []).append(holder)
        return found

    async def hand_on(
        self, server_id: int, award: Award, role_id: int | None, parties: Sequence[int], when: str
    ) -> Exception | None:
        """Gives these members a role, and takes the award's role from everybody else who got it.

        Members who are erased, or have left the server, are passed over.

        Args:
            role_id: None if nobody gets one any more.
            when: what it is given for, as `Holder` has it.

        Returns:
            None if all is done. If not, why: what may pass, such as an outage, rather than what lasts. The
            rest can be asked for again; the admins read of a role that is deleted or that the bot may not
            give or take.
        """
        plans = {plan.name: plan for plan in await self._ledger.plans_in(server_id, PlanKind.ROLE)}
        await self._identities.load([*parties, *(plan.party for plan in plans.values())])
        wanted = {}
        if role_id is not None:
            wanted = {role_name(award, role_id, party): party for party in parties}
        failures: list[Exception | None] = []
        for name, plan in list(plans.items()):
            holder = Holder.of(plan)
            if holder.award is award and name not in wanted:
                del plans[name]
                took = self._take(plan, holder, plans.values())
                failures.append(await self._failure(took, server_id, holder.role_id))
        for name, party in wanted.items():
            assert role_id is not None
            holder = Holder(role_id, award, when)
            plan = Plan(name, server_id, party, PlanKind.ROLE, what=holder.as_json)
            failures.append(await self._failure(self._give(plan, holder, plans), server_id, role_id))
        return max(filter(None, failures), key=is_temporary, default=None)

    def take_from_erased(self, erased: Identity, roles: Sequence[Plan]) -> None:
        """Takes from a member who is erased the roles that they had from the bot, in the background."""
        given = {one.role_id for one in map(Holder.of, roles) if one.given is not Given.HAD_IT}
        if given:
            self._tasks.start(self._take_all(erased, given), "roles-of-erased")

    async def _take_all(self, erased: Identity, role_ids: Iterable[int]) -> None:
        """Takes these roles; nothing is noted of them any more, so it is tried again only now."""
        for role_id in role_ids:
            await self._failure(self._remove_with_retries(erased, role_id), erased.server_id, role_id)

    async def _remove_with_retries(self, identity: Identity, role_id: int) -> None:
        for seconds in TRY_AGAIN_AFTER:
            try:
                return await self._remove(identity, role_id)
            except (discord.DiscordServerError, *CONNECTION_BROKE) as failed:
                log_failure(log, failed, "a role of server %s is taken later", identity.server_id)
            await asyncio.sleep(seconds)
        return await self._remove(identity, role_id)

    async def _failure(self, step: Awaitable[None], server_id: int, role_id: int) -> Exception | None:
        """Gives or takes one role; returns why it is to be tried again, or None."""
        try:
            await step
        except Overtaken as other:
            log.info("the roles of server %s have changed meanwhile: %s", server_id, other)
            return other
        except SENDING_FAILED as failed:
            log_failure(log, failed, "a role of server %s was not given or taken", server_id)
            if isinstance(failed, discord.Forbidden) or is_code(failed, UNKNOWN_ROLE):
                self._notices.role_refused(server_id, role_id)
            return failed
        return None

    async def _give(self, wanted: Plan, holder: Holder, plans: Mapping[str, Plan]) -> None:
        before = plans.get(wanted.name)
        if (identity := self._identities.get(wanted.party)) is None:
            return
        await self._stand_back()
        had = None if before is None else Holder.of(before)
        server_id, user_id = identity.server_id, identity.user_id
        if had is not None and had.when == holder.when:
            given = had.given
        else:
            # Who comes first again may have lost the role meanwhile.
            given = Given.NOTED
            try:
                member = await self._client.http.get_member(server_id, user_id)
            except discord.NotFound as refused:
                if not is_code(refused, *LEFT_SERVER):
                    raise
                await self._note(before, None)
                return
            if str(holder.role_id) in member["roles"]:
                is_ours = _is_ours(wanted.party, holder.role_id, plans.values())
                given = Given.YES if is_ours else Given.HAD_IT
        noted = replace(wanted, what=replace(holder, given=given).as_json)
        await self._note(before, noted)
        if given is Given.NOTED:
            try:
                await self._client.http.add_role(server_id, user_id, holder.role_id)
            except (discord.Forbidden, discord.NotFound) as refused:
                # Otherwise it would be taken from them if somebody else gives it to them.
                await self._note(noted, None)
                if is_code(refused, *LEFT_SERVER):
                    return
                raise
            await self._note(noted, replace(wanted, what=replace(holder, given=Given.YES).as_json))

    async def _take(self, plan: Plan, holder: Holder, others: Iterable[Plan]) -> None:
        identity = self._identities.get(plan.party)
        keeps = holder.given is Given.HAD_IT or _is_ours(plan.party, holder.role_id, others)
        if identity is not None and not keeps:
            await self._remove(identity, holder.role_id)
        await self._note(plan, None)

    async def _remove(self, identity: Identity, role_id: int) -> None:
        await self._stand_back()
        with suppress(discord.NotFound):
            await self._client.http.remove_role(identity.server_id, identity.user_id, role_id)

    async def _note(self, before: Plan | None, after: Plan | None) -> None:
        if before != after:
            await self._ledger.record(PlanChanged(before, after))


def _is_ours(party: int, role_id: int, plans: Iterable[Plan]) -> bool:
    """Whether the bot gave a member a role for something."""
    of_party = (Holder.of(plan) for plan in plans if plan.party == party)
    return any(one.role_id == role_id and one.given is not Given.HAD_IT for one in of_party)
