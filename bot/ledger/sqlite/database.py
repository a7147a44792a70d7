"""A SQLite file as `bot.ledger.database` describes a database."""

import asyncio
import logging
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import Any, Final

from sqlalchemy import Table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.database import Audit, Restored, refuse_dump
from bot.ledger.engine import Engine
from bot.ledger.errors import (
    LedgerCorrupt,
    LedgerDamaged,
    LedgerError,
    LedgerForeign,
    LedgerInUse,
    LedgerLost,
    LedgerUnusable,
)
from bot.ledger.files import OWNER_ONLY, temporary_folder
from bot.ledger.queries import Queries
from bot.ledger.sqlite.backup import (
    back_up,
    put_in_place,
    refuse_to_start_over,
    restore,
    side_files,
    upgrade_exclusively,
)
from bot.ledger.sqlite.connections import BEGIN, reading_connection, writing_engine
from bot.ledger.sqlite.engine import claimed
from bot.ledger.sqlite.erasure import has_notes, note_erasures, noted_erasures, notes_path
from bot.ledger.sqlite.file_lock import exclusive_lock, is_open_though_gone
from bot.ledger.sqlite.integrity import (
    problems_in,
    reading,
    refuse_damage,
    refuse_foreign_wal,
    refuse_no_database,
)
from bot.ledger.sqlite.location import (
    check_location,
    disk_kind,
    disk_problem,
    existing_folder,
    resolved,
    warn_of_readers,
)
from bot.ledger.sqlite.regular_backups import NO_BACKUPS, backed_up, backups_until, no_room, times_of_backups
from bot.ledger.sqlite.storage_errors import as_ledger_errors
from bot.ledger.sqlite.upgrade import has_rows, is_empty, is_ledger, migrate, revision_of
from bot.ledger.upgrade import UpgradeResult, revisions

log = logging.getLogger(__name__)

MOST_CHECKED: Final = 3
"""How many backups are checked at most, because each takes a while."""


class SqliteDatabase:
    """A SQLite file, which may be missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"sqlite:///{path}"
        self.name = str(path)

    def claimed(self, **options: Any) -> AbstractAsyncContextManager[Engine]:
        """As `Database.claimed`."""
        return claimed(self.path, **options)

    def reading(self) -> AbstractAsyncContextManager[Queries]:
        """As `Database.reading`; of an upgraded copy if it is an older one."""
        return reading(self.path)

    @asynccontextmanager
    async def frozen(self) -> AsyncIterator[Queries]:
        """As `Database.frozen`; of an upgraded copy if it is an older one."""
        self.refuse_missing()
        refuse_foreign_wal(resolved(self.path))
        with exclusive_lock(self.path):
            async with self.reading() as queries:
                yield queries

    @asynccontextmanager
    async def filled(self, erased: Sequence[int]) -> AsyncIterator[AsyncConnection]:
        """As `Database.filled`: the file is made beside its place, and moved there at the end."""
        with exclusive_lock(self.path) as file, temporary_folder(file.path) as folder:
            path = file.path
            self._refuse_rows(path)
            copy = folder / path.name
            copy.touch(OWNER_ONLY)
            migrate(copy)
            engine = writing_engine(copy, 0)
            try:
                async with engine.begin() as connection:
                    await connection.exec_driver_sql(BEGIN)
                    yield connection
            except DBAPIError:
                with as_ledger_errors(path):
                    raise
            finally:
                await engine.dispose()
            if problems := await asyncio.to_thread(problems_in, copy):
                raise LedgerCorrupt(problems)
            if erased:
                note_erasures(path, list(erased))
            with as_ledger_errors(path):
                put_in_place(copy, path)

    def _refuse_rows(self, path: Path) -> None:
        """Returns if there is nothing in a locked file but the schema, and nothing was lost there."""
        refuse_no_database(path)
        refuse_foreign_wal(path)
        with as_ledger_errors(path):
            if is_empty(path):
                refuse_to_start_over(path)
            elif not is_ledger(path) or has_rows(path):
                raise LedgerUnusable(f"{path} is not empty: choose a new file")

    async def add_rows(self, filled: AsyncConnection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """As `Database.add_rows`."""
        places = ", ".join("?" for _ in table.c)
        statement = f"INSERT INTO {table.name} ({', '.join(table.c.keys())}) VALUES ({places})"  # noqa: S608
        await filled.exec_driver_sql(statement, list(rows))

    def noted_erasures(self) -> list[int]:
        """As `Database.noted_erasures`."""
        return noted_erasures(self.path)

    def is_there(self) -> bool:
        """As `Database.is_there`."""
        path = resolved(self.path)
        with as_ledger_errors(self.path):
            refuse_no_database(path)
            if path.exists() and not _is_empty(path):
                return True
            if is_open_though_gone(path):
                raise LedgerInUse(
                    f"{self.path} is missing, but a bot has it open: put it back, or if you cannot, stop the "
                    "bot and try again"
                )
            refuse_to_start_over(path)
        return False

    def refuse_missing(self) -> None:
        """As `Database.refuse_missing`."""
        if self.is_there():
            return
        if self.path.exists():
            raise LedgerUnusable(f"{self.path} is empty: go to the bot's folder, or set DATABASE_URL")
        raise LedgerUnusable(f"there is no database {self.path}: go to the bot's folder, or set DATABASE_URL")

    def look(self) -> list[str]:
        """As `Database.look`: its place, its disk, and what the bot checks when it starts."""
        path = resolved(self.path)
        check_location(path)
        sqlite, size = f"SQLite {sqlite3.sqlite_version}: {self.path}", 0
        if self.is_there():
            refuse_foreign_wal(path)
            with as_ledger_errors(path):
                version, size = revision_of(path), path.stat().st_size
                warn_of_readers(path)
            if version == revisions()[-1]:
                refuse_damage(path, connect=reading_connection)
            well = [f"{sqlite}, {size / 1e6:,.1f} MB, schema {version}"]
        else:
            well = [f"{sqlite} is not there yet, and the bot makes it when it starts"]
        kind = disk_kind(folder := existing_folder(path))
        problems = list(filter(None, (disk_problem(kind), no_room(folder, size))))
        for wrong in problems:
            log.warning("the disk of %s: %s", self.path, wrong)
        if not problems:
            free = shutil.disk_usage(folder).free
            well.append(f"the disk of {self.path}: {kind or 'local'}, {free / 1e9:,.1f} GB free")
        return well

    def refuse_running_bot(self) -> None:
        """As `Database.refuse_running_bot`."""

    def meeting_place(self) -> Path | None:
        """As `Database.meeting_place`: a socket beside the file."""
        path = resolved(self.path)
        return path.with_name(f"{path.name}.socket")

    def upgrade(self) -> UpgradeResult:
        """As `Database.upgrade`; an older one is copied first."""
        return upgrade_exclusively(self.path)

    def problems(self, extra_audits: Sequence[Audit] = ()) -> list[str]:
        """As `Database.problems`, and whether the file is damaged."""
        refuse_dump(self.path)
        try:
            refuse_foreign_wal(resolved(self.path))
        except LedgerDamaged as damaged:
            return [str(damaged)]
        return problems_in(self.path, extra_audits=extra_audits)

    def back_up(self, to: Path, *, overwrite: bool = False) -> None:
        """As `Database.back_up`."""
        back_up(self.path, to, overwrite=overwrite)

    def restore(self, backup: Path) -> Restored:
        """As `Database.restore`; the old one is kept beside it."""
        refuse_dump(backup)
        kept = restore(self.path, backup)
        doubt = ""
        if (kept is None or _is_empty(kept)) and not has_notes(self.path):
            notes = notes_path(self.path)
            doubt = f"there is no {notes}: if members were erased after that backup, they are back"
        return Restored(None if kept is None else str(kept), doubt)

    def delete(self) -> None:
        """Deletes it, while no bot has it open."""
        what = f"{self.path} cannot be deleted"
        with exclusive_lock(self.path) as file, as_ledger_errors(self.path, what):
            for one in (file.path, *side_files(file.path)):
                one.unlink(missing_ok=True)

    def restore_command(self) -> str:
        """As `Database.restore_command`.

        Each backup was checked when it was made, and is checked again: its file may be damaged since.
        """
        with suppress(OSError):
            made, later = backups_until(resolved(self.path), time.time())
            last, dated_later = _newest_good(made), _newest_good(later)
            if newest := last or dated_later:
                command = f"gnau db restore {quote(str(newest))}"
                # While the clock is or was wrong, the name of a backup does not say how old it is.
                if last and dated_later:
                    command += f" (or {quote(str(dated_later))}, if the clock is or was wrong)"
                return command
        return "gnau db restore PATH"

    def advice(self, failed: LedgerError) -> str:
        """As `Database.advice`, if the file is damaged, lost or another program's."""
        match failed:
            case LedgerDamaged() if failed.database == resolved(self.path):
                restore = self.restore_command()
                return f"{failed}. See more with gnau db check; put a backup back with {restore}"
            case LedgerForeign() if failed.database == resolved(self.path):
                return (
                    f"DATABASE_URL names {failed.database}, which is no SQLite database. Correct the "
                    "setting; only if this was gnau's database, move it away and restore a backup"
                )
            case LedgerLost():
                return (
                    f"{failed}: put the newest back with {self.restore_command()}, or to start over, "
                    f"move {failed.backups} away"
                )
        return str(failed)

    def backed_up(
        self, every: float, keep: int, tried: Callable[[Path | None], object] = bool
    ) -> AbstractAsyncContextManager[None]:
        """As `Database.backed_up`: into the folder `backups` beside it."""
        return backed_up(self.path, every, keep, tried)

    def no_backups(self, every: float) -> str:
        """As `Database.no_backups`."""
        return "" if every else NO_BACKUPS

    def backups(self) -> list[float]:
        """As `Database.backups`; those dated in the future are left out."""
        return times_of_backups(resolved(self.path))


def _is_empty(database: Path) -> bool:
    """Whether there is nothing in a database; a damaged one may have something."""
    with suppress(sqlite3.Error):
        return is_empty(database)
    return False


def _newest_good(backups: Sequence[Path]) -> Path | None:
    """The newest of the last few backups that has no faults; the oldest comes first."""
    for backup in backups[: -MOST_CHECKED - 1 : -1]:
        with suppress(LedgerError, OSError):
            if not problems_in(backup):
                return backup
    return None
