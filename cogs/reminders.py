"""Reminders by direct message: of daily chips, and of tables to play at in a channel.

Each is noted before it is sent: after a failure or a restart, a member rather gets none than a second one.
They are sent one after another while nothing else waits to be sent, and dropped if that takes long.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.clock import DAY_SECONDS, HOUR_SECONDS
from bot.croupier.handouts import Handouts
from bot.croupier.open_tables import TableChanged
from bot.croupier.plans import PlanKind, change_plan, daily_name, table_name
from bot.ledger.changes import Identity, Plan
from bot.ledger.errors import LedgerError
from bot.ledger.records import is_recent
from bot.table.events import BankTaken, SeatTaken, TableOpened
from bot.table.state import TableState
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import Component, Layout, button, row, text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError, log_failure, nonce
from bot.ui.press.replies import reply
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 20.0
"""How often it is looked for what is due."""
PAUSE_SECONDS: Final = 0.5
"""The pause after a message of a bot of one process; one of several waits longer."""
LATEST_SECONDS: Final = 6 * HOUR_SECONDS
"""How late a reminder of daily chips may be; later it is dropped."""
LATEST_TABLE_SECONDS: Final = 300.0
"""The same of a table: it may be full, or closed again."""
QUIET_SECONDS: Final = 6 * HOUR_SECONDS
"""How long a member is not told of the next table in the same channel."""


class RemindersCog(BotCog, name="Reminders"):
    """Sends reminders, and switches them on and off."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._ledger = bot.croupier.ledger
        self._handouts = Handouts(bot.croupier)
        bot.croupier.listeners.add(self._on_players, of=(TableOpened, SeatTaken, BankTaken))

    async def cog_load(self) -> None:
        """Starts to look."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "reminders", later=True)

    @handles(PressAction.REMIND)
    async def remind(self, interaction: Interaction, press: Press) -> None:
        """Reminds the member of their daily chips in a server from now on."""
        identity = await self._member(interaction, int(press.arguments[0]))
        coming = await self._handouts.coming(identity.server_id, identity.party)
        waits = coming.daily_at is not None and coming.daily_at > self.bot.croupier.now()
        plan = Plan(
            daily_name(identity.party),
            identity.server_id,
            identity.party,
            PlanKind.DAILY,
            at=coming.daily_at if waits else None,
        )
        await self._switch_on(interaction, identity, plan, "remind.on")

    @handles(PressAction.TELL)
    async def tell(self, interaction: Interaction, press: Press) -> None:
        """Tells the member from now on when there is a table to play at in the channel of the button."""
        server_id, channel_id = server_of(interaction), interaction.channel_id
        assert channel_id is not None
        await self.bot.party_in(interaction, server_id)
        identity = await self._member(interaction, server_id)
        name = table_name(channel_id, identity.party)
        # One that is on already knows when it was sent last.
        plan = await self._ledger.plan(name)
        if plan is None:
            plan = Plan(name, server_id, identity.party, PlanKind.TABLE, channel_id)
        await self._switch_on(interaction, identity, plan, "tell.on")

    async def _switch_on(self, interaction: Interaction, identity: Identity, plan: Plan, code: str) -> None:
        await change_plan(self._ledger, None, plan)
        # Who asks for messages may have opened theirs.
        await self.bot.delivery.forget_closed(identity)
        told = translate(code, hours=int(QUIET_SECONDS / HOUR_SECONDS))
        off = off_button(plan.kind, plan.channel_id or plan.server_id)
        await reply(interaction, told, [off], stays=True)

    @handles(PressAction.REMIND_OFF)
    async def switch_off(self, interaction: Interaction, press: Press) -> None:
        """Ends the reminder that the button is below, in any server of the member."""
        kind, place = press.arguments
        for identity in await self._ledger.identities_of(interaction.user.id):
            party = identity.party
            name = daily_name(party) if kind == PlanKind.DAILY else table_name(int(place), party)
            for _ in range(2):
                # It may just be on its way.
                plan = await self._ledger.plan(name)
                fits = plan is not None and (kind == PlanKind.TABLE or plan.server_id == int(place))
                if not fits or await change_plan(self._ledger, plan, None):
                    break
        await reply(interaction, translate("remind.off"))

    async def _member(self, interaction: Interaction, server_id: int) -> Identity:
        identity = await self._ledger.identity_of(server_id, interaction.user.id)
        if identity is None:
            raise MemberError("reply.outdated_component")
        return identity

    async def look(self) -> None:
        """Sends reminders of daily chips that are due; stores that breaks are over and limits changed."""
        await self.bot.wait_until_ready()
        try:
            if self.bot.others.can_be:
                # While one process takes over from another, either may store a break.
                await self.bot.croupier.barred.load()
            for plan in await self._ledger.plans_due(self.bot.croupier.now()):
                if not self.bot.settings.hosts(plan.server_id):
                    continue
                if plan.kind == PlanKind.DAILY:
                    await self._remind(plan)
                elif plan.kind == PlanKind.BREAK:
                    await change_plan(self._ledger, plan, None)
                elif plan.kind == PlanKind.LIMIT:
                    await self.bot.croupier.barred.put_in_place(plan)
        except LedgerError as failed:
            log_failure(log, failed, "reminders are looked at later")

    async def _remind(self, plan: Plan) -> None:
        """Sends a reminder of daily chips, unless they are not there, or were taken already."""
        assert plan.at is not None
        await self._until_nothing_waits()
        now = self.bot.croupier.now()
        if (until := await self.bot.croupier.barred.until(plan.party)) is not None:
            # A ban may be lifted before its end.
            await change_plan(self._ledger, plan, replace(plan, at=min(until, now + DAY_SECONDS)))
            return
        coming = await self._handouts.coming(plan.server_id, plan.party)
        if coming.daily_at is None or coming.daily_at > now:
            await change_plan(self._ledger, plan, replace(plan, at=coming.daily_at))
            return
        # The next one follows when these chips are taken.
        noted = replace(plan, at=None)
        if not await change_plan(self._ledger, plan, noted) or not is_recent(plan.at, LATEST_SECONDS, now):
            return
        server = await self.bot.server_name(plan.server_id)

        def written() -> Layout:
            take = Press(PressAction.TAKE_DAILY, arguments=(str(plan.server_id),))
            said = translate("remind.ready", server=server or "", chips=coming.daily_chips)
            off = off_button(PlanKind.DAILY, plan.server_id)
            return [text(said), row(button(take, translate("button.take_daily")), off)]

        if server is not None:
            await self._send(noted, written, plan.at)

    def _on_players(self, change: TableChanged) -> None:
        """Tells those who wait for a table in the channel, when one opens or is empty no longer."""
        before, after = change.before, change.after
        if before is None or not (before.members or before.bank):
            self.bot.tasks.start(self._tell(after), "reminders")

    async def _tell(self, table: TableState) -> None:
        croupier = self.bot.croupier
        since = croupier.now()
        try:
            waiting = await self._ledger.plans_in(table.server_id, PlanKind.TABLE, table.channel_id)
            for plan in waiting:
                told_at = json.loads(plan.what or "0")
                is_here = table.has(plan.party)
                if not is_here and table.table_id not in self.bot.schedules.opened:
                    # Who opened it was here; who scheduled it need not be.
                    is_here = plan.party in table.parties
                if is_here or is_recent(told_at, QUIET_SECONDS, croupier.now()):
                    continue
                await self._until_nothing_waits()
                if await croupier.barred.is_barred(plan.party):
                    continue
                now, still = croupier.now(), croupier.tables.get(table.table_id)
                if still is None or not is_recent(since, LATEST_TABLE_SECONDS, now):
                    return
                noted = replace(plan, what=json.dumps(now))
                if await change_plan(self._ledger, plan, noted):
                    await self._send(noted, partial(self._told, table), now)
        except LedgerError as failed:
            log_failure(log, failed, "who waits for a table could not be told")

    def _told(self, table: TableState) -> Layout:
        place = self.bot.boards.link(table.table_id) or f"<#{table.channel_id}>"
        off = off_button(PlanKind.TABLE, table.channel_id)
        return [text(translate("tell.opened", place=place)), row(off)]

    async def _until_nothing_waits(self) -> None:
        """Waits until requests can be sent and none waits: reminders are what can wait best."""
        await self.bot.stand_back()
        for _ in range(int(LATEST_TABLE_SECONDS)):
            if not self.bot.budget.waiting:
                return
            await asyncio.sleep(1)

    async def _send(self, plan: Plan, written: Callable[[], Layout], at: float) -> None:
        """Sends what is noted already; whose messages are closed gets no more of the kind."""
        identity = (await self._ledger.identities([plan.party])).get(plan.party)
        if identity is None or identity.has_left:
            return
        with speaking_to(self.bot.readers.of_member(identity)):
            content = Content(written())
        if not await self.bot.delivery.send_message(identity, content, nonce("plan", plan.name, at)):
            await change_plan(self._ledger, plan, None)
        await asyncio.sleep(PAUSE_SECONDS / self.bot.settings.share)


def daily_button(server_id: int, *, is_on: bool) -> Component:
    """The button that switches reminders of daily chips off, or on."""
    if is_on:
        return off_button(PlanKind.DAILY, server_id)
    return button(Press(PressAction.REMIND, arguments=(str(server_id),)), translate("button.remind"))


def off_button(kind: str, place: int) -> Component:
    """The button that ends a reminder: of daily chips in a server, or of tables in a channel."""
    press = Press(PressAction.REMIND_OFF, arguments=(kind, str(place)))
    return button(press, translate(f"button.{kind}_off"))
