"""Counts settled rounds into standings, after they are settled: a settlement waits for none of it.

The transaction that settles a round only notes that it is to be counted. What is counted, and that it is, is
one transaction too, so each round counts once, whoever counts it and whatever fails meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any, Final

from pydantic import ValidationError

from bot.croupier.open_tables import Locks
from bot.ledger.audit import Finding
from bot.ledger.changes import RoundsCounted, StandingsCleared
from bot.ledger.errors import Overtaken
from bot.ledger.ledger import Ledger
from bot.ledger.records import UncountedRound
from bot.ledger.standing_queries import Snapshot, counted_rounds, servers_with_rounds, stored_counts
from bot.table.events import RoundSettled, parse_event
from bot.table.standings import Counts
from bot.table.state import RoundResult

AT_ONCE: Final = 50
"""How many rounds are counted in one transaction: members who play on have one row for all of them."""
MOST_FOR_A_READER: Final = 4
"""How many such transactions somebody who looks at a leaderboard waits for."""


class Standings:
    """Keeps standings up with the rounds of servers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._locks: Locks[int] = Locks()

    async def count(self, server_id: int, most: int = MOST_FOR_A_READER) -> bool:
        """Counts the rounds of a server that are not counted yet; returns whether there are none left.

        Args:
            most: how many transactions that may take.
        """
        async with self._locks[server_id]:
            for _ in range(most):
                rounds = await self._ledger.uncounted_rounds(server_id, AT_ONCE)
                if not rounds:
                    return True
                # In a thread, because a hand is ranked again for each player.
                added = await asyncio.to_thread(_added, server_id, rounds)
                events = tuple((one.table_id, one.sequence) for one in rounds)
                try:
                    await self._ledger.record(
                        RoundsCounted(
                            server_id, events, tuple(added.standings.values()), tuple(added.tallies.values())
                        )
                    )
                except Overtaken:
                    # Another process has counted some of them.
                    continue
                if len(rounds) < AT_ONCE:
                    return True
        return False

    async def count_all(self, of: Callable[[int], bool] = bool) -> AsyncIterator[int]:
        """Counts the rounds of these servers that are not counted yet; yields how many were, bit by bit."""
        for server_id, left in (await self._ledger.servers_to_count()).items():
            while of(server_id) and left > 0:
                is_done = await self.count(server_id, most=1)
                yield min(left, AT_ONCE)
                left = 0 if is_done else max(left - AT_ONCE, 1)

    async def clear(self) -> int:
        """Deletes all standings, to count every round again; returns how many rounds that are."""
        await self._ledger.record(StandingsCleared())
        return sum((await self._ledger.servers_to_count()).values())


def _added(server_id: int, rounds: Iterable[UncountedRound]) -> Counts:
    counts = Counts()
    for one in rounds:
        if (result := _result(one.body)) is not None:
            counts.add(server_id, one.at, result)
    return counts


def _result(body: str) -> RoundResult | None:
    """The result of a settled round; None if its event cannot be read, which `verify_tables` reports."""
    try:
        event = parse_event(body)
    except ValidationError:
        return None
    return event.result if isinstance(event, RoundSettled) else None


async def standing_problems(connection: Snapshot) -> list[Finding]:
    """What is wrong with the standings: each is what the counted rounds brought its member.

    Members who are erased have none.
    """
    findings: list[Finding] = []
    for server_id in await servers_with_rounds(connection):
        due = Counts()
        async with aclosing(counted_rounds(connection, server_id)) as rounds:
            async for at, body in rounds:
                if (result := _result(body)) is not None:
                    due.add(server_id, at, result)
        stored, members = await stored_counts(connection, server_id)
        findings += _differing("standing", due.standings, stored.standings, members)
        findings += _differing("tally", due.tallies, stored.tallies, members)
    return findings


def _differing(
    what: str, due: Mapping[Any, object], stored: Mapping[Any, object], members: set[int]
) -> Iterable[Finding]:
    due = {key: one for key, one in due.items() if key.party in members}
    for key in sorted(due.keys() | stored.keys()):
        if stored.get(key) != due.get(key):
            of = ", ".join(
                str(value) for name, value in key._asdict().items() if name not in ("server_id", "party")
            )
            yield Finding(
                key.server_id,
                f"the {what} of party {key.party} ({of}) is {stored.get(key)}, and should be {due.get(key)}",
            )
