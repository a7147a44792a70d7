"""Values in memory are those on disk: what is committed during a read counts, not what the read finds."""

import asyncio
import gc
from collections.abc import Callable, Collection
from weakref import ref

import pytest

from bot.ledger.memory import Memory


class Storage:
    """Storage that is read as it was when the read began, once the test lets it.

    Attributes:
        may_read: set to let reads end.
        reads: how many there were.
    """

    def __init__(self) -> None:
        self.may_read = asyncio.Event()
        self.reads = 0
        self._value = "before"

    async def read(self, keys: Collection[int]) -> dict[int, str]:
        self.reads += 1
        found = dict.fromkeys(keys, self._value)
        await self.may_read.wait()
        return found

    def commit(self, value: str) -> None:
        self._value = value


@pytest.mark.parametrize(
    "told",
    [
        lambda memory: memory.put(1, "after"),
        lambda memory: memory.change(1, lambda value: f"{value} and after"),
        lambda memory: memory.remove(1),
        lambda memory: memory.drop(),
    ],
    ids=["put", "change", "remove", "drop"],
)
async def test_what_was_read_before_a_commit_is_not_kept(told: Callable[[Memory[int, str]], None]) -> None:
    storage = Storage()
    memory = Memory[int, str](storage.read)
    reading = asyncio.create_task(memory.of(1))
    await asyncio.sleep(0)
    storage.commit("after")
    told(memory)
    storage.may_read.set()
    assert await reading == "before", "a read from before the commit may return the old value"
    assert await memory.of(1) == "after"
    assert storage.reads == 2


async def test_a_read_that_ends_leaves_another_to_be_overtaken() -> None:
    first, second = Storage(), Storage()
    storages = iter((first, second, first))
    memory = Memory[int, str](lambda keys: next(storages).read(keys))
    readings = [asyncio.create_task(memory.of(key)) for key in (1, 2)]
    await asyncio.sleep(0)
    first.may_read.set()
    assert await readings[0] == "before"
    memory.remove(2)
    second.may_read.set()
    await readings[1]
    assert memory.values == {1: "before"}


class Key:
    """A key of which it can be seen whether it is still in memory."""


async def test_a_key_that_is_forgotten_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(keys: Collection[Key]) -> dict[Key, str]:
        return dict.fromkeys(keys, "value")

    monkeypatch.setattr("bot.ledger.memory.MOST", 1)
    memory = Memory[Key, str](read)
    first = Key()
    await memory.of(first)
    freed = ref(first)
    del first
    await memory.of(Key())
    gc.collect()
    assert freed() is None


async def test_only_a_value_in_memory_is_replaced_or_changed() -> None:
    storage = Storage()
    storage.may_read.set()
    memory = Memory[int, str](storage.read)
    memory.put(1, "put")
    memory.change(1, lambda value: f"{value} changed")
    assert not memory.values
    assert await memory.of(1) == "before"
    memory.put(1, "put")
    memory.change(1, lambda value: f"{value} changed")
    assert memory.values == {1: "put changed"}
    assert await memory.of(1) == "put changed"
    assert storage.reads == 1
