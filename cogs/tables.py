"""Tables: opening, listing and closing them, their seats, and what happens to their boards in a channel."""

import logging
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.croupier.plans import PlanKind, schedule_name
from bot.croupier.schedules import is_zone, next_days, zones_like
from bot.games.register import GAMES
from bot.ledger.changes import Plan
from bot.rules.knobs import OPENED, GameName, Play
from bot.table.commands import CloseTable, KeepOpen, MemberLeft
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refused
from bot.table.seating import may_not_close
from bot.table.state import LeaveReason, Phase, TableState
from bot.ui.admin_acts import LONGEST_REASON, Question, checked_reason, entry_words, losses_words
from bot.ui.board.text import bets_to_return, house_can_bank
from bot.ui.bot import BotCog
from bot.ui.components import MOST_OPTIONS, Component, Layout, button, text_view
from bot.ui.hand.pressed_message import is_private
from bot.ui.house.notices import News
from bot.ui.house.suggestions import Suggestions
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import YES, Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.next_steps import tell_button
from bot.ui.press.replies import (
    open_modal,
    post_publicly,
    replace_pressed,
    reply,
    reply_layout,
    reply_lines,
    reply_with_id,
)
from bot.ui.press.router import handles
from bot.ui.press.table_choice import (
    game_here,
    is_for_tables,
    missing_permissions,
    server_of,
    tables_within_reach,
)
from bot.ui.schedules import (
    MOST,
    ONCE,
    WEEKLY,
    AskedSchedule,
    asked_by_modal,
    asked_by_press,
    asked_to_schedule,
    cancelled_words,
    is_beside,
    notice_view,
    planned_view,
    schedule_modal,
    zone_view,
)
from bot.wire.requests import Content, Interaction
from bot.words.rules import game_title
from bot.words.translation import sentences, speaking_to, translate

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 10.0
"""How often it is looked for tables that are due to open."""
DAYS: Final = 14
"""How many days are suggested."""
_PRIMARY: Final = discord.ButtonStyle.primary
_PHASES: Final = {Phase.OPEN: "list.open", Phase.BETTING: "list.betting", Phase.DEALT: "list.dealt"}


class Tables(BotCog):
    """The commands and buttons about tables, and what pushes their boards up or deletes them."""

    table = app_commands.Group(name="table", description=command_text("command.table"), guild_only=True)

    @table.command(name="open", description=command_text("command.table.open"))
    @app_commands.describe(game=command_text("option.open.game"), play=command_text("option.open.play"))
    @app_commands.choices(game=choices("game", GAMES), play=choices("choice", OPENED))
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
        self.bot.notices.closed(meant, party)
        await reply(interaction, self._closed_words(meant, closed))

    @table.command(name="kick", description=command_text("command.table.kick"))
    @app_commands.describe(
        member=command_text("option.bank.member"),
        table=command_text("option.table"),
        reason=command_text("option.ban.reason"),
    )
    async def kick(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User,
        table: str | None = None,
        reason: app_commands.Range[str, 1, LONGEST_REASON] | None = None,
    ) -> None:
        """Removes a member from a table and the queue for its bank; asks first if they lose more than a seat.

        Bets before the deal go back, and what is dealt is played out.
        """
        if not interaction.permissions.manage_guild:
            raise app_commands.CheckFailure
        words = "" if reason is None else checked_reason(reason)
        meant = await self.bot.choose_table(interaction, table, only_here=True)
        if await self._party_at(meant, member.id) is None:
            raise MemberError("reply.not_at_table", member=member.id, number=meant.number)
        act = partial(self._remove, meant.table_id, member.id, words)
        ask = partial(self._removal_question, meant.table_id, member.id)
        await self.bot.admin_acts.carry_out(interaction, act, ask, translate("button.remove"))

    async def _party_at(self, table: TableState, user_id: int) -> int | None:
        """The party of a member who is at a table, backs a player there or waits for its bank; or None."""
        croupier = self.bot.croupier
        party = await croupier.identities.find(table.server_id, user_id)
        is_there = party in croupier.bank_queue.waiting(table.table_id) or table.concerns(party)
        return party if is_there else None

    async def _removal_question(
        self, table_id: int, user_id: int, interaction: Interaction
    ) -> Question | None:
        """Asks whether to remove a member who loses more than a seat without a bet."""
        table = await self.bot.croupier.table(table_id)
        if (party := await self._party_at(table, user_id)) is None:
            return None
        entry = "" if table.heat is None else entry_words(table.channel_id, 0)
        if not (costs := sentences([losses_words([table], party, self.bot.names), entry])):
            return None
        asked = translate("removal.asked", member=user_id, number=table.number)
        return Question(sentences([asked, costs]), costs)

    async def _remove(self, table_id: int, user_id: int, reason: str, interaction: Interaction) -> Layout:
        """Removes a member who was at a table, and returns what the admin is told."""
        croupier, key = self.bot.croupier, str(interaction.id)
        before = await croupier.table(table_id)
        if (party := await self._party_at(before, user_id)) is None:
            return text_view(translate("reply.no_longer_at_table", member=user_id, number=before.number))
        admin = await self.bot.party_in(interaction, before.server_id)
        removed = MemberLeft(party, LeaveReason.REMOVED)
        after = await croupier.ask(table_id, removed, None, key, await not_after(interaction))
        assert isinstance(after, TableState)
        self.bot.notices.removed(after, admin, party, reason, key)
        is_out = after.heat is not None
        if reason:
            code = "removal.you_out" if is_out else "removal.you"
            facts: dict[str, int | str] = {"number": after.number, "reason": reason}
            self.bot.admin_acts.tell(after.server_id, party, code, key, **facts)
        code = "reply.removed_later" if after.concerns(party) else "reply.removed"
        told = [
            translate(code, member=user_id, number=after.number),
            translate("barred.reason", reason=reason) if reason else "",
            entry_words(after.channel_id, 0) if is_out else translate("removal.may_return"),
        ]
        return text_view(with_links(interaction, sentences(told)))

    @kick.autocomplete("table")
    @close.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return await self.bot.suggest_tables(interaction, typed)

    @table.command(name="list", description=command_text("command.table.list"))
    async def list(self, interaction: Interaction) -> None:
        """Lists the tables with a link to each board."""
        tables = tables_within_reach(interaction, self.bot.croupier)
        if tables:
            await reply_lines(interaction, [self._line(table) for table in tables])
            return
        buttons = [tell_button()] if is_for_tables(interaction, self.bot.croupier) else []
        await reply(interaction, translate("reply.no_tables"), buttons)

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
        play=choices("choice", OPENED),
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
        if time is None:
            await self._list_scheduled(interaction)
            return
        self._check_may_plan(interaction)
        chosen = await game_here(interaction, self.bot.croupier) if game is None else game.value
        how_often = ONCE if repeat is None else repeat.value
        played_for = Play.CHIPS if play is None else play.value
        asked = asked_to_schedule(interaction.id, time, day, how_often, chosen, played_for)
        await self._plan(interaction, asked, zone)

    @handles(PressAction.SCHEDULED)
    async def list_scheduled(self, interaction: Interaction, press: Press) -> None:
        """Lists the same where it is pressed."""
        await self._list_scheduled(interaction)

    async def _list_scheduled(self, interaction: Interaction) -> None:
        plans = await self.bot.schedules.planned(server_of(interaction))
        await reply_layout(interaction, _planned_view(interaction, plans))

    @handles(PressAction.SCHEDULE)
    async def ask_when(self, interaction: Interaction, press: Press) -> None:
        """Asks when a table is to open here, and which."""
        self._check_may_plan(interaction)
        zone = await self.bot.schedules.zone(server_of(interaction))
        days = next_days(zone, self.bot.croupier.now(), DAYS)
        game = await game_here(interaction, self.bot.croupier)
        await open_modal(interaction, schedule_modal(days, game, zone))

    @handles(PressAction.SCHEDULE_MODAL)
    async def schedule_entered(self, interaction: Interaction, press: Press) -> None:
        """Schedules what was entered."""
        self._check_may_plan(interaction)
        await self._plan(interaction, asked_by_modal(interaction.id, press))

    async def _plan(self, interaction: Interaction, asked: AskedSchedule, zone: str | None = None) -> None:
        """Schedules a table in the zone, or that of the server; asks for it if there is none."""
        known = zone or await self.bot.schedules.zone(server_of(interaction))
        if known is not None and is_zone(known):
            plan, content = await self._schedule(interaction, asked, known)
            await self._note_notice(plan, await reply_with_id(interaction, content))
            if warned := await self._warned(plan):
                await reply(interaction, warned, stays=True)
            return
        locale, now = interaction.locale.value, self.bot.croupier.now()
        zones = zones_like(zone or "", locale, now, MOST_OPTIONS) or zones_like("", locale, now, MOST_OPTIONS)
        # A question: no answer to another command may take its place.
        await reply_layout(interaction, zone_view(asked, zones), kind=None)

    @handles(PressAction.ZONE)
    async def schedule_in_zone(self, interaction: Interaction, press: Press) -> None:
        """Schedules what a command asked for, in the zone that is picked."""
        self._check_may_plan(interaction)
        (zone,) = press.values
        if not is_zone(zone):
            raise MemberError("reply.outdated_component")
        plan, content = await self._schedule(interaction, asked_by_press(press), zone)
        told = await self._warned(plan) or translate("reply.done")
        await replace_pressed(interaction, Content(text_view(with_links(interaction, told))))
        # Of two presses, one shows it to the channel.
        await self._note_notice(plan, await post_publicly(interaction, content, press.arguments[0]))

    async def _warned(self, plan: Plan) -> str:
        """That only one table opens there at the time, if another one is scheduled for it; else empty."""
        planned = await self.bot.schedules.planned(plan.server_id)
        warns = any(one.name != plan.name and is_beside(one, plan) for one in planned)
        return translate("schedule.beside", channel=plan.channel_id or 0) if warns else ""

    async def _note_notice(self, plan: Plan, message_id: int | None) -> None:
        """Notes which message tells the channel of a plan, if that is known."""
        if message_id is not None:
            await self.bot.schedules.note_notice(plan, message_id)

    def _check_may_plan(self, interaction: Interaction) -> None:
        """Refuses who may not schedule a table here."""
        if not interaction.permissions.manage_guild:
            raise MemberError("reply.not_allowed")
        if missing := missing_permissions(interaction):
            raise MemberError("reply.missing_permissions", permissions=missing)

    async def _schedule(
        self, interaction: Interaction, asked: AskedSchedule, zone: str
    ) -> tuple[Plan, Content]:
        """Schedules a table, once; returns its plan, and what everybody in the channel reads."""
        server_id, now = server_of(interaction), self.bot.croupier.now()
        planned = {plan.name: plan for plan in await self.bot.schedules.planned(server_id)}
        name = schedule_name(asked.command_id)
        if name not in planned:
            if len(planned) >= MOST:
                raise MemberError("schedule.too_many", most=MOST)
            wanted = asked.first_in(zone, now)
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
            self._tell_of(planned[name], "log.scheduled", planned[name].party)
        plan = planned[name]
        with speaking_to(self.bot.readers.of_server(server_id)):
            return plan, Content(notice_view(plan))

    def _tell_of(self, plan: Plan, code: str, admin: int) -> None:
        """Tells the admins of a scheduled table."""
        facts = {"channel": plan.channel_id or 0, "at": int(plan.at or 0)}
        self.bot.notices.acted(plan.server_id, News.RULES, code, admin, f"{plan.name}/{code}", **facts)

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
        found = zones_like(typed, interaction.locale.value, self.bot.croupier.now(), MOST_OPTIONS)
        return [app_commands.Choice(name=f"{name} · {clock}", value=name) for name, clock in found]

    @handles(PressAction.UNSCHEDULE)
    async def unschedule(self, interaction: Interaction, press: Press) -> None:
        """Cancels a scheduled table, and every week's after it; one that is open already stays."""
        if not interaction.permissions.manage_guild:
            raise MemberError("reply.not_allowed")
        server_id, name = server_of(interaction), schedule_name(int(press.arguments[0]))
        plans = await self.bot.schedules.planned(server_id)
        meant = next((plan for plan in plans if plan.name == name), None)
        if meant is not None:
            await self.bot.schedules.cancel(meant)
            self._tell_of(meant, "log.unscheduled", await self.bot.party_in(interaction, server_id))
        if is_private(interaction):
            left = [plan for plan in plans if plan.name != name]
            await replace_pressed(interaction, Content(_planned_view(interaction, left)))
            if meant is not None:
                await self.bot.schedules.show_cancelled(meant)
            return
        if meant is None:
            is_open = self.bot.croupier.tables.in_channel(interaction.channel_id) is not None
            raise MemberError("schedule.is_open" if is_open else "schedule.is_gone")
        with speaking_to(self.bot.readers.of_server(server_id)):
            content = Content(text_view(cancelled_words(meant)))
        await replace_pressed(interaction, content)

    @handles(PressAction.CLOSE)
    async def close_pressed(self, interaction: Interaction, press: Press) -> None:
        """Closes the table, after the round once it is dealt; asks first if that ends an evening."""
        table = self.bot.croupier.tables[press.table_id]
        command = CloseTable(press.presser, interaction.permissions.manage_guild, with_bets=False)
        if not may_not_close(table, command) and (question := self._asks_to_close(table, press.presser)):
            raise question
        await self.bot.carry_out(interaction, press.table_id, command)
        self.bot.notices.closed(table, press.presser)

    @handles(PressAction.CLOSE_NOW)
    async def close_now(self, interaction: Interaction, press: Press) -> None:
        """Closes the table, whatever bets are down: before the deal they are returned, else after the round.

        One yes is enough, however many rounds have passed since the question.
        """
        table = self.bot.croupier.tables[press.table_id]
        command = CloseTable(press.presser, interaction.permissions.manage_guild)
        closed = await self.bot.ask(interaction, press.table_id, command)
        self.bot.notices.closed(table, press.presser)
        told = self._closed_words(table, closed, asked_in=press.round_number)
        await replace_pressed(interaction, Content(text_view(told)))

    @handles(PressAction.KEEP_OPEN)
    async def keep_open(self, interaction: Interaction, press: Press) -> None:
        """Has the table go on after the round."""
        command = KeepOpen(press.presser, interaction.permissions.manage_guild)
        await self.bot.carry_out(interaction, press.table_id, command)

    @handles(PressAction.OPEN)
    async def open_again(self, interaction: Interaction, press: Press) -> None:
        """Opens a table in the channel of the button, of the game and the way of playing that it names.

        If the button names the table that is there, that is closed first; one that is dealt closes after the
        round, and then nothing is opened. A table elsewhere stays.
        """
        game, play, *closes = press.arguments
        before = self.bot.croupier.tables.get(int(closes[0])) if closes else None
        if before is not None and before.channel_id == interaction.channel_id:
            party = await self.bot.check_may_open(interaction, game, Play(play))
            if not interaction.permissions.manage_guild:
                await self.bot.croupier.refuse_opener(before.server_id, party)
            is_meant = YES in closes
            yes = Press(PressAction.OPEN, arguments=(game, play, str(before.table_id), YES))
            label = translate("button.close_and_open", game=game_title(game))
            if not is_meant and (question := self._asks_to_close(before, party, yes, label)):
                raise question
            close = CloseTable(party, interaction.permissions.manage_guild, with_bets=is_meant)
            # The new table has the click's own id as its key.
            key, until = f"{interaction.id}:close", await not_after(interaction)
            decided = await self.bot.croupier.ask(before.table_id, close, party, key, until)
            if isinstance(decided, Refused):
                error = await self.bot.refused(interaction, decided, before, party, close)
                if error.is_question:
                    error.next_steps = (button(yes, label, style=discord.ButtonStyle.danger),)
                raise error
            self.bot.notices.closed(before, party)
            if decided.phase is not Phase.CLOSED:
                await reply(interaction, self._closed_words(before, decided))
                return
        await self._open(interaction, game, Play(play))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Updates every board of the shard: nobody says what was deleted while there was no connection."""
        self.bot.boards.edit_all({server.id for server in self.bot.guilds if server.shard_id == shard_id})

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Counts what pushes a board, and panels, up their channel."""
        self.bot.boards.count_message(message.channel.id, message.id)
        self.bot.panels.count_message(message.channel.id)

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
        """Opens a table here, and answers with its board.

        Where one is open, the answer is the link to it, with buttons to play there, and for who may close it.
        """
        table = await self.bot.open_table(interaction, game, play)
        if not await self.bot.boards.post(interaction, table):
            link = self.bot.boards.link(table.table_id) or ""
            party = await self.bot.party_in(interaction, table.server_id)
            manages = interaction.permissions.manage_guild
            press, label = Press(PressAction.CLOSE, table.table_id), translate("menu.close")
            is_another = game is not None and (game, play) != (table.rules.game, table.rules.play)
            can_close = manages and not table.held and self._asks_to_close(table, party) is None
            # Others than admins may have to wait before they open the next table.
            if game is not None and is_another and can_close:
                press = Press(PressAction.OPEN, arguments=(game, play, str(table.table_id)))
                label = translate("button.close_and_open", game=game_title(game))
            close = CloseTable(party, manages)
            buttons = [one async for one in self._ways_in(table, party)]
            buttons += [] if may_not_close(table, close) else [button(press, label)]
            said = translate("reply.table_open_here", number=table.number, link=link)
            await reply(interaction, said, buttons)

    async def _ways_in(self, table: TableState, party: int) -> AsyncIterator[Component]:
        """The buttons with which a member plays at an open table, or goes on."""
        if table.has(party):
            yield button(Press(PressAction.HAND, table.table_id), translate("menu.hand"), style=_PRIMARY)
        elif unmet_precondition(table, Action.JOIN) is None:
            yield button(Press(PressAction.JOIN, table.table_id), translate("button.join"), style=_PRIMARY)
        if house_can_bank(table, await self.bot.croupier.wallets.house_chips(table.server_id)):
            press = Press(PressAction.PLAY_HOUSE, table.table_id)
            yield button(press, translate("button.play_house"), style=_PRIMARY)

    def _asks_to_close(
        self, table: TableState, presser: int, yes: Press | None = None, label: str = ""
    ) -> MemberError | None:
        """Asks whether to close a table of others, who are there, or one that played rounds; else None.

        While bets are down that would go back, the table asks, with what goes back to whom. Once dealt, a
        table closes after the round, and whose it is can keep it open.

        Args:
            yes: what the yes presses, and its label; None for what only closes the table.
        """
        if table.heat is not None or (table.held and table.phase is not Phase.DEALT):
            return None
        banker = [] if table.bank is None or table.house_banks else [table.bank.party]
        others = {*banker, *(seat.party for seat in table.members)} - {presser}
        rounds = self.bot.croupier.stories.of(table.table_id).rounds
        if others and not table.belongs_to(presser):
            asked = MemberError("reply.close_others", number=table.number, count=len(others))
        elif rounds and table.phase is not Phase.DEALT:
            asked = MemberError("reply.close_played", number=table.number, count=rounds)
        else:
            return None
        if yes is None:
            yes = Press(PressAction.CLOSE_NOW, table.table_id, table.round_to_deal)
            label = translate("menu.close")
        danger = discord.ButtonStyle.danger
        asked.next_steps, asked.is_question = (button(yes, label, style=danger),), True
        return asked

    def _closed_words(self, before: TableState, closed: TableState, asked_in: int | None = None) -> str:
        """That a table is closed, or will be; and where to read how it went, unless that comes below.

        Args:
            asked_in: the round to deal, or dealt, when its member was asked whether to close it.
        """
        if closed.phase is not Phase.CLOSED:
            return translate("reply.table_closes", number=closed.number)
        points = "_points" if closed.for_points else ""
        said = [translate(f"reply.table_now_closed{points}", number=closed.number)]
        if asked_in is not None and closed.last is not None and closed.last.round_number >= asked_in:
            said.append(translate("reply.settled_before", round=closed.last.round_number))
        if returned := bets_to_return([before], self.bot.names):
            said.append(returned)
        link = self.bot.boards.link(closed.table_id)
        if closed.last is not None and link and not self.bot.boards.goes_below(closed.table_id):
            said.append(translate("reply.how_it_went", link=link))
        return sentences(said)

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


def _planned_view(interaction: Interaction, plans: Sequence[Plan]) -> Layout:
    return planned_view(plans, may_plan=interaction.permissions.manage_guild)
