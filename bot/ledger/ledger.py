"""The ledger's interface to the rest of the bot: open it, commit changes, query it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.backup import upgrade_with_copy
from bot.ledger.changes import Change, Fact
from bot.ledger.connection_thread import threaded_connection
from bot.ledger.connections import Driver, reading_engine, writing_engine
from bot.ledger.errors import AlreadyDone
from bot.ledger.file_lock import exclusive_lock
from bot.ledger.location import database_path
from bot.ledger.queries import Queries
from bot.ledger.writer import Writer
from bot.table.accounts import MINT, Move, Reason, wallet

log = logging.getLogger(__name__)


class Ledger(Queries):
    """Writes changes and answers queries; created by `open_ledger`.

    Args:
        writer: the only writer.
        reading: the engine for queries.
    """

    def __init__(self, writer: Writer, reading: AsyncEngine) -> None:
        super().__init__(reading)
        self._writer = writer

    async def commit(self, change: Change) -> None:
        """Stores the whole effect of a command, and returns when it is on disk.

        Cancelling the wait does not cancel the change.

        Raises:
            AlreadyDone: its key is already committed.
            InsufficientChips: an account would go below zero.
            StaleTable: its events do not follow the stored ones.
            StaleHouse: its house rules do not follow the stored ones.
            Unstorable: it breaks another rule of the schema.
            LedgerUnavailable: the storage does not work.
        """
        await self._writer.submit(change)

    async def record(self, fact: Fact) -> None:
        """Stores a fact, such as the message of a board, and returns when it is on disk.

        Raises:
            Unstorable: it breaks a rule of the schema.
            LedgerUnavailable: the storage does not work.
        """
        await self._writer.submit(fact)

    async def ensure_wallet(self, server_id: int, member_id: int, opening_chips: int, at: float) -> bool:
        """Opens a member's wallet with the opening chips, unless that was done before.

        Args:
            server_id: in which server.
            member_id: whose wallet.
            opening_chips: how many, at least one.
            at: when, in seconds since the epoch, UTC.

        Returns:
            Whether they got their opening chips now.

        Raises:
            LedgerUnavailable: the storage does not work.
        """
        key = f"opening:{server_id}:{member_id}"
        # Looks for the key, not the wallet: a gift can create a wallet before its owner ever comes.
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
    """Opens the ledger for this process only, at the newest schema; on exit, writes what waits.

    An older database is copied beside itself first, and the log says where.

    Args:
        url: the database's address: `sqlite:///relative/path` or `sqlite:////absolute/path`. Missing folders
            and a missing file are created.
        busy_seconds: how long to wait for another program's lock on the file.
        driver: opens the connections.

    Raises:
        ValueError: the address has another form.
        LedgerInUse: another process has it open.
        LedgerUnavailable: it cannot be opened, or is older and cannot be copied.
    """
    path = database_path(url)
    async with AsyncExitStack() as stack:
        stack.enter_context(exclusive_lock(path))
        upgrading = asyncio.get_running_loop().run_in_executor(None, upgrade_with_copy, path, busy_seconds)
        # A thread cannot be cancelled: keep the lock until it has finished with the file.
        stack.push_async_callback(asyncio.wait, [upgrading])
        done = await asyncio.shield(upgrading)
        if done.copy is not None:
            # A warning, because the copy stays until somebody deletes it.
            log.warning(
                "%s upgraded from version %s to %s; the old one is %s",
                path,
                done.before,
                done.after,
                done.copy,
            )
        writing, reading = writing_engine(path, busy_seconds, driver), reading_engine(path, driver)
        stack.push_async_callback(writing.dispose)
        stack.push_async_callback(reading.dispose)
        writer = Writer(writing)
        stack.push_async_callback(writer.close)
        yield Ledger(writer, reading)
