"""The ledger's interface to the rest of the bot: open it, commit changes, query it."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from hmac import digest as hmac_digest
from math import inf
from typing import Any

from bot.ledger.batch import NO_LINK, Batch, Head
from bot.ledger.changes import Change, DirectChannel, Fact, opening_key
from bot.ledger.database import database_at
from bot.ledger.engine import Engine
from bot.ledger.errors import AlreadyDone, MemberErased
from bot.ledger.memory import Days, Evenings, Memory, Stacks
from bot.ledger.queries import Queries
from bot.ledger.records import TableHead
from bot.ledger.writer import BY_CACHE, Writer
from bot.shards import EVERY_SHARD, Shards
from bot.table.accounts import MINT, Move, Reason, wallet


class Ledger(Queries):
    """Writes changes and answers queries; created by `open_ledger`.

    Attributes:
        writer: writes the changes; others only look at how it does.
        on_erased: is called with each party for whom something is refused because they are erased.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, logs=True)
        self.stacks = Stacks(self.stacks_of)
        self.evenings = Evenings(self.evenings_of)
        self.days = Days(self.days_of)
        self.direct_channels: Memory[int, DirectChannel | None] = Memory(self.direct_channels_of)
        self.note_erasures = engine.note_erasures
        self.noted_erasures = engine.noted_erasures
        self.name = engine.name
        self.version = engine.version
        self.processes = engine.processes
        self.on_erased: Callable[[int], None] = lambda _: None
        self._erased_users: set[int] = set()
        # The head of each server's chain, where this process has written or seen all up to that.
        self._heads: dict[int, Head] = {}
        self.writer = Writer(engine, self._committed, self._uncertain)
        self._member_key: bytes | None = None

    async def close(self) -> None:
        """Accepts nothing more to write, and returns when everything that waits is written."""
        await self.writer.close()

    def _committed(self, batch: Batch) -> None:
        """Brings memory up to date with what is on disk."""
        for server_id, (before, after) in batch.moved.items():
            if self._heads.get(server_id, NO_LINK) == before:
                self._heads[server_id] = after
            else:
                # Another process wrote between: `look_for_others` must find that, although this one goes on.
                self._heads.pop(server_id, None)
        self.stacks.committed(batch.committed)
        self.evenings.committed(batch.gains)
        self.days.committed(batch.gains)
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

    def _uncertain(self, servers: Collection[int] | None) -> None:
        """Drops what is in memory, or what is about some servers."""
        if servers is None:
            self._heads.clear()
            self.direct_channels.drop()
            self._drop_chips(lambda _: True)
        else:
            for server_id in servers:
                self._heads.pop(server_id, None)
            self._drop_chips(lambda server_id: server_id in servers)

    def _drop_chips(self, which: Callable[[int], bool]) -> None:
        """Drops what is in memory of the chips in some servers."""
        self.stacks.drop(lambda place: which(place[0]))
        self.evenings.drop(lambda place: which(place[0]))
        self.days.drop(lambda place: which(place[0]))

    async def commit(self, change: Change) -> bytes | None:
        """Stores the whole effect of a command, and returns when it is on disk.

        Cancelling the wait does not cancel the change.

        Returns:
            The hash of its table's last event; without a table, that of its change of house rules, or None.

        Raises:
            AlreadyDone: its key is already committed.
            ChipsHeld: it resets chips of which some are held.
            InsufficientChips: an account would go below zero.
            StaleHouse: its house rules do not follow the stored ones.
            StaleTable: its table has other events than the ones it follows.
            Unstorable: it breaks another rule of the schema.
        """
        try:
            return await self._submit(change)
        except (AlreadyDone, *BY_CACHE):
            server_id = change.server_id
            if self.processes is not None and await self.head(server_id) != self._heads.get(server_id):
                # Another process has done it, or moved what it needs, and memory does not know that.
                self._uncertain([server_id])
            raise

    async def record(self, fact: Fact) -> None:
        """Stores a fact, such as the message of a board, and returns when it is on disk."""
        await self._submit(fact)

    async def _submit(self, work: Change | Fact) -> bytes | None:
        try:
            return await self.writer.submit(work)
        except MemberErased as erased:
            # Maybe by another process.
            self.on_erased(erased.party)
            raise

    async def look_for_others(self, of: Shards = EVERY_SHARD) -> tuple[list[TableHead], set[int]]:
        """Every open table, and those of their servers to which another process wrote since the last call.

        A server counts also if nobody knows, as after an outage. What is in memory of chips there is dropped,
        and in servers without an open table: who writes to those is not looked at.
        """
        before = dict(self._heads)
        found = await self.table_heads(of)
        moved = set()
        for server_id, head in {one.server_id: (one.last_link, one.head) for one in found}.items():
            if not self._has_seen(server_id, before.get(server_id), head):
                moved.add(server_id)
                self._heads[server_id] = head
        certain = {one.server_id for one in found} - moved
        self._drop_chips(lambda server_id: server_id not in certain)
        return found, moved

    async def was_behind(self, server_id: int) -> bool:
        """Whether another process wrote to a server, or links are lost; chips in memory are dropped then."""
        if self.processes is None:
            return False
        before = self._heads.get(server_id)
        head = await self.head(server_id) or NO_LINK
        if (before is None and head == NO_LINK) or self._has_seen(server_id, before, head):
            return False
        self._heads[server_id] = head
        self._drop_chips(lambda one: one == server_id)
        return True

    def _has_seen(self, server_id: int, before: Head | None, head: Head) -> bool:
        """Whether this process knew a head that was just read; it may have written meanwhile."""
        last = self._heads.get(server_id)
        if before is None or last is None:
            return False
        # After a failover, another link may have the number.
        return head in (before, last) or before[0] < head[0] < last[0]

    async def ensure_wallet(self, server_id: int, party: int, opening_chips: int, at: float) -> bool:
        """Gives a member their opening chips, unless that was done before; returns whether it did."""
        place = (server_id, party)
        no_opening_before = await self.no_opening_before(server_id, party)
        if no_opening_before > at:
            self.stacks.no_opening(place, no_opening_before)
            return False
        opening = Move(MINT, wallet(party), opening_chips, Reason.OPENING_CHIPS)
        try:
            await self.commit(Change(opening_key(server_id, party), server_id, at, (opening,)))
        except AlreadyDone:
            return False
        self.stacks.no_opening(place, inf)
        return True

    async def no_opening_before(self, server_id: int, party: int) -> float:
        """When a member who was erased before can get opening chips again; 0 for anybody else.

        It is read from the disk: memory does not always know it.
        """
        identity = (await self.identities([party])).get(party)
        return 0.0 if identity is None else await self.no_opening_of(server_id, identity.user_id)

    async def no_opening_of(self, server_id: int, user_id: int) -> float:
        """The same for a user, of whom nothing need be stored."""
        digest = await self.opening_digest(server_id, user_id)
        return await self.opening_spent_until(server_id, digest) or 0.0

    async def opening_digest(self, server_id: int, user_id: int) -> bytes:
        """The keyed hash of a user in a server, which says that they had opening chips once erased."""
        if self._member_key is None:
            self._member_key = await self.member_key()
        return hmac_digest(self._member_key, f"{server_id}:{user_id}".encode(), "sha256")


@asynccontextmanager
async def open_ledger(url: str, **options: Any) -> AsyncIterator[Ledger]:
    """Opens the ledger; on exit, writes what waits.

    Args:
        url: the database's address, as `database_at` takes it.
        options: as `claimed` of its engine takes them, and raises what that raises.
    """
    async with database_at(url).claimed(**options) as engine:
        ledger = Ledger(engine)
        try:
            yield ledger
        finally:
            await ledger.close()
