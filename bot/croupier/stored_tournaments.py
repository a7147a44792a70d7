"""Tournaments as the ledger has them. Those that this version cannot read are logged once, and omitted."""

import logging
from collections.abc import Iterable

from bot.ledger.changes import TournamentRow
from bot.ledger.queries import Queries
from bot.table.tournament import Tournament, parse_tournament

log = logging.getLogger(__name__)


class StoredTournaments:
    """Reads several tournaments at once, the oldest first."""

    def __init__(self, ledger: Queries) -> None:
        self._ledger = ledger
        self._logged: set[int] = set()

    async def running(self) -> list[Tournament]:
        """The tournaments that are not over, or whose result is still to be posted."""
        return self._readable(await self._ledger.running_tournaments())

    async def running_in(self, server_id: int) -> list[Tournament]:
        """Those of them that are of a server."""
        return self._readable(await self._ledger.running_tournaments_in(server_id))

    async def unreadable_in(self, server_id: int) -> set[int]:
        """The ids of the tournaments of a server that are not over, and cannot be read."""
        rows = await self._ledger.running_tournaments_in(server_id)
        return {row.tournament_id for row in rows} - {one.tournament_id for one in self._readable(rows)}

    async def all_in(self, server_id: int) -> list[Tournament]:
        """All tournaments of a server."""
        return self._readable(await self._ledger.tournaments_in(server_id))

    async def entries(self, server_id: int, party: int) -> list[Tournament]:
        """The tournaments of a server in whose pots an entry of this member is."""
        return _entered(await self.running_in(server_id), party)

    async def chips_in_pots(self, server_id: int, party: int) -> int | None:
        """How many chips a member has in pots; None if a tournament of the server cannot be read."""
        rows = await self._ledger.running_tournaments_in(server_id)
        readable = self._readable(rows)
        return None if len(readable) < len(rows) else sum(one.entry for one in _entered(readable, party))

    def _readable(self, rows: Iterable[TournamentRow]) -> list[Tournament]:
        found = []
        for row in rows:
            try:
                found.append(parse_tournament(row.state))
            except ValueError:
                if row.tournament_id not in self._logged:
                    self._logged.add(row.tournament_id)
                    log.exception("tournament %s cannot be read: it waits", row.tournament_id)
        return found


def _entered(tournaments: Iterable[Tournament], party: int) -> list[Tournament]:
    return [one for one in tournaments if one.is_running and party in one.entrants]
