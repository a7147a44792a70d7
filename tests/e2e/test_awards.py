"""Roles of a week, for who won most and who played most: given each Monday, and taken from the one before."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import discord
import pytest

from bot.clock import HOUR_SECONDS, WEEK_SECONDS
from bot.ledger.changes import RoundsCounted, StandingsCleared
from bot.practice.person import Person
from bot.practice.servers import NOTHING, Permission, Role
from bot.table.standings import EVERY, Period, Standing, period_name
from bot.ui.leaderboard import ON_PAGE
from tests.e2e.answers import form_of, message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_weekly_board import MONDAY, posting


class Club:
    """A server with two roles below the bot's own, and one above.

    Attributes:
        first, most, boss: the roles.
        mei, alice, bob: members who play.
        dora: an admin who may give roles.
    """

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.mei, self.alice, self.bob = evening.persons("Mei", "Alice", "Bob")
        self.dora = evening.person("Dora", manage_server=True)
        server = evening.server
        self.own = next(role for role in server.roles if role.managed_by is not None)
        (hers,) = server.members[self.dora.id].roles
        self.first, self.most, self.boss = (
            Role(evening.discord.world.new_id(), name, NOTHING) for name in ("First", "Most rounds", "Boss")
        )
        server.roles[1:] = [self.first, self.most, hers, self.own, self.boss]
        self.own.permissions |= Permission.MANAGE_ROLES
        hers.permissions |= Permission.MANAGE_ROLES
        self.hers = hers

    def who_has(self, role: Role) -> set[str]:
        return {one.user.display_name for one in self.evening.server.members.values() if role in one.roles}

    def give(self, person: Person, role: Role) -> None:
        self.evening.server.members[person.id].roles.append(role)

    def set_roles(self, **roles: Role | None) -> None:
        named = {award: "" if role is None else f"<@&{role.id}>" for award, role in roles.items()}
        self.evening.chip_settings = {**self.evening.chip_settings, **named}

    async def played(self, person: Person, at: float, net: int, rounds: int) -> None:
        """Counts what rounds of a week brought a member."""
        await self.evening.told_alone(person, "wallet")
        party = self.evening.party(person)
        week = period_name(Period.WEEK, at)
        standing = Standing(self.evening.server.id, week, EVERY, party, rounds, net, None, None, None, at)
        await self.evening.bot.croupier.ledger.record(RoundsCounted(self.evening.server.id, (), (standing,)))

    async def have_admins_told(self) -> None:
        """Has the bot tell admins in a channel of what fails, from its next start on."""
        log_channel = (self.evening.other_channel.id,)
        self.evening.rules = self.evening.rules.model_copy(update={"log_channel": log_channel})
        await self.evening.restart()
        self.evening.bot.notices.gather_seconds = 0.2

    def warnings(self, role: Role) -> list[str]:
        """What the admins read of a role that the bot can't give or take."""
        warned = f"⚠️ I can't give or take the role <@&{role.id}>."
        seen = self.evening.person("Zed").sees(self.evening.other_channel)
        return [one.text for one in seen if warned in one.text]

    async def on(self, at: float) -> None:
        """Has the bot look at this time."""
        self.evening.bot.croupier.now = partial(float, at)
        await posting(self.evening).give_roles()


@pytest.fixture
async def club(evening: Evening) -> AsyncIterator[Club]:
    # The bot itself looks once in a while.
    await evening.settle_down()
    made = Club(evening)
    await evening.restart()
    yield made
    # No round brought them that.
    await evening.bot.croupier.ledger.record(StandingsCleared())


async def test_roles_go_each_week_to_who_was_first_and_is_neither_hidden_nor_banned_nor_gone(
    evening: Evening, club: Club
) -> None:
    mei, alice, bob = club.mei, club.alice, club.bob
    for person, net, rounds in ((mei, 50, 3), (alice, 40, 9), (bob, 30, 4)):
        await club.played(person, MONDAY - HOUR_SECONDS, net, rounds)
    await club.on(MONDAY)
    assert not club.who_has(club.first)
    club.set_roles(week_role=club.first, rounds_role=club.most)
    # Who has the role already gets nothing, and keeps it later.
    club.give(alice, club.most)
    await club.on(MONDAY)
    assert (club.who_has(club.first), club.who_has(club.most)) == ({"Mei"}, {"Alice"})
    await evening.restart()
    sent = len(evening.discord.requests)
    await club.on(MONDAY + HOUR_SECONDS)
    assert not [one for one in evening.discord.requests[sent:] if "/members/" in one.path]

    carl, zoe, chan = evening.persons("Carl", "Zoe", "Chan")
    for person, net in ((carl, 90), (zoe, 80), (chan, 70), (bob, 60), (mei, 10)):
        await club.played(person, MONDAY + HOUR_SECONDS, net, net)
    await evening.bot.croupier.identities.set_hidden(evening.party(chan), is_hidden=True)
    await club.dora.slash(evening.channel, "house ban", member=carl, reason="Enough")
    evening.expect_fault(404)
    evening.discord.world.leave(evening.server, zoe.user)
    await club.on(MONDAY + WEEK_SECONDS)
    assert (club.who_has(club.first), club.who_has(club.most)) == ({"Bob"}, {"Alice", "Bob"})
    # One role for both stays with who is first in one of them.
    club.set_roles(week_role=club.first, rounds_role=club.first)
    await club.played(bob, MONDAY + WEEK_SECONDS, 5, 5)
    await club.played(mei, MONDAY + WEEK_SECONDS, 3, 7)
    await club.on(MONDAY + WEEK_SECONDS)
    # Who is first again gets it again, if they have lost it meanwhile.
    evening.server.members[bob.id].roles.remove(club.first)
    await club.on(MONDAY + 2 * WEEK_SECONDS)
    assert (club.who_has(club.first), club.who_has(club.most)) == ({"Bob", "Mei"}, {"Alice"})
    club.set_roles(week_role=None, rounds_role=club.first)
    await club.on(MONDAY + 2 * WEEK_SECONDS)
    assert club.who_has(club.first) == {"Mei"}
    # A week without a round has no first.
    await club.on(MONDAY + 3 * WEEK_SECONDS)
    assert not club.who_has(club.first)


async def test_a_role_is_taken_again_also_if_the_bot_ended_while_it_gave_it(
    evening: Evening, club: Club
) -> None:
    club.set_roles(week_role=club.first)
    await club.played(club.mei, MONDAY - HOUR_SECONDS, 50, 1)
    give = evening.bot.http.add_role

    async def without_answer(*member_and_role: Any) -> None:
        await give(*member_and_role)
        raise OSError("the connection broke")

    evening.bot.http.add_role = without_answer  # type: ignore[method-assign,assignment]
    await club.on(MONDAY)
    await evening.restart()
    await club.on(MONDAY + WEEK_SECONDS)
    assert not club.who_has(club.first)


async def test_a_role_that_an_outage_kept_from_a_member_is_given_two_minutes_later(
    evening: Evening, club: Club
) -> None:
    club.set_roles(week_role=club.first)
    await club.played(club.mei, MONDAY - HOUR_SECONDS, 50, 1)
    evening.expect_fault(0)
    role = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}"
    evening.discord.faults.drop_connection(times=2, method="PUT", route=role)
    for later, has_it in ((0, set()), (119, set()), (120, {"Mei"})):
        await club.on(MONDAY + later)
        assert club.who_has(club.first) == has_it, later


async def test_who_is_erased_loses_a_role_from_the_bot_and_no_other(
    evening: Evening, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, failures = discord.http.HTTPClient.remove_role, [ConnectionResetError()]

    async def fails_once(http: discord.http.HTTPClient, *ids: int) -> None:
        if failures:
            raise failures.pop()
        await really(http, *ids)

    monkeypatch.setattr(discord.http.HTTPClient, "remove_role", fails_once)
    monkeypatch.setattr("bot.ui.awards.TRY_AGAIN_AFTER", (0.01,))
    club.set_roles(week_role=club.first, rounds_role=club.most)
    club.give(club.mei, club.most)
    await club.played(club.mei, MONDAY - HOUR_SECONDS, 50, 1)
    await club.on(MONDAY)
    ledger, party = evening.bot.croupier.ledger, evening.party(club.mei)
    assert [plan.kind for plan in await ledger.plans_of(party)] == ["role", "role"]
    await evening.bot.privacy.erase(evening.server.id, club.mei.id)
    assert not await ledger.plans_of(party)
    await evening.until(lambda: not club.who_has(club.first), "the role is taken")
    await club.on(MONDAY + WEEK_SECONDS)
    assert club.who_has(club.most) == {"Mei"}


async def test_who_is_not_banned_gets_the_role_also_behind_a_page_of_banned_members(
    evening: Evening, club: Club
) -> None:
    club.set_roles(week_role=club.first)
    for number in range(ON_PAGE):
        person = evening.person(f"Banned {number}")
        await club.played(person, MONDAY - HOUR_SECONDS, 90, 1)
        await club.dora.slash(evening.channel, "house ban", member=person, reason="Enough")
    await club.played(club.mei, MONDAY - HOUR_SECONDS, 50, 1)
    await club.on(MONDAY)
    assert club.who_has(club.first) == {"Mei"}


async def test_a_role_that_admin_or_bot_may_not_give_is_refused_and_later_told_once(
    evening: Evening, club: Club
) -> None:
    await club.have_admins_told()
    dora = club.dora
    refused = "To give this role, you and I both need **Manage Roles** and a higher role."

    async def asked_for(role: Role) -> str:
        by_command = await dora.slash(evening.channel, "house set", rule="week_role", value=role.name)
        page = message_of(await dora.slash(evening.channel, "house show"))
        await dora.click(page, "Show server settings")
        menu = next(one for one in page.selects() if "week_role" in [it.value for it in one.options])
        form = form_of(await dora.choose(page, menu.custom_id, "week_role"))
        told = said(by_command)
        await dora.submit(form, value=role.name)
        await evening.until(lambda: dora.sees(evening.channel)[-1].text == told, "the form says the same")
        assert page.selects(), "the page stays"
        return told

    assert await asked_for(club.boss) == refused
    for who in (club.hers, club.own):
        permissions, who.permissions = who.permissions, NOTHING | Permission.MANAGE_GUILD
        await evening.restart()
        assert await asked_for(club.first) == refused
        who.permissions = permissions
    await evening.restart()
    offered = await dora.suggest(evening.channel, "house set", "value", "", rule="week_role")
    assert [one.name for one in offered] == ["off", "@Most rounds", "@First"]
    shown = message_of(await dora.slash(evening.channel, "house set", rule="week_role", value="First"))
    assert "- **Role: most won in a week**: off →" in shown.text
    # The bot may not give it any more when the admin confirms it.
    permissions, club.own.permissions = club.own.permissions, NOTHING
    await evening.restart()
    assert said(await dora.click(shown, "Confirm")) == refused
    club.own.permissions = permissions

    # The role is moved up meanwhile.
    club.set_roles(week_role=club.first)
    evening.expect_fault(403)
    evening.bot.notices.gather_seconds = 0.2
    await club.played(club.mei, MONDAY - HOUR_SECONDS, 50, 1)
    club.own.permissions = NOTHING
    for later in (0, 1, HOUR_SECONDS + 1):
        await club.on(MONDAY + later)
    await evening.until(lambda: club.warnings(club.first), "the admins are told")
    await evening.settle_down()
    assert len(club.warnings(club.first)) == 1
    assert not club.who_has(club.first)
    # Another admin gives it to her, so the bot does not take it.
    club.give(club.mei, club.first)
    club.own.permissions |= Permission.MANAGE_ROLES
    await club.on(MONDAY + WEEK_SECONDS)
    assert club.who_has(club.first) == {"Mei"}


async def test_a_role_that_was_moved_up_or_deleted_holds_up_no_other(evening: Evening, club: Club) -> None:
    await club.have_admins_told()
    evening.expect_fault(403, 404)
    roles, mei, alice, bob = evening.server.roles, club.mei, club.alice, club.bob
    club.set_roles(week_role=club.first, rounds_role=club.most)
    await club.played(mei, MONDAY - HOUR_SECONDS, 50, 3)
    await club.on(MONDAY)
    # The bot can't take the first role from Mei any more.
    roles[1:] = [club.boss, club.most, club.hers, club.own, club.first]
    club.set_roles(week_role=club.boss, rounds_role=club.most)
    await club.played(alice, MONDAY + HOUR_SECONDS, 40, 9)
    await club.on(MONDAY + WEEK_SECONDS)
    assert club.who_has(club.first) == {"Mei"}
    assert (club.who_has(club.boss), club.who_has(club.most)) == ({"Alice"}, {"Alice"})
    await evening.until(lambda: club.warnings(club.first), "the admins are told that it can't be taken")
    roles.remove(club.boss)
    await club.played(bob, MONDAY + WEEK_SECONDS + HOUR_SECONDS, 30, 4)
    await club.on(MONDAY + 2 * WEEK_SECONDS)
    assert club.who_has(club.most) == {"Bob"}
    await evening.until(lambda: club.warnings(club.boss), "the admins are told that it can't be given")
