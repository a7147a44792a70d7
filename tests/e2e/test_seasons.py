"""Seasons as admins and members use them: begun, scheduled, ended in the middle of a round, posted."""

from datetime import UTC, datetime
from functools import partial

import pytest

from bot.clock import DAY_SECONDS
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.privacy import own_data
from bot.ledger.changes import RoundsCounted, StandingsCleared
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import NOTHING, Permission, Role
from bot.table.standings import EVERY, Standing
from cogs.seasons import SeasonsCog
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening, taken


def posted(evening: Evening) -> list[Message]:
    """Who won a season, as everybody reads it."""
    return [one for one in evening.person("Zed").sees(evening.channel) if "is over" in one.text]


async def look(evening: Evening) -> None:
    cog = evening.bot.get_cog("Seasons")
    assert isinstance(cog, SeasonsCog)
    await cog.look_at_seasons()


async def test_a_season_ends_after_the_round_with_a_board_that_stays_and_chips_start_again(
    evening: Evening,
) -> None:
    board, mei, (alice,) = await evening.seated_table("gnau", "Mei", "Alice")
    dora, zed = evening.person("Dora", manage_server=True), evening.person("Zed")
    bob = evening.person("Bob")
    elsewhere = await evening.open_table(bob, evening.other_channel)
    await evening.take_bank(bob, elsewhere)
    unknown = said(await zed.slash(evening.channel, "leaderboard", season="Winter"))
    assert unknown == "There is no such season. Pick one from the list."
    for command in ("end", "schedule"):
        none = said(await dora.slash(evening.channel, f"house season {command}"))
        assert none.startswith("No season is on. Start one with")
    for blank in ("\u200b", "<:gold:840000000000000009>"):
        refused = said(await dora.slash(evening.channel, "house season start", name=blank))
        assert refused == "Give the season a name."
    wanted = {"name": "*Winter*", "chips": "reset"}
    await mei.slash(evening.channel, "give", member=bob, amount=7)
    question = message_of(await dora.slash(evening.channel, "house season start", **wanted))
    assert question.text.endswith("(members: 3): 1 would lose 7 chips in all, 1 would get 7 chips.")
    await bob.slash(evening.channel, "give", member=mei, amount=7)
    question = message_of(await dora.slash(evening.channel, "house season start", **wanted))
    assert question.text.splitlines() == [
        r"**Start the season \*Winter\*?** Its end resets chips.",
        "When it ends, everybody has 1,000 chips.",
    ]
    assert evening.bot.croupier.seasons.running(evening.server.id) is None
    await dora.click(question, "Start season")

    def told_all() -> list[str]:
        return [one.text for one in zed.sees(evening.channel) if one.text.startswith("🏁 The season")]

    await evening.until(told_all, "everybody is told")
    (told,) = told_all()
    assert told.startswith(r"🏁 The season **\*Winter\*** is on.")
    assert told.endswith("When it ends, everybody has 1,000 chips.")
    assert "/house" not in told
    again = said(await dora.slash(evening.channel, "house season start", name="Spring"))
    assert again.startswith(r"The season **\*Winter\*** is on. End it first with")

    await evening.press(alice, board, "20")
    asked = message_of(await dora.slash(evening.channel, "house season end"))
    assert "Its leaderboards stay as they are." in asked.text
    assert "/house season" not in asked.text
    assert evening.bot.croupier.seasons.running(evening.server.id)
    await dora.click(asked, "End season")
    assert "ends as soon as all rounds here are over" in asked.text
    await look(evening)
    assert not posted(evening)
    refused = "The season is ending. New rounds start once all rounds here are over."
    assert said(await zed.click(elsewhere, "20")) == refused
    later = await dora.slash(evening.channel, "house season schedule", repeat="no_date")
    assert said(later) == refused, "chips may be reset in part already"
    await evening.restart()
    assert said(await zed.click(elsewhere, "20")) == refused
    await evening.have_cards(alice, mei)
    await evening.reveal(board, mei, alice)
    result = next(table.last for table in evening.bot.croupier.tables.all() if table.last is not None)
    await evening.counted()
    await look(evening)
    assert await evening.chips(mei, alice) == {"Mei": 1000, "Alice": 1000}

    won = {evening.person_of(result.banker): result.bank_chips, alice: -result.bank_chips}
    winners = [person for person, chips in won.items() if chips > 0]
    await evening.until(lambda: posted(evening), "the winner is posted")
    (shown,) = posted(evening)
    lines = shown.text.splitlines()
    assert lines[0] == r"## 🏁 The season \*Winter\* is over: most chips won"
    assert lines[1:-1] == (
        [f"🥇 <@{winner.id}> · +{won[winner]:,}" for winner in winners]
        or ["Nobody on its leaderboard won chips."]
    )
    assert lines[-1] == "-# Everybody started again with the opening chips."
    (post,) = [one.body for one in evening.discord.requests if "is over: most" in str(one.body)]
    assert post["allowed_mentions"].get("users", []) == [one.id for one in winners]
    assert [one.description for one in shown.attachments] == [
        f"The first of the season on a podium: {winner.name} +{won[winner]:,}" for winner in winners
    ]
    newest = said(await alice.slash(evening.channel, "ledger")).splitlines()[0]
    assert not won[alice] or "New start after a season" in newest

    # The next round counts for no season; the board of this one stays.
    await look(evening)
    assert taken(await zed.click(elsewhere, "20"))
    (choice,) = await zed.suggest(evening.channel, "leaderboard", "season", "winter")
    old = message_of(await zed.slash(evening.channel, "leaderboard", season=choice.value))
    assert "Most chips won" in old.text
    assert r"Season \*Winter\*, <t:" in old.text
    mine = message_of(await zed.choose(old, "Rank by…", "rounds"))
    assert {"🥇 Mei · 1 round", "🥇 Alice · 1 round"} <= set(mine.text.splitlines())
    await zed.click(mine, "All time")
    await zed.choose(mine, "Season…", "season-1")
    assert {"🥇 Mei · 1 round", "🥇 Alice · 1 round"} <= set(mine.text.splitlines())
    await evening.restart()
    await look(evening)
    assert len(posted(evening)) == 1


async def test_everybody_reads_of_a_season_that_the_admins_cannot_be_told_of(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise MemberErasedError

    dora = evening.person("Dora", manage_server=True)
    monkeypatch.setattr(evening.bot, "party_in", fails)
    await dora.slash(evening.channel, "house season start", name="Winter")
    (seen,) = evening.person("Zed").sees(evening.channel)
    assert seen.text.startswith("🏁 The season **Winter** is on.")


async def test_nothing_ends_in_a_server_that_the_bot_has_left(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    await dora.slash(evening.channel, "house season start", name="Winter")
    seasons = evening.bot.croupier.seasons
    season = seasons.running(evening.server.id)
    assert season is not None
    ending = await seasons.set_end(season, evening.bot.croupier.now())
    evening.discord.world.leave(evening.server, evening.discord.world.bot)
    await evening.until(lambda: evening.bot.get_guild(evening.server.id) is None, "the bot has left")
    await look(evening)
    assert ending is not None
    assert seasons.running(evening.server.id) == ending


async def test_a_season_ends_by_date_every_month_and_is_posted_once_the_channel_is_open(
    evening: Evening,
) -> None:
    dora = evening.person("Dora", manage_server=True)
    old_question = message_of(await dora.slash(evening.channel, "house season start", name="Autumn"))
    assert old_question.text.endswith("When it ends, everybody keeps their chips.")

    async def schedule(**options: object) -> str:
        return said(await dora.slash(evening.channel, "house season schedule", **options))

    assert await schedule(day="soon") == "I don't understand that day. Pick one, or write it like 2026-12-31."
    assert (await schedule(day="2020-01-01")).startswith("That time is over")
    days = await dora.suggest(evening.channel, "house season schedule", "day", "")
    first = str(days[0].value)
    assert first.endswith("-01")
    at = int(datetime.fromisoformat(first).replace(tzinfo=UTC).timestamp())
    once = await schedule(day=first)
    assert once.splitlines()[0] == f"**Autumn**: It ends on <t:{at}:F>, <t:{at}:R>."
    assert await schedule() == once
    assert "ends it, and" in await schedule(repeat="no_date")
    assert await schedule(repeat="monthly") == "This season has no end date yet. Pick a day too."
    monthly = await schedule(day=first, repeat="monthly")
    assert "The next one starts then, every month." in monthly
    assert "every month" in await schedule(day=str(days[1].value))
    assert await schedule(day=first, repeat="once") == once
    assert await schedule(repeat="monthly") == monthly
    asked = message_of(await dora.slash(evening.channel, "house season end"))

    evening.expect_fault(403)
    evening.channel.denied[evening.discord.world.bot.id] = Permission.SEND_MESSAGES
    evening.bot.croupier.now = partial(float, at + 60)
    await look(evening)
    following = evening.bot.croupier.seasons.running(evening.server.id)
    assert following is not None
    assert (following.name, following.number) == ("Autumn 2", 2)
    evening.channel.denied.clear()
    await look(evening)
    assert not posted(evening), "Discord is not asked every few seconds"
    evening.bot.croupier.now = partial(float, at + 3700)
    await look(evening)
    (shown,) = posted(evening)
    assert "-# Season Autumn 2, <t:" in shown.text
    assert said(await dora.click(asked, "End season")) == (
        "Somebody else has just changed the season. Look at it again."
    )


async def won_by(evening: Evening, nets: dict[Person, int]) -> None:
    """What rounds of the season that is on brought these members, as they would be counted."""
    season = evening.bot.croupier.seasons.running(evening.server.id)
    assert season is not None
    for person, net in nets.items():
        croupier = evening.bot.croupier
        party = await croupier.identities.find(evening.server.id, person.id)
        standing = Standing(evening.server.id, season.period, EVERY, party, 1, net, net, None, None, 0.0)
        await croupier.ledger.record(RoundsCounted(evening.server.id, (), (standing,)))


async def test_the_first_three_get_a_role_that_admin_and_bot_may_give_and_those_before_lose_it(
    evening: Evening,
) -> None:
    server = evening.server
    dora, (mei, alice, bob, carl) = (
        evening.person("Dora", manage_server=True),
        evening.persons("Mei", "Alice", "Bob", "Carl"),
    )
    for person in (mei, alice, bob, carl):
        await evening.told_alone(person, "wallet")
    own = next(role for role in server.roles if role.managed_by is not None)
    (hers,) = server.members[dora.id].roles
    names = ("Champion", "Moderator", "Boss")
    low, middle, high = (Role(evening.discord.world.new_id(), name, NOTHING) for name in names)
    server.roles[1:] = [low, hers, middle, own, high]

    async def start(name: str, role: str) -> Message:
        reply = await dora.slash(evening.channel, "house season start", name=name, role=role)
        return message_of(reply)

    refused = "To give this role, you and I both need **Manage Roles** and a higher role."
    # An admin who can't give a role can't have the bot give it.
    for who in (hers, own):
        await evening.restart()
        assert (await start("Winter", "Champion")).text == refused
        assert not await dora.suggest(evening.channel, "house season start", "role", "", name="Winter")
        who.permissions |= Permission.MANAGE_ROLES
    await evening.restart()
    for role in (middle, high):
        assert (await start("Winter", str(role.id))).text == refused
    assert (await start("Winter", "@everyone")).text == refused
    (choice,) = await dora.suggest(evening.channel, "house season start", "role", "", name="Winter")
    assert (choice.name, choice.value) == ("Champion", str(low.id))

    def champions() -> set[str]:
        return {one.user.display_name for one in server.members.values() if low in one.roles}

    begun = await start("Winter", str(choice.value))
    assert f"The first three get the role <@&{low.id}> then" in begun.text
    await won_by(evening, {mei: 40, alice: 30, bob: 20, carl: 10})
    await end_now(evening)
    assert champions() == {"Mei", "Alice", "Bob"}
    await start("Spring", "Champion")
    await won_by(evening, {carl: 9, mei: 5})
    # The role is moved up meanwhile: the admins read it, and the rest comes later.
    evening.expect_fault(403)
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    evening.bot.notices.gather_seconds = 0.2
    own.permissions = NOTHING
    await end_now(evening)
    assert champions() == {"Mei", "Alice", "Bob"}
    warned = f"⚠️ I can't give or take the role <@&{low.id}>."
    await evening.until(
        lambda: any(warned in one.text for one in dora.sees(evening.other_channel)), "the admins are told"
    )
    own.permissions = Permission.MANAGE_ROLES
    await evening.restart()
    await look(evening)
    assert champions() == {"Mei", "Carl"}
    assert len(posted(evening)) == 2
    # What is not done within two days is given up; the next season's end takes the roles that nobody took.
    await start("Summer", "Champion")
    await won_by(evening, {alice: 3})
    evening.expect_fault(403)
    own.permissions = NOTHING
    await end_now(evening)
    own.permissions = Permission.MANAGE_ROLES
    await evening.restart()
    evening.bot.croupier.now = partial(float, evening.bot.croupier.now() + 3 * DAY_SECONDS)
    await look(evening)
    assert champions() == {"Mei", "Carl"}
    await start("Autumn", "Champion")
    await won_by(evening, {carl: 5, bob: 2})
    await dora.slash(evening.channel, "house ban", member=carl, reason="Enough")
    await end_now(evening)
    assert champions() == {"Bob"}
    (post,) = [one.body for one in evening.discord.requests if "Autumn is over" in str(one.body)]
    assert post["allowed_mentions"]["users"] == [bob.id]
    assert f"🥇 Carl · +5\n🥈 <@{bob.id}> · +2" in post["components"][0]["content"]
    # Once a later season with a role is over, an older one gives and takes none.
    own.permissions = NOTHING
    await start("Frost", "Champion")
    await won_by(evening, {mei: 4})
    await end_now(evening)
    own.permissions = Permission.MANAGE_ROLES
    await start("Rain", "Champion")
    await won_by(evening, {alice: 2})
    await end_now(evening)
    sent = len(evening.discord.requests)
    await evening.restart()
    await look(evening)
    assert champions() == {"Alice"}
    given_mei = f"/members/{mei.id}/roles/{low.id}"
    assert not [one for one in evening.discord.requests[sent:] if one.path.endswith(given_mei)]
    croupier = evening.bot.croupier
    identity = await croupier.ledger.identity_of(server.id, mei.id)
    assert identity is not None
    (own_server,) = (await own_data(croupier.ledger, croupier.stored_tournaments, [identity]))["servers"]
    assert own_server["seasons_with_a_role"] == ["Spring", "Winter"]
    # No round brought them that.
    await evening.bot.croupier.ledger.record(StandingsCleared())


async def end_now(evening: Evening) -> None:
    seasons = evening.bot.croupier.seasons
    season = seasons.running(evening.server.id)
    assert season is not None
    assert await seasons.set_end(season, evening.bot.croupier.now())
    await look(evening)
