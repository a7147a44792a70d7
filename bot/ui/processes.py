"""Several processes that share a database: each hosts the servers of its shards.

Discord sends what members do in direct messages to shard 0 alone. What is about a table that another process
hosts is handed on to that one, which answers: the token of an interaction works everywhere. What is about no
table, such as a wallet, shard 0's process does itself; if another writes to the same server meanwhile, one of
the two decides again.
"""

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.croupier.croupier import Croupier
from bot.croupier.houses import Houses
from bot.croupier.privacy import forgotten
from bot.ledger.changes import Identity
from bot.ledger.engine import SOME_LOST, Notification, Processes
from bot.ledger.errors import LedgerError
from bot.table.state import TableState
from bot.ui.press.custom_ids import parse_custom_id
from bot.ui.services import BackgroundTasks
from bot.wire import gateway

log = logging.getLogger(__name__)

NOTIFIED_SECONDS: Final = 0.1
"""How often notifications are read."""
LOOK_SECONDS: Final = 2.0
"""How often the bot looks whether another process wrote to one of its servers."""
_TABLE_OPTION: Final = "table"
_AUTOCOMPLETE: Final = 4
"""The kind of an interaction that asks for suggestions: those of all processes."""


class OtherProcesses:
    """What this process does because of the others.

    Args:
        processes: the way to them; None if there can be none.
        means_table: whether a command, by its name, is about a table.
        carry_out: carries out an interaction that was handed on.
    """

    def __init__(
        self,
        processes: Processes | None,
        croupier: Croupier,
        houses: Houses,
        hosts: Callable[[int], bool],
        means_table: Callable[[str], bool],
        carry_out: Callable[[Any], None],
        tasks: BackgroundTasks,
    ) -> None:
        self._processes = processes
        self._croupier = croupier
        self._houses = houses
        self._hosts = hosts
        self._means_table = means_table
        self._carry_out = carry_out
        self._tasks = tasks
        self._has_read = self._some_lost = False
        croupier.identities.on_choice(lambda user_id: self._notify(0, "language", user_id=user_id))
        houses.on_change(lambda server_id: self._notify(server_id, "house"))

    @property
    def can_be(self) -> bool:
        """Whether there can be other processes."""
        return self._processes is not None

    @asynccontextmanager
    async def take_turn(self, turn: int) -> AsyncIterator[None]:
        """Waits until no other process logs in to the gateway at this turn; in the block, this one may."""
        if self._processes is None:
            yield
            return
        try:
            while not await self._processes.take_turn(turn, gateway.TURN_SECONDS):  # noqa: ASYNC110 - it is a row
                await asyncio.sleep(random.uniform(0.5, 1.0))
        except LedgerError as failed:
            # Discord refuses a login that comes too early, and then it waits.
            log.debug("logging in without a turn: %s", failed)
        try:
            yield
        finally:
            with suppress(LedgerError):
                await self._processes.end_turn(turn, gateway.SPACING_SECONDS)

    async def look(self) -> None:
        """Reads again what another process has written."""
        try:
            if moved := await self._croupier.look_for_others():
                await self._houses.reload(*moved)
        except LedgerError as failed:
            log.debug("what other processes wrote could not be read: %s", failed)

    async def read_notifications(self) -> None:
        """Does what is to be done after notifications of other processes."""
        assert self._processes is not None
        try:
            notifications = await self._processes.notifications()
        except LedgerError as failed:
            log.debug("notifications could not be read: %s", failed)
            return
        # What was handed on before this process was there, the one before it has answered, or it is too late.
        earlier, self._has_read = not self._has_read, True
        for notification in notifications:
            if earlier and notification.kind == "interaction":
                continue
            try:
                await self._follow(notification)
            except LedgerError as failed:
                log.debug("what a notification is about could not be read: %s", failed)
                self._some_lost = True
            except Exception:
                # Maybe of another version. The others count all the same.
                log.exception("a notification of another process cannot be followed")
        if self._some_lost:
            await self._read_all_again()

    async def _read_all_again(self) -> None:
        """Reads what notifications could have been about."""
        identities = self._croupier.identities
        try:
            await self._houses.load()
            await identities.load_choices()
            for party in await self._croupier.ledger.noted_erasures():
                if identities.get(party) is not None:
                    identities.forget(party)
            self._some_lost = False
        except LedgerError as failed:
            log.debug("what notifications may have been about could not be read: %s", failed)

    async def _follow(self, notification: Notification) -> None:
        body, identities = json.loads(notification.body), self._croupier.identities
        match notification.kind:
            case "interaction" if self._hosts(notification.server_id):
                self._carry_out(body)
            case "forgotten" if not identities.is_closed(body["party"]):
                # What this process has erased itself, it has forgotten.
                identities.forget(body["party"], body["user_id"])
            case "house":
                await self._houses.reload(notification.server_id)
            case "language":
                await identities.reload_choice(body["user_id"])
            case SOME_LOST.kind:
                self._some_lost = True

    async def hand_on(self, data: Any) -> bool:
        """Hands an interaction in a direct message on to the process that hosts its table.

        It does not raise.

        Returns:
            False if this process is to carry it out.
        """
        assert self._processes is not None
        try:
            server_id = await self._server_of(data)
            if server_id is None or self._hosts(server_id):
                return False
            await self._processes.notify(Notification(server_id, "interaction", json.dumps(data)))
        except LedgerError as failed:
            log.warning("an interaction could not be handed on to another process: %s", failed)
            return False
        except Exception:
            # Raised, it would leave the member without an answer.
            log.exception("it is not known which process an interaction belongs to")
            return False
        return True

    async def _server_of(self, data: Any) -> int | None:
        """The server of the table that an interaction is about; None if it is about none."""
        what = data.get("data") or {}
        if press := parse_custom_id(str(what.get("custom_id", ""))):
            return await self._server_of_table(press.table_id)
        if data.get("type") == _AUTOCOMPLETE or not self._means_table(what.get("name", "")):
            return None
        return await self._server_of_command(int(data["user"]["id"]), what)

    async def _server_of_table(self, table_id: int) -> int | None:
        if (known := self._croupier.tables.get(table_id)) is not None:
            return known.server_id
        row = await self._croupier.ledger.table(table_id) if table_id else None
        return None if row is None else row.server_id

    async def _server_of_command(self, user_id: int, what: Any) -> int | None:
        """The server of the table that a command means; None if it may mean several, as its answer says."""
        options = {option["name"]: option.get("value") for option in what.get("options", ())}
        named = str(options.get(_TABLE_OPTION, "")).strip()
        identities = self._croupier.identities
        here = [
            one for one in self._croupier.tables.all() if one.has(identities.known(one.server_id, user_id))
        ]
        meant = [
            one
            for one in (*here, *await self.tables_elsewhere(user_id))
            if not named or named in (str(one.table_id), str(one.number))
        ]
        return meant[0].server_id if len(meant) == 1 else None

    async def tables_elsewhere(self, user_id: int) -> list[TableState]:
        """The tables that other processes host and where a user sits, the newest first."""
        found = await self._croupier.ledger.identities_of(user_id)
        parties = {one.server_id: one.party for one in found if not self._hosts(one.server_id)}
        tables = await self._croupier.tables_concerning(parties)
        return [table for table in reversed(tables) if table.has(parties[table.server_id])]

    def notify_forgotten(self, erased: Identity) -> None:
        """Notifies the others that a member is erased."""
        self._send(forgotten(erased))

    def _notify(self, server_id: int, kind: str, **body: int) -> None:
        self._send(Notification(server_id, kind, json.dumps(body)))

    def _send(self, notification: Notification) -> None:
        """Notifies the other processes in the background, again until the database takes it."""
        if self._processes is not None:
            self._tasks.start(self._notify_until_sent(self._processes, notification), "notification")

    async def _notify_until_sent(self, processes: Processes, notification: Notification) -> None:
        while True:
            try:
                return await processes.notify(notification)
            except LedgerError as failed:
                log.debug("the other processes could not be notified: %s", failed)
            await asyncio.sleep(LOOK_SECONDS)
