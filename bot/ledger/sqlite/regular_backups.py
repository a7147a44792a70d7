"""Backups that the running bot makes: one every few hours, in the folder `backups` beside the database.

Another process makes each, at the lowest priority. Here it would hold up the bot, and closing the file again
would drop SQLite's locks of this process.
"""

import asyncio
import logging
import re
import shutil
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.clock import HOUR_SECONDS

log = logging.getLogger(__name__)

FOLDER: Final = "backups"
_OWNER_ONLY: Final = 0o700
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_ROOM: Final = 2
"""How many times the database's size must be free: a backup must not take the room that the bot needs."""


NO_BACKUPS: Final = "no backups are made: BACKUP_EVERY is off"


def no_room(folder: Path, size: int) -> str:
    """Why a folder has no room for a backup of a database of this size in bytes; empty if it has."""
    free, needed = shutil.disk_usage(folder).free, _ROOM * size
    if free >= needed:
        return ""
    return f"{folder} has {free / 1e6:,.1f} MB free, and {needed / 1e6:,.1f} MB are needed"


class RegularBackups:
    """Makes a backup whenever the newest one is old enough, and deletes the oldest.

    Backups dated in the future were made while the clock was wrong, or it is wrong now. So they never count,
    and are never deleted.
    """

    def __init__(
        self,
        database: Path,
        every: float,
        keep: int,
        now: Callable[[], float] = time.time,
        tried: Callable[[Path | None], object] = bool,
    ) -> None:
        self._database = database.resolve()
        self._every = every
        self._keep = keep
        self._now = now
        self._tried = tried
        self._has_warned = False
        self.folder = self._database.parent / FOLDER
        # Made beside the database, then moved.
        self._folders = (self.folder, self._database.parent)

    async def run(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Makes backups until it is cancelled; then ends the one that is being made."""
        while True:
            try:
                wait = await asyncio.to_thread(self.seconds_until_due)
                if wait <= 0:
                    backup = await self.make()
                    self._tried(backup)
                    wait = 0 if backup else min(self._every, HOUR_SECONDS)
            except OSError as failed:
                log.warning("no backup was made: %s: %s", failed.filename or self.folder, failed.strerror)
                wait = min(self._every, HOUR_SECONDS)
            except Exception:
                log.exception("backups failed, the next try is in an hour")
                wait = HOUR_SECONDS
            await sleep(min(wait, HOUR_SECONDS))

    def seconds_until_due(self) -> float:
        """How long until the next backup is due; 0 or less if it is due now."""
        now = self._now()
        made, _ = backups_until(self._database, now)
        return _made_at(self._database, made[-1]) + self._every - now if made else 0.0

    async def make(self) -> Path | None:
        """Makes a backup, then deletes those beyond the number to keep; None if it could not."""
        started = time.monotonic()
        backup = self.folder / _name(
            self._database, datetime.fromtimestamp(self._now(), UTC).strftime(_STAMP)
        )
        try:
            why_not = await asyncio.to_thread(self._prepare) or await self._copy(backup)
        except OSError as failed:
            why_not = f"{failed.filename or self.folder}: {failed.strerror}"
        if why_not:
            log.warning("no backup was made: %s", why_not)
            return None
        seconds = time.monotonic() - started
        try:
            size = backup.stat().st_size / 1e6
            log.info("backup %s: %.1f MB in %.1f s", backup, size, seconds)
            await asyncio.to_thread(self._delete_beyond, backup)
        except OSError as failed:
            log.warning("an old backup stays: %s: %s", failed.filename, failed.strerror)
        return backup

    def _prepare(self) -> str:
        """Makes the folder ready. Returns why there can be no backup; empty if there can."""
        try:
            self.folder.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        except FileExistsError:
            what = (
                "a symbolic link that leads nowhere" if self.folder.is_symlink() else "a file, not a folder"
            )
            return f"{self.folder} is {what}: move it away"
        self._delete_unfinished()
        lacking = (no_room(folder, self._database.stat().st_size) for folder in self._folders)
        return next(filter(None, lacking), "")

    async def _copy(self, backup: Path) -> str:
        """Has another process make the backup. Returns why it did not; empty if it did."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot.ledger.sqlite.backup_process", self._database, backup),
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                # An interrupt in the terminal is for the bot, which ends this process itself.
                start_new_session=True,
            )
        except OSError as failed:
            return f"its process {sys.executable} cannot be started: {failed.strerror}. Restart the bot"
        try:
            _, said = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self._delete_unfinished()
        if process.returncode == 0:
            return ""
        lines = said.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"its process ended with status {process.returncode}"

    def _delete_unfinished(self) -> None:
        """Deletes what backups left that did not come to their end."""
        for folder in self._folders:
            for unfinished in folder.glob(f".{_name(self._database, '*')}"):
                shutil.rmtree(unfinished, ignore_errors=True)

    def _delete_beyond(self, newest: Path) -> None:
        """Deletes the oldest backups but this one, until as many are left as are to be kept."""
        made, later = backups_until(self._database, self._now())
        if later and not self._has_warned:
            self._has_warned = True
            log.warning(
                "backups dated in the future: %s, up to %s. They do not count, and are not deleted. Look at "
                "the clock first: if it is behind now, these are the good ones",
                len(later),
                later[-1],
            )
        older = [backup for backup in made if backup != newest]
        for backup in older[: max(len(older) - self._keep + 1, 0)]:
            backup.unlink()


@asynccontextmanager
async def backed_up(
    database: Path, every: float, keep: int, tried: Callable[[Path | None], object] = bool
) -> AsyncIterator[None]:
    """Makes backups while the block runs; none if `every` is 0."""
    if not every:
        log.info(NO_BACKUPS)
        yield
        return
    making = asyncio.create_task(RegularBackups(database, every, keep, tried=tried).run())
    try:
        yield
    finally:
        making.cancel()
        await asyncio.wait([making])


def backups_of(database: Path) -> list[Path]:
    """The bot's backups of a database, the oldest first; other files in their folder are left out."""
    # In place of the folder there may also be a file.
    with suppress(FileNotFoundError, NotADirectoryError):
        files = (database.parent / FOLDER).iterdir()
        return sorted(file for file in files if file.is_file() and _made_at(database, file))
    return []


def backups_until(database: Path, now: float) -> tuple[list[Path], list[Path]]:
    """The bot's backups of a database made until now, and those dated later; each the oldest first."""
    backups = backups_of(database)
    made = [backup for backup in backups if _made_at(database, backup) <= now]
    return made, backups[len(made) :]


def times_of_backups(database: Path) -> list[float]:
    """When the bot's backups of a database were made, in order; those dated in the future are left out."""
    return [_made_at(database, backup) for backup in backups_until(database, time.time())[0]]


def _name(database: Path, stamp: str) -> str:
    return f"{database.name}.backup-{stamp}"


def _made_at(database: Path, file: Path) -> float:
    """When a backup was made, as its name says; 0 if it is none of this database."""
    stamp = re.fullmatch(re.escape(_name(database, "")) + r"(\d{8}T\d{6}Z)", file.name, re.ASCII)
    with suppress(ValueError):
        return datetime.strptime(stamp[1] if stamp else "", _STAMP).replace(tzinfo=UTC).timestamp()
    return 0.0
