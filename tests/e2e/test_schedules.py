"""`/table schedule` as members use it: tables that open by themselves, once a time, and are cancelled."""

import asyncio
from datetime import UTC, datetime, time, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from discord.http import Route

from bot.croupier.schedules import read_schedule
from bot.ledger.changes import Plan
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Permission
from bot.table.state import Phase
from cogs.tables import Tables
from tests.discord_schema import validate_request
from tests.e2e.answers import id_of, labels, message_of, said
from tests.e2e.evening import Evening
from tests.stand_in import RecordedRequest

BERLIN = {"zone": "Europe/Berlin"}
WEEK = 7 * 86_400
CREATE_EVENTS = Permission(1 << 44)


class Events:
    """Discord's scheduled events, of which the stand-in knows nothing."""

    def __init__(self, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: dict[int, dict[str, Any]] = {}
        http = evening.bot.http
        send = http.request

        async def request(route: Route, **options: Any) -> Any:
            if "scheduled-events" not in route.path:
                return await send(route, **options)
            number = max(self.made, default=0) + 1
            if route.method == "DELETE":
                del self.made[int(route.url.rpartition("/")[2])]
                return None
            body = options["json"]
            template, answer = "/guilds/{guild_id}/scheduled-events", {"id": str(number)}
            validate_request(
                RecordedRequest(
                    "POST", route.path, template, {}, body, [], 0, 200, answer, True, datetime.now(UTC)
                )
            )
            self.made[number] = body
            return answer

        monkeypatch.setattr(http, "request", request)


async def plans(evening: Evening) -> list[Plan]:
    return await evening.bot.schedules.planned(evening.server.id)


async def look(evening: Evening, at: float) -> None:
    """Has the bot look at a time for what is due."""
    evening.bot.croupier.now = lambda: at
    await cast("Tables", evening.bot.get_cog("Tables")).look()


async def schedule(evening: Evening, person: Person, **options: object) -> tuple[Message, Plan]:
    """What the channel reads of a new schedule, and its plan."""
    known = {plan.name for plan in await plans(evening)}
    shown = message_of(await person.slash(evening.channel, "table schedule", **options))
    assert not shown.ephemeral, shown.text
    (plan,) = (plan for plan in await plans(evening) if plan.name not in known)
    return shown, plan


async def test_a_table_opens_every_week_and_discord_shows_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.server.everyone.permissions |= CREATE_EVENTS
    await evening.restart()
    events = Events(evening, monkeypatch)
    dora, alice = evening.person("Dora", manage_server=True), evening.person("Alice")
    asked = message_of(
        await dora.slash(
            evening.channel, "table schedule", time="20:00", repeat="weekly", game="niu-niu", zone="Nowhere"
        )
    )
    assert asked.ephemeral
    assert asked.text.startswith("**20:00** in which time zone?")
    await evening.restart()
    events = Events(evening, monkeypatch)
    # Pressed twice, it is one.
    menu = asked.selects()[0]
    await asyncio.gather(*(dora.choose(asked, menu, *BERLIN.values()) for _ in range(2)))
    await evening.until(lambda: asked.text == "Done.", "the question is answered")
    await evening.settle_down()
    (shown,) = (one for one in alice.sees(evening.channel) if "📅" in one.text)
    (plan,) = await plans(evening)
    assert plan.at is not None
    assert shown.text == (
        f"📅 Niu Niu opens in <#{evening.channel.id}> every week at 20:00 (Europe/Berlin): "
        f"next on <t:{int(plan.at)}:F>, <t:{int(plan.at)}:R>."
    )
    assert said(await alice.click(shown, "Cancel")) == "You need the permission **Manage Server** for this."
    assert [event["name"] for event in events.made.values()] == ["Niu Niu"]
    await alice.click(shown, "Tell me of tables here")
    await look(evening, plan.at - 1)
    assert evening.bot.croupier.tables.in_channel(evening.channel.id) is None
    for _ in range(2):
        await look(evening, plan.at + 1800)
    table = evening.table()
    assert table.rules.game == "niu-niu"
    await evening.until(lambda: evening.board(alice), "the board is there")
    await evening.until(lambda: alice.sees(alice.dm()), "Alice is told")
    (later,) = await plans(evening)
    assert later.at is not None
    assert abs(later.at - plan.at - WEEK) <= 3600
    await evening.until(lambda: f"next on <t:{int(later.at or 0)}:F>" in shown.text, "the notice goes on")
    assert labels(shown) == ["Tell me of tables here", "Cancel"]
    assert len(events.made) == 2
    # A week later, and at another process that has not seen it yet, it stays the only table.
    await evening.restart()
    events = Events(evening, monkeypatch)
    await look(evening, later.at)
    assert evening.table().table_id == table.table_id
    assert len(evening.bot.croupier.tables.all()) == 1
    listed = message_of(await dora.slash(evening.other_channel, "table schedule"))
    assert listed.ephemeral
    assert labels(listed) == ["Cancel", "Schedule a table"]
    await dora.click(listed, "Cancel")
    assert (listed.text, labels(listed)) == ("No table is scheduled.", ["Schedule a table"])
    stays = "This weekly table is cancelled. A table that is open already stays."
    await evening.until(lambda: (shown.text, labels(shown)) == (stays, []), "the notice says so")
    nothing = message_of(await alice.slash(evening.channel, "table schedule"))
    assert nothing.text == "No table is scheduled."
    assert events.made == {}
    assert await plans(evening) == []
    # The server's zone is still known.
    berlin = ZoneInfo("Europe/Berlin")
    day = datetime.fromtimestamp(evening.bot.croupier.now(), berlin).date() + timedelta(days=30)
    _, again = await schedule(evening, dora, time="23:00", day=day.isoformat())
    assert read_schedule(again.what).zone == "Europe/Berlin"
    assert again.at == datetime.combine(day, time(23), berlin).timestamp()


async def test_once_it_is_open_its_notice_says_so_and_whoever_planned_it_is_told(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    shown, plan = await schedule(evening, dora, time="20:00", **BERLIN)
    _, late = await schedule(evening, dora, time="21:00", **BERLIN)
    assert plan.at is not None
    assert late.at is not None
    await dora.click(shown, "Tell me of tables here")
    cancel = id_of(shown, "Cancel")
    await evening.restart()
    await look(evening, plan.at)
    opened = f"📅 Gnau opened in <#{evening.channel.id}> on <t:{int(plan.at)}:F>."
    assert (shown.text, labels(shown)) == (opened, [])
    await evening.until(lambda: dora.sees(dora.dm()), "Dora is told")
    # Its old button, where the notice could not be edited.
    is_open = "The table is open already, so nothing was cancelled."
    assert said(await dora.press_raw(shown, cancel)).startswith(is_open)
    assert shown.text == opened
    assert evening.table().phase is Phase.OPEN
    await dora.slash(evening.channel, "table close")
    gone = "This table isn't scheduled any more, so nothing was cancelled."
    assert said(await dora.press_raw(shown, cancel)) == gone
    await look(evening, late.at + 3601)
    texts = [one.text for one in dora.sees(evening.channel)]
    assert f"📅 Gnau did not open in <#{evening.channel.id}> on <t:{int(late.at)}:F>." in texts


async def test_what_cannot_open_is_left_out_and_who_planned_it_and_the_admins_read_why(
    evening: Evening,
) -> None:
    dora = evening.person("Dora", manage_server=True)
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    evening.bot.notices.gather_seconds = 0
    evening.expect_fault(403, 404)

    async def refused(**options: object) -> str:
        return said(await dora.slash(evening.channel, "table schedule", **options))

    assert (await refused(time="20:00", day="0001-01-01", zone="Asia/Tokyo")).startswith("That time is over")
    assert (await refused(time="late", **BERLIN)).startswith("I don't understand that time.")
    assert (await refused(time="20:00", day="Friday", **BERLIN)).startswith("I don't understand that day.")
    assert (await refused(time="20:00", day="2020-01-01", **BERLIN)).startswith("That time is over")
    # At any time of a day, the weekly one comes second.
    day = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    _, late = await schedule(evening, dora, time="20:00", day=day, **BERLIN)
    # The zone is known now.
    _, weekly = await schedule(evening, dora, time="23:00", day=day, repeat="weekly", play="points")
    assert late.at is not None
    await look(evening, late.at + 3601)
    assert evening.bot.croupier.tables.in_channel(evening.channel.id) is None
    (stored,) = await plans(evening)
    assert stored.name == weekly.name
    weekly = stored
    assert weekly.at is not None
    everyone = evening.server.everyone
    everyone.permissions &= ~Permission.VIEW_CHANNEL
    await look(evening, weekly.at)
    offline, told = dora.sees(dora.dm())
    assert "I was not online within an hour of its time" in offline.text
    assert "I may not write there" in told.text
    everyone.permissions |= Permission.VIEW_CHANNEL
    (weekly,) = await plans(evening)
    assert weekly.at is not None
    await look(evening, weekly.at)
    assert evening.table().for_points
    assert evening.table().phase is Phase.OPEN
    (weekly,) = await plans(evening)
    assert weekly.at is not None
    await look(evening, weekly.at)
    taken = dora.sees(dora.dm())[-1].text
    assert "another one is open there" in taken
    await evening.until(
        lambda: f"📅 {taken}" in dora.sees(evening.other_channel)[-1].text, "the admins read it"
    )
    await evening.settle_down()


async def test_who_schedules_two_tables_for_one_time_is_warned(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    day = (datetime.now(UTC) + timedelta(days=3)).date()
    await schedule(evening, dora, time="20:00", day=day.isoformat(), repeat="weekly", zone="UTC")
    await schedule(evening, dora, time="21:00", day=day.isoformat(), zone="UTC")
    after = (day + timedelta(days=21)).isoformat()

    def warnings() -> list[Message]:
        return [one for one in dora.sees(evening.channel) if one.ephemeral]

    await evening.settle_down()
    assert not warnings()
    await schedule(evening, dora, time="20:00", day=after, zone="UTC")
    await evening.until(warnings, "the warning follows")
    (warned,) = warnings()
    assert warned.text.startswith(
        f"⚠️ Another table is scheduled in <#{evening.channel.id}> for the same time"
    )
