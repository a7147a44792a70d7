"""The loads that a bot is measured under, and what came of each."""

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from clicking.crowd import Crowd, Press, StuckError, Table
from tests.stand_in import StandIn

TRIES: Final = 30
"""How often a person presses in a whole round before the run is given up."""
QUIET_SECONDS: Final = 2.5
"""A bot that has asked nothing of Discord for so long has done all that the clicks led to.

Ours edits a panel up to two seconds after a change that nobody waits for.
"""
MOST_QUIET_SECONDS: Final = 60.0
IDLE_SECONDS: Final = 2.0
IDLE_SHARE: Final = 0.1
"""A bot that has used this share of a core in so many seconds, or less, does nothing in the background."""


@dataclass(slots=True)
class Tally:
    """What came of the clicks.

    Attributes:
        seconds: how long each took to be answered; infinite where it was late.
        kinds: how many were answered in each way.
        pressed: how many of each kind were pressed.
        first: the moment of the first click, on the clock of `perf_counter`.
        last: the moment of the last one.
    """

    seconds: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    pressed: Counter[str] = field(default_factory=Counter)
    first: float = 0.0
    last: float = 0.0

    @property
    def late(self) -> int:
        """How many were not answered in the time that Discord gives."""
        return sum(map(math.isinf, self.seconds))

    @property
    def answered(self) -> int:
        """How many were."""
        return len(self.seconds) - self.late

    def milliseconds(self, share: float) -> float:
        """What this share of the clicks did not exceed; infinite where that many were late."""
        ordered = sorted(self.seconds)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000

    async def press(self, person: Person, board: Message, custom_id: str, since: float = 0.0) -> Reply:
        """Presses once, and counts it.

        Args:
            person: who presses.
            board: on which message.
            custom_id: which button.
            since: the moment from which it counts, on the clock of `perf_counter`; 0 is now.
        """
        self.last = time.perf_counter()
        self.first = self.first or self.last
        since = since or self.last
        reply = await person.press_raw(board, custom_id)
        self.seconds.append(math.inf if reply.kind == "failed" else time.perf_counter() - since)
        self.kinds["late" if reply.kind == "failed" else reply.kind] += 1
        return reply


@dataclass(frozen=True, slots=True)
class Measured:
    """One load on one bot.

    Attributes:
        tally: what came of the clicks.
        seconds: from the first press to the last answer.
        cpu: CPU seconds of the bot's process, until all was done that the clicks led to.
        bot_share: CPU of the bot's process while it was clicked, as a share of one core.
        own_share: that of this process, which is the stand-in and the clickers.
        own_cpu: its CPU seconds in that time.
        faults: the answers of the stand-in that were errors, by status.
    """

    tally: Tally
    seconds: float
    cpu: float
    bot_share: float
    own_share: float
    own_cpu: float
    faults: Counter[int]

    @property
    def rate(self) -> float:
        """Clicks answered in time, in a second."""
        return self.tally.answered / self.seconds

    @property
    def cpu_per_click(self) -> float:
        """CPU milliseconds of the bot for each click, the late ones among them."""
        return self.cpu * 1000 / max(1, len(self.tally.seconds))

    @property
    def own_limit(self) -> float:
        """How many clicks in a second this process could carry at the most, with a core of its own."""
        return len(self.tally.seconds) / max(self.own_cpu, 1e-9)


class Busy(Protocol):
    """Whose CPU time is measured."""

    def cpu_seconds(self) -> float:
        """The CPU time that it has used so far, in user and kernel mode."""


Load = Callable[[Tally], Awaitable[None]]


async def measure(discord: StandIn, bot: Busy, load: Load) -> Measured:
    """Puts a load on a bot, and measures it."""
    await quiet(discord)
    discord.requests.clear()
    tally = Tally()
    cpu, own, began = bot.cpu_seconds(), time.process_time(), time.perf_counter()
    await load(tally)
    seconds = time.perf_counter() - began
    own_cpu, busy = time.process_time() - own, bot.cpu_seconds() - cpu
    await quiet(discord)
    used = bot.cpu_seconds() - cpu
    faults = Counter(request.status for request in discord.requests if request.status >= 400)
    return Measured(tally, seconds, used, busy / seconds, own_cpu / seconds, own_cpu, faults)


async def quiet(discord: StandIn) -> None:
    """Waits until the bot has asked nothing of Discord for long enough."""
    since = time.perf_counter()
    _, latency = discord.faults.latency
    while discord.requests and time.perf_counter() - since < MOST_QUIET_SECONDS:
        asked = (discord.world.now() - discord.requests[-1].at).total_seconds()
        if asked >= QUIET_SECONDS + latency:
            break
        await asyncio.sleep(QUIET_SECONDS + latency - asked)


async def idle(bot: Busy) -> None:
    """Waits until a bot works no more: after the first round by some rules it counts chances for seconds."""
    since, used = time.perf_counter(), math.inf
    while used > IDLE_SHARE * IDLE_SECONDS and time.perf_counter() - since < MOST_QUIET_SECONDS:
        before = bot.cpu_seconds()
        await asyncio.sleep(IDLE_SECONDS)
        used = bot.cpu_seconds() - before


def closed_loop(crowd: Crowd, clickers: int, seconds: float, chance: random.Random) -> Load:
    """Clickers at once; each presses again as soon as it is answered."""

    async def load(tally: Tally) -> None:
        ends = time.perf_counter() + seconds
        who = crowd.who_clicks()

        async def click(own: list[tuple[Table, Person]]) -> None:
            while time.perf_counter() < ends:
                table, person = chance.choice(own)
                name, custom_id = crowd.pick(table, chance)
                tally.pressed[name] += 1
                await tally.press(person, table.shown, custom_id)

        shares = (who[number::clickers] for number in range(clickers))
        await asyncio.gather(*(click(share) for share in shares if share))

    return load


def open_loop(crowd: Crowd, rate: float, seconds: float, chance: random.Random) -> Load:
    """A fixed number of clicks a second, at random moments, whether or not earlier ones are answered."""

    async def load(tally: Tally) -> None:
        who = crowd.who_clicks()
        due = began = time.perf_counter()
        clicks: list[asyncio.Task[Reply]] = []
        while (due := due + chance.expovariate(rate)) < began + seconds:
            # What the clickers themselves are late counts: a person does not wait for them.
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            table, person = chance.choice(who)
            name, custom_id = crowd.pick(table, chance)
            tally.pressed[name] += 1
            clicks.append(asyncio.create_task(tally.press(person, table.shown, custom_id, due)))
        await asyncio.gather(*clicks)

    return load


def burst(crowd: Crowd, clicks: int, chance: random.Random) -> Load:
    """So many clicks at once, of different members as far as there are any."""

    async def load(tally: Tally) -> None:
        who = crowd.who_clicks()
        chance.shuffle(who)
        since = time.perf_counter()

        async def click(table: Table, person: Person) -> None:
            name, custom_id = crowd.pick(table, chance)
            tally.pressed[name] += 1
            await tally.press(person, table.shown, custom_id, since)

        await asyncio.gather(*(click(*who[number % len(who)]) for number in range(clicks)))

    return load


def whole_rounds(crowd: Crowd, clickers: int, rounds: int, chance: random.Random) -> Load:
    """All tables play rounds; the number of clicks under way is limited."""

    async def load(tally: Tally) -> None:
        press = _until_answered(tally, clickers)

        async def play(table: Table) -> None:
            for _ in range(rounds):
                await crowd.play_round(table, press, chance)

        await asyncio.gather(*map(play, crowd.tables))

    return load


def deal_some(crowd: Crowd, clickers: int, chance: random.Random) -> Load:
    """Has hands dealt at the tables where single clicks look at them; not for measuring."""

    async def load(tally: Tally) -> None:
        press = _until_answered(tally, clickers)
        await asyncio.gather(*(crowd.bet(table, press, chance) for table in crowd.dealt_tables()))

    return load


def reveal_some(crowd: Crowd, clickers: int) -> Load:
    """Has those tables end their round; not for measuring."""

    async def load(tally: Tally) -> None:
        press = _until_answered(tally, clickers)
        await asyncio.gather(*(crowd.reveal(table, press) for table in crowd.dealt_tables()))

    return load


def _until_answered(tally: Tally, clickers: int) -> Press:
    """A press that is repeated while it is answered late; the number under way is limited."""
    gate = asyncio.Semaphore(clickers)

    async def press(person: Person, board: Message, custom_id: str) -> Reply:
        for _ in range(TRIES):
            async with gate:
                reply = await tally.press(person, board, custom_id)
            if reply.kind != "failed":
                return reply
        raise StuckError(f"{person.name} pressed {custom_id} {TRIES} times, and was never answered in time")

    return press
