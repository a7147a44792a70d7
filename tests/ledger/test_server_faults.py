"""Servers restart, crash, hang, lose connections and commits, and refuse. The ledger goes on."""

import asyncio
import gc
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from sqlalchemy import text

from bot.ledger.audit import audit
from bot.ledger.changes import Change, Erasure
from bot.ledger.errors import AlreadyDone, LedgerUnavailable, LedgerUnusable, StaleTable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres.connections import CONNECT_SECONDS, ConnectionThread, connect, migrating_engine
from bot.ledger.postgres.upgrade import SCHEMA_LOCK, migrate
from bot.table.accounts import wallet
from tests.ledger.sample_changes import NOW, SERVER, at_table, bet, identity, opening, pay, row
from tests.postgres_server import Server, programs
from tests.sizes import sample
from tests.tcp_proxy import Proxy, Way

pytestmark = pytest.mark.skipif(programs() is None, reason="there is no PostgreSQL server for this system")

HANG_SECONDS: Final = 2.0
"""How long a server may be silent here."""
REFUSAL_SECONDS: Final = HANG_SECONDS + CONNECT_SECONDS + 10.0
"""How long a member waits for a refusal: for a connection that hangs, and a new one, on a busy machine."""
OVER_SECONDS: Final = 60.0
MEMBER: Final = "member"
CHIPS: Final = 10
_numbers = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start(max_connections="20", deadlock_timeout="500ms")
        server.run_sql(f"CREATE ROLE {MEMBER} LOGIN", f"CREATE DATABASE empty OWNER {MEMBER}")
        migrate(server.url("empty", MEMBER))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def database(server: Server) -> str:
    """The name of an empty database that the member owns."""
    name = f"ledger_{next(_numbers)}"
    server.run_sql(f"CREATE DATABASE {name} OWNER {MEMBER} TEMPLATE empty STRATEGY FILE_COPY")
    return name


@pytest.fixture
async def served(server: Server, database: str) -> AsyncIterator[Ledger]:
    async with open_ledger(server.url(database, MEMBER), hang_seconds=HANG_SECONDS) as ledger:
        await ledger.commit(opening(1, CHIPS))
        yield ledger
        assert await audit(ledger) == []


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[Proxy]:
    async with Proxy(server.port).running() as proxy:
        yield proxy


@pytest.fixture(autouse=True)
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The ledger's lines about outages so far."""
    caplog.set_level(logging.WARNING, "bot.ledger.errors")
    return lambda: [one.getMessage() for one in caplog.records if one.name == "bot.ledger.errors"]


async def refusal_of(ledger: Ledger) -> LedgerUnavailable:
    """How the ledger refuses a change, which a member hears within seconds."""
    began = time.monotonic()
    with pytest.raises(LedgerUnavailable) as refused:
        await ledger.commit(opening(2, CHIPS))
    assert time.monotonic() - began < REFUSAL_SECONDS
    return refused.value


async def goes_on(ledger: Ledger, lines: Callable[[], list[str]]) -> None:
    """Asks until the ledger works again; it has one line for the beginning, and one for the end."""
    end = time.monotonic() + OVER_SECONDS
    while True:
        try:
            await ledger.commit(pay(wallet(1), wallet(3), 1))
            break
        except LedgerUnavailable:
            assert time.monotonic() < end, lines()
            await asyncio.sleep(0.1)
    began, over = lines()
    assert began.startswith("nothing can be written: postgresql://127.0.0.1:"), began
    assert " works again after " in over
    assert (await ledger.stacks_of([(SERVER, 3)]))[SERVER, 3].wallet == 1


def end_connections(server: Server, database: str) -> None:
    """Ends every connection to a database."""
    server.run_sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")


# The server is gone for a while


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restart", "crash"])
async def test_a_server_that_restarts_is_used_again(
    server: Server, served: Ledger, lines: Callable[[], list[str]], how: signal.Signals
) -> None:
    server.stop(how)
    try:
        await refusal_of(served)
        with pytest.raises(LedgerUnavailable):
            await served.stacks_of([(SERVER, 1)])
    finally:
        server.start()
    await goes_on(served, lambda: [line for line in lines() if "read" not in line])


async def test_nobody_notices_a_restart_while_nothing_is_asked(
    server: Server, served: Ledger, lines: Callable[[], list[str]]
) -> None:
    assert (await served.stacks_of([(SERVER, 1)]))[SERVER, 1].wallet == CHIPS
    server.stop()
    server.start()
    await served.commit(pay(wallet(1), wallet(3), 1))
    assert (await served.stacks_of([(SERVER, 3)]))[SERVER, 3].wallet == 1
    assert await audit(served) == []
    assert lines() == []


async def test_a_server_that_hangs_is_given_up_and_used_again(
    server: Server, served: Ledger, lines: Callable[[], list[str]]
) -> None:
    async def read() -> None:
        began = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            await served.next_table_number(SERVER)
        with pytest.raises(LedgerUnavailable):
            async with served.reading():
                pass
        assert time.monotonic() - began < REFUSAL_SECONDS + HANG_SECONDS

    async def note() -> None:
        began = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            await served.note_erasures([99])
        assert time.monotonic() - began < REFUSAL_SECONDS

    async def later() -> None:
        await asyncio.sleep(HANG_SECONDS / 4)
        await asyncio.gather(*(refusal_of(served) for _ in range(5)))

    await served.next_table_number(SERVER)
    with server.hanging():
        await asyncio.gather(
            later(), note(), *(refusal_of(served) for _ in range(5)), *(read() for _ in range(5))
        )
    await goes_on(served, lambda: [line for line in lines() if "read" not in line])


async def test_a_read_that_is_cancelled_while_the_server_hangs_fails_without_a_line_in_the_log(
    server: Server, served: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    await served.next_table_number(SERVER)
    with server.hanging():
        reading = asyncio.create_task(served.next_table_number(SERVER))
        await asyncio.sleep(HANG_SECONDS / 4)
        reading.cancel()
        await asyncio.wait([reading])
        await asyncio.sleep(HANG_SECONDS)
    await served.next_table_number(SERVER)
    # It is not told of before nobody has it any more.
    del reading
    gc.collect()
    assert [one.getMessage() for one in caplog.records if one.name == "asyncio"] == []


async def test_a_process_that_stood_still_keeps_its_connection(server: Server, database: str) -> None:
    connection = ConnectionThread(server.url(database), "test", HANG_SECONDS)
    try:
        sessions = [await connection.execute("SELECT pg_backend_pid()")]
        asked = asyncio.create_task(connection.execute("SELECT pg_sleep(0.1), pg_backend_pid()"))
        await asyncio.sleep(0)
        time.sleep(1.5 * HANG_SECONDS)  # noqa: ASYNC251 - as a process that is stopped
        sessions.append([row[1:] for row in await asked])
        sessions.append(await connection.execute("SELECT pg_backend_pid()"))
        assert sessions == [sessions[0]] * 3
    finally:
        await connection.close()


async def test_a_snapshot_in_mid_query_is_given_up_if_the_server_hangs(
    server: Server, served: Ledger
) -> None:
    begun = asyncio.Event()

    async def read() -> None:
        async with served.reading() as snapshot:
            # A long query is none of that.
            await snapshot.execute(text(f"SELECT pg_sleep({1.5 * HANG_SECONDS})"))
            begun.set()
            while True:
                await snapshot.execute(text("SELECT pg_sleep(0.1)"))

    reading = asyncio.create_task(read())
    await begun.wait()
    with server.hanging():
        began = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            await reading
        assert time.monotonic() - began < REFUSAL_SECONDS + HANG_SECONDS


async def test_a_start_waits_for_the_upgrade_of_another_but_not_for_a_server_that_hangs(
    server: Server, database: str
) -> None:
    async def start() -> None:
        async with open_ledger(server.url(database), hang_seconds=HANG_SECONDS):
            pass

    with closing(psycopg.connect(server.url(database))) as upgrading:
        upgrading.execute(f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK})")
        starting = asyncio.create_task(start())
        assert not (await asyncio.wait([starting], timeout=2 * HANG_SECONDS))[0]
        with server.hanging():
            began = time.monotonic()
            with pytest.raises(LedgerUnavailable):
                await starting
            assert time.monotonic() - began < REFUSAL_SECONDS + HANG_SECONDS


# The way to it


@pytest.mark.parametrize("way", [Way.CUT, Way.ANSWER_CUT])
async def test_a_change_happens_once_wherever_the_connection_breaks(
    server: Server, database: str, proxy: Proxy, way: Way
) -> None:
    address = server.url(database).replace(str(server.port), str(proxy.port))
    async with open_ledger(address, hang_seconds=HANG_SECONDS) as ledger:
        await ledger.commit(opening(1, 1000))
        for broken_at in range(1, 100):
            left = broken_at

            def choose(_data: bytes) -> Way:
                nonlocal left
                left -= 1
                return way if left == 0 else Way.ON

            proxy.choose = choose
            change = pay(wallet(1), wallet(2), 1)
            try:
                await ledger.commit(change)
                was_told = True
            except LedgerUnavailable:
                was_told = False
            proxy.choose = lambda _: Way.ON
            stored = (await ledger.stacks_of([(SERVER, 2)]))[SERVER, 2].wallet
            assert stored == broken_at or not was_told, "told, and not stored"
            if not was_told:
                try:
                    await ledger.commit(change)
                except AlreadyDone:
                    assert stored == broken_at
            assert (await ledger.stacks_of([(SERVER, 2)]))[SERVER, 2].wallet == broken_at
            if left > 0:
                break
        assert broken_at > 5, "it broke at every step of a transaction"
        assert await audit(ledger) == []


async def test_locks_of_who_is_never_heard_of_again_are_soon_free(
    server: Server, database: str, proxy: Proxy, lines: Callable[[], list[str]]
) -> None:
    """As of a process whose machine is gone: the server hears nothing more of it, not even of its end."""
    address = server.url(database).replace(str(server.port), str(proxy.port))
    async with open_ledger(address, hang_seconds=HANG_SECONDS) as ledger:
        await ledger.commit(opening(1, CHIPS))
        proxy.choose = lambda data: Way.SWALLOWED if b"COMMIT" in data else Way.ON
        await refusal_of(ledger)
        proxy.choose = lambda _: Way.ON
        await goes_on(ledger, lines)
        assert await audit(ledger) == []


async def test_every_connection_notices_that_the_other_end_is_gone(server: Server, database: str) -> None:
    """Also one that waits for a long answer, such as a snapshot or an upgrade."""

    def is_watched(driver: Any) -> bool:
        with socket.socket(fileno=os.dup(driver.fileno())) as wire:
            asked = (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            options = [wire.getsockopt(socket.IPPROTO_TCP, option) for option in asked]
        return options == [15_000, 10, 5, 3]

    address = server.url(database, MEMBER)
    with closing(connect(address)) as plain:
        assert is_watched(plain)
    with migrating_engine(address).connect() as migrating:
        assert is_watched(migrating.connection.driver_connection)
    async with open_ledger(address) as ledger, ledger.reading() as snapshot:
        assert is_watched((await snapshot.get_raw_connection()).driver_connection)


async def test_the_next_of_several_hosts_takes_over(
    server: Server, database: str, proxy: Proxy, lines: Callable[[], list[str]]
) -> None:
    hosts = f"127.0.0.1:{proxy.port},127.0.0.1:{server.port}"
    address = f"postgresql://{MEMBER}@{hosts}/{database}?target_session_attrs=read-write"
    async with open_ledger(address, hang_seconds=HANG_SECONDS) as ledger:
        await ledger.commit(opening(1, CHIPS))
        proxy.refuses = True
        proxy.cut()
        await asyncio.sleep(0.1)
        await ledger.commit(pay(wallet(1), wallet(3), 1))
        assert await audit(ledger) == []
    assert lines() == []


# The server refuses


def restarted(how: str) -> Callable[[Server, str], None]:
    """Restarts a server that reads only, or again one that writes."""

    def restart(server: Server, _database: str) -> None:
        server.stop()
        standby = server.data / "standby.signal"
        standby.touch() if how == "standby" else standby.unlink()
        server.start()

    return restart


def of_server(statement: str) -> Callable[[Server, str], None]:
    """Runs a statement about the server, and ends all connections to the database."""

    def run(server: Server, database: str) -> None:
        server.run_sql(statement)
        end_connections(server, database)

    return run


def of_tables(statement: str) -> Callable[[Server, str], None]:
    """Runs a statement about the database's tables."""
    return lambda server, database: server.run_sql(statement, database=database)


@pytest.mark.parametrize(
    ("begin", "end", "why"),
    sample(
        [
            pytest.param(
                of_server(f"ALTER ROLE {MEMBER} CONNECTION LIMIT 0"),
                of_server(f"ALTER ROLE {MEMBER} CONNECTION LIMIT -1"),
                "the server has too many connections",
                id="too many connections",
            ),
            pytest.param(
                restarted("standby"),
                restarted("primary"),
                "the server only reads: it is a standby",
                id="standby",
            ),
            pytest.param(
                of_server(f"ALTER ROLE {MEMBER} RENAME TO somebody_else"),
                of_server(f"ALTER ROLE somebody_else RENAME TO {MEMBER}"),
                "the server has no such user or database",
                id="no user",
            ),
            pytest.param(
                of_server(f"ALTER ROLE {MEMBER} NOLOGIN"),
                of_server(f"ALTER ROLE {MEMBER} LOGIN"),
                "the server refuses this user",
                id="no login",
            ),
            pytest.param(
                of_tables("ALTER TABLE chains OWNER TO gnau"),
                of_tables(f"ALTER TABLE chains OWNER TO {MEMBER}"),
                "the user has no right to do this: it must own the database",
                id="no rights",
            ),
        ],
        2,
    ),
)
async def test_a_refusal_of_the_server_passes(
    server: Server,
    database: str,
    served: Ledger,
    lines: Callable[[], list[str]],
    begin: Callable[[Server, str], None],
    end: Callable[[Server, str], None],
    why: str,
) -> None:
    begin(server, database)
    try:
        refused = await refusal_of(served)
        if why not in str(refused):
            # Its end may come before its reason.
            refused = await refusal_of(served)
    finally:
        end(server, database)
    assert str(refused) == why
    await goes_on(served, lines)


@pytest.fixture
def small_disk(server: Server) -> Iterator[Path]:
    """A disk of 32 MB on which the server can have a database."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        disk = folder / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=32M", "tmpfs", str(disk)]
        if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("this user may not mount a disk")
        owner = server.data.stat()
        os.chown(disk, owner.st_uid, owner.st_gid)
        yield disk
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.thorough
async def test_a_full_disk_of_the_server_passes(
    server: Server, small_disk: Path, lines: Callable[[], list[str]]
) -> None:
    server.run_sql(
        f"CREATE TABLESPACE small LOCATION '{small_disk}'", "CREATE DATABASE full_disk TABLESPACE small"
    )
    try:
        async with open_ledger(server.url("full_disk"), hang_seconds=HANG_SECONDS) as ledger:
            await ledger.commit(opening(1, 10_000))
            with (small_disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            refused = None
            for number in range(2, 2000):
                try:
                    await ledger.commit(opening(number, 1))
                except LedgerUnavailable as failed:
                    refused = str(failed)
                    break
            assert refused == "the server's disk is full"
            (small_disk / "filler").unlink()
            await ledger.commit(opening(number, 1))
            began, over = lines()
            assert began.endswith("the server's disk is full")
            assert "works again" in over
            assert await audit(ledger) == []
    finally:
        server.run_sql("DROP DATABASE full_disk WITH (FORCE)", "DROP TABLESPACE small")


async def test_a_wrong_password_is_named_and_never_shown(server: Server, database: str) -> None:
    hba = server.data / "pg_hba.conf"
    trusting = hba.read_text("utf-8")
    hba.write_text(f"host all {MEMBER} 127.0.0.1/32 scram-sha-256\n{trusting}", "utf-8")
    try:
        server.run_sql(f"ALTER ROLE {MEMBER} PASSWORD 'right'", "SELECT pg_reload_conf()")
        with pytest.raises(LedgerUnusable, match=r"refuses the password|wants a password") as refused:
            async with open_ledger(server.url(database, f"{MEMBER}:wr0ng")):
                pass
        assert "wr0ng" not in repr(refused.value)
        async with open_ledger(server.url(database, f"{MEMBER}:right")) as ledger:
            await ledger.commit(opening(1, CHIPS))
    finally:
        hba.write_text(trusting, "utf-8")
        server.run_sql("SELECT pg_reload_conf()")


async def test_a_missing_database_is_named(server: Server) -> None:
    with pytest.raises(LedgerUnusable, match="/nowhere: the server has no such user or database"):
        async with open_ledger(server.url("nowhere", MEMBER)):
            pass


async def test_a_dropped_database_is_missed(server: Server, database: str) -> None:
    async with open_ledger(server.url(database, MEMBER), hang_seconds=HANG_SECONDS) as ledger:
        await ledger.commit(opening(1, CHIPS))
        server.run_sql(f"DROP DATABASE {database} WITH (FORCE)")
        refused = await refusal_of(ledger)
        assert isinstance(refused, LedgerUnusable)
        assert str(refused) == "the server has no such user or database"


# Others write to it


async def waits_for_a_lock(server: Server) -> None:
    """Returns once a transaction waits for another."""
    with closing(psycopg.connect(server.url("postgres"), autocommit=True)) as connection:
        waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while not connection.execute(waiting).fetchone():  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.01)


async def test_removing_rows_of_erased_members_may_take_long_and_nobody_waits_for_it(
    server: Server, database: str, served: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    await served.record(identity(7))
    with closing(psycopg.connect(server.url(database))) as other:
        # As the server's own upkeep of a large table does.
        other.execute("LOCK TABLE parties IN SHARE UPDATE EXCLUSIVE MODE")
        erasure = Erasure(7, identity(7).user_id, b"hash", NOW)
        await served.commit(Change("erased", SERVER, NOW, erasures=(erasure,)))
        # What waits for as long as the server may be silent is refused.
        await served.commit(pay(wallet(1), wallet(3), 1))
        await asyncio.sleep(HANG_SECONDS + 1)
        other.rollback()
    done = "SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'parties'"
    with closing(psycopg.connect(server.url(database), autocommit=True)) as connection:
        while connection.execute(done).fetchone() != (1,):  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.05)
    assert "could not be removed" not in caplog.text


async def test_a_deadlock_is_no_refusal(
    server: Server, database: str, served: Ledger, lines: Callable[[], list[str]]
) -> None:
    def lock(connection: psycopg.Connection, what: str) -> None:
        connection.execute(f"SELECT 1 FROM {what} FOR UPDATE")

    with closing(psycopg.connect(server.url(database))) as other:
        await asyncio.to_thread(lock, other, "accounts")
        # The served has locked the chain by then, and waits for the accounts: it finds the circle first.
        paying = asyncio.create_task(served.commit(pay(wallet(1), wallet(3), 1)))
        await waits_for_a_lock(server)
        # On a busy machine this one may close the circle after the served has looked, and find it itself.
        with suppress(psycopg.errors.DeadlockDetected):
            await asyncio.to_thread(lock, other, "chains")
        other.rollback()
    await paying
    assert lines() == []


async def test_a_serialisation_failure_is_no_refusal(
    server: Server, database: str, lines: Callable[[], list[str]]
) -> None:
    server.run_sql(f"ALTER DATABASE {database} SET default_transaction_isolation = 'serializable'")
    async with open_ledger(server.url(database, MEMBER)) as ledger:
        await ledger.commit(opening(1, CHIPS))
        with closing(psycopg.connect(server.url(database))) as other:
            other.execute("UPDATE accounts SET balance = balance")
            paying = asyncio.create_task(ledger.commit(pay(wallet(1), wallet(3), 1)))
            await waits_for_a_lock(server)
            other.commit()
        await paying
    assert lines() == []


# It is another server now


@pytest.mark.parametrize(
    "asks_first", sample([True, False], ids=["asked meanwhile", "asked nothing meanwhile"])
)
async def test_a_server_that_lacks_the_last_commits_is_written_to_from_where_it_is(
    server: Server, served: Ledger, asks_first: bool
) -> None:
    """What only the lost server had is gone, although it was told: a standby that must not lag says so."""
    await served.commit(at_table(row(1), bet(1, 5)))
    server.stop()
    behind = server.data.with_name("behind")
    shutil.copytree(server.data, behind, symlinks=True)
    server.start()
    await served.commit(at_table(row(2), bet(1, 1)))
    assert (await served.stacks.of((SERVER, 1))).wallet == CHIPS - 6
    server.stop()
    if asks_first:
        await refusal_of(served)
    for file in behind.rglob("*"):
        shutil.chown(file, *(server.data.stat().st_uid, server.data.stat().st_gid))
    shutil.rmtree(server.data)
    behind.rename(server.data)
    shutil.copystat(server.data / "base", server.data)
    shutil.chown(server.data, (server.data / "base").stat().st_uid, (server.data / "base").stat().st_gid)
    server.start()
    # All that is in memory may be wrong, also of servers of Discord that the next change is not about.
    await served.commit(opening(1, CHIPS, SERVER + 1))
    assert (await served.stacks.of((SERVER, 1))).wallet == CHIPS - 5
    # Memory was ahead: what follows the lost commit is refused, and what follows the last one is not.
    with pytest.raises(StaleTable):
        await served.commit(at_table(row(3), bet(1, 1)))
    assert (await served.stacks.of((SERVER, 1))).wallet == CHIPS - 5
    await served.commit(at_table(row(2), bet(1, 2)))
    assert (await served.stacks.of((SERVER, 1))).wallet == CHIPS - 7


async def test_another_link_of_the_same_number_is_not_taken_for_the_own(
    server: Server, database: str
) -> None:
    """As after a failover that PgBouncer hides, and to which another process has written already."""
    address = server.url(database)
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(1, CHIPS))
        await ledger.commit(pay(wallet(1), wallet(2), 1))
        server.run_sql(
            "SET session_replication_role = replica",
            "DELETE FROM transfers WHERE link = 2",
            "UPDATE chains SET last_link = 1, head = (SELECT hash FROM transfers)",
            "UPDATE accounts SET balance = balance + 1 WHERE account = 'wallet:1'",
            "UPDATE accounts SET balance = balance - 1 WHERE account = 'wallet:2'",
            database=database,
        )
        async with open_ledger(address) as other:
            await other.commit(pay(wallet(1), wallet(3), 2))
        await ledger.commit(pay(wallet(1), wallet(2), 4))
        assert await audit(ledger) == []
        assert await ledger.wallets(SERVER, [1, 2, 3]) == {1: CHIPS - 6, 2: 4, 3: 2}
