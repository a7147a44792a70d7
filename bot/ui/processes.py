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
from collections.abc import Callable
from typing import Any, Final

from bot.croupier.croupier import Croupier
from bot.croupier.houses import Houses
from bot.ledger.changes import Identity
from bot.ledger.engine import Notice, Processes
from bot.ledger.errors import LedgerError
from bot.table.seats import NOBODY
from bot.ui.press.custom_ids import parse_custom_id
from bot.ui.services import BackgroundTasks
from bot.wire import gateway

log = logging.getLogger(__name__)

HEAR_SECONDS: Final = 0.1
"""How often notices are read."""
LOOK_SECONDS: Final = 2.0
"""How often the bot looks whether another process wrote to one of its servers."""
_INTERACTION: Final = "interaction"
_FORGOTTEN: Final = "forgotten"
_TABLE_OPTION: Final = "table"
_MOST_DIGITS: Final = 19


class OtherProcesses:
    """What this process does because of the others.

    Args:
        processes: the way to them; None if there can be none.
        hosts: whether this process hosts a server, by its id.
        means_table: whether a command, by its name, is about a table.
        carry_out: carries out an interaction that was handed on.
        tasks: where others are told in the background.
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

    @property
    def can_be(self) -> bool:
        """Whether there can be other processes."""
        return self._processes is not None

    async def take_turn(self, turn: int) -> None:
        """Waits until no other process logs in to the gateway at this turn."""
        if self._processes is None:
            return
        try:
            while not await self._processes.take_turn(turn, gateway.SPACING_SECONDS):  # noqa: ASYNC110 - it is a row
                await asyncio.sleep(random.uniform(0.5, 1.0))
        except LedgerError as failed:
            # Discord refuses a login that comes too early, and then it waits.
            log.debug("logging in without a turn: %s", failed)

    async def look(self) -> None:
        """Reads again what another process has written."""
        try:
            if moved := await self._croupier.look_for_others():
                await self._houses.reload(*moved)
        except LedgerError as failed:
            log.debug("what other processes wrote could not be read: %s", failed)

    async def hear(self) -> None:
        """Does what other processes tell."""
        assert self._processes is not None
        try:
            notices = await self._processes.heard()
        except LedgerError as failed:
            log.debug("other processes could not be heard: %s", failed)
            return
        for notice in notices:
            match notice.kind:
                case "interaction" if self._hosts(notice.server_id):
                    self._carry_out(json.loads(notice.body))
                case "forgotten":
                    self._forget(**json.loads(notice.body))

    def _forget(self, party: int, user_id: int) -> None:
        # What this process has erased itself, it has told.
        if not self._croupier.identities.is_closed(party):
            self._croupier.identities.forget(party, user_id)

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
            await self._processes.tell(Notice(server_id, _INTERACTION, json.dumps(data)))
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
        if "name" not in what or not self._means_table(what["name"]):
            return None
        return await self._server_of_command(int(data["user"]["id"]), what)

    async def _server_of_table(self, table_id: int) -> int | None:
        if (known := self._croupier.tables.get(table_id)) is not None:
            return known.server_id
        row = await self._croupier.ledger.table(table_id) if table_id else None
        return None if row is None else row.server_id

    async def _server_of_command(self, user_id: int, what: Any) -> int | None:
        """The server of the table that a command is about: the one named, else one where the member sits."""
        options = {option["name"]: option.get("value") for option in what.get("options", ())}
        named = str(options.get(_TABLE_OPTION, "")).strip()
        if named.isdecimal() and len(named) <= _MOST_DIGITS:
            server_id = await self._server_of_table(int(named))
            if server_id is not None:
                return server_id
        ledger = self._croupier.ledger
        parties = {one.server_id: one.party for one in await ledger.identities_of(user_id)}
        if any(table.has(parties.get(table.server_id, NOBODY)) for table in self._croupier.tables.all()):
            return None
        elsewhere = [server_id for server_id in parties if not self._hosts(server_id)]
        for table in reversed(await ledger.open_tables_in(elsewhere)):
            if str(parties[table.server_id]) in table.state:
                return table.server_id
        return None

    def tell_forgotten(self, erased: Identity) -> None:
        """Tells the others that a member is erased."""
        if self._processes is not None:
            body = json.dumps({"party": erased.party, "user_id": erased.user_id})
            self._tasks.start(self._tell(Notice(erased.server_id, _FORGOTTEN, body)), "notice")

    async def _tell(self, notice: Notice) -> None:
        assert self._processes is not None
        await self._processes.tell(notice)
