"""Damage found at a start is refused with what to do: no bot is ready that then refuses every write."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.changes import DirectChannel
from bot.ledger.errors import LedgerDamaged, LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite import integrity
from bot.ledger.sqlite.integrity import problems_in, refuse_damage
from bot.table.accounts import HOUSE, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.ledger_files import filled as wallets_of
from tests.ledger.ledger_files import refused, start
from tests.ledger.sample_changes import SERVER, at_table, bet, failures, identity, opening, pay, row

MEMBERS = range(7, 150)
LONG_STATE = f'{{"phase": "{"betting" * 4000}"}}'
"""So long that it takes several pages of its own."""


@pytest.fixture
def filled(path: Path, address: str) -> Path:
    """A small ledger of about 60 pages, also with free ones."""

    async def fill() -> None:
        async with open_ledger(address) as ledger:
            await all_of(
                ledger, *map(opening, MEMBERS), *map(identity, MEMBERS), *map(DirectChannel, MEMBERS)
            )
            await ledger.commit(at_table(row(1, state=LONG_STATE), bet(7, 70)))
            await ledger.commit(at_table(row(1, 78, state=LONG_STATE)))
            await all_of(ledger, *(pay(wallet(member), HOUSE, 1) for member in MEMBERS))
            await ledger.commit(at_table(row(2, 78, is_playing=False)))

    asyncio.run(fill())
    return path


def pages_of(path: Path) -> Iterator[slice]:
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return (slice(start, start + size) for start in range(0, path.stat().st_size, size))


def execute(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


async def served(ledger: Ledger) -> None:
    """Finds that everything is there, and that everything can be written."""
    assert await ledger.wallets(SERVER, MEMBERS) == {
        member: 929 if member == 7 else 999 for member in MEMBERS
    }
    outcomes = await all_of(
        ledger,
        *(pay(wallet(member), HOUSE, 2) for member in MEMBERS),
        *(opening(member) for member in range(500, 600)),
        *(identity(member) for member in range(500, 600)),
        at_table(row(2, state=LONG_STATE)),
        at_table(row(3, 78, state=LONG_STATE)),
        at_table(row(1, 79, state=LONG_STATE)),
    )
    for failed in failures(outcomes):
        raise failed


@pytest.mark.thorough
def test_each_wiped_page_is_found_or_does_no_harm(filled: Path) -> None:
    whole = filled.read_bytes()
    pages = list(pages_of(filled))
    found = 0

    async def serve(path: Path) -> None:
        async with open_ledger(f"sqlite:///{path}") as ledger:
            await served(ledger)

    for page in pages:
        wiped = bytearray(whole)
        wiped[page] = bytes(page.stop - page.start)
        # A file of its own: a ledger whose write failed leaves its log behind.
        damaged = filled.with_name(f"{page.start}.db")
        damaged.write_bytes(wiped)
        try:
            asyncio.run(serve(damaged))
        except LedgerUnavailable as failed:
            named = "is no SQLite database" if page.start == 0 else "is damaged"
            assert named in str(failed), failed  # noqa: PT017
            assert "***" not in str(failed), failed  # noqa: PT017
            found += 1
        else:
            assert problems_in(damaged) == []
    assert found > len(pages) / 2


def test_tables_that_somebody_added_hinder_no_start(filled: Path) -> None:
    execute(filled, "CREATE TABLE probe (x); CREATE TABLE second_probe (x)")
    refuse_damage(filled)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("DROP TABLE house_drafts", "house_drafts is missing"),
        ("DROP INDEX ix_tables_open_channel", "ix_tables_open_channel is missing"),
        ("DROP TRIGGER transfers_no_update", "transfers_no_update is missing"),
        ("UPDATE chains SET head = zeroblob(32)", "server 1: the chain does not end with link"),
        ("UPDATE chains SET last_link = last_link - 1", "server 1: the chain does not end with link"),
        (
            """
            UPDATE chains SET last_link = last_link - 1,
                head = (SELECT hash FROM transfers WHERE link = last_link - 1)
            """,
            "server 1: the chain does not end with link",
        ),
        (
            """
            DROP TRIGGER transfers_no_update;
            UPDATE transfers SET chips = 5 WHERE link = (SELECT max(link) FROM transfers);
            CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT 1; END
            """,
            "of the chain, was changed",
        ),
    ],
)
def test_a_start_refuses_what_was_tampered_with(
    filled: Path, monkeypatch: pytest.MonkeyPatch, script: str, found: str, whole: bool
) -> None:
    """Also in a file that is too large to be checked whole."""
    monkeypatch.setattr(integrity, "SMALL_BYTES", integrity.SMALL_BYTES if whole else 0)
    execute(filled, script)
    assert found in refused(filled, [start], LedgerDamaged)


async def test_a_start_serves_a_ledger_with_a_balance_that_must_not_be(filled: Path, address: str) -> None:
    """No page of the file is damaged, and `gnau db check` says which balance it is."""
    script = "UPDATE accounts SET balance = -5 WHERE account = 'wallet:9'"
    await asyncio.to_thread(execute, filled, f"PRAGMA ignore_check_constraints = ON; {script}")
    async with open_ledger(address) as ledger:
        await ledger.commit(pay(wallet(7), wallet(8), 1))
    assert "server 1: wallet:9 is below zero, at -5 chips" in await asyncio.to_thread(problems_in, filled)


def test_the_first_link_of_a_short_chain_is_checked(path: Path) -> None:
    wallets_of(path, 7)
    execute(path, "DROP TRIGGER transfers_no_update; UPDATE transfers SET chips = 5")
    execute(path, "CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT 1; END")
    with pytest.raises(LedgerUnavailable, match="transfer 1, link 1 of the chain, was changed"):
        refuse_damage(path)


def test_the_last_links_are_those_of_each_kind(path: Path, address: str) -> None:
    """An event at the end of a chain is checked too."""

    async def fill() -> None:
        async with open_ledger(address) as ledger:
            await ledger.commit(at_table(row(2), events=2))
            await ledger.commit(at_table(row(3)))
            await ledger.commit(opening(7, server_id=2))
            await ledger.commit(at_table(row(1, 78)))

    asyncio.run(fill())
    refuse_damage(path)
    execute(path, "DROP TRIGGER events_no_update; UPDATE events SET body = '{}' WHERE sequence = 2;")
    execute(path, "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END")
    with pytest.raises(LedgerUnavailable, match="event 2 of table 77, link 2 of the chain, was changed"):
        refuse_damage(path)


def test_an_intact_database_of_the_bot_starts_in_both_ways(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_damage(filled)
    monkeypatch.setattr(integrity, "SMALL_BYTES", 0)
    refuse_damage(filled)
