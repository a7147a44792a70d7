"""The ledger's interface to the rest of the bot: open it, commit changes, query it."""

import asyncio
import logging
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from hmac import digest as hmac_digest
from math import inf

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.ledger.batch import Batch
from bot.ledger.changes import Change, DirectChannel, Fact, opening_key
from bot.ledger.errors import AlreadyDone
from bot.ledger.memory import Evenings, Memory, Stacks
from bot.ledger.queries import Queries
from bot.ledger.sqlite.backup import upgrade_and_check
from bot.ledger.sqlite.connections import Driver, reading_engine, threaded_connection, writing_engine
from bot.ledger.sqlite.erasure import note_erasures, noted_erasures
from bot.ledger.sqlite.file_lock import LedgerFile, exclusive_lock
from bot.ledger.sqlite.location import database_path
from bot.ledger.sqlite.storage_errors import damage_of, in_words, unavailable
from bot.ledger.writer import Writer
from bot.table.accounts import MINT, Move, Reason, wallet

log = logging.getLogger(__name__)


class Ledger(Queries):
    """Writes changes and answers queries; created by `open_ledger`."""

    def __init__(self, writing: AsyncEngine, reading: AsyncEngine, file: LedgerFile) -> None:
        super().__init__(reading, file.path, logs=True)
        self.stacks = Stacks(self.stacks_of)
        self.evenings = Evenings(self.evenings_of)
        self.direct_channels: Memory[int, DirectChannel | None] = Memory(self.direct_channels_of)
        self._erased_users: set[int] = set()
        self._writer = Writer(writing, self._committed, self._uncertain, file)
        self._member_key: bytes | None = None

    async def open(self) -> None:
        """Opens the file for writing, so that it is noticed from now on if the file or its WAL is lost."""
        try:
            await self._writer.open()
        except DBAPIError as error:
            path = self._path
            failure = unavailable(f"{path}: {in_words(path, error)}", error.orig, path)
            raise damage_of(path, error) or failure from error

    async def close(self) -> None:
        """Accepts nothing more to write, and returns when everything that waits is written."""
        await self._writer.close()
        await super().close()

    def _committed(self, batch: Batch) -> None:
        """Brings memory up to date with what is on disk."""
        self.stacks.committed(batch.committed)
        self.evenings.committed(batch.gains)
        self._erased_users.update(batch.erased_users)
        for fact in batch.facts:
            if isinstance(fact, DirectChannel):
                if fact.user_id in self._erased_users:
                    # It is stored only if they play again: the disk knows.
                    self.direct_channels.remove(fact.user_id)
                else:
                    self.direct_channels.put(fact.user_id, fact)
        for user_id in batch.erased_users:
            self.direct_channels.remove(user_id)

    def _uncertain(self) -> None:
        self.stacks.drop()
        self.evenings.drop()
        self.direct_channels.drop()

    async def commit(self, change: Change) -> None:
        """Stores the whole effect of a command, and returns when it is on disk.

        Cancelling the wait does not cancel the change.

        Raises:
            AlreadyDone: its key is already committed.
            InsufficientChips: an account would go below zero.
            StaleHouse: its house rules do not follow the stored ones.
            TooLate: it was not to be made any more.
            Unstorable: it breaks another rule of the schema.
        """
        await self._writer.submit(change)

    async def record(self, fact: Fact) -> None:
        """Stores a fact, such as the message of a board, and returns when it is on disk.

        Raises:
            Unstorable: it breaks a rule of the schema.
        """
        await self._writer.submit(fact)

    async def ensure_wallet(self, server_id: int, party: int, opening_chips: int, at: float) -> bool:
        """Gives a member their opening chips, unless that was done before; returns whether it did."""
        opened = False
        no_opening_before = await self.no_opening_before(server_id, party)
        if no_opening_before <= at:
            opening = Move(MINT, wallet(party), opening_chips, Reason.OPENING_CHIPS)
            with suppress(AlreadyDone):
                await self.commit(Change(opening_key(server_id, party), server_id, at, (opening,)))
                opened = True
            no_opening_before = inf
        self.stacks.no_opening((server_id, party), no_opening_before)
        return opened

    async def no_opening_before(self, server_id: int, party: int) -> float:
        """When a member who was erased before can get opening chips again; 0 for anybody else.

        It is read from the disk: memory does not always know it.
        """
        identity = (await self.identities([party])).get(party)
        if identity is None:
            return 0.0
        digest = await self.opening_digest(server_id, identity.user_id)
        return await self.opening_spent_until(server_id, digest) or 0.0

    async def opening_digest(self, server_id: int, user_id: int) -> bytes:
        """The keyed hash of a user in a server, which says that they had opening chips once erased."""
        if self._member_key is None:
            self._member_key = await self.member_key()
        return hmac_digest(self._member_key, f"{server_id}:{user_id}".encode(), "sha256")

    async def note_erasures(self, parties: list[int]) -> None:
        """Notes beside the database that these parties are erased, also in its backups."""
        await asyncio.to_thread(note_erasures, self._path, parties)

    async def noted_erasures(self) -> list[int]:
        """The parties that were ever erased."""
        return await asyncio.to_thread(noted_erasures, self._path)


@asynccontextmanager
async def open_ledger(
    url: str, *, busy_seconds: float = 5.0, driver: Driver = threaded_connection
) -> AsyncIterator[Ledger]:
    """Opens the ledger for this process only, at the newest schema; on exit, writes what waits.

    An older database is copied beside itself first, and the log says where.

    Args:
        url: the database's address, as `database_path` takes it. Missing folders and files are created.

    Raises:
        LedgerInUse: another process has it open.
        LedgerUnusable: somebody must mend it first; the text says what to do.
        LedgerUnavailable: it cannot be opened, or is older and cannot be copied.
    """
    async with AsyncExitStack() as stack:
        file = stack.enter_context(exclusive_lock(database_path(url)))
        path = file.path
        upgrading = asyncio.get_running_loop().run_in_executor(None, upgrade_and_check, path, busy_seconds)
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
        if sys.platform != "win32" and path.stat().st_mode & stat.S_IROTH:
            log.warning(
                "the permissions of %s let every user of this machine read dealt hands and secrets: "
                "run chmod 600 on it, or if that changes nothing, choose another file system",
                path,
            )
        writing = writing_engine(path, busy_seconds, driver, file)
        reading = reading_engine(path, driver, file)
        stack.push_async_callback(_close, writing, reading, file)
        ledger = Ledger(writing, reading, file)
        stack.push_async_callback(ledger.close)
        await ledger.open()
        # One that reads stays open, so that `_close` can choose which connection is the last.
        await ledger.application_id()
        yield ledger


async def _close(writing: AsyncEngine, reading: AsyncEngine, file: LedgerFile) -> None:
    """Closes all connections; if the last of them can write, SQLite moves the WAL into the database.

    Not into one that was overwritten: with pages of two databases in it, nobody could tell what happened.
    """
    first, last = reading, writing
    if file.is_overwritten:
        log.warning("%s was overwritten: what was written last stays in %s", file.path, file.wal)
        first, last = writing, reading
    try:
        await first.dispose()
    finally:
        await last.dispose()
