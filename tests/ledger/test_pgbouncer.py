"""The ledger through PgBouncer, which gives each transaction another connection to the server."""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from bot.ledger.audit import audit
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.table.accounts import wallet
from tests.databases import new_postgres_database
from tests.ledger.sample_changes import SERVER, at_table, bet, identity, opening, pay, row
from tests.ports import port_of_nobody
from tests.postgres_server import NOBODY, USER

PROGRAM: Final = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
START_SECONDS: Final = 60.0
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed")


class Bouncer:
    """PgBouncer before the server of a database.

    Attributes:
        address: of the database, through it.
    """

    def __init__(self, folder: Path, database: str) -> None:
        port = port_of_nobody()
        server, _, name = database.rpartition("/")
        self.address = f"postgresql://{USER}@127.0.0.1:{port}/{name}"
        settings = {
            "listen_addr": "127.0.0.1",
            "listen_port": port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": 3,
            # The connection that was used the longest ago comes first: hardly ever the same one twice.
            "server_round_robin": 1,
        }
        self._settings = folder / "pgbouncer.ini"
        self._settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={server.rpartition(':')[2]} user={USER}\n[pgbouncer]\n"
            + "".join(f"{name} = {value}\n" for name, value in settings.items()),
            "utf-8",
        )
        self._settings.chmod(0o644)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, and returns when it accepts connections. It refuses to run as root."""
        as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [PROGRAM, "-q", self._settings], cwd="/", stderr=subprocess.DEVNULL, **as_user
        )
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, "PgBouncer ended"
                assert time.monotonic() < end, "PgBouncer does not start"
                time.sleep(0.05)

    def stop(self) -> None:
        """Ends it, and with it all its connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@pytest.fixture
def database() -> str:
    return new_postgres_database()


@pytest.fixture
def bouncer(database: str) -> Iterator[Bouncer]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        bouncer = Bouncer(folder, database)
        bouncer.start()
        try:
            yield bouncer
        finally:
            bouncer.stop()


async def play(ledger: Ledger, table_id: int, party: int) -> None:
    """Plays at a table; each change follows the one before."""
    for sequence in range(1, 11):
        await ledger.commit(at_table(row(sequence, table_id), bet(party, 1, table_id)))
        assert (await ledger.stacks_of([(SERVER, party)]))[SERVER, party].holds == {table_id: sequence}
        async with ledger.reading():
            pass


async def test_the_ledger_works_through_it(database: str, bouncer: Bouncer) -> None:
    def backends() -> int:
        with closing(psycopg.connect(database)) as connection:
            others = "pid <> pg_backend_pid() AND datname = current_database()"
            found = connection.execute(f"SELECT count(*) FROM pg_stat_activity WHERE {others}").fetchone()
            assert found is not None
            return int(found[0])

    async with open_ledger(bouncer.address) as ledger:
        for party in range(1, 5):
            await ledger.record(identity(party))
            await ledger.commit(opening(party))
        await asyncio.gather(*(play(ledger, 70 + party, party) for party in range(1, 5)))
        assert backends() > 1, "transactions change their connection"
        assert await audit(ledger) == []
    async with open_ledger(database) as ledger:
        assert await audit(ledger) == []


async def test_it_may_be_killed_and_started_again(bouncer: Bouncer) -> None:
    async with open_ledger(bouncer.address, hang_seconds=2.0) as ledger:
        await ledger.commit(opening(1))
        bouncer.stop()
        with pytest.raises(LedgerUnavailable):
            await ledger.commit(pay(wallet(1), wallet(2), 1))
        bouncer.start()
        await ledger.commit(pay(wallet(1), wallet(2), 1))
        assert await audit(ledger) == []


async def test_two_processes_share_a_server_through_it(bouncer: Bouncer) -> None:
    async with open_ledger(bouncer.address) as one, open_ledger(bouncer.address) as other:
        await one.commit(opening(1))
        await one.commit(opening(2))
        await asyncio.gather(play(one, 71, 1), play(other, 72, 2))
        assert await audit(one) == await audit(other) == []
