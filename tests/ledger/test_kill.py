"""The process is killed in the midst of its work: what it said is done is there, once and whole."""

import asyncio
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.ledger.audit import audit
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.schema import commands, events, transfers

KILLS = 5
LOAD = Path(__file__).with_name("kill_load.py")


async def keys_of(ledger: Ledger) -> tuple[set[str], Counter[str], Counter[str]]:
    """The keys of the commands, and how many transfers and events each has."""
    async with ledger.reading() as connection:
        done = set((await connection.execute(select(commands.c.key))).scalars())
        moved = Counter((await connection.execute(select(transfers.c.command_key))).scalars())
        happened = Counter((await connection.execute(select(events.c.command_key))).scalars())
    return done, moved, happened


@pytest.mark.slow
async def test_what_was_acknowledged_before_a_kill_is_found_exactly_once(address: str) -> None:
    acknowledged: set[str] = set()
    for run in range(KILLS):
        load = await asyncio.create_subprocess_exec(
            sys.executable, str(LOAD), address, str(run), stdout=asyncio.subprocess.PIPE
        )
        assert load.stdout is not None
        first = await load.stdout.readline()
        await asyncio.sleep(random.uniform(0, 0.4))
        load.send_signal(signal.SIGKILL)
        rest, _ = await load.communicate()
        lines = (first + rest).decode().splitlines(keepends=True)
        assert lines
        acknowledged.update(line.strip() for line in lines if line.endswith("\n"))
        async with open_ledger(address) as ledger:
            assert await audit(ledger) == []
            done, moved, happened = await keys_of(ledger)
        assert acknowledged <= done
        assert all(moved[key] == 2 and happened[key] == 1 for key in done if not key.startswith("opening"))
    assert len(acknowledged) > KILLS
