"""Tables: opening, listing and closing them, their seats, and what happens to their boards in a channel."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.croupier.plans import PlanKind, schedule_name
from bot.croupier.schedules import Schedule, clock_time, first_time, is_zone, next_days, zones_like
from bot.games.register import GAMES
from bot.ledger.changes import Plan
from bot.rules.knobs import GameName, Play
from bot.table.commands import CloseTable, KeepOpen, MemberLeft
from bot.table.preconditions import other_round
from bot.table.state import LeaveReason, Phase, TableState
from bot.ui.bot import BotCog
from bot.ui.components import button, row, text_view
from bot.ui.hand.panels import is_private
from bot.ui.house.suggestions import Suggestions
from bot.ui.press.arrivals import not_after
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import (
    post_publicly,
    replace_pressed,
    reply,
    reply_layout,
    reply_lines,
    reply_publicly,
)
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, missing_permissions, server_of, tables_within_reach
from bot.ui.schedules import MOST, cancel_button, planned_view, planned_words, zone_view
from bot.wire.requests import Content, Interaction
from bot.words.translation import speaking_to, translate

LOOK_SECONDS: Final = 10.0
"""How often it is looked for tables that are due to open."""
ONCE: Final = "once"
WEEKLY: Final = "weekly"
"""How often a scheduled table opens."""
ANY_DAY: Final = "any"
"""Stands for the next day on which it is that late."""
DAYS: Final = 14
"""How many days are suggested."""
SUGGESTED: Final = 25
"""The most suggestions that Discord takes."""
_PHASES: Final = {Phase.OPEN: "list.open", Phase.BETTING: "list.betting", Phase.DEALT: "list.dealt"}


class Tables(BotCog):
    """The commands and buttons about tables, and what pushes their boards up or deletes them."""

    table = app_commands.Group(name="table", description=command_text("command.table"), guild_only=True)

    @table.command(name="open", description=command_text("command.table.open"))
    @app_commands.describe(game=command_text("option.open.game"), play=command_text("option.open.play"))
    @app_commands.choices(game=choices("game", GAMES), play=choices("choice", Play))
    async def open(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        play: app_commands.Choice[str] | None = None,
    ) -> None:
        """Opens a table here, and answers with its board."""
        chosen = None if game is None else game.value
        await self._open(interaction, chosen, Play.CHIPS if play is None else Play(play.value))

    @table.command(name="close", description=command_text("command.table.close"))
    @app_commands.describe(table=command_text("option.table"))
    async def close(self, interaction: Interaction, table: str | None = None) -> None:
        """Closes a table, after the round once it is dealt; asks first if bets are down."""
        meant = await self.bot.choose_table(interaction, table, only_here=True)
        party = await self.bot.party_in(interaction, meant.server_id)
        command = CloseTable(party, interaction.permissions.manage_guild, with_bets=False)
        closed = await self.bot.ask(interaction, meant.table_id, command)
        await reply(interaction, _closed_words(closed))

    @table.command(name="kick", description=command_text("command.table.kick"))
    @app_commands.describe(member=command_text("option.bank.member"), table=command_text("option.table"))
    async def kick(
        self, interaction: Interaction, member: discord.Member | discord.User, table: str | None = None
    ) -> None:
        """Removes a member from a table: bets before the deal go back, and what is dealt is played out."""
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        meant = await self.bot.choose_table(interaction, table, only_here=True)
        croupier = self.bot.croupier
        admin = await self.bot.party_in(interaction, meant.server_id)
        party = await croupier.identities.find(meant.server_id, member.id)
        if not (meant.has(party) or meant.side_bets_of(party)):
            raise MemberError("reply.not_at_table", member=member.id, number=meant.number)
        key, until = str(interaction.id), await not_after(interaction)
        removed = MemberLeft(party, LeaveReason.REMOVED)
        after = await croupier.ask(meant.table_id, removed, None, key, until)
        assert isinstance(after, TableState)
        self.bot.notices.removed(after, admin, party, key)
        is_later = after.has(party) or after.side_bets_of(party)
        code = "reply.removed_later" if is_later else "reply.removed"
        await reply(interaction, translate(code, member=member.id, number=after.number))

    @kick.autocomplete("table")
    @close.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return await self.bot.suggest_tables(interaction, typed)

    @table.command(name="list", description=command_text("command.table.list"))
    async def list(self, interaction: Interaction) -> None:
        """Lists the tables with a link to each board."""
        tables = tables_within_reach(interaction, self.bot.croupier)
        lines = [self._line(table) for table in tables] or [translate("reply.no_tables")]
        await reply_lines(interaction, lines)

    async def cog_load(self) -> None:
        """Starts to look for tables that are due to open."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "schedules")

    async def look(self) -> None:
        """Opens the scheduled tables that are due."""
        await self.bot.wait_until_ready()
        await self.bot.schedules.look()

    @table.command(name="schedule", description=command_text("command.table.schedule"))
    @app_commands.describe(
        time=command_text("option.schedule.time"),
        day=command_text("option.schedule.day"),
        repeat=command_text("option.schedule.repeat"),
        game=command_text("option.open.game"),
        play=command_text("option.open.play"),
        zone=command_text("option.schedule.zone"),
    )
    @app_commands.choices(
        repeat=choices("choice", (ONCE, WEEKLY)),
        game=choices("game", GAMES),
        play=choices("choice", Play),
    )
    async def schedule(
        self,
        interaction: Interaction,
        time: app_commands.Range[str, 1, 20] | None = None,
        day: app_commands.Range[str, 1, 20] | None = None,
        repeat: app_commands.Choice[str] | None = None,
        game: app_commands.Choice[str] | None = None,
        play: app_commands.Choice[str] | None = None,
        zone: app_commands.Range[str, 1, 50] | None = None,
    ) -> None:
        """Schedules a table here; without a time, lists what is scheduled in the server."""
        server_id = server_of(interaction)
        if time is None:
            await self._list_schedules(interaction, await self.bot.schedules.planned(server_id))
            return
        self._check_may_plan(interaction)
        clock, first_day = _clock(time), _day(day)
        chosen = await game_here(interaction, self.bot.croupier) if game is None else game.value
        asked = (
            str(interaction.id),
            f"{clock:%H%M}",
            ANY_DAY if first_day is None else first_day.isoformat().replace("-", ""),
            ONCE if repeat is None else repeat.value,
            chosen,
            Play.CHIPS if play is None else play.value,
        )
        known = zone or await self.bot.schedules.zone(server_id)
        if known is not None and is_zone(known):
            await reply_publicly(interaction, await self._schedule(interaction, asked, known))
            return
        locale, now = interaction.locale.value, self.bot.croupier.now()
        zones = zones_like(zone or "", locale, now, SUGGESTED) or zones_like("", locale, now, SUGGESTED)
        view = zone_view(Press(PressAction.ZONE, arguments=asked), f"{clock:%H:%M}", zones)
        # A question: no answer to another command may take its place.
        await reply_layout(interaction, view, kind=None)

    @handles(PressAction.ZONE)
    async def schedule_in_zone(self, interaction: Interaction, press: Press) -> None:
        """Schedules what a command asked for, in the zone that is picked."""
        self._check_may_plan(interaction)
        (zone,) = press.values
        if not is_zone(zone):
            raise MemberError("reply.outdated_component")
        content = await self._schedule(interaction, press.arguments, zone)
        await replace_pressed(interaction, Content(text_view(translate("reply.done"))))
        # Of two presses, one shows it to the channel.
        await post_publicly(interaction, content, press.arguments[0])

    def _check_may_plan(self, interaction: Interaction) -> None:
        """Refuses who may not schedule a table here."""
        if not interaction.permissions.manage_guild:
            raise MemberError("reply.not_allowed")
        if missing := missing_permissions(interaction):
            raise MemberError("reply.missing_permissions", permissions=missing)

    async def _schedule(self, interaction: Interaction, asked: Sequence[str], zone: str) -> Content:
        """Schedules a table, once; returns what everybody in the channel reads.

        Args:
            asked: what `PressAction.ZONE` carries.
        """
        command_id, clock, day, repeat, game, play = asked
        server_id, now = server_of(interaction), self.bot.croupier.now()
        planned = {plan.name: plan for plan in await self.bot.schedules.planned(server_id)}
        name = schedule_name(int(command_id))
        if name not in planned:
            if len(planned) >= MOST:
                raise MemberError("schedule.too_many", most=MOST)
            at = _first_time(clock, None if day == ANY_DAY else day, zone, now)
            wanted = Schedule(game, play, at.isoformat(), zone, repeat == WEEKLY)
            planned[name] = Plan(
                name,
                server_id,
                await self.bot.party_in(interaction, server_id),
                PlanKind.SCHEDULE,
                interaction.channel_id,
                wanted.next_after(now),
                wanted.as_json,
            )
            await self.bot.schedules.add(planned[name])
        plan = planned[name]
        with speaking_to(self.bot.readers.of_server(server_id)):
            tell = button(Press(PressAction.TELL), translate("button.tell"))
            return Content([*text_view(planned_words(plan)), row(tell, cancel_button(plan))])

    @schedule.autocomplete("day")
    async def suggest_days(self, interaction: Interaction, typed: str) -> Suggestions:
        """The next two weeks, each day by its name."""
        zone = str(interaction.namespace.zone or "")
        named = [
            (f"{translate(f'weekday.{day.weekday()}')} · {day.isoformat()}", day.isoformat())
            for day in next_days(zone if is_zone(zone) else None, self.bot.croupier.now(), DAYS)
        ]
        words = typed.strip().lower()
        return [app_commands.Choice(name=name, value=day) for name, day in named if words in name.lower()]

    @schedule.autocomplete("zone")
    async def suggest_zones(self, interaction: Interaction, typed: str) -> Suggestions:
        """Time zones with the time that it is there."""
        found = zones_like(typed, interaction.locale.value, self.bot.croupier.now(), SUGGESTED)
        return [app_commands.Choice(name=f"{name} · {clock}", value=name) for name, clock in found]

    @handles(PressAction.UNSCHEDULE)
    async def unschedule(self, interaction: Interaction, press: Press) -> None:
        """Cancels a scheduled table."""
        if not interaction.permissions.manage_guild:
            raise MemberError("reply.not_allowed")
        server_id, name = server_of(interaction), schedule_name(int(press.arguments[0]))
        plans = await self.bot.schedules.planned(server_id)
        for plan in plans:
            if plan.name == name:
                await self.bot.schedules.cancel(plan)
        if is_private(interaction):
            await self._list_schedules(interaction, [plan for plan in plans if plan.name != name])
            return
        with speaking_to(self.bot.readers.of_server(server_id)):
            content = Content(text_view(translate("schedule.cancelled")))
        await replace_pressed(interaction, content)

    async def _list_schedules(self, interaction: Interaction, plans: Sequence[Plan]) -> None:
        """Shows this person what is scheduled, in place of what they pressed, if they did."""
        view = planned_view(plans, may_plan=interaction.permissions.manage_guild)
        if interaction.type is discord.InteractionType.component:
            await replace_pressed(interaction, Content(view))
        else:
            await reply_layout(interaction, view)

    @handles(PressAction.CLOSE)
    async def close_pressed(self, interaction: Interaction, press: Press) -> None:
        """Closes the table, after the round once it is dealt; asks first if bets are down."""
        command = CloseTable(press.presser, interaction.permissions.manage_guild, with_bets=False)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(PressAction.CLOSE_NOW)
    async def close_now(self, interaction: Interaction, press: Press) -> None:
        """Closes the table in the round in which that was asked; all bets are returned."""
        table = self.bot.croupier.tables[press.table_id]
        if other_round(table, press.meant_round):
            # An old question closes no later round, but asks about it.
            asked = text_view(translate("reply.close_this_round", round=table.round_number))
            again = Press(PressAction.CLOSE_NOW, table.table_id, table.round_number)
            close = button(again, translate("menu.close"), style=discord.ButtonStyle.danger)
            await replace_pressed(interaction, Content([*asked, row(close)]))
            return
        command = CloseTable(press.presser, interaction.permissions.manage_guild)
        closed = await self.bot.ask(interaction, press.table_id, command)
        await replace_pressed(interaction, Content(text_view(_closed_words(closed))))

    @handles(PressAction.KEEP_OPEN)
    async def keep_open(self, interaction: Interaction, press: Press) -> None:
        """Has the table go on after the round."""
        command = KeepOpen(press.presser, interaction.permissions.manage_guild)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(PressAction.OPEN)
    async def open_again(self, interaction: Interaction, press: Press) -> None:
        """Opens a table in the channel of the button, of the game and the way of playing that it names."""
        game, play = press.arguments
        await self._open(interaction, game, Play(play))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Updates every board of the shard: nobody says what was deleted while there was no connection."""
        self.bot.boards.edit_all({server.id for server in self.bot.guilds if server.shard_id == shard_id})

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Counts what pushes a board up its channel."""
        self.bot.boards.count_message(message.channel.id, message.id)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Posts a deleted board again."""
        self.bot.boards.message_deleted(payload.channel_id, payload.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Posts a board again that was deleted with many other messages."""
        for message_id in payload.message_ids:
            self.bot.boards.message_deleted(payload.channel_id, message_id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Updates the board of an archived thread that somebody opens again."""
        if not payload.data["thread_metadata"]["archived"]:
            self.bot.boards.thread_opened(payload.thread_id)

    async def _open(self, interaction: Interaction, game: GameName | None, play: Play) -> None:
        """Opens a table here, and answers with its board, or with the link to it if it is posted already."""
        table = await self.bot.open_table(interaction, game, play)
        if not await self.bot.boards.post(interaction, table):
            link = self.bot.boards.link(table.table_id) or ""
            await reply(interaction, translate("reply.table_open_here", number=table.number, link=link))

    def _line(self, table: TableState) -> str:
        bank = table.bank
        banker = (
            translate("list.bank", who=self.bot.names.mention(bank.party))
            if bank
            else translate("list.no_bank")
        )
        parts = [
            f"{table.game.display.emoji} **{translate('table.name', number=table.number)}**",
            f"<#{table.channel_id}>",
            banker,
            translate("list.players", count=len(table.members)),
            translate(_PHASES[table.phase]),
        ]
        return f"{' · '.join(parts)} {self.bot.boards.link(table.table_id) or ''}"


def _clock(typed: str) -> time:
    """The time of day that somebody typed."""
    clock = clock_time(typed)
    if clock is None:
        raise MemberError("schedule.no_time")
    return clock


def _day(typed: str | None) -> date | None:
    """The day that somebody typed, if they did."""
    try:
        return None if typed is None else date.fromisoformat(typed.strip())
    except ValueError:
        raise MemberError("schedule.no_day") from None


def _first_time(clock: str, day: str | None, zone: str, now: float) -> datetime:
    """When a table opens first, on the clock of a zone; time and day in ISO 8601."""
    try:
        first = first_time(time.fromisoformat(clock), _day(day), zone, now)
    except OverflowError:
        raise MemberError("schedule.no_day") from None
    if first is None:
        raise MemberError("schedule.not_then")
    return first


def _closed_words(closed: TableState) -> str:
    if closed.phase is not Phase.CLOSED:
        return translate("reply.table_closes", number=closed.number)
    code = "reply.table_now_closed_points" if closed.for_points else "reply.table_now_closed"
    return translate(code, number=closed.number)
