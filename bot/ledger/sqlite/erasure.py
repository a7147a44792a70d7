"""What was erased is in no file of ours: notes for restored backups, and traces that are overwritten.

A note is one party a line, in a file beside the database: random numbers, which say nothing about anybody.

`secure_delete` writes zeros over deleted rows and freed pages. But a row that moved to another page may have
left a copy behind, and the WAL has every page as it was. So after an erasure the few tables that say who is
who are written again, on fresh pages, and the WAL is emptied.

Until that is done, the database is marked: the bot may be killed before, or fail to do it before it stops.
The mark is SQLite's `user_version`, which is part of the transaction that erases.
"""

import logging
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from bot.ledger.files import OWNER_ONLY, sync
from bot.ledger.schema import admin_notes, bans, direct_channels, parties, seed_words
from bot.ledger.sqlite.connections import BEGIN, emptied_wal
from bot.ledger.sqlite.location import give_to_owner, real_path
from bot.ledger.sqlite.storage_errors import as_ledger_errors

log = logging.getLogger(__name__)

SUFFIX: Final = ".erased"
_MOST_DIGITS: Final = 19
"""A line of a million digits would take minutes to read."""


def notes_path(database: Path) -> Path:
    """Where the notes of a database are."""
    real = real_path(database)
    return real.with_name(f"{real.name}{SUFFIX}")


def note_erasures(database: Path, parties: list[int]) -> None:
    """Adds parties to the notes, and returns when they are on disk."""
    path = notes_path(database)
    with as_ledger_errors(path, f"{path} cannot be written"):
        is_new = not path.exists()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
        with os.fdopen(descriptor, "w") as file:
            # After a line that a kill cut off, an empty one does no harm.
            file.write("".join(f"\n{party}\n" for party in parties))
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            give_to_owner(path, database)
            sync(path.absolute().parent)


def has_notes(database: Path) -> bool:
    """Whether there are notes, after reading them."""
    return _lines(notes_path(database)) is not None


def noted_erasures(database: Path) -> list[int]:
    """The parties in the notes, each once, in order; a warning says how many lines are no party."""
    path = notes_path(database)
    # An empty line is before each party, and one that a kill cut off is a shorter number, which is nobody's.
    lines = [line for line in _lines(path) or [] if line]
    parties = [int(line) for line in lines if _is_party(line)]
    if wrong := len(lines) - len(parties):
        log.warning(
            "%s: lines that are no party, so whom they stood for is not erased again: %s", path, wrong
        )
    return list(dict.fromkeys(parties))


def _lines(path: Path) -> list[str] | None:
    """The lines of the notes without blanks around them; None if there are no notes."""
    with as_ledger_errors(path, f"{path} cannot be read"), suppress(FileNotFoundError):
        return [line.strip() for line in path.read_text("ascii", "replace").splitlines()]
    return None


def _is_party(line: str) -> bool:
    return line.isdecimal() and len(line) <= _MOST_DIGITS and 0 < int(line) < 1 << 63


QUICK_SECONDS: Final = 0.1
"""Overwriting that takes no longer follows each erasure at once."""
WORTH: Final = 10
"""Otherwise, other writes get this many times as long as it took, before it is done again."""
RETRY_SECONDS: Final = 1.0
"""How long the next try waits, if a reader was in the way or the disk failed."""
_NONE_LEFT: Final = 0
_LEFT: Final = 1


class Traces:
    """What may still be in the file of erased members.

    Attributes:
        left: whether there may be any.
        tried: whether overwriting was tried; before that, the first write does it.
    """

    def __init__(self) -> None:
        self.left = self.tried = self._is_told = False
        self._not_before = 0.0
        self._are_rewritten = False

    @property
    def seconds(self) -> float:
        """How long to wait until traces may be overwritten."""
        return max(self._not_before - monotonic(), 0.0)

    def look(self, connection: sqlite3.Connection) -> None:
        """Learns whether an earlier process left any."""
        (mark,) = connection.execute("PRAGMA user_version").fetchone()
        self.left = mark != _NONE_LEFT

    def add(self, connection: sqlite3.Connection) -> None:
        """Notes that an erasure leaves traces, in the transaction that erases."""
        self.left, self._are_rewritten = True, False
        connection.execute(f"PRAGMA user_version={_LEFT}")

    def retry_later(self, failed: Exception) -> None:
        """Leaves it to a later call, because the database cannot be opened now."""
        self.tried = True
        self._not_before = monotonic() + RETRY_SECONDS
        self._tell(failed)

    def overwrite(self, connection: sqlite3.Connection) -> None:
        """Overwrites traces, outside of a transaction; never raises, but leaves it to a later call."""
        self.tried = True
        began = monotonic()
        try:
            if not self._are_rewritten:
                # Once: behind a reader, each time would make the WAL longer.
                _write_again(connection)
                self._are_rewritten = True
            if emptied_wal(connection):
                connection.execute(f"PRAGMA user_version={_NONE_LEFT}")
                self.left = self._is_told = False
        except sqlite3.Error as failed:
            self._tell(failed)
            if connection.in_transaction:
                connection.rollback()
        took = monotonic() - began
        pause = 0.0 if took <= QUICK_SECONDS else WORTH * took
        self._not_before = monotonic() + (max(RETRY_SECONDS, pause) if self.left else pause)

    def _tell(self, failed: Exception) -> None:
        """Logs the first failure as a warning: the next tries follow every second."""
        level = logging.DEBUG if self._is_told else logging.WARNING
        self._is_told = True
        log.log(level, "traces of erased members could not be overwritten yet: %s", failed)


def _write_again(connection: sqlite3.Connection) -> None:
    """Empties the tables that say who is who, and fills them again."""
    connection.execute("PRAGMA temp_store=MEMORY")
    connection.execute(BEGIN)
    for table in (parties, direct_channels, seed_words, admin_notes, bans):
        connection.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {table.name}")  # noqa: S608 - our own name
        connection.execute(f"DELETE FROM {table.name}")  # noqa: S608
        connection.execute(f"INSERT INTO {table.name} SELECT * FROM kept")  # noqa: S608
        connection.execute("DROP TABLE kept")
    connection.commit()
