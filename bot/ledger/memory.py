"""What open tables need of the disk, in memory: what members have, their evenings, and how to reach them."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import inf
from operator import methodcaller
from typing import Final, Generic, TypeVar

from bot.clock import DAY_SECONDS, HOUR_SECONDS
from bot.ledger.records import Stack
from bot.table.accounts import Account, AccountKind

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST: Final = 100_000
"""The most values in memory; it starts empty again beyond that."""


class Memory(Generic[Key, Value]):
    """Values as they are on disk."""

    def __init__(self, read: Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]]) -> None:
        self._read = read
        self._values: dict[Key, Value] = {}
        self._reads: list[set[Key]] = []

    @property
    def values(self) -> Mapping[Key, Value]:
        """Everything that is in memory now."""
        return self._values

    async def of(self, key: Key) -> Value:
        """The value of a key."""
        return self._values[key] if key in self._values else (await self._read_and_keep({key}))[key]

    async def load(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """The values of several keys."""
        wanted = dict.fromkeys(keys)
        there = {key: self._values[key] for key in wanted if key in self._values}
        missing = wanted.keys() - there.keys()
        return {**there, **await self._read_and_keep(missing)} if missing else there

    def change(self, key: Key, to: Callable[[Value], Value]) -> None:
        """Changes a value that is in memory, because that was just committed."""
        self._overtake(key)
        if key in self._values:
            self._values[key] = to(self._values[key])

    def put(self, key: Key, value: Value) -> None:
        """Replaces a value that is in memory, because that was just committed."""
        self._overtake(key)
        if key in self._values:
            self._values[key] = value

    def remove(self, key: Key) -> None:
        """Forgets a value, because something was just committed that may change it."""
        self._overtake(key)
        self._values.pop(key, None)

    def drop(self, which: Callable[[Key], bool] = lambda _: True) -> None:
        """Forgets everything, or what is about some keys, because it is uncertain what is on disk."""
        for key in [key for key in self._values if which(key)]:
            del self._values[key]
        for unfinished in self._reads:
            unfinished.difference_update([key for key in unfinished if which(key)])

    def _overtake(self, key: Key) -> None:
        """What is being read of a key may be from before the commit, and is not kept."""
        for unfinished in self._reads:
            unfinished.discard(key)

    async def _read_and_keep(self, missing: Collection[Key]) -> Mapping[Key, Value]:
        unfinished = set(missing)
        self._reads.append(unfinished)
        try:
            found = await self._read(missing)
        finally:
            self._reads = [one for one in self._reads if one is not unfinished]
        if len(self._values) + len(unfinished) > MOST:
            self._values.clear()
        self._values.update((key, found[key]) for key in unfinished)
        return found


Place = tuple[int, int]
"""The server's id, and the party."""
Committed = tuple[int, Account, int]
"""The server's id, an account and its new balance."""


class Stacks(Memory[Place, Stack]):
    """The stacks of members as they are on disk."""

    async def of_all(self, server_id: int, parties: Iterable[int]) -> dict[int, Stack]:
        """The stacks of several members of a server, by party."""
        stacks = await self.load((server_id, party) for party in parties)
        return {party: stack for (_, party), stack in stacks.items()}

    def committed(self, balances: Iterable[Committed]) -> None:
        """Takes the balances that were just committed."""
        for server_id, account, balance in balances:
            if account.party is not None:
                self.change((server_id, account.party), partial(_with, account, balance))

    def no_opening(self, place: Place, before: float) -> None:
        """Notes that a member gets no opening chips before that time."""
        self.change(place, lambda stack: replace(stack, no_opening_before=before))


def _with(account: Account, balance: int, stack: Stack) -> Stack:
    """The stack with another balance of one of its accounts."""
    match account.kind:
        case AccountKind.WALLET:
            return replace(stack, wallet=balance)
        case AccountKind.SCORE:
            return replace(stack, score=balance)
        case _:
            assert account.table_id is not None
            holds = {table: chips for table, chips in stack.holds.items() if table != account.table_id}
            return replace(stack, holds=holds | {account.table_id: balance} if balance else holds)


BREAK_SECONDS: Final = 6 * HOUR_SECONDS
"""After this long without a gain or a loss, another evening begins."""
PAUSE_SECONDS: Final = 600.0
"""The most of the time between two rounds that counts as time of play."""
GAINS_AT_FIRST: Final = 50
"""How many gains and losses are read first: most evenings have fewer."""
GAINS_AT_ONCE: Final = 5_000
"""How many are read at a time then; a banker has one for each player and round."""
GAINS_ENOUGH: Final = 20_000
"""No more are read after this many: about 20 hours of banking at a full table. A longer evening counts from
there."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a member won or lost against one other: chips gained, negative if lost.

    Attributes:
        pot: the account to which they paid the entry of a tournament, or from which it came back.
    """

    place: Place
    chips: int
    at: float
    pot: str | None = None


@dataclass(frozen=True, slots=True)
class Evening:
    """What a member gained in an evening, and when they last gained or lost; minus infinity for never.

    Attributes:
        rounds: how many rounds they won or lost; what one round brings has one time.
        played: the seconds of play up to the last round.
        more: by how many the last round made them more.
    """

    chips: int = 0
    last: float = -inf
    rounds: int = 0
    played: float = 0.0
    more: float = 0.0

    def with_gain(self, gain: Gain) -> "Evening":
        """The evening with what came next; another one if that came after a break."""
        if self.is_over(gain.at):
            return Evening(gain.chips, gain.at, 1)
        chips = self.chips + gain.chips
        if gain.at == self.last:
            return replace(self, chips=chips)
        more = min(max(gain.at - self.last, 0.0), PAUSE_SECONDS)
        return Evening(chips, gain.at, self.rounds + 1, self.played + more, more)

    @property
    def is_hour(self) -> bool:
        """Whether the last round completed the first hour of play."""
        return self.played >= HOUR_SECONDS > self.played - self.more

    def is_over(self, now: float) -> bool:
        """Whether what they play now is another evening."""
        return now - self.last > BREAK_SECONDS


class Evenings(Memory[Place, Evening]):
    """The evenings of members as they are on disk."""

    def committed(self, gains: Iterable[Gain]) -> None:
        """Takes the gains and losses that were just committed, in order."""
        for gain in gains:
            self.change(gain.place, methodcaller("with_gain", gain))


@dataclass(frozen=True, slots=True)
class Day:
    """What a member gained by playing on the day, in UTC, on which they last gained or lost.

    Attributes:
        number: the day, in days since 1970.
        entered: the chips among these that they paid to enter tournaments, by pot; what comes back beyond
            them, since it was paid on an earlier day, is no win.
    """

    number: int = 0
    chips: int = 0
    entered: Mapping[str, int] = field(default_factory=dict)

    def with_gain(self, gain: Gain) -> "Day":
        """The day with what came next; another one if that came later."""
        number = day_number(gain.at)
        day = Day(number) if number > self.number else self
        if gain.pot is None:
            return replace(day, chips=day.chips + gain.chips)
        entered = day.entered.get(gain.pot, 0)
        chips = min(gain.chips, entered)
        return Day(day.number, day.chips + chips, {**day.entered, gain.pot: entered - chips})

    def lost(self, now: float, more: int = 0) -> int:
        """How many chips they lost today, with what they gain now; 0 if they won.

        A day that is still to come counts as today: the clock was wrong then, or is now.
        """
        today = self.chips if self.number >= day_number(now) else 0
        return max(0, -today - more)


def day_number(at: float) -> int:
    """The day of a time, in days since 1970 in UTC."""
    return int(at // DAY_SECONDS)


class Days(Memory[Place, Day]):
    """What the day has brought members, as it is on disk."""

    def committed(self, gains: Iterable[Gain]) -> None:
        """Takes the gains and losses that were just committed, in order."""
        for gain in gains:
            self.change(gain.place, methodcaller("with_gain", gain))


def has_break(gains: Sequence[Gain]) -> bool:
    """Whether an evening begins among these, the newest first."""
    return any(newer.at - older.at > BREAK_SECONDS for newer, older in pairwise(gains))


def evening_of(gains: Iterable[Gain]) -> Evening:
    """The evening that some gains and losses of one member end with, the oldest first."""
    evening = Evening()
    for gain in gains:
        evening = evening.with_gain(gain)
    return evening
