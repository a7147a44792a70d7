"""A database on a PostgreSQL server as `bot.ledger.database` describes a database."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.audit import audit, findings_in
from bot.ledger.database import Audit, Restored
from bot.ledger.engine import Engine
from bot.ledger.errors import LedgerCorrupt, LedgerError, LedgerUnusable
from bot.ledger.files import OWNER_ONLY, put, refuse_target, temporary_folder
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.connections import connect, migrating_engine
from bot.ledger.postgres.dumps import contents_of, dump, run_script, script_of
from bot.ledger.postgres.engine import PostgresReading, claimed
from bot.ledger.postgres.replacing import ledger_in, note_erased, refuse_rows, replaced, set_aside
from bot.ledger.postgres.server_errors import explained
from bot.ledger.postgres.upgrade import alone, append_only, migrate
from bot.ledger.queries import Queries, queries_of
from bot.ledger.schema import CHAINED, metadata
from bot.ledger.upgrade import UpgradeResult, make_or_migrate, revisions

log = logging.getLogger(__name__)


class PostgresDatabase:
    """A database on a server, which may be empty."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = name_of(url)

    def claimed(self, **options: Any) -> AbstractAsyncContextManager[Engine]:
        """As `Database.claimed`; other processes may write to it too."""
        return claimed(self.url, **options)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Queries]:
        """As `Database.reading`; one of another version is refused."""
        if (version := self._version_there()) != (newest := revisions()[-1]):
            raise LedgerUnusable(
                f"{self.name} is at version {version}, and this program needs {newest}: run gnau db upgrade"
            )
        async with queries_of(PostgresReading(self.url)) as queries:
            yield queries

    @asynccontextmanager
    async def frozen(self) -> AsyncIterator[Queries]:
        """As `Database.frozen`; one of another version is refused."""
        with alone(self.url):
            async with self.reading() as queries:
                yield queries

    @asynccontextmanager
    async def filled(self, erased: Sequence[int]) -> AsyncIterator[AsyncConnection]:
        """As `Database.filled`, in the transaction in which the tables are made."""
        with alone(self.url):
            async with replaced(self.url) as connection:
                await connection.run_sync(refuse_rows, self.name)
                await connection.run_sync(make_or_migrate, append_only())
                await note_erased(connection, list(erased))
                yield connection

    async def add_rows(self, filled: AsyncConnection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """As `Database.add_rows`, with COPY, which takes a fraction of the time of an INSERT."""
        driver = (await filled.get_raw_connection()).driver_connection
        assert driver is not None
        statement = f"COPY {table.name} ({', '.join(table.c.keys())}) FROM STDIN"
        async with driver.cursor() as cursor, cursor.copy(statement) as copying:
            for row in rows:
                await copying.write_row(row)

    def noted_erasures(self) -> list[int]:
        """As `Database.noted_erasures`."""
        with explained(self.url), closing(connect(self.url)) as connection:
            if connection.execute("SELECT to_regclass('erased_parties')").fetchone() == (None,):
                # It was restored by hand into a new database.
                return []
            rows = connection.execute("SELECT party FROM erased_parties ORDER BY party").fetchall()
        return [party for (party,) in rows]

    def _version(self) -> str | None:
        """The version of the ledger; None if there is none."""
        engine = migrating_engine(self.url)
        try:
            with explained(self.url), engine.connect() as connection:
                return ledger_in(connection, self.name)
        finally:
            engine.dispose()

    def _version_there(self) -> str:
        """The version of the ledger; raises LedgerUnusable if there is none."""
        if (version := self._version()) is None:
            raise LedgerUnusable(f"{self.name} is empty: set DATABASE_URL, or start the bot to fill it")
        return version

    def is_there(self) -> bool:
        """As `Database.is_there`; a server is not asked what was lost."""
        return self._version() is not None

    def refuse_missing(self) -> None:
        """As `Database.refuse_missing`."""
        self._version_there()

    def look(self) -> list[str]:
        """As `Database.look`: the server, and whether the tables have what they need."""
        with explained(self.url), closing(connect(self.url)) as connection:
            (server,) = connection.execute("SHOW server_version").fetchone() or ("",)
        if (version := self._version()) is None:
            return [f"PostgreSQL {server}: {self.name} is empty, and the bot fills it when it starts"]
        if version == revisions()[-1] and (missing := asyncio.run(self._missing())):
            raise LedgerCorrupt(missing)
        return [f"PostgreSQL {server}: {self.name}, schema {version}"]

    async def _missing(self) -> list[str]:
        async with self.reading() as queries, queries.reading() as connection:
            return await connection.run_sync(_missing)

    def refuse_running_bot(self) -> None:
        """As `Database.refuse_running_bot`."""
        with alone(self.url):
            pass

    def meeting_place(self) -> Path | None:
        """As `Database.meeting_place`."""
        return None

    def upgrade(self) -> UpgradeResult:
        """As `Database.upgrade`, in one transaction."""
        self.refuse_running_bot()
        return UpgradeResult(*migrate(self.url))

    def problems(self, extra_audits: Sequence[Audit] = ()) -> list[str]:
        """As `Database.problems`."""
        return asyncio.run(self._problems(extra_audits))

    async def _problems(self, extra_audits: Sequence[Audit]) -> list[str]:
        if missing := await self._missing():
            return missing
        async with self.reading() as queries:
            return [str(finding) for run in (audit, *extra_audits) for finding in await run(queries)]

    def back_up(self, to: Path, *, overwrite: bool = False) -> None:
        """As `Database.back_up`, with pg_dump, of the snapshot that is audited."""
        refuse_target(to, overwrite=overwrite)
        # An older one is backed up before it is upgraded, and cannot be audited.
        is_newest = self._version_there() == revisions()[-1]
        asyncio.run(self._back_up(to, is_newest=is_newest))

    async def _back_up(self, to: Path, *, is_newest: bool) -> None:
        async with queries_of(PostgresReading(self.url)) as queries, queries.reading() as connection:
            server = (await connection.execute(text("SHOW server_version_num"))).scalar_one()
            snapshot = (await connection.execute(text("SELECT pg_export_snapshot()"))).scalar_one()
            if is_newest and (findings := await findings_in(connection)):
                raise LedgerCorrupt([str(finding) for finding in findings])
            with temporary_folder(to) as folder:
                copy = folder / to.name
                copy.touch(OWNER_ONLY)
                await dump(self.url, copy, snapshot, int(server))
                put(copy, to)

    def restore(self, backup: Path) -> Restored:
        """As `Database.restore`; the old one is kept in a schema of its own."""
        if not backup.is_file():
            raise LedgerUnusable(f"there is no backup {backup}: check the path")
        return asyncio.run(self._restore(backup))

    async def _restore(self, backup: Path) -> Restored:
        await contents_of(backup)
        with alone(self.url):
            async with replaced(self.url) as connection:
                kept = await connection.run_sync(set_aside, self.name)
                noted = await connection.run_sync(lambda found: inspect(found).has_table("erased_parties"))
                driver = (await connection.get_raw_connection()).driver_connection
                assert driver is not None
                async with script_of(backup) as script:
                    await run_script(driver, script)
        doubt = ""
        if kept is None and not noted:
            doubt = f"{self.name} was empty: if members were erased after that backup, they are back"
        return Restored(kept and f"the schema {kept}", doubt)

    def restore_command(self) -> str:
        """As `Database.restore_command`: the bot knows of no backups."""
        return "gnau db restore PATH"

    def advice(self, failed: LedgerError) -> str:
        """As `Database.advice`."""
        return str(failed)

    @asynccontextmanager
    async def backed_up(
        self, every: float, keep: int, tried: Callable[[Path | None], object] = bool
    ) -> AsyncIterator[None]:
        """As `Database.backed_up`: the bot makes none, and says so."""
        log.info("%s", self.no_backups(every))
        yield

    def no_backups(self, every: float) -> str:
        """As `Database.no_backups`: it never does."""
        return (
            f"the bot makes no backups of {self.name}: run gnau db backup regularly, or have the server make "
            "them"
        )

    def backups(self) -> list[float]:
        """As `Database.backups`: none."""
        return []


def _missing(connection: Connection) -> list[str]:
    """The tables and triggers that are missing or off, a sentence for each."""
    found = set(inspect(connection).get_table_names())
    on = set(
        connection.execute(
            text(
                "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
                "WHERE relnamespace = to_regnamespace(current_schema()) AND tgenabled = 'O'"
            )
        ).scalars()
    )
    triggers = (f"{table.name}_no_{verb}" for table in CHAINED for verb in ("update", "delete", "truncate"))
    return [
        *(f"the table {name} is missing" for name in metadata.tables if name not in found),
        *(f"the trigger {name} is missing or off" for name in triggers if name not in on),
    ]
