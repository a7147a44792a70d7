"""Sends boards and hands to a modelled Discord, as the bot does."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from random import Random
from typing import Any, Final

from bot.croupier import Croupier, NoSuchTableError, TableChanged
from bot.ledger.changes import BoardPosted, DirectChannel
from bot.ledger.errors import LedgerError
from bot.table.events import HandsDealt
from bot.table.state import Phase, TableState
from tests.simulation.discord_model import DiscordModel, Sent
from tests.simulation.trace import Trace

TRIES: Final = 3
"""How often a send is tried."""


class ListenerFailedError(Exception):
    """The error of a listener that fails on purpose."""


class MessagesModel:
    """Sends what members see; a listener of the croupier.

    Args:
        discord: Discord.
        trace: records what happens.
        random: decides when the listener fails.
        croupier: hosts the tables.
    """

    def __init__(self, discord: DiscordModel, trace: Trace, random: Random, croupier: Croupier) -> None:
        self._croupier = croupier
        self._discord = discord
        self._trace = trace
        self._random = random
        self._stale: dict[int, None] = {}
        self._posting: dict[int, asyncio.Task[None]] = {}
        self._posted: dict[int, None] = {}
        self._sending: dict[asyncio.Task[None], None] = {}

    def __call__(self, news: TableChanged) -> None:
        """Hears of what happened: boards and hands are to be shown. Fails now and then."""
        self.show(news.after)
        if self._discord.trouble and self._random.random() < 0.02:
            raise ListenerFailedError
        for event in news.events:
            if isinstance(event, HandsDealt):
                for party in [seat.party for seat in news.after.seats if seat.pieces]:
                    self._start(self._deal_to(party))

    def show(self, table: TableState) -> None:
        """Sends a table's board again; changes that come meanwhile are sent together."""
        self._stale[table.table_id] = None
        if table.table_id not in self._posting:
            posting = self._start(self._post(table))
            self._posting[table.table_id] = posting
            posting.add_done_callback(lambda _: self._posting.pop(table.table_id, None))

    async def do(self, work: Awaitable[object]) -> None:
        """Does work that nobody waits for; only records a ledger that fails."""
        try:
            await work
        except NoSuchTableError:
            return
        except LedgerError as failed:
            self._trace.note("not done", failed)

    async def _post(self, table: TableState) -> None:
        tries = 0
        while table.table_id in self._stale and tries < TRIES:
            del self._stale[table.table_id]
            state = self._croupier.tables.get(table.table_id) or replace(table, phase=Phase.CLOSED)
            sent = await self._discord.show(table.channel_id, state)
            self._trace.counts[sent.name] += 1
            if sent is Sent.UNKNOWN_CHANNEL:
                await self.do(self._croupier.wind_up([state]))
                return
            if sent in (Sent.TOO_MANY, Sent.SERVER_ERROR):
                tries += 1
                self._stale[table.table_id] = None
                await asyncio.sleep(self._random.uniform(0.1, 5))
            elif sent is Sent.UNKNOWN_MESSAGE:
                tries += 1
                self._stale[table.table_id] = None
                self._posted.pop(table.table_id, None)
                await self.do(self._croupier.ledger.record(BoardPosted(table.table_id, None, None)))
            elif sent is Sent.DONE and table.table_id not in self._posted:
                self._posted[table.table_id] = None
                posted = BoardPosted(table.table_id, table.table_id + 1, self._croupier.now())
                await self.do(self._croupier.ledger.record(posted))

    async def _deal_to(self, party: int) -> None:
        identity = self._croupier.identities.get(party)
        if identity is None:
            return
        sent = await self._discord.message(identity.user_id)
        closed = self._croupier.now() if sent is Sent.CLOSED_TO_MESSAGES else None
        # Nothing is stored of a member who was erased meanwhile.
        if self._croupier.identities.get(party) is not None:
            channel = DirectChannel(identity.user_id, self._discord.new_id(), closed)
            await self.do(self._croupier.ledger.record(channel))

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._sending[task] = None
        task.add_done_callback(lambda done: self._sending.pop(done, None))
        return task
