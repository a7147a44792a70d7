"""Kills the bot during busy evenings: everything acknowledged is there, once and completely.

Who was told that they are erased is in no row, and soon after the next start in no byte.

`GNAU_KILLS=1000` kills it a thousand times.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from bot.croupier import Croupier, Privacy
from bot.croupier.replay import verify_tables
from bot.ledger.changes import HeadPosted
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.integrity import problems_in
from bot.table.state import Phase
from tests.croupier.croupier_house import House
from tests.ledger.kill_load import HOUSE, RULES, Acknowledged, acknowledged_in
from tests.ledger.kill_members import histories_in
from tests.simulation.stored_members import marks_on_disk, stored_members
from tests.sizes import sized

KILLS: Final = int(os.environ.get("GNAU_KILLS", sized("6", "200")))
KILLS_A_BAR: Final = min(25, KILLS)
AT_ONCE: Final = min(2, KILLS // KILLS_A_BAR)
"""How many bars go on at once, since one waits for its disk now and then."""
LONGEST_SECONDS: Final = 0.3
"""So long is the longest evening, from its start or from the first thing that it acknowledged."""
KILLED_EARLY: Final = 0.15
"""The share of evenings that are killed while they begin, or soon after."""
REPLAYED: Final = 0.1
"""The share of kills after which every table is replayed."""
STARTED: Final = 0.5
"""The share of kills after which the bot is started here, before the next evening."""


@asynccontextmanager
async def bar(database: Path, log: Path) -> AsyncIterator[Process]:
    """The process that starts evenings; they end with it."""
    words = ("-m", "tests.ledger.kill_load", str(database), str(log))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        # An evening that a failed test leaves behind would never end.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()


def size_of(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def has_side_bet(database: Path, log: Path) -> bool:
    if size_of(log) == 0:
        return False
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        return bool(connection.execute("SELECT 1 FROM events WHERE kind = 'side_bet_placed'").fetchone())


async def said(process: Process) -> int:
    assert process.stdout is not None
    return int(await process.stdout.readline())


async def until(reached: Callable[[], bool], every: float = 0.002) -> None:
    """Waits until something is so, and looks `every` so many seconds."""
    async with asyncio.timeout(60):
        while not reached():  # noqa: ASYNC110 - nobody tells when it is
            await asyncio.sleep(every)


async def evening(process: Process, run: int, log: Path, reached: Callable[[], bool] | None = None) -> None:
    """Starts an evening, and kills it at a random moment, or at one after `reached`."""
    assert process.stdin is not None
    size = size_of(log)
    process.stdin.write(f"{run}\n".encode())
    victim = await said(process)
    if reached is not None:
        await until(reached)
    elif random.random() > KILLED_EARLY:
        await until(lambda: size_of(log) > size)
    await asyncio.sleep(random.uniform(0, LONGEST_SECONDS))
    os.kill(victim, signal.SIGKILL)
    assert await said(process) == -signal.SIGKILL, "it ended before it was killed"


def check_done_once(database: Path, acknowledged: list[Acknowledged]) -> None:
    """Checks that each acknowledged command has exactly its events and transfers."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        for done in acknowledged:
            found = connection.execute(
                "SELECT (SELECT count(*) FROM commands WHERE key = :key AND table_id = :table),"
                " (SELECT count(*) FROM transfers WHERE command_key = :key AND server_id = :server),"
                " (SELECT count(*) FROM events WHERE table_id = :table AND command_key = :key),"
                " (SELECT count(*) FROM events WHERE table_id = :table AND command_key = :key"
                "  AND sequence BETWEEN :first AND :last)",
                {
                    "key": done.key,
                    "table": done.table_id,
                    "server": done.server_id,
                    "first": done.first,
                    "last": done.last,
                },
            ).fetchone()
            events = done.last - done.first + 1
            assert found == (1, done.moves, events, events), done


async def evenings(database: Path, first_run: int, kills: int) -> int:
    """Kills one bar's bot this many times; returns the number of acknowledged commands."""
    log = database.with_suffix(".log")
    checked = 0
    async with bar(database, log) as process:
        for run in range(first_run, first_run + kills):
            # However slow the machine is, the last evening gets as far as a side bet.
            last = run == first_run + kills - 1
            await evening(process, run, log, partial(has_side_bet, database, log) if last else None)
            if size_of(log) == 0:
                continue
            acknowledged = acknowledged_in(log)
            # Replaying every table takes long: now and then, and at the end.
            audits = [verify_tables] if last or random.random() < REPLAYED else []
            assert await asyncio.to_thread(problems_in, database, extra_audits=audits) == []
            await asyncio.to_thread(check_done_once, database, acknowledged[checked:])
            checked = len(acknowledged)
            check_members(database, log)
            if last or random.random() < STARTED:
                await start_after(database, log)
    await wound_up(database)
    check_done_once(database, acknowledged_in(log))
    check_members(database, log)
    return checked


async def start_after(database: Path, log: Path) -> None:
    """Starts the bot after a kill: it finishes erasures, and its first write overwrites what is left."""
    async with open_ledger(f"sqlite:///{database}") as ledger:
        croupier = Croupier(ledger, lambda _: HOUSE)
        await croupier.load()
        await Privacy(croupier).erase_noted()
        await ledger.record(HeadPosted(0, 0.0))
        check_members(database, log)
        # On a slow disk, overwriting waits until other writes had their time.
        await until(lambda: not traces_of_erased(database, log), every=0.1)
        await croupier.close()


def check_members(database: Path, log: Path) -> None:
    """Checks that who was told so is erased, and that everybody else is there as they were."""
    stored = stored_members(database)
    for member, history in histories_in(log).items():
        party = stored.party_of(member)
        if history.erased:
            assert party is None, (member, history)
            assert history.parties <= stored.noted, (member, history)
        elif not history.asked and history.parties:
            assert party is not None, (member, history)
            assert {party} == history.parties, (member, history)
            assert stored.members[party].name in history.names, (member, history)
        for gone in history.parties - {party}:
            assert gone not in stored.members, (member, history)
            assert gone not in stored.free, (member, history)
            assert gone not in stored.held, (member, history)


def traces_of_erased(database: Path, log: Path) -> list[str]:
    """The files that have a name, an id or words of those who are erased."""
    stored = stored_members(database)
    assert not stored.noted & stored.members.keys()
    there, histories = stored.marks, histories_in(log)
    erased = {member: history for member, history in histories.items() if history.parties & stored.noted}
    names = {name for history in erased.values() for name in history.names} - there.names
    user_ids = {user_id for _, user_id in erased} - there.user_ids
    return [
        file
        for file, found in marks_on_disk(database).items()
        if found.names & names or found.user_ids & user_ids or found.words - there.words
    ]


async def wound_up(database: Path) -> None:
    """Opens the ledger when everything is overdue: every round and table ends, and the audit is clean."""
    house = House(database)
    house.rules, house.now = RULES, time.time() + 3600
    async with house:
        house.now += 3600
        await house.croupier.go_on()
        tables = house.croupier.tables.all()
        assert not any(table.phase is Phase.DEALT for table in tables)
        await house.check()
        await house.croupier.wind_up(tables)
        house.opened.update(table.table_id for table in tables)
        await house.check()
        assert await house.ledger.open_tables() == []
    with closing(sqlite3.connect(database)) as connection:
        counts = dict(connection.execute("SELECT kind, count(*) FROM events GROUP BY kind").fetchall())
        (held,) = connection.execute("SELECT sum(balance) FROM accounts WHERE kind = 'hold'").fetchone()
    assert held == 0
    assert counts["hands_dealt"] <= counts["round_settled"] + counts.get("round_called_off", 0)
    assert counts["table_opened"] == counts["table_closed"]
    assert counts["round_settled"] > 0
    assert counts["side_bet_placed"] > 0
    assert counts["client_seed_set"] > 0


@pytest.mark.parametrize("turn", range(max(KILLS // (KILLS_A_BAR * AT_ONCE), 1)))
async def test_what_was_acknowledged_before_a_kill_is_found_exactly_once(tmp_path: Path, turn: int) -> None:
    first_run = 1 + turn * KILLS_A_BAR
    bars = [evenings(tmp_path / f"{number}.db", first_run, KILLS_A_BAR) for number in range(AT_ONCE)]
    for acknowledged in await asyncio.gather(*bars):
        assert acknowledged > KILLS_A_BAR
