"""Keeps the connections to Discord's gateway, each of which is a shard of the bot's servers.

discord.py would log in every five seconds without end, wait up to 17 minutes after an outage, and log a
traceback at each try. Discord lets a bot log in (IDENTIFY) 1,000 times a day, and then resets its token. So
Discord is asked before each login how many are left; it counts those of earlier processes too. A session that
can be resumed costs none.

discord.py takes every event as a sign of life. And before it reconnects, it waits for the gateway to confirm
that the connection is closed, and each event makes it wait longer. So a gateway that still sends events but
hears nothing would keep the bot waiting without end.
So a connection without acknowledged heartbeats is broken.
"""

import asyncio
import logging
import random
import threading
from asyncio import sleep
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, Final

import aiohttp
import discord
from discord import gateway
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route
from yarl import URL

from bot.clock import steady_time
from bot.config import Settings
from bot.wire.traffic import DiscordOutage, reason, shard_name

log = logging.getLogger(__name__)

LONGEST_PAUSE: Final = 60.0
"""The most seconds between two tries to connect."""
LASTING_SECONDS: Final = 60.0
"""A connection that was up for so long is no sign of trouble when it ends."""
MOST_RESUMES: Final = 5
"""How often in a row resuming may fail: then the address to resume at may be what is gone."""
OPENING_SECONDS: Final = 75.0
"""How long opening a connection may take; discord.py itself waits 60 seconds for the first message."""
SPACING_SECONDS: Final = 5.0
"""The time between two logins that Discord does not take side by side."""
FEW_LOGINS: Final = 50
"""The logins of a day that are never spent: another process may log in at the same time."""
ANSWER_SECONDS: Final = 30.0
"""How long a request at the start may take."""
UNANSWERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, KeyError, TypeError, ValueError)
"""What a request raises that gets no answer, or none as Discord gives it."""
MOST_MISSED: Final = 2
"""How many heartbeats in a row may stay without acknowledgement."""
TURN_SECONDS: Final = 15.0
"""How long a process has to log in at its turn: if it ends meanwhile, the others wait no longer."""
CLOSING_SECONDS: Final = 5.0
"""How long the gateway has to confirm that a connection is closed."""
_UNAUTHORISED: Final = 401


def pause_after(failures: int) -> float:
    """Seconds to wait after this many failures in a row: more each time, and never quite the same."""
    return random.uniform(0.5, 1.0) * min(LONGEST_PAUSE, 2.0 ** min(failures, 9)) if failures > 0 else 0.0


TakeTurn = Callable[[int], AbstractAsyncContextManager[None]]
"""Waits until no other process logs in at this turn; in the block, this one may."""


def at_once(_turn: int) -> AbstractAsyncContextManager[None]:
    """Where there is only one process."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Logins:
    """What Discord says to who is about to log in.

    Attributes:
        at_once: how many shards may log in side by side.
        left: how many logins are left of the day's.
        a_day: how many there are a day.
        wait_seconds: how long until all are there again.
        at: when it said so, by `steady_time`.
    """

    gateway: str
    shards: int
    at_once: int
    left: int
    a_day: int
    wait_seconds: float
    at: float = field(default_factory=steady_time)

    @property
    def left_now(self) -> int:
        """How many are left now, without those since."""
        return self.left if steady_time() < self.at + self.wait_seconds else self.a_day

    @classmethod
    def of(cls, answer: Any) -> "Logins":
        """Reads the answer to `GET /gateway/bot`.

        Raises:
            KeyError, TypeError or ValueError: the answer is not Discord's.
        """
        limit = answer["session_start_limit"]
        return cls(
            gateway=str(answer["url"]),
            shards=max(1, int(answer["shards"])),
            at_once=max(1, int(limit["max_concurrency"])),
            left=int(limit["remaining"]),
            a_day=int(limit["total"]),
            wait_seconds=int(limit["reset_after"]) / 1000,
        )

    def pause(self) -> float:
        """Seconds to wait with the next login; 0 unless few are left, which is a warning."""
        if self.left > FEW_LOGINS:
            return 0.0
        wait = max(self.wait_seconds, LONGEST_PAUSE)
        log.warning(
            "%s of the %s logins that Discord allows a day are left: the next one waits %s, for after "
            "the last Discord resets the token. Find out why the bot logs in so often",
            self.left,
            self.a_day,
            timedelta(seconds=round(wait)),
        )
        return wait


@dataclass(slots=True)
class Shard:
    """How a shard does.

    Attributes:
        socket: its connection; None unless that is up.
        logins: how often it was up with a new session.
        resumes: how often it was up with the session that it had before.
    """

    socket: DiscordWebSocket | None = None
    logins: int = 0
    resumes: int = 0

    def is_up(self, socket: DiscordWebSocket, *, resumed: bool) -> None:
        """Notes that its connection is up."""
        self.socket = socket
        self.logins += not resumed
        self.resumes += resumed


@dataclass(frozen=True, slots=True)
class _Session:
    """A session at the gateway that may be resumed: where, which, and after which event."""

    gateway: URL
    id: str
    sequence: int | None


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a connection ended.

    Attributes:
        seconds_up: how long it was up; None if it never was.
        session: the session that may be resumed now.
    """

    why: str
    seconds_up: float | None
    session: _Session | None


class ShardConnections:
    """The connections of a client, one a shard.

    Attributes:
        shards: how each shard does, by its number; empty until Discord has said how many there are.
        logins: what Discord said last about logins; None before that.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        settings: Settings,
        outage: DiscordOutage,
        take_turn: TakeTurn,
    ) -> None:
        self._settings = settings
        self._take_turn = take_turn
        self._client = client
        self._outage = outage
        self.shards: dict[int, Shard] = {}
        self.logins: Logins | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._at_once = 1
        self._asking = asyncio.Lock()
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free_at: defaultdict[int, float] = defaultdict(float)

    async def stay_connected(self) -> None:
        """Connects every shard, and connects it again whenever it is cut off; until it is cancelled.

        Raises:
            discord.LoginFailure: Discord refuses the token.
            discord.ConnectionClosed: the gateway refuses this bot; trying again does not help.
        """
        client, state = self._client, self._client._connection
        logins = await self._logins()
        client.shard_count = state.shard_count = self._settings.shard_count or logins.shards
        self._at_once = logins.at_once
        state.shard_ids = sorted(self._settings.shard_ids or range(client.shard_count))
        self.shards = {number: Shard() for number in state.shard_ids}
        self._tasks = [
            asyncio.create_task(self._keep(number), name=f"shard {number}") for number in self.shards
        ]
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Ends every session."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, shard: int) -> None:
        """Keeps a shard connected."""
        part = shard_name(shard)
        session: _Session | None = None
        # In a row: connections that did not last, those of them that were up, and vain tries to resume.
        short = shortly_up = vain = 0
        while True:
            # The first end is followed at once, where that costs no login.
            await sleep(pause_after(short - (session is not None)))
            # What was up only shortly again and again has to show that it lasts.
            quiet = LASTING_SECONDS if shortly_up > 1 else 0.0
            ended = await self._connect(shard, session, partial(self._outage.works, part), quiet)
            was_up, lasted = ended.seconds_up is not None, (ended.seconds_up or 0.0) >= LASTING_SECONDS
            short = 0 if lasted else short + 1
            shortly_up = 0 if lasted else shortly_up + was_up
            vain = 0 if was_up or session is None else vain + 1
            session = ended.session if vain < MOST_RESUMES else None
            if session is None:
                short = max(short, 1)
            if not was_up or shortly_up > 1:
                self._outage.failed(part, ended.why)

    async def _connect(
        self, shard: int, session: _Session | None, works: Callable[[], None], quiet: float
    ) -> _Ended:
        """Connects a shard once, and returns when that ends.

        Args:
            session: the session to resume; None to log in.
            works: called once it is up for some time.
            quiet: that time, in seconds.
        """
        loop = asyncio.get_running_loop()
        socket: DiscordWebSocket | None = None
        telling: asyncio.TimerHandle | None = None
        up_at: float | None = None
        try:
            socket = await (self._log_in(shard) if session is None else self._open(shard, session))
            before = socket.sequence
            while True:
                await socket.poll_event()
                if up_at is None and socket.sequence != before:
                    up_at, telling = loop.time(), loop.call_later(quiet, works)
                    self.shards[shard].is_up(socket, resumed=session is not None)
        except ReconnectWebSocket as asked:
            why = f"the gateway ends the {'connection' if asked.resume else 'session'}"
            session = session if asked.resume else None
        except UNANSWERED as failed:
            why = reason(failed)
        except asyncio.CancelledError:
            if socket is not None:
                await socket.close(code=1000)
            raise
        except discord.ConnectionClosed:
            raise
        except Exception as failed:
            # A bot that stops closes its session, and the login under way fails.
            if not self._client.is_closed():
                log.exception("the connection of shard %s failed", shard)
            why = reason(failed)
        finally:
            self.shards[shard].socket = None
            if telling is not None:
                telling.cancel()
        if socket is not None:
            session = (
                _Session(socket.gateway, socket.session_id, socket.sequence) if socket.session_id else None
            )
            with suppress(*UNANSWERED):
                await socket.close()
        return _Ended(why, None if up_at is None else loop.time() - up_at, session)

    async def _log_in(self, shard: int) -> DiscordWebSocket:
        """Opens a connection with a new session, when it is this shard's turn and Discord has logins left."""
        loop, turn = asyncio.get_running_loop(), shard % self._at_once
        async with self._turns[turn]:
            await sleep(self._free_at[turn] - loop.time())
            async with self._asking:
                logins = await self._enough_logins()
            # Last: waiting for Discord's answer would use up the turn.
            async with self._take_turn(turn):
                try:
                    return await self._open(shard, URL(self._settings.gateway_url or logins.gateway))
                finally:
                    self._free_at[turn] = loop.time() + SPACING_SECONDS

    async def _open(self, shard: int, at: _Session | URL) -> DiscordWebSocket:
        """Opens a connection that goes on with a session, or logs in at an address."""
        options: dict[str, Any] = {"gateway": at}
        if isinstance(at, _Session):
            options = {"gateway": at.gateway, "session": at.id, "sequence": at.sequence, "resume": True}
        async with asyncio.timeout(OPENING_SECONDS):
            # The first login of discord.py is the one without a pause of its own.
            return await DiscordWebSocket.from_client(self._client, initial=True, shard_id=shard, **options)

    async def _enough_logins(self) -> Logins:
        """Waits until a login leaves enough others of the day."""
        while wait := (logins := await self._logins()).pause():  # noqa: ASYNC110 - nothing tells
            await sleep(wait)
        return logins

    async def _logins(self) -> Logins:
        """Asks Discord where and how often the bot may log in, until it answers."""
        for failures in count(1):
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    logins = Logins.of(await self._client.http.request(Route("GET", "/gateway/bot")))
            except UNANSWERED as failed:
                if isinstance(failed, discord.HTTPException) and failed.status == _UNAUTHORISED:
                    raise discord.LoginFailure("the token is refused") from failed
                self._outage.failed("logins", reason(failed))
                await sleep(pause_after(failures))
            else:
                self._outage.works("logins")
                self.logins = logins
                return logins
        raise AssertionError("counting never ends")


def watch_heartbeats() -> None:
    """Has every connection broken on which Discord acknowledges none of the last heartbeats."""
    gateway.KeepAliveHandler = Heartbeats  # type: ignore[misc]  # discord.py looks it up for each connection


class Heartbeats(gateway.KeepAliveHandler):
    """The thread that sends the heartbeats of one connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unacknowledged = 0

    def get_payload(self) -> dict[str, Any]:
        """The next heartbeat. Breaks the connection if too many had no acknowledgement."""
        # It counts heartbeats, not seconds: a process that was stopped has not read its answers yet. The
        # first heartbeat, and those that Discord asks for, are extra and come from another thread.
        if threading.current_thread() is self:
            self._unacknowledged += 1
            if self._unacknowledged > MOST_MISSED:
                self.ws.loop.call_soon_threadsafe(self._give_up)
        return super().get_payload()

    def ack(self) -> None:
        """Notes that Discord has acknowledged a heartbeat."""
        self._unacknowledged = 0
        super().ack()

    def stop(self) -> None:
        """Ends the thread, as the connection is about to be closed; breaks it if that takes long."""
        super().stop()
        loop = self.ws.loop
        if not loop.is_closed():
            loop.call_soon_threadsafe(loop.call_later, CLOSING_SECONDS, self._break)

    def _give_up(self) -> None:
        if self._break():
            log.warning(
                "Discord acknowledged none of the last %d heartbeats of shard %s: connecting again",
                MOST_MISSED,
                self.shard_id,
            )

    def _break(self) -> bool:
        """Breaks the connection without a closing frame, for the gateway may hear nothing.

        Returns:
            False if it has no connection any more.
        """
        connection = self.ws.socket._response.connection
        if connection is None or connection.transport is None:
            return False
        connection.transport.abort()
        return True
