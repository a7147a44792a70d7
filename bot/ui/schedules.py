"""Tables that open at a time: planned, listed, cancelled and opened, and Discord's scheduled events for them.

A bot that was down at the time opens the table up to an hour late; later, that time is left out. The plan's
row changes after the table is open. Opened twice, by two processes or after a failure, it is the same table:
its id follows from its plan and the time.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import discord

from bot.clock import HOUR_SECONDS
from bot.croupier.barred import BarredError
from bot.croupier.open_tables import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.operation import NoNewRoundsError
from bot.croupier.plans import PlanKind, change_plan, zone_name
from bot.croupier.schedules import Schedule, is_zone, read_schedule
from bot.ledger.changes import Plan
from bot.ledger.errors import LedgerError
from bot.ledger.records import is_recent
from bot.rules.knobs import Play
from bot.ui.board.boards import Boards
from bot.ui.components import Component, Layout, button, menu, option, row, text, text_view
from bot.ui.hand.delivery import HandDelivery
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.ui.press.table_choice import lacking
from bot.ui.services import Services
from bot.wire.requests import Content
from bot.words.translation import speaking_to, translate, typed_command

log = logging.getLogger(__name__)

LATEST_SECONDS: Final = HOUR_SECONDS
"""How late a table opens at most."""
MOST: Final = 10
"""The most schedules of a server."""
_EVENT_HOURS: Final = 2
"""How long Discord shows that the event goes on."""


class Schedules:
    """Plans tables and opens them."""

    def __init__(
        self, services: Services, boards: Boards, delivery: HandDelivery, hosts: Callable[[int], bool]
    ) -> None:
        self._services = services
        self._croupier = services.croupier
        self._ledger = services.croupier.ledger
        self._boards = boards
        self._delivery = delivery
        self._hosts = hosts

    async def planned(self, server_id: int) -> list[Plan]:
        """What is scheduled in a server, the earliest first."""
        return await self._ledger.plans_in(server_id, PlanKind.SCHEDULE)

    async def zone(self, server_id: int) -> str | None:
        """The time zone in which a table was scheduled last; None if none was, or it is no zone any more."""
        plan = await self._ledger.plan(zone_name(server_id))
        return None if plan is None or not is_zone(plan.what) else plan.what

    async def add(self, plan: Plan) -> None:
        """Stores a plan, notes its time zone, and makes the event for it."""
        await change_plan(self._ledger, None, plan)
        before = await self._ledger.plan(zone := zone_name(plan.server_id))
        what = read_schedule(plan.what).zone
        await change_plan(
            self._ledger, before, Plan(zone, plan.server_id, plan.party, PlanKind.ZONE, what=what)
        )
        await self._make_event(plan)

    async def cancel(self, plan: Plan) -> None:
        """Deletes a plan and its event, also one that was put off meanwhile."""
        while (stored := await self._ledger.plan(plan.name)) is not None:
            if await change_plan(self._ledger, stored, None):
                await self._delete_event(stored)
                return

    async def look(self) -> None:
        """Opens the tables that are due."""
        try:
            for plan in await self._ledger.plans_due(self._croupier.now()):
                if plan.kind == PlanKind.SCHEDULE and self._hosts(plan.server_id):
                    await self._carry_out(plan)
        except LedgerError as failed:
            log_failure(log, failed, "scheduled tables are opened later")

    async def _carry_out(self, plan: Plan) -> None:
        assert plan.at is not None
        server, now = self._services.client.get_guild(plan.server_id), self._croupier.now()
        schedule, refused, ends = read_schedule(plan.what), "", False
        if not is_recent(plan.at, LATEST_SECONDS, now):
            log.info("a scheduled table of server %s is left out: its time was %s", plan.server_id, plan.at)
        elif server is None or server.unavailable:
            # It is tried again until it is too late.
            return
        else:
            try:
                channel = await server.fetch_channel(plan.channel_id or 0)
            except SENDING_FAILED as failed:
                if not isinstance(failed, discord.Forbidden | discord.NotFound):
                    return
                # What the bot may not see, it may see again next week.
                ends, refused = isinstance(failed, discord.NotFound), "channel"
            else:
                refused = await self._open(plan, schedule, channel, server)
        following = None if ends else schedule.next_after(now)
        after = None
        if following is not None:
            after = replace(plan, at=following, what=replace(schedule, event_id=None).as_json)
        if await change_plan(self._ledger, plan, after):
            if after is not None:
                await self._make_event(after)
            if refused:
                await self._tell(plan, refused)

    async def _open(
        self,
        plan: Plan,
        schedule: Schedule,
        channel: discord.abc.GuildChannel | discord.Thread,
        server: discord.Guild,
    ) -> str:
        """Opens a table; returns why there is none, as `schedule.refused.…` says it, or nothing.

        Where a table is open already, it is the one.
        """
        thread = isinstance(channel, discord.Thread)
        if lacking(channel.permissions_for(server.me), thread=thread):
            return "channel"
        assert plan.at is not None
        at = datetime.fromtimestamp(plan.at, UTC)
        key = discord.utils.time_snowflake(at) | int(plan.name.partition(":")[2]) & 0x3FFFFF
        try:
            table = await self._croupier.open_table(
                plan.server_id,
                channel.id,
                plan.party,
                key,
                schedule.game,
                Play(schedule.play),
                parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
            )
        except (ChannelTakenError, NoSuchTableError):
            return ""
        except ChannelNotAllowedError:
            return "not_allowed"
        except NoNewRoundsError:
            return "maintenance"
        except BarredError:
            return "banned"
        self._boards.post_missing(table.table_id)
        return ""

    async def _tell(self, plan: Plan, refused: str) -> None:
        """Tells who scheduled a table that it did not open."""
        identity = (await self._ledger.identities([plan.party])).get(plan.party)
        if identity is None:
            return
        with speaking_to(self._services.readers.of_member(identity)):
            words = translate(f"schedule.refused.{refused}", channel=plan.channel_id or 0)
        same = nonce("schedule", plan.name, plan.at)
        await self._delivery.send_message(identity, Content(text_view(words)), same)

    async def _make_event(self, plan: Plan) -> None:
        """Makes Discord's scheduled event for the next table, if the bot may; notes it in the plan."""
        server = self._services.client.get_guild(plan.server_id)
        if server is None or plan.at is None or not server.me.guild_permissions.create_events:
            return
        schedule, at = read_schedule(plan.what), datetime.fromtimestamp(plan.at, UTC)
        with speaking_to(self._services.readers.of_server(plan.server_id)):
            name = translate(f"game.{schedule.game}")
            about = translate("schedule.event", channel=plan.channel_id or 0)
        try:
            made = await self._services.client.http.create_guild_scheduled_event(
                plan.server_id,
                reason=None,
                name=name,
                description=about,
                privacy_level=discord.PrivacyLevel.guild_only.value,
                entity_type=discord.EntityType.external.value,
                entity_metadata={
                    "location": f"https://discord.com/channels/{plan.server_id}/{plan.channel_id}"
                },
                scheduled_start_time=at.isoformat(),
                scheduled_end_time=(at + timedelta(hours=_EVENT_HOURS)).isoformat(),
            )
        except SENDING_FAILED as failed:
            log_failure(log, failed, "no event could be made in server %s", plan.server_id)
            return
        noted = replace(plan, what=replace(schedule, event_id=int(made["id"])).as_json)
        if not await change_plan(self._ledger, plan, noted):
            await self._delete_event(noted)

    async def _delete_event(self, plan: Plan) -> None:
        event_id = read_schedule(plan.what).event_id
        if event_id is None:
            return
        try:
            await self._services.client.http.delete_scheduled_event(plan.server_id, event_id)
        except SENDING_FAILED as failed:
            # Somebody may have deleted it.
            log.info("an event of server %s could not be deleted: %s", plan.server_id, failed)


def planned_words(plan: Plan) -> str:
    """What opens where and when, as Discord shows the time to each reader."""
    schedule = read_schedule(plan.what)
    at, game = int(plan.at or 0), translate(f"game.{schedule.game}")
    code = "schedule.weekly" if schedule.is_weekly else "schedule.once"
    clock = datetime.fromisoformat(schedule.local).strftime("%H:%M")
    return translate(code, game=game, channel=plan.channel_id or 0, at=at, clock=clock, zone=schedule.zone)


def cancel_button(plan: Plan) -> Component:
    """The button that cancels a plan."""
    press = Press(PressAction.UNSCHEDULE, arguments=(plan.name.partition(":")[2],))
    return button(press, translate("button.unschedule"))


def planned_view(plans: Sequence[Plan], *, may_plan: bool) -> Layout:
    """What is scheduled in a server; for who may schedule, with buttons to cancel it and an example."""
    layout: Layout = []
    for plan in plans:
        layout.append(text(planned_words(plan)))
        if may_plan:
            layout.append(row(cancel_button(plan)))
    if not plans:
        layout.append(text(translate("schedule.none")))
    if may_plan and len(plans) < MOST:
        example = typed_command("table.schedule", time="20:00")
        repeat = translate("name.option.repeat")
        layout.append(text(translate("schedule.example", command=example, repeat=repeat)))
    return layout


def zone_view(press: Press, clock: str, zones: Sequence[tuple[str, str]]) -> Layout:
    """Asks in which time zone a clock is meant, and has the press go on with the one that is picked."""
    options = [option(f"{zone} · {now}", zone) for zone, now in zones]
    asked = text(translate("schedule.ask_zone", clock=clock, zone=translate("name.option.zone")))
    return [asked, row(menu(press, translate("schedule.pick_zone"), options))]
