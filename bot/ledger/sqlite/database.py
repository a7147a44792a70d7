"""A SQLite file as `bot.ledger.database` describes a database."""

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.database import Audit, Restored, refuse_dump
from bot.ledger.engine import Engine
from bot.ledger.errors import (
    LedgerCorrupt,
    LedgerDamaged,
    LedgerError,
    LedgerInUse,
    LedgerUnavailable,
    LedgerUnusable,
)
from bot.ledger.files import OWNER_ONLY, sync, temporary_folder
from bot.ledger.queries import Queries
from bot.ledger.sqlite.backup import back_up, refuse_to_start_over, restore, side_files, upgrade_exclusively
from bot.ledger.sqlite.connections import BEGIN, writing_engine
from bot.ledger.sqlite.engine import claimed
from bot.ledger.sqlite.erasure import has_notes, note_erasures, noted_erasures, notes_path
from bot.ledger.sqlite.file_lock import exclusive_lock, is_open_though_gone
from bot.ledger.sqlite.integrity import problems_in, reading, refuse_foreign_wal, refuse_no_database
from bot.ledger.sqlite.location import give_to_owner, resolved, set_mode
from bot.ledger.sqlite.regular_backups import backed_up
from bot.ledger.sqlite.restore_advice import restore_command, with_advice
from bot.ledger.sqlite.storage_errors import as_ledger_errors
from bot.ledger.sqlite.upgrade import has_rows, is_empty, is_ledger, migrate
from bot.ledger.upgrade import UpgradeResult


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
            is_there = bool(path.stat().st_size)
            self._refuse_rows(path)
            copy = folder / path.name
            copy.touch(OWNER_ONLY)
            migrate(copy)
            try:
                engine = writing_engine(copy, 0)
                try:
                    async with engine.begin() as connection:
                        await connection.exec_driver_sql(BEGIN)
                        yield connection
                finally:
                    await engine.dispose()
            except DBAPIError as error:
                with as_ledger_errors(path, writing=path):
                    raise error.orig or error from error
            if problems := await asyncio.to_thread(problems_in, copy):
                raise LedgerCorrupt(problems)
            if erased:
                note_erasures(path, list(erased))
            with as_ledger_errors(path):
                sync(copy)
                set_mode(copy, stat.S_IMODE(path.stat().st_mode) if is_there else OWNER_ONLY)
                give_to_owner(copy, path)
                for beside in side_files(path):
                    beside.unlink(missing_ok=True)
                copy.replace(path)
                sync(path.absolute().parent)

    def _refuse_rows(self, path: Path) -> None:
        """Returns if there is nothing in a locked file but the schema, and nothing was lost there."""
        refuse_no_database(path)
        refuse_foreign_wal(path)
        with as_ledger_errors(path):
            if is_empty(path):
                refuse_to_start_over(path)
            elif not is_ledger(path) or has_rows(path):
                raise LedgerUnusable(f"{path} is not empty: choose a new file")

    def noted_erasures(self) -> list[int]:
        """As `Database.noted_erasures`."""
        return noted_erasures(self.path)

    def refuse_missing(self) -> None:
        """As `Database.refuse_missing`."""
        path = resolved(self.path)
        with as_ledger_errors(self.path):
            refuse_no_database(path)
            if path.exists() and not _is_empty(path):
                return
            if is_open_though_gone(path):
                raise LedgerInUse(
                    f"{self.path} is missing, but a bot has it open: put it back, or if you cannot, stop the "
                    "bot and try again"
                )
            refuse_to_start_over(path)
        if path.exists():
            raise LedgerUnusable(f"{self.path} is empty: go to the bot's folder, or set DATABASE_URL")
        raise LedgerUnusable(f"there is no database {self.path}: go to the bot's folder, or set DATABASE_URL")

    def refuse_running_bot(self) -> None:
        """As `Database.refuse_running_bot`."""

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
        with exclusive_lock(self.path) as file:
            try:
                for ending in ("", "-wal", "-shm"):
                    file.path.with_name(file.path.name + ending).unlink(missing_ok=True)
            except OSError as failed:
                raise LedgerUnavailable(f"{self.path} cannot be deleted: {failed.strerror}") from failed

    def restore_command(self) -> str:
        """As `Database.restore_command`."""
        return restore_command(resolved(self.path))

    def advice(self, failed: LedgerError) -> str:
        """As `Database.advice`."""
        return with_advice(failed, self.path)

    def backed_up(self, every: float, keep: int) -> AbstractAsyncContextManager[None]:
        """As `Database.backed_up`: into the folder `backups` beside it."""
        return backed_up(self.path, every, keep)


def _is_empty(database: Path) -> bool:
    """Whether there is nothing in a database; a damaged one may have something."""
    with suppress(sqlite3.Error):
        return is_empty(database)
    return False
