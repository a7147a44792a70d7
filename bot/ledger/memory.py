"""What is read once and then kept in memory, because the writer passes on what it commits, in order.

Whenever it is uncertain what is on disk, everything is dropped, and read again when it is asked for.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST: Final = 100_000
"""The most values in memory; it starts empty again beyond that."""


class Memory(Generic[Key, Value]):
    """Values as they are on disk.

    Args:
        read: reads the values of these keys; there is one for every key.
    """

    def __init__(self, read: Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]]) -> None:
        self._read = read
        self._values: dict[Key, Value] = {}
        self._reads: list[set[Key]] = []

    @property
    def values(self) -> Mapping[Key, Value]:
        """Everything that is in memory now."""
        return self._values

    async def of(self, key: Key) -> Value:
        """The value of a key.

        Raises:
            LedgerUnavailable: it is not in memory, and the storage cannot be read.
        """
        return self._values[key] if key in self._values else (await self._read_and_keep({key}))[key]

    async def load(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """The values of several keys.

        Raises:
            LedgerUnavailable: one is not in memory, and the storage cannot be read.
        """
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

    def drop(self) -> None:
        """Forgets everything, because it is uncertain what is on disk."""
        self._values.clear()
        for unfinished in self._reads:
            unfinished.clear()

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
