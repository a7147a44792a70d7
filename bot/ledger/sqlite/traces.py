"""Overwrites what SQLite leaves of deleted rows: in pages that were rebalanced, and in the WAL.

`secure_delete` writes zeros over deleted rows and freed pages. But a row that moved to another page may have
left a copy behind, and the WAL has every page as it was. So after an erasure the few tables that say who is
who are written again, on fresh pages, and the WAL is emptied.

Until that is done, the database is marked: the bot may be killed before, or fail to do it before it stops.
The mark is SQLite's `user_version`, which is part of the transaction that erases.
"""

import logging
import sqlite3
from time import monotonic
from typing import Final

from bot.ledger.schema import direct_channels, parties, seed_words
from bot.ledger.sqlite.connections import BEGIN
from bot.ledger.sqlite.wal import emptied_wal

log = logging.getLogger(__name__)

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
        """Learns whether an earlier process left any.

        Raises:
            sqlite3.Error: the database cannot be read.
        """
        (mark,) = connection.execute("PRAGMA user_version").fetchone()
        self.left = mark != _NONE_LEFT

    def add(self, connection: sqlite3.Connection) -> None:
        """Notes that an erasure leaves traces.

        Args:
            connection: the connection that writes, in the transaction that erases.

        Raises:
            sqlite3.Error: the database cannot be written.
        """
        self.left, self._are_rewritten = True, False
        connection.execute(f"PRAGMA user_version={_LEFT}")

    def retry_later(self, failed: Exception) -> None:
        """Leaves it to a later call, because the database cannot be opened now."""
        self.tried = True
        self._not_before = monotonic() + RETRY_SECONDS
        self._tell(failed)

    def overwrite(self, connection: sqlite3.Connection) -> None:
        """Overwrites traces; never raises, but leaves it to a later call if that fails.

        Args:
            connection: the connection that writes, outside of a transaction.
        """
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
    for table in (parties, direct_channels, seed_words):
        connection.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {table.name}")  # noqa: S608 - our own name
        connection.execute(f"DELETE FROM {table.name}")  # noqa: S608
        connection.execute(f"INSERT INTO {table.name} SELECT * FROM kept")  # noqa: S608
        connection.execute("DROP TABLE kept")
    connection.commit()
