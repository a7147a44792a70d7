"""The hash chain: whatever is changed, removed, added or reordered in the file, the audit names the link."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet
from sqlalchemy import BigInteger, Column, Double, LargeBinary, Table

from bot.ledger.audit import audit
from bot.ledger.chain import chain_problems, every_link, link_with_head
from bot.ledger.changes import Change, HouseRow
from bot.ledger.engine import Reading
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.address import is_postgres
from bot.ledger.postgres.engine import PostgresReading
from bot.ledger.queries import Queries, queries_of
from bot.ledger.schema import events, house_changes, transfers
from bot.ledger.sqlite.connections import SqliteReading
from bot.rules.hashing import short_code
from bot.table.accounts import Move, Reason, wallet
from tests.databases import copy_of_postgres, create_database, new_postgres_database
from tests.ledger.sample_changes import NOW, SERVER, at_table, bet, change, lost, opening, returned, row
from tests.ledger.tampering import tamper, value
from tests.sizes import sample

LINKS: Final = (
    *[transfers] * 3,
    house_changes,
    *[transfers] * 2,
    *[events] * 2,
    house_changes,
    *[transfers] * 3,
    events,
)
"""The table of each link of the small ledger, from link 1."""
NUMBERED: Final = list(enumerate(LINKS, 1))
LAST: Final = len(LINKS)
FILED_UNDER: Final = ("loser", "gainer")
"""Columns that follow from others, so no hash contains them."""

Tampered = Callable[..., str]


def at_links(links: Iterable[int], quick: int = 0) -> pytest.MarkDecorator:
    """Runs a test at each of these links in a file, and at one of each table on a server.

    The chain is checked by the same code on both. What differs is how a table is read.

    Args:
        quick: at how many it runs by default.
    """
    links = list(links)
    first = {LINKS.index(table) + 1 for table in LINKS}
    cases = [("sqlite", link) for link in links]
    on_server = [("postgres", link) for link in links if link in first]
    return pytest.mark.parametrize(
        ("small", "link"),
        [*(sample(cases, quick) if quick else thorough(cases)), *thorough(on_server)],
        indirect=["small"],
    )


def thorough(cases: Iterable[tuple[str, int]]) -> list[ParameterSet]:
    """Cases that run only in full."""
    return [pytest.param(*case, marks=pytest.mark.thorough) for case in cases]


@pytest.fixture(scope="module", params=sample(["sqlite", "postgres"], 1))
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a small ledger with links of every kind, and another server beside it."""
    if request.param == "postgres":
        address = new_postgres_database()
    else:
        address = f"sqlite:///{create_database(tmp_path_factory.mktemp('chain') / 'small.db')}"

    def house(number: int) -> Change:
        rules = HouseRow(number, 7, f"what {number}", "the house")
        return Change(f"house {number}", SERVER, NOW, house=rules)

    async def fill() -> None:
        async with open_ledger(address) as ledger:
            await ledger.commit(opening(7))
            await ledger.commit(opening(8, 500))
            await ledger.commit(opening(9, 30, server_id=SERVER + 1))
            await ledger.commit(change(Move(wallet(7), wallet(8), 25, Reason.GIFT)))
            await ledger.commit(house(1))
            await ledger.commit(at_table(row(2), bet(7, 350), bet(8, 350), events=2, deadline=NOW))
            await ledger.commit(house(2))
            moves = lost(7, 8, 50), returned(7, 300), returned(8, 350)
            await ledger.commit(at_table(row(3, is_playing=False), *moves))

    asyncio.run(fill())
    return address


@pytest.fixture
def tampered(small: str, tmp_path: Path) -> Tampered:
    """Runs statements on a copy of the small ledger, as somebody could who has the database."""
    numbers = count()

    def tampered_with(*statements: str) -> str:
        if is_postgres(small):
            address = copy_of_postgres(small)
        else:
            path = tmp_path / f"{next(numbers)}.db"
            shutil.copy(small.removeprefix("sqlite:///"), path)
            address = f"sqlite:///{path}"
        tamper(address, ";".join(statements))
        return address

    return tampered_with


@asynccontextmanager
async def reading(address: str) -> AsyncIterator[Queries]:
    if is_postgres(address):
        engine: Reading = PostgresReading(address)
    else:
        engine = SqliteReading(Path(address.removeprefix("sqlite:///")))
    async with queries_of(engine) as queries:
        yield queries


async def problem_of_chain(address: str) -> str:
    """What the audit says of the chain, as the only thing of the only server."""
    async with reading(address) as ledger:
        found = await audit(ledger)
    (what,) = [finding.what for finding in found if finding.server_id == SERVER and "chain" in finding.what]
    assert all(finding.server_id != SERVER + 1 for finding in found)
    return what


def where(link: int) -> str:
    """The condition of the only row with this link. Links are moved to and from 1000 and more on the way."""
    table = LINKS[link - 1]
    return f"link = {link}" if table is events else f"link = {link} AND server_id = {SERVER}"


def gone(link: int) -> tuple[str, str]:
    """How the sentence begins if a link is not there."""
    return f"link {link} of the chain was removed: ", f"the chain should end with link {link}, "


def changed(link: int) -> str:
    """How the sentence ends if a link differs from its hash."""
    return f", link {link} of the chain, was changed, or the link before it was"


def other_value(column: Column[Any]) -> str:
    """SQL for another value than a column's, of its type."""
    name = column.name
    match column.type:
        case BigInteger():
            return f"coalesce({name}, 0) + 1000"
        case Double():
            return f"{name} + 0.5"
        case LargeBinary():
            return f"x'{bytes(32).hex()}'"
        case _:
            return f"{name} || 'x'"


async def test_the_small_ledger_has_these_links_and_is_intact(small: str) -> None:
    async with reading(small) as ledger, ledger.reading() as connection:
        links = [one async for one in every_link(connection)]
        assert await audit(ledger) == []
    assert [(one.server_id, one.link) for one in links[:-1]] == [(SERVER, link) for link, _ in NUMBERED]
    kinds = {"transfer": transfers, "event": events, "change": house_changes}
    assert [kinds[one.name.partition(" ")[0]] for one in links[:-1]] == list(LINKS)


@pytest.mark.parametrize(
    "table", sample([house_changes, transfers, events], ids=("changes", "transfers", "events"))
)
async def test_a_link_with_any_other_value_in_any_column_is_named(
    tampered: Tampered, small: str, table: Table
) -> None:
    links = [link for link, of in NUMBERED if of is table]
    # On a server, what is there to be read differs by column, and by no link.
    for link in links[: 1 if is_postgres(small) else None]:
        for column in table.c:
            if column.name in FILED_UNDER:
                continue
            update = f"UPDATE {table} SET {column.name} = {other_value(column)} WHERE {where(link)}"
            what = await problem_of_chain(tampered(update))
            is_moved = column.name in ("server_id", "link") or column is events.c.table_id
            assert what.startswith(gone(link)) if is_moved else what.endswith(changed(link)), (column, what)


@at_links(range(1, LAST + 1), 4)
async def test_a_removed_link_is_named(tampered: Tampered, link: int) -> None:
    what = await problem_of_chain(tampered(f"DELETE FROM {LINKS[link - 1]} WHERE {where(link)}"))
    assert what.startswith(gone(link))


def copy_of(link: int, to: int) -> str:
    """SQL that adds a copy of a link, under another number where the table needs one."""
    table = LINKS[link - 1]
    other = {"link": str(to), "sequence": "sequence + 1000", "number": "number + 1000"}
    values = ", ".join(other.get(column.name, column.name) for column in table.c)
    return f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {where(link)}"


@at_links(range(1, LAST + 1))
async def test_a_copy_of_a_link_at_the_end_is_named(tampered: Tampered, link: int) -> None:
    what = await problem_of_chain(tampered(copy_of(link, LAST + 1)))
    assert what.endswith(changed(LAST + 1))
    grown = f"UPDATE chains SET last_link = {LAST + 1} WHERE server_id = {SERVER}"
    assert await problem_of_chain(tampered(copy_of(link, LAST + 1), grown)) == what


@at_links(range(1, LAST + 1))
async def test_a_second_row_at_a_link_is_named(tampered: Tampered, link: int) -> None:
    for other in (4, 8):
        what = await problem_of_chain(tampered(copy_of(other, link)))
        twice = f"link {link} of the chain is there twice: "
        assert what.startswith(twice) or what.endswith(changed(link)), what


def moved(link: int, to: int) -> str:
    return f"UPDATE {LINKS[link - 1]} SET link = {to} WHERE {where(link)}"


@at_links(range(1, LAST + 1), 4)
async def test_a_link_put_in_between_is_named(tampered: Tampered, link: int) -> None:
    later = [moved(one, one + 1) for one in range(LAST, link, -1)]
    grown = f"UPDATE chains SET last_link = {LAST + 1} WHERE server_id = {SERVER}"
    what = await problem_of_chain(tampered(*later, copy_of(link, link + 1), grown))
    assert what.endswith(changed(link + 1))


@pytest.mark.parametrize("with_hash", [False, True], ids=["as they are", "each with the other's hash"])
@at_links(range(1, LAST))
async def test_two_links_in_the_other_order_are_named(
    tampered: Tampered, link: int, with_hash: bool, small: str
) -> None:
    one, other = LINKS[link - 1], LINKS[link]
    swap = [
        f"UPDATE {one} SET link = -1 WHERE {where(link)}",
        moved(link + 1, link),
        f"UPDATE {one} SET link = {link + 1} WHERE link = -1",
    ]
    if with_hash:
        first, second = (
            value(small, f"SELECT hash FROM {table} WHERE {where(at)}").hex()
            for table, at in ((one, link), (other, link + 1))
        )
        swap += [
            f"UPDATE {one} SET hash = x'{second}' WHERE hash = x'{first}'",
            f"UPDATE {other} SET hash = x'{first}' WHERE hash = x'{second}' AND link = {link}",
        ]
    assert (await problem_of_chain(tampered(*swap))).endswith(changed(link))


async def test_events_that_went_to_another_server_with_their_table_are_named(tampered: Tampered) -> None:
    what = await problem_of_chain(tampered("UPDATE tables SET server_id = 5"))
    assert what.startswith(gone(LINKS.index(events) + 1))


@pytest.mark.parametrize("cut", sample(range(1, LAST + 1), 4))
async def test_only_a_head_noted_before_shows_that_the_last_links_were_cut_off(
    small: str, tampered: Tampered, cut: int
) -> None:
    async with reading(small) as ledger, ledger.reading() as connection:
        links = [one async for one in every_link(connection) if one.server_id == SERVER]
        noted = short_code(links[-1].hash)
        assert links[-1].name == "event 3 of table 77"
        for link in links:
            found = await link_with_head(connection, short_code(link.hash))
            assert found is not None
            assert (found.server_id, found.link, found.at) == (SERVER, link.link, NOW)
        assert await link_with_head(connection, short_code(bytes(32))) is None
    statements = [f"DELETE FROM {table} WHERE {where(link)}" for link, table in NUMBERED[LAST - cut :]]
    if kept := links[: LAST - cut]:
        end = f"last_link = {kept[-1].link}, head = x'{kept[-1].hash.hex()}'"
        statements.append(f"UPDATE chains SET {end} WHERE server_id = {SERVER}")
    else:
        statements.append(f"DELETE FROM chains WHERE server_id = {SERVER}")
    async with reading(tampered(*statements)) as ledger, ledger.reading() as connection:
        assert [what async for what in chain_problems(connection)] == []
        assert await link_with_head(connection, noted) is None


async def test_a_chain_begins_with_the_first_link(ledger: Ledger) -> None:
    await ledger.commit(change())
    assert await ledger.head(SERVER) is None
    await ledger.commit(opening(7))
    await ledger.commit(change())
    head = await ledger.head(SERVER)
    assert head is not None
    assert head[0] == 1
    await ledger.commit(opening(8))
    assert await ledger.head(SERVER) not in (head, None)
