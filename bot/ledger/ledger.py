"""The ledger as the rest of the bot knows it: open it, commit to it, ask it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.address import database_path
from bot.ledger.backup import keep_and_upgrade
from bot.ledger.changes import Change, Note
from bot.ledger.connection_thread import threaded_connection
from bot.ledger.connections import Driver, reading_engine, writing_engine
from bot.ledger.errors import AlreadyDone
from bot.ledger.file_lock import alone
from bot.ledger.queries import Queries
from bot.ledger.writer import Writer
from bot.table.money import MINT, Move, Reason, wallet

log = logging.getLogger(__name__)


class Ledger(Queries):
    """Writes changes to the ledger, and answers questions; made by `open_ledger`.

    Args:
        writer: the only one who writes.
        reading: the engine to read by.
    """

    def __init__(self, writer: Writer, reading: AsyncEngine) -> None:
        super().__init__(reading)
        self._writer = writer

    async def commit(self, change: Change) -> None:
        """Stores a command's whole effect, and returns when it is on disk.

        To cancel the wait does not cancel the change: it is stored once, or refused.

        Raises:
            AlreadyDone: its key was committed before.
            InsufficientChips: an account would go below zero.
            StaleTable: its events do not follow those that are stored.
            StaleHouse: its house rules do not follow those that are stored.
            Unstorable: it breaks another rule of the schema.
            LedgerUnavailable: the storage does not work.
        """
        await self._writer.put(change)

    async def keep(self, note: Note) -> None:
        """Stores a note, such as where a board stands, and returns when it is on disk.

        Raises:
            LedgerUnavailable: the storage does not work.
        """
        await self._writer.put(note)

    async def ensure_wallet(self, server_id: int, member_id: int, opening_chips: int, at: float) -> bool:
        """Gives a member his wallet with the opening chips, unless he has it.

        Args:
            server_id: in which server.
            member_id: to whom.
            opening_chips: how many chips, one or more.
            at: when, in seconds since the epoch, UTC.

        Returns:
            Whether it was opened now.

        Raises:
            LedgerUnavailable: the storage does not work.
        """
        key = f"opening:{server_id}:{member_id}"
        # Asked by the key and not by the wallet: a gift can have opened that before its owner came.
        if await self.was_done(key):
            return False
        opening = Move(MINT, wallet(member_id), opening_chips, Reason.OPENING_CHIPS)
        try:
            await self.commit(Change(key, server_id, at, (opening,)))
        except AlreadyDone:
            return False
        return True


@asynccontextmanager
async def open_ledger(
    url: str, *, busy_seconds: float = 5.0, driver: Driver = threaded_connection
) -> AsyncIterator[Ledger]:
    """Opens the ledger, alone on this machine, at the newest schema; closes when all that waits is written.

    A database of an older version is kept as it was, beside it, and a line of the log says where.

    Args:
        url: the database's address: `sqlite:///relative/path` or `sqlite:////absolute/path`. Missing folders
            and a missing file are made.
        busy_seconds: how long to wait for a lock that a foreign program has on the file.
        driver: what opens connections to the file.

    Raises:
        ValueError: where the address is none of these.
        LedgerInUse: where another process has it open.
        LedgerUnavailable: where it cannot be opened, or is older and cannot be kept as it was.
    """
    path = database_path(url)
    async with AsyncExitStack() as stack:
        stack.enter_context(alone(path))
        upgrading = asyncio.get_running_loop().run_in_executor(None, keep_and_upgrade, path, busy_seconds)
        # A thread cannot be cancelled: the lock is held until nothing is at work on the file any more.
        stack.push_async_callback(asyncio.wait, [upgrading])
        done = await asyncio.shield(upgrading)
        if done.kept is not None:
            # A warning, since the copy stays there until somebody takes it away.
            log.warning(
                "%s went from version %s to %s; as it was: %s", path, done.before, done.after, done.kept
            )
        writing, reading = writing_engine(path, busy_seconds, driver), reading_engine(path, driver)
        stack.push_async_callback(writing.dispose)
        stack.push_async_callback(reading.dispose)
        writer = Writer(writing)
        stack.push_async_callback(writer.close)
        yield Ledger(writer, reading)
