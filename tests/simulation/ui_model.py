"""Stands between a modelled Discord and the croupier, as the cogs do."""

import asyncio
from dataclasses import replace
from random import Random

from bot.croupier import (
    ChannelNotAllowedError,
    ChannelTakenError,
    Croupier,
    GiftRefused,
    Gifts,
    Houses,
    NoSuchTableError,
    TableChanged,
)
from bot.croupier.house_changes import HouseChange
from bot.croupier.houses import HouseChangedError, NoSuchDraftError
from bot.ledger.changes import BoardPosted, DirectChannel
from bot.ledger.errors import LedgerError, LedgerUnavailable, Unstorable
from bot.rules.wrong_rules import WrongRuleError
from bot.table.commands import Command, MemberLeft, RollForBank, TakeBank
from bot.table.events import HandsDealt
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState
from tests.simulation.discord_model import DiscordModel, Press, Sent
from tests.simulation.disk import Trouble
from tests.simulation.event_check import EventCheck
from tests.simulation.press_replies import AllReplies, PressReplies, Reply
from tests.simulation.trace import Trace

TRIES = 3
"""How often a send is tried."""
TRUE = {
    *(trouble.value[1] for trouble in Trouble),
    "the ledger is closed",
    "the ledger's writer is gone",
}
"""The errors of a ledger that cannot be written: SQLite's, or the end of the process."""


class ListenerFailedError(Exception):
    """The error of a listener that fails on purpose."""


class UiModel:
    """Takes presses, and sends boards and hands.

    Args:
        discord: Discord.
        trace: records what happens.
        replies: records the replies.
        random: decides who leaves before the reply, and when the listener fails.
        croupier: hosts the tables.
        houses: the house rules of every server.
        event_check: knows what happened at each table.

    Attributes:
        broken: what should not have happened.
        event_check: as replies.
    """

    def __init__(
        self,
        discord: DiscordModel,
        trace: Trace,
        replies: AllReplies,
        random: Random,
        croupier: Croupier,
        houses: Houses,
        event_check: EventCheck,
    ) -> None:
        self.broken: list[str] = []
        self.event_check = event_check
        self.croupier = croupier
        self._discord = discord
        self._trace = trace
        self._replies = replies
        self._random = random
        self._houses = houses
        self._gifts = Gifts(croupier)
        self._stale: dict[int, None] = {}
        self._posting: dict[int, asyncio.Task[None]] = {}
        self._posted: dict[int, None] = {}
        self._sending: dict[asyncio.Task[None], None] = {}

    async def ready(self) -> None:
        """Goes on where the bot stopped, as after every reconnect."""
        await self.croupier.go_on()
        await self.look_around()

    async def look_around(self) -> None:
        """Sends every board again, and winds up tables whose channel is gone."""
        for table in self.croupier.tables.all():
            if table.channel_id in self._discord.channels:
                self._show(table)
            else:
                await self._do(self.croupier.wind_up([table]))

    def told(self, news: TableChanged) -> None:
        """Hears of what happened: boards and hands are to be shown. Fails now and then."""
        self._show(news.after)
        if self._discord.trouble and self._random.random() < 0.02:
            raise ListenerFailedError
        for event in news.events:
            if isinstance(event, HandsDealt):
                for member_id in [seat.member.member_id for seat in news.after.seats if seat.pieces]:
                    self._start(self._deal_to(member_id))

    async def take(self, press: Press, patience: int | None = None) -> None:
        """Carries out a press.

        Args:
            press: what was pressed.
            patience: the steps of the loop after which the member stops waiting; None to wait for the answer,
                except now and then.
        """
        replies = self._replies.to(press)
        asking = asyncio.create_task(self._ask(press, replies))
        if patience is None and self._discord.trouble and self._random.random() < 0.05:
            patience = self._random.randrange(150)
        if patience is not None:
            for _ in range(patience):
                await asyncio.sleep(0)
            asking.cancel()
        try:
            await asyncio.wait([asking])
        except asyncio.CancelledError:
            self._reply(replies, Reply.UNKNOWN, "process gone")
            raise
        if asking.cancelled():
            self._reply(replies, Reply.UNKNOWN, "gone away")
        elif error := asking.exception():
            self.broken.append(f"{press} failed with {error!r}")

    async def channel_gone(self, channel_id: int) -> None:
        """Handles the deletion of a channel."""
        gone = [table for table in self.croupier.tables.all() if table.channel_id == channel_id]
        await self._do(self.croupier.wind_up(gone))

    async def server_gone(self, server_id: int) -> None:
        """Handles the removal of the bot from a server."""
        await self._do(self.croupier.wind_up(self.croupier.tables.of_server(server_id)))

    async def member_left(self, server_id: int, member_id: int, key: str) -> None:
        """Handles the departure of a member."""
        for table in self.croupier.tables.concerning(server_id, member_id):
            asked = self.croupier.ask(table.table_id, MemberLeft(member_id), None, f"{key}:{table.table_id}")
            await self._do(asked)

    async def change_house(
        self, draft_id: int, server_id: int, member_id: int, change: HouseChange, confirmed: list[int]
    ) -> None:
        """Changes house rules: draft, preview, and a confirmation that may come twice."""
        try:
            await self._houses.draft(draft_id, server_id, member_id, change)
            await asyncio.sleep(self._random.uniform(0.5, 10))
            for _ in range(self._random.choice([0, 1, 1, 1, 2])):
                await self._houses.confirm(draft_id, server_id, member_id)
                confirmed += [draft_id]
        except (LedgerError, HouseChangedError, NoSuchDraftError, WrongRuleError) as failed:
            self._trace.note("house stays", draft_id, type(failed).__name__)

    async def _ask(self, press: Press, replies: PressReplies) -> None:
        try:
            if press.gift is not None:
                made = await self._gifts.give(press.gift, str(press.key))
                refused = isinstance(made, GiftRefused)
                self._reply(replies, Reply.REFUSED if refused else Reply.DONE, type(made).__name__)
                return
            if press.table_id is None or press.command is None:
                await self._open(press, replies)
                return
            known = self.croupier.tables.get(press.table_id)
            if known is None:
                raise NoSuchTableError
            replies.met(self.event_check.past(press.table_id), self.croupier.now())
            command = self._with_rules(press.command, known)
            answer = await self.croupier.ask(press.table_id, command, press.member.member_id, str(press.key))
            if isinstance(answer, Refused):
                self._reply(replies, Reply.REFUSED, answer.code.value)
                return
            self._reply(replies, Reply.DONE, type(press.command).__name__)
        except (NoSuchTableError, ChannelTakenError, ChannelNotAllowedError) as refused:
            self._reply(replies, Reply.REFUSED, type(refused).__name__)
            if isinstance(refused, NoSuchTableError):
                self._discord.boards.pop(press.channel_id, None)
        except LedgerError as failed:
            # A table whose failed write is on disk is known some seconds later.
            hidden = press.table_id is None and isinstance(failed, Unstorable)
            if not hidden and (not isinstance(failed, LedgerUnavailable) or str(failed) not in TRUE):
                self.broken.append(f"{press} failed with {failed!r}")
            self._reply(replies, Reply.UNKNOWN, str(failed))

    async def _open(self, press: Press, replies: PressReplies) -> None:
        server_id = self._discord.channels.get(press.channel_id)
        if server_id is None:
            return
        await self.croupier.open_table(
            server_id, press.channel_id, press.member, press.key, press.game, press.play
        )
        self._reply(replies, Reply.DONE, "OpenTable")

    def _with_rules(self, command: Command, known: TableState) -> Command:
        match command:
            case TakeBank() | RollForBank():
                return replace(command, rules=self.croupier.rules_for(known))
            case _:
                return command

    def _reply(self, replies: PressReplies, reply: Reply, what: str) -> None:
        replies.replies.append(reply)
        self._trace.note(reply.value, replies.press.key, what)
        self._trace.counts[what] += 1

    def _show(self, table: TableState) -> None:
        """Sends a table's board again; changes that come meanwhile are sent together."""
        self._stale[table.table_id] = None
        if table.table_id not in self._posting:
            posting = self._start(self._post(table))
            self._posting[table.table_id] = posting
            posting.add_done_callback(lambda _: self._posting.pop(table.table_id, None))

    async def _post(self, table: TableState) -> None:
        tries = 0
        while table.table_id in self._stale and tries < TRIES:
            del self._stale[table.table_id]
            state = self.croupier.tables.get(table.table_id) or replace(table, phase=Phase.CLOSED)
            sent = await self._discord.show(table.channel_id, state)
            self._trace.counts[sent.name] += 1
            if sent is Sent.UNKNOWN_CHANNEL:
                await self._do(self.croupier.wind_up([state]))
                return
            if sent in (Sent.TOO_MANY, Sent.SERVER_ERROR):
                tries += 1
                self._stale[table.table_id] = None
                await asyncio.sleep(self._random.uniform(0.1, 5))
            elif sent is Sent.UNKNOWN_MESSAGE:
                tries += 1
                self._stale[table.table_id] = None
                self._posted.pop(table.table_id, None)
                await self._do(self.croupier.ledger.record(BoardPosted(table.table_id, None, None)))
            elif sent is Sent.DONE and table.table_id not in self._posted:
                self._posted[table.table_id] = None
                posted = BoardPosted(table.table_id, table.table_id + 1, self.croupier.now())
                await self._do(self.croupier.ledger.record(posted))

    async def _deal_to(self, member_id: int) -> None:
        sent = await self._discord.message(member_id)
        closed = self.croupier.now() if sent is Sent.CLOSED_TO_MESSAGES else None
        await self._do(self.croupier.ledger.record(DirectChannel(member_id, member_id + 1, closed)))

    async def _do(self, work: object) -> None:
        """Does work that nobody waits for; only records a ledger that fails."""
        try:
            await work  # type: ignore[misc]  # whatever can be awaited
        except NoSuchTableError:
            return
        except LedgerError as failed:
            self._trace.note("not done", failed)

    def _start(self, work: object) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)  # type: ignore[arg-type]  # a coroutine
        self._sending[task] = None
        task.add_done_callback(lambda done: self._sending.pop(done, None))
        return task
