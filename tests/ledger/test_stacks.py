"""What members have in memory equals what is on disk, or is not in memory."""

import json
import sqlite3
from contextlib import closing
from math import inf
from pathlib import Path

import psycopg
import pytest

from bot.ledger.chip_queries import OF_ACCOUNTS, PURSE, WALLETS
from bot.ledger.errors import InsufficientChips, LedgerUnavailable
from bot.ledger.ledger import Ledger
from bot.ledger.memory import Stacks
from bot.ledger.postgres.engine import psycopg_dialect
from bot.ledger.rank_queries import PAGES
from bot.ledger.reader import Statement
from bot.ledger.records import Stack
from bot.ledger.sqlite.connections import SqliteReading
from bot.table.accounts import HOUSE, Move, Reason, hold, score, wallet
from bot.table.standings import EVERY, Measure
from tests.databases import create_database, new_postgres_database
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


async def test_after_a_failed_write_everything_is_read_again(path: Path, address: str) -> None:
    async with counted(address, busy_seconds=0.05) as (ledger, _):
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
        with pytest.raises(InsufficientChips) as refused:
            await ledger.commit(pay(wallet(7), HOUSE, 6))
        assert refused.value.balance == 5, "the writer reads it again too"


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


def test_chips_of_a_member_are_found_without_going_through_all_accounts(tmp_path: Path) -> None:
    by_chips = PAGES[Measure.CHIPS]
    some = {"server": 1, "party": 7, "asked": "[[1, 7]]", "parties": "[7]", "since": 0.0}
    with closing(sqlite3.connect(create_database(tmp_path / "ledger.db"))) as connection:
        for statement in (PURSE, Statement(OF_ACCOUNTS), WALLETS, by_chips.some, by_chips.amount):
            sql, constants = statement.compiled(SqliteReading.dialect)
            values = {"period": EVERY, "game": EVERY, **constants, **some}
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
            index = "INDEX ix_accounts_server_id_party (server_id=? AND party>? AND party<?)"
            assert f"SEARCH accounts USING {index}" in plan, plan
            own_row = "PRIMARY KEY (server_id=? AND period=? AND game=? AND party=?)"
            assert all(line.endswith(own_row) for line in plan if "SEARCH standings" in line), plan


def test_the_members_whose_chips_are_shown_are_few_to_postgresql_too() -> None:
    sql, constants = PAGES[Measure.CHIPS].some.compiled(psycopg_dialect("pyformat"))
    some = {"server": SERVER, "period": EVERY, "game": EVERY, "since": 0.0}
    with closing(psycopg.connect(new_postgres_database(), autocommit=True)) as connection:
        members = "FROM generate_series(1, 20000) AS member"
        connection.execute(
            f"INSERT INTO accounts SELECT {SERVER}, 'wallet:' || member, 'wallet', member, NULL, 5 {members}"
        )
        connection.execute(
            "INSERT INTO standings (server_id, period, game, party, rounds, last_at, luck_rounds, ahead,"
            f" variance_high, variance_low) SELECT {SERVER}, 'all', 'all', member, 1, 1, 0, 0, 0, 0 {members}"
        )
        connection.execute("ANALYZE")
        values = {**constants, **some, "parties": json.dumps([*range(7, 40)])}
        ((plan,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {sql}", values).fetchall()
        # Else it would sort all members of a larger server for them.
        assert plan[0]["Plan"]["Plan Rows"] < 1_000, plan
