"""Tables that open at a time: planned, listed, cancelled and opened, and Discord's scheduled events for them.

A bot that was down at the time opens the table up to an hour late; later, that time is left out. The plan's
row changes after the table is open. Opened twice, by two processes or after a failure, it is the same table:
its id follows from its plan and the time.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import discord

from bot.clock import HOUR_SECONDS
from bot.croupier.barred import BarredError
from bot.croupier.open_tables import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.operation import NoNewRoundsError
from bot.croupier.plans import PlanKind, change_plan, zone_name
from bot.croupier.schedules import Schedule, clock_time, first_time, is_zone, read_schedule
from bot.games.register import GAMES
from bot.ledger.changes import Plan
from bot.ledger.errors import LedgerError
from bot.ledger.records import is_recent
from bot.rules.knobs import OPENED, GameName, Play
from bot.ui.board.boards import Boards
from bot.ui.components import (
    Component,
    Layout,
    button,
    label,
    link_to,
    menu,
    modal,
    option,
    row,
    select,
    text,
    text_input,
    text_view,
)
from bot.ui.hand.delivery import HandDelivery
from bot.ui.house.notices import HouseNotices
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import SENDING_FAILED, MemberError, is_temporary, log_failure, nonce
from bot.ui.press.next_steps import tell_button
from bot.ui.press.table_choice import lacking
from bot.ui.services import Services
from bot.wire.requests import Content, edit
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

LATEST_SECONDS: Final = HOUR_SECONDS
"""How late a table opens at most."""
MOST: Final = 10
"""The most schedules of a server."""
ONCE: Final = "once"
WEEKLY: Final = "weekly"
"""How often a scheduled table opens."""
ANY_DAY: Final = "any"
"""Stands for today, or tomorrow if the time of the day has passed."""
_TIME, _DAY, _REPEAT, _GAME, _PLAY = "time", "day", "repeat", "game", "play"
"""What the modal asks for."""
_EVENT_HOURS: Final = 2
"""How long Discord shows that the event goes on."""


@dataclass(frozen=True, slots=True)
class AskedSchedule:
    """A table that an admin asks to schedule, in a time zone that may not be known yet.

    Attributes:
        command_id: of the interaction that asked; each makes one plan.
        clock: the time of day.
        day: of the first table; None for today, or tomorrow if the time has passed.
        play: one of `OPENED`.
    """

    command_id: int
    clock: time
    day: date | None
    is_weekly: bool
    game: GameName
    play: str

    @property
    def press(self) -> Press:
        """Schedules it in the time zone that is picked."""
        day = ANY_DAY if self.day is None else f"{self.day:%Y%m%d}"
        repeat = WEEKLY if self.is_weekly else ONCE
        of = (str(self.command_id), f"{self.clock:%H%M}", day, repeat, self.game, self.play)
        return Press(PressAction.ZONE, arguments=of)

    def first_in(self, zone: str, now: float) -> Schedule:
        """The schedule in a time zone.

        Raises:
            MemberError: if its first table would be in the past, or too far away.
        """
        try:
            first = first_time(self.clock, self.day, zone, now)
        except OverflowError:
            raise MemberError("schedule.no_day") from None
        if first is None:
            raise MemberError("schedule.not_then")
        return Schedule(self.game, self.play, first.isoformat(), zone, self.is_weekly)


def asked_to_schedule(
    command_id: int, clock: str, day: str | None, repeat: str, game: GameName, play: str
) -> AskedSchedule:
    """What an admin asks for who typed this time of day and this day; None stands for `ANY_DAY`.

    Raises:
        MemberError: if either is none.
    """
    if (at := clock_time(clock)) is None:
        raise MemberError("schedule.no_time")
    return AskedSchedule(command_id, at, _day(day), repeat == WEEKLY, game, play)


def asked_by_modal(command_id: int, press: Press) -> AskedSchedule:
    """What an admin asks for by the modal of `schedule_modal`.

    Raises:
        MemberError: if no modal of this version asks for it, or time or day are none.
    """
    entered = [press.fields.get(one, ("",))[0] for one in (_TIME, _DAY, _REPEAT, _GAME, _PLAY)]
    clock, day, repeat, game, play = entered
    if repeat not in (ONCE, WEEKLY) or game not in GAMES or play not in OPENED:
        raise MemberError("reply.outdated_component")
    return asked_to_schedule(command_id, clock, day, repeat, game, play)


def asked_by_press(press: Press) -> AskedSchedule:
    """What was asked for before its time zone was picked, as `AskedSchedule.press` has it.

    Raises:
        MemberError: if there is no such day.
    """
    command_id, clock, day, repeat, game, play = press.arguments
    at = time.fromisoformat(clock)
    return AskedSchedule(int(command_id), at, _day(day), repeat == WEEKLY, game, play)


def _day(typed: str | None) -> date | None:
    try:
        return None if typed in (None, ANY_DAY) else date.fromisoformat(typed.strip())
    except ValueError:
        raise MemberError("schedule.no_day") from None


class Schedules:
    """Plans tables and opens them.

    Attributes:
        opened: the ids of the tables that it opened since the bot started: nobody was there to see it.
    """

    def __init__(
        self,
        services: Services,
        boards: Boards,
        delivery: HandDelivery,
        notices: HouseNotices,
        hosts: Callable[[int], bool],
    ) -> None:
        self._services = services
        self._croupier = services.croupier
        self._ledger = services.croupier.ledger
        self._boards = boards
        self._delivery = delivery
        self._notices = notices
        self._hosts = hosts
        self.opened: set[int] = set()

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

    async def note_notice(self, plan: Plan, message_id: int) -> None:
        """Notes which message tells the channel of a plan, also one that was put off meanwhile."""
        while (stored := await self._ledger.plan(plan.name)) is not None:
            noted = replace(read_schedule(stored.what), notice_id=message_id)
            if await change_plan(self._ledger, stored, replace(stored, what=noted.as_json)):
                return

    async def cancel(self, plan: Plan) -> None:
        """Deletes a plan and its event, also one that was put off meanwhile."""
        while (stored := await self._ledger.plan(plan.name)) is not None:
            if await change_plan(self._ledger, stored, None):
                await self._delete_event(stored)
                return

    async def show_cancelled(self, plan: Plan) -> None:
        """Has the notice of a cancelled plan say so."""
        await self._edit_notice(plan, lambda: text_view(cancelled_words(plan)))

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
        schedule, refused, ends, is_open = read_schedule(plan.what), "", False, False
        if not is_recent(plan.at, LATEST_SECONDS, now):
            log.info("a scheduled table of server %s is left out: its time was %s", plan.server_id, plan.at)
            refused = "" if server is None else "late"
        elif server is None or server.unavailable:
            # It is tried again until it is too late.
            return
        else:
            try:
                channel = await server.fetch_channel(plan.channel_id or 0)
            except SENDING_FAILED as failed:
                if is_temporary(failed):
                    return
                # What the bot may not see, it may see again next week.
                ends, refused = isinstance(failed, discord.NotFound), "channel"
            else:
                refused = await self._open(plan, schedule, channel, server)
                is_open = not refused
        following = None if ends else schedule.next_after(now)
        after = None
        if following is not None:
            after = replace(plan, at=following, what=replace(schedule, event_id=None).as_json)
        if await change_plan(self._ledger, plan, after):
            if after is not None:
                await self._make_event(after)
            if refused:
                await self._tell(plan, refused)
            await self._edit_notice(plan, lambda: over_view(plan, after, is_open=is_open))

    async def _open(
        self,
        plan: Plan,
        schedule: Schedule,
        channel: discord.abc.GuildChannel | discord.Thread,
        server: discord.Guild,
    ) -> str:
        """Opens a table; returns why there is none, as `schedule.refused.…` says it, or nothing."""
        thread = isinstance(channel, discord.Thread)
        if lacking(channel.permissions_for(server.me), thread=thread):
            return "channel"
        assert plan.at is not None
        at = datetime.fromtimestamp(plan.at, UTC)
        key = discord.utils.time_snowflake(at) | int(plan.name.partition(":")[2]) & 0x3FFFFF
        # Before it is there, for those who are told of it at once.
        self.opened.add(key)
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
        except NoSuchTableError:
            # It was opened at an earlier try, and is closed by now.
            return ""
        except ChannelTakenError:
            return "taken"
        except ChannelNotAllowedError:
            return "not_allowed"
        except NoNewRoundsError:
            return "maintenance"
        except BarredError:
            return "banned"
        self._boards.post_missing(table.table_id)
        return ""

    async def _edit_notice(self, plan: Plan, view: Callable[[], Layout]) -> None:
        """Brings the message up to date that tells the channel of a plan."""
        notice_id = read_schedule(plan.what).notice_id
        if notice_id is None or plan.channel_id is None:
            return
        with speaking_to(self._services.readers.of_server(plan.server_id)):
            content = Content(view())
        try:
            await edit(self._services.client, plan.channel_id, notice_id, content)
        except SENDING_FAILED as failed:
            # Somebody may have deleted it.
            log.info("a notice in channel %s could not be edited: %s", plan.channel_id, failed)

    async def _tell(self, plan: Plan, refused: str) -> None:
        """Tells who scheduled a table why it did not open, and the admins."""
        self._notices.not_opened(plan, refused)
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
                entity_metadata={"location": link_to(plan.server_id, plan.channel_id)},
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


def is_beside(one: Plan, other: Plan) -> bool:
    """Whether both are ever due at the same time in the same channel, so that only one of them opens."""

    def is_due(plan: Plan, at: float | None) -> bool:
        return at is not None and read_schedule(plan.what).next_after(at - 1) == at

    return one.channel_id == other.channel_id and (is_due(one, other.at) or is_due(other, one.at))


def planned_words(plan: Plan) -> str:
    """What opens where and when, as Discord shows the time to each reader."""
    schedule = read_schedule(plan.what)
    at, game = int(plan.at or 0), translate(f"game.{schedule.game}")
    code = "schedule.weekly" if schedule.is_weekly else "schedule.once"
    clock = datetime.fromisoformat(schedule.local).strftime("%H:%M")
    return translate(code, game=game, channel=plan.channel_id or 0, at=at, clock=clock, zone=schedule.zone)


def notice_view(plan: Plan) -> Layout:
    """What tells a channel of a table that opens there, with buttons to be told of it and to cancel it."""
    return [*text_view(planned_words(plan)), row(tell_button(), cancel_button(plan))]


def over_view(plan: Plan, after: Plan | None, *, is_open: bool) -> Layout:
    """The same once the time has come: when the next table opens, or what became of the only one."""
    if after is not None:
        return notice_view(after)
    game = translate(f"game.{read_schedule(plan.what).game}")
    code = "schedule.opened" if is_open else "schedule.not_opened"
    return text_view(translate(code, channel=plan.channel_id or 0, game=game, at=int(plan.at or 0)))


def cancelled_words(plan: Plan) -> str:
    """What stands in place of the notice of a plan that somebody cancelled."""
    is_weekly = read_schedule(plan.what).is_weekly
    return translate("schedule.cancelled_weekly" if is_weekly else "schedule.cancelled")


def cancel_button(plan: Plan) -> Component:
    """The button that cancels a plan."""
    press = Press(PressAction.UNSCHEDULE, arguments=(plan.name.partition(":")[2],))
    return button(press, translate("button.unschedule"))


def planned_view(plans: Sequence[Plan], *, may_plan: bool) -> Layout:
    """What is scheduled in a server; for who may schedule, with buttons to cancel it and for another one."""
    layout: Layout = []
    for plan in plans:
        layout.append(text(planned_words(plan)))
        if may_plan:
            layout.append(row(cancel_button(plan)))
    if not plans:
        layout.append(text(translate("schedule.none")))
    if may_plan and len(plans) < MOST:
        press = Press(PressAction.SCHEDULE)
        layout.append(row(button(press, translate("button.schedule"), style=discord.ButtonStyle.success)))
    return layout


def schedule_modal(days: Iterable[date], game: GameName, zone: str | None) -> Component:
    """Asks when a table is to open, how often, and which.

    Args:
        days: those that can be picked beside `ANY_DAY`.
        game: the one that is picked to begin with.
        zone: in which the time is meant; None if that is asked after it.
    """

    def pick(custom_id: str, room: str, values: Iterable[str], picked: str) -> Component:
        options = [option(translate(f"{room}.{one}"), one, default=one == picked) for one in values]
        return label(translate(f"modal.schedule_{custom_id}"), select(custom_id, options))

    dates = [option(translate("choice.any_day"), ANY_DAY, default=True)]
    dates += [option(f"{translate(f'weekday.{one.weekday()}')} · {one}", f"{one}") for one in days]
    clock = None
    if zone is not None:
        clock = translate("modal.schedule_zone", zone=zone, option=translate("name.option.zone"))
    parts = [
        label(translate("modal.schedule_time"), text_input(_TIME, longest=20, placeholder="20:00"), clock),
        label(translate("modal.schedule_day"), select(_DAY, dates)),
        pick(_REPEAT, "choice", (ONCE, WEEKLY), ONCE),
        pick(_GAME, "game", GAMES, game),
        pick(_PLAY, "choice", OPENED, Play.CHIPS),
    ]
    return modal(Press(PressAction.SCHEDULE_MODAL), translate("button.schedule"), parts)


def zone_view(asked: AskedSchedule, zones: Sequence[tuple[str, str]]) -> Layout:
    """Asks in which time zone a time is meant; the one that is picked goes on."""
    options = [option(f"{zone} · {now}", zone) for zone, now in zones]
    clock, zone = f"{asked.clock:%H:%M}", translate("name.option.zone")
    question = text(translate("schedule.ask_zone", clock=clock, zone=zone))
    return [question, row(menu(asked.press, translate("schedule.pick_zone"), options))]
