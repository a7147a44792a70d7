"""What members have in memory equals what is on disk, or is not in memory."""

import asyncio
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from bot.ledger import memory
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger
from bot.ledger.memory import Place, Stacks
from bot.ledger.records import Stack
from bot.table.accounts import HOUSE, Move, Reason, hold, score, wallet
from tests.ledger.counted_ledger import counted
from tests.ledger.sample_changes import NOW, SERVER, at_table, bet, change, opening, pay, row

ALICE = SERVER, 7
BOB = SERVER, 8


async def test_commits_change_what_is_in_memory(ledger: Ledger) -> None:
    stacks = ledger.stacks
    assert await stacks.of(ALICE) == Stack()
    assert stacks.values[ALICE].free == 0
    await ledger.ensure_wallet(*ALICE, 1000, NOW)
    assert stacks.values[ALICE] == Stack(1000, no_opening_before=inf)

    bets = at_table(row(1, 77), bet(7, 30, table_id=77))
    await ledger.commit(bets)
    assert stacks.values[ALICE] == Stack(970, {77: 30}, no_opening_before=inf)
    assert (stacks.values[ALICE].free, stacks.values[ALICE].held) == (970, 30)

    back = Move(hold(77, 7), wallet(7), 30, Reason.BET_RETURNED)
    point = Move(score(7), score(8), 2, Reason.POINTS_LOST)
    await ledger.commit(change(back, point))
    assert stacks.values[ALICE] == Stack(1000, score=-2, no_opening_before=inf)
    assert BOB not in stacks.values, "nobody asked for it"


async def test_what_is_in_memory_is_what_is_read_after_a_start(ledger: Ledger) -> None:
    await ledger.ensure_wallet(*ALICE, 1000, NOW)
    await ledger.commit(at_table(row(1, 77), bet(7, 30, table_id=77)))
    await ledger.commit(change(Move(score(8), score(7), 5, Reason.POINTS_WON)))
    places = [ALICE, BOB, (SERVER + 1, 7)]
    assert await Stacks(ledger.stacks_of).load(places) == await ledger.stacks.load(places)
    assert await ledger.stacks.of_all(SERVER, [7, 8]) == {
        7: Stack(970, {77: 30}, 5, inf),
        8: Stack(None, {}, -5),
    }


async def test_after_a_failed_write_everything_is_read_again(path: Path) -> None:
    async with counted(path) as (ledger, _):
        await ledger.commit(opening(7))
        assert (await ledger.stacks.of(ALICE)).wallet == 1000
        await ledger.evenings.of(ALICE)
        await ledger.direct_channels.of(700)
        with closing(sqlite3.connect(path, isolation_level=None)) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerUnavailable):
                await ledger.commit(pay(wallet(7), HOUSE, 1))
            for memory_of in (ledger.stacks, ledger.evenings, ledger.direct_channels):
                assert not memory_of.values
            foreign.execute("UPDATE accounts SET balance = 5 WHERE account = 'wallet:7'")
            foreign.execute("COMMIT")
        assert (await ledger.stacks.of(ALICE)).wallet == 5


async def test_a_fault_in_memory_fails_no_change_that_is_on_disk(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise ValueError("a fault")

    assert await ledger.stacks.of(ALICE) == Stack()
    with monkeypatch.context() as patched:
        patched.setattr(ledger.stacks, "committed", broken)
        await ledger.commit(opening(7))
    assert [line.getMessage() for line in caplog.records] == ["memory could not be brought up to date"]
    assert (await ledger.stacks.of(ALICE)).wallet == 1000


class SlowDisk:
    """Reads the stacks that are on disk when it is asked, and answers when it is let go."""

    def __init__(self) -> None:
        self.stored = {ALICE: Stack(10), BOB: Stack(20)}
        self.asked = asyncio.Event()
        self.answers = asyncio.Event()

    async def read(self, places: Collection[Place]) -> Mapping[Place, Stack]:
        found = {place: self.stored[place] for place in places}
        self.asked.set()
        await self.answers.wait()
        return found


async def test_what_a_commit_overtook_while_it_was_read_is_not_kept() -> None:
    disk = SlowDisk()
    stacks = Stacks(disk.read)
    reading = [asyncio.create_task(stacks.load([ALICE, BOB])) for _ in range(2)]
    await disk.asked.wait()

    disk.stored[ALICE] = Stack(11)
    stacks.committed([(SERVER, wallet(7), 11), (SERVER, HOUSE, 5)])
    disk.answers.set()

    assert await asyncio.gather(*reading) == [{ALICE: Stack(10), BOB: Stack(20)}] * 2
    assert stacks.values == {BOB: Stack(20)}
    assert await stacks.of(ALICE) == Stack(11)


async def test_what_is_read_while_the_disk_is_uncertain_is_not_kept() -> None:
    disk = SlowDisk()
    stacks = Stacks(disk.read)
    reading = asyncio.create_task(stacks.of(ALICE))
    await disk.asked.wait()
    stacks.drop()
    disk.answers.set()
    assert await reading == Stack(10)
    assert not stacks.values


async def test_memory_is_bounded(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST", 3)
    for party in range(10):
        await ledger.stacks.of((SERVER, party))
        assert len(ledger.stacks.values) <= 3
