"""Notifications and turns of the processes that share a database: rows that are read again and again.

LISTEN and NOTIFY would need a connection past PgBouncer. A lost row loses nothing that matters: the tables
are not in the write-ahead log, and a crash of the server or a failover empties them. One row says since when
they were not emptied: a connection need not break then, as PgBouncer opens another.
"""

from datetime import datetime
from time import monotonic
from typing import Final

from bot.ledger.engine import SOME_LOST, Notification
from bot.ledger.postgres.connections import ConnectionThread
from bot.ledger.postgres.server_errors import as_ledger_errors

TABLES: Final = (
    """CREATE UNLOGGED TABLE IF NOT EXISTS notifications (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
        server_id BIGINT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL)""",
    "CREATE UNLOGGED TABLE IF NOT EXISTS logins (turn INTEGER PRIMARY KEY, ends TIMESTAMPTZ NOT NULL)",
)
LASTING_SECONDS: Final = 10.0
"""How long a notification can be read. Each transaction is shorter, so none appears later."""
_NOTIFY: Final = "INSERT INTO notifications (server_id, kind, body) VALUES (%s, %s, %s)"
_DELETE: Final = "DELETE FROM notifications WHERE at < clock_timestamp() - 6 * make_interval(secs => %s)"
_SINCE: Final = -1
"""The turn of nobody, whose row in `logins` says since when the tables were not emptied."""
_READ: Final = (
    "SELECT since.at, id, server_id, kind, body "
    "FROM (SELECT max(ends) AS at FROM logins WHERE turn = %s) AS since "
    "LEFT JOIN notifications AS sent "
    "ON sent.at > clock_timestamp() - make_interval(secs => %s) AND id <> ALL(%s) ORDER BY id"
)
_BEGIN: Final = "INSERT INTO logins VALUES (%s, clock_timestamp()) ON CONFLICT DO NOTHING"
_TAKE_TURN: Final = (
    "INSERT INTO logins AS last VALUES (%s, clock_timestamp() + make_interval(secs => %s)) "
    "ON CONFLICT (turn) DO UPDATE SET ends = excluded.ends WHERE last.ends <= clock_timestamp() "
    "RETURNING ends"
)
_END_TURN: Final = (
    "UPDATE logins SET ends = clock_timestamp() + make_interval(secs => %s) WHERE turn = %s AND ends = %s"
)
"""When a turn ends says whose it is: each one ends later than the one before."""


class PostgresProcesses:
    """The notifications and the turns of a database.

    Args:
        thread: a connection for reading, which commits each statement at once.
    """

    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread
        self._read: dict[int, float] = {}
        self._read_at = monotonic()
        self._since: datetime | None = None
        self._turns: dict[int, datetime] = {}

    async def notify(self, one: Notification) -> None:
        """As `Processes.notify`."""
        with as_ledger_errors():
            await self._thread.execute(_NOTIFY, (one.server_id, one.kind, one.body))
            await self._thread.execute(_DELETE, (LASTING_SECONDS,))

    async def notifications(self) -> list[Notification]:
        """As `Processes.notifications`."""
        asked_at = monotonic()
        self._read = {one: at for one, at in self._read.items() if asked_at - at < 2 * LASTING_SECONDS}
        with as_ledger_errors():
            rows = await self._thread.execute(_READ, (_SINCE, LASTING_SECONDS, list(self._read)))
            if (since := rows[0][0]) is None:
                await self._thread.execute(_BEGIN, (_SINCE,))
        is_late = monotonic() - self._read_at > LASTING_SECONDS
        some_lost = is_late or self._since not in (None, since)
        self._read_at, self._since = asked_at, since or self._since
        new = [row for _, *row in rows if row[0] is not None]
        self._read.update((number, asked_at) for number, *_ in new)
        found = [Notification(server_id, kind, body) for _, server_id, kind, body in new]
        return [SOME_LOST, *found] if some_lost else found

    async def take_turn(self, turn: int, seconds: float) -> bool:
        """As `Processes.take_turn`."""
        with as_ledger_errors():
            taken = await self._thread.execute(_TAKE_TURN, (turn, seconds))
        for (ends,) in taken:
            self._turns[turn] = ends
        return bool(taken)

    async def end_turn(self, turn: int, seconds: float) -> None:
        """As `Processes.end_turn`."""
        if (taken := self._turns.pop(turn, None)) is not None:
            with as_ledger_errors():
                await self._thread.execute(_END_TURN, (seconds, turn, taken))
