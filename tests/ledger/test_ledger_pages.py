"""Pages of `/ledger`: each line is on one of them, whole, with what the member had then; in a file too."""

import csv
import io
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.ledger.changes import Change, EventRow
from bot.ledger.chip_queries import (
    CLAIM_MADE_AT,
    ENTERED,
    ENTRIES,
    GIFTS,
    GIVEN,
    GOT,
    LOST,
    RETURNED,
    WON,
)
from bot.ledger.ledger import Ledger
from bot.ledger.reader import Statement
from bot.ledger.records import Entry
from bot.ledger.sqlite.connections import SqliteReading
from bot.ledger.standing_queries import STEPS
from bot.table.accounts import MINT, OF_PLAY, LedgerPart, Move, Reason, wallet
from bot.ui.ledger import (
    ENTRIES_READ,
    LINES,
    Asked,
    LedgerLine,
    Page,
    csv_file,
    ledger_lines,
    page_words,
    read_page,
    with_owned,
)
from bot.ui.press.custom_ids import parse_custom_id
from bot.wire.requests import LONGEST_TEXT
from tests.databases import create_database
from tests.ledger.sample_changes import NOW, SERVER, change, opening, row
from tests.ui.sample_names import names

ALICE, BOB, NEW = 7, 8, 9
GAME_OF = {77: "gnau", 78: "niu-niu"}
EVERYTHING = 1 << 31
NAMES = names("=1+1")


def at_table(table_id: int, *moves: Move, events: tuple[EventRow, ...] = ()) -> Change:
    return replace(change(*moves), table=row(1, table_id, game=GAME_OF[table_id]), events=events)


async def fill(ledger: Ledger, seed: int) -> None:
    """Gives a member a ledger of everything, with rounds as the banker of up to 60 entries."""
    chosen = Random(seed)
    for table_id in GAME_OF:
        await ledger.commit(at_table(table_id, events=(EventRow(1, "table_opened", "{}"),)))
    for party in (ALICE, BOB):
        await ledger.commit(opening(party, 10**6))
    for number in range(10_000, 10_070):
        one, other = chosen.sample((wallet(ALICE), wallet(BOB)), 2)
        match chosen.choice(("gift", "bank", "play", "daily", "taken")):
            case "gift":
                moves = [Move(one, other, 3, Reason.GIFT)]
            case "bank":
                lost = Move(wallet(ALICE), wallet(BOB), 2, Reason.PLAYER_WON, number)
                won = Move(wallet(BOB), wallet(ALICE), 5, Reason.BANKER_WON, number)
                moves = [chosen.choice((lost, won)) for _ in range(chosen.choice((2, 5, 60)))]
            case "play":
                moves = [Move(wallet(BOB), wallet(ALICE), 20, Reason.PLAYER_WON, number)]
            case "daily":
                moves = [Move(MINT, wallet(ALICE), 100, Reason.DAILY)]
            case _:
                moves = [Move(wallet(ALICE), MINT, 1, Reason.TAKEN)]
        is_round = moves[0].reason in OF_PLAY
        await ledger.commit(at_table(chosen.choice([*GAME_OF]), *moves) if is_round else change(*moves))
    # What is read first ends in the middle of a line that the page shows.
    of_bank = Move(wallet(ALICE), wallet(BOB), 1, Reason.PLAYER_WON, 20_000)
    await ledger.commit(change(*[of_bank] * (ENTRIES_READ - 5)))
    gift = Move(wallet(BOB), wallet(ALICE), 3, Reason.GIFT)
    await ledger.commit(change(*[gift] * (LINES - 1)))


def belongs(entry: Entry, part: str) -> bool:
    if part == LedgerPart.ALL:
        return True
    if part in GAME_OF.values():
        return entry.reason in OF_PLAY and entry.table_id is not None and GAME_OF[entry.table_id] == part
    parts = {Reason.GIFT: LedgerPart.GIFTS, **dict.fromkeys(OF_PLAY, LedgerPart.PLAY)}
    return parts.get(Reason(entry.reason), LedgerPart.HANDOUTS) == part


async def test_each_line_is_on_one_page_whole_and_back_again(ledger: Ledger) -> None:
    await fill(ledger, seed=30)
    every = await ledger.many_entries(SERVER, ALICE, EVERYTHING)
    owned = (await ledger.purse(SERVER, ALICE)).total
    for part in (*LedgerPart, *GAME_OF.values()):
        of_part = [entry for entry in every if belongs(entry, part)]
        assert await ledger.many_entries(SERVER, ALICE, EVERYTHING, part) == of_part
        expected = list(ledger_lines(of_part, owned if part == LedgerPart.ALL else None))
        found: list[LedgerLine] = []
        page = await read_page(ledger, ALICE, Asked(SERVER, part))
        assert page.newer is None
        found += page.lines
        while page.older is not None:
            # As a button carries it.
            press = parse_custom_id(page.older.press().custom_id)
            assert press is not None
            page = await read_page(ledger, ALICE, Asked.of(press))
            assert page.newer is not None
            found += page.lines
        assert found == expected
        assert len(expected) > LINES or part in (LedgerPart.HANDOUTS, "niu-niu")
        while page.newer is not None:
            before, page = page, await read_page(ledger, ALICE, page.newer)
            last = expected.index(page.lines[-1])
            assert list(page.lines) == expected[last + 1 - len(page.lines) : last + 1]
            if page.newer is not None:
                assert expected[last + 1] == before.lines[0]
        assert list(page.lines) == expected[:LINES]
    assert (await read_page(ledger, NEW, Asked(SERVER))).lines == []


async def test_chips_that_move_meanwhile_are_counted_once(ledger: Ledger) -> None:
    await fill(ledger, seed=1)
    late = iter(range(2))

    async def read() -> list[Entry]:
        entries = await ledger.entries(SERVER, ALICE, 5)
        for _ in late:
            await ledger.commit(change(Move(wallet(ALICE), wallet(BOB), 9, Reason.GIFT)))
            break
        return entries

    entries, owned = await with_owned(ledger, SERVER, ALICE, read)
    assert entries == await ledger.entries(SERVER, ALICE, 5)
    assert owned == (await ledger.purse(SERVER, ALICE)).total


async def test_lines_that_do_not_fit_into_a_message_are_on_the_next_page(ledger: Ledger) -> None:
    await fill(ledger, seed=2)
    long_named = names("牛" * 64)
    pages: list[list[int]] = []

    async def shown(asked: Asked) -> Page:
        page = await read_page(ledger, ALICE, asked)
        noted = [
            replace(line, entries=[replace(one, note=300 * "n") for one in line.entries])
            for line in page.lines
        ]
        page, words = page_words(asked, replace(page, lines=noted), long_named, NOW)
        assert 0 < len(words) == len(page.lines) < LINES
        assert sum(map(len, words)) < LONGEST_TEXT
        pages.append([line.entries[0].link for line in page.lines])
        return page

    page = await shown(Asked(SERVER))
    while page.older is not None and len(pages) < 3:
        page = await shown(page.older)
    assert page.newer is not None
    await shown(page.newer)
    every = await ledger.many_entries(SERVER, ALICE, EVERYTHING)
    links = [line.entries[0].link for line in ledger_lines(every, None)]
    first, second, third, back = pages
    assert [*first, *second, *third] == links[: len([*first, *second, *third])]
    assert back == links[links.index(third[0]) - len(back) : links.index(third[0])]


def test_a_members_own_transfers_are_found_by_their_own_indices_without_any_statistics(
    tmp_path: Path,
) -> None:
    with closing(sqlite3.connect(create_database(tmp_path / "ledger.db"))) as connection:

        def plan_of(statement: Statement) -> str:
            sql, constants = statement.compiled(SqliteReading.dialect)
            values = dict.fromkeys(re.findall(r":(\w+)", sql), 1) | constants
            return str(connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall())

        def check() -> None:
            for (part, _), statement in ENTRIES.items():
                plan = plan_of(statement)
                own = 2 if part in (LedgerPart.GIFTS, LedgerPart.HANDOUTS) else 0
                assert plan.count("_without_round (server_id=? AND ") == own, plan
                assert plan.count("ix_transfers_server_id_") == 2 - own, plan
            plan = plan_of(STEPS)
            assert plan.count("_without_round (server_id=? AND ") == 2, plan
            assert plan.count("SEARCH own USING COVERING INDEX ix_transfers_server_id_") == 4, plan
            for one in (WON, LOST, ENTERED, RETURNED, GIVEN, GOT, GIFTS, CLAIM_MADE_AT):
                plan = plan_of(one)
                assert "transfers USING INDEX ix_transfers_server_id_" in plan, plan
                # Only what was dated in the future reads on from there, to the next transfer.
                assert not re.search(
                    r"SEARCH (?!later)\w+ USING PRIMARY KEY \(server_id=\?(?! AND link=)", plan
                ), plan

        check()
        # SQLite's choice may depend on which index was made first.
        select = "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'ix_transfers_server_id_%'"
        for name, made in connection.execute(select).fetchall():
            connection.execute(f"DROP INDEX {name}")
            connection.execute(made)
        check()


@pytest.mark.parametrize(
    ("words", "cell"),
    [
        ("=1+1", "'=1+1"),
        (" =1", "' =1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2", "'-2"),
        ("＋1", "'＋1"),
        ("a=1", "a=1"),
    ],
)
async def test_a_file_has_every_entry_plainly_and_no_formulas(ledger: Ledger, words: str, cell: str) -> None:
    await ledger.commit(opening(ALICE, 1234))
    await ledger.commit(change(Move(wallet(ALICE), wallet(BOB), 34, Reason.GIFT)))
    read = partial(ledger.many_entries, SERVER, ALICE, EVERYTHING)
    entries, owned = await with_owned(ledger, SERVER, ALICE, read)
    written = csv_file([replace(one, note=words) for one in entries], owned, NAMES)
    assert written.startswith("\N{BYTE ORDER MARK}Time,".encode())
    heading, *rows = csv.reader(io.StringIO(written.decode("utf-8-sig")))
    assert heading == ["Time", "Change", "Chips after it", "Why", "Table", "Round", "With", "Note"]
    assert rows == [
        ["2026-09-21T14:13:20Z", "-34", "1200", "Gift", "", "", "'=1+1", cell],
        ["2026-09-21T14:13:20Z", "1234", "1234", "Opening chips", "", "", "", cell],
    ]
