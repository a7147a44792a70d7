"""Counts settled rounds into standings, after they are settled: a settlement waits for none of it.

The transaction that settles a round only notes that it is to be counted. What is counted, and that it is, is
one transaction too, so each round counts once, no matter who counts it and what fails meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from threading import Lock
from typing import Any, Final, TypeVar

from cachetools import LRUCache
from pydantic import ValidationError

from bot.croupier.open_tables import Locks, TableChanged
from bot.games.hands import decks_in_play
from bot.games.settle import worth_of
from bot.ledger.audit import Finding
from bot.ledger.audit_queries import flows_in
from bot.ledger.changes import RoundsCounted, Season, StandingsCleared
from bot.ledger.errors import Overtaken
from bot.ledger.ledger import Ledger
from bot.ledger.records import SettledRound
from bot.ledger.season_queries import stored_seasons
from bot.ledger.standing_queries import Snapshot, counted_rounds, servers_with_rounds, stored_counts
from bot.odds.chances import chances_under
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.table.achievements import Achievement, AchieverKey, Part, Progress, Settled, parts_of, progress_json
from bot.table.audit import Flow, FlowKey, flows_of
from bot.table.events import BankGivenUp, RoundSettled, parse_event
from bot.table.standings import Chances, Counts
from bot.table.state import NOBODY, LeaveReason, RoundResult, TableState

AT_ONCE: Final = 50
"""How many rounds are counted in one transaction: members who play on have one row for all of them."""
MOST_FOR_A_READER: Final = 4
"""How many such transactions somebody who looks at a leaderboard waits for."""
REACHED_KEPT: Final = 1_000
"""Of how many rounds it is kept who achieved what in them, for boards."""
PATIENCE_SECONDS: Final = 1.0
"""How long such a reader waits for chances that are not known yet."""
T = TypeVar("T")
COUNTING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="standings")
"""Ranks the hands of rounds again, for each player."""
CHANCES: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chances")
"""Counts the chances of rules that no preset has, which takes seconds: only who needs them waits."""
RULES_KEPT: Final = 256
Bets = tuple[HouseRules, int, bool]
"""What chances depend on: what hands are worth, the decks in play, and whether players have several."""
known: Final[LRUCache[Bets, Chances]] = LRUCache(RULES_KEPT)
_knowing: Final = Lock()
"""Held while `known` is read or written: two threads do."""


class Standings:
    """Keeps standings up with the rounds of servers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._locks: Locks[int] = Locks()
        self._reached: LRUCache[tuple[int, int, int], list[tuple[int, Achievement]]] = LRUCache(REACHED_KEPT)
        self._settled: dict[int, None] = {}

    def follow(self, change: TableChanged) -> None:
        """Notes a server where a round was settled."""
        if any(isinstance(event, RoundSettled) for event in change.events):
            self._settled[change.after.server_id] = None

    def take_settled(self) -> list[int]:
        """The servers where rounds were settled since this was asked last."""
        servers, self._settled = list(self._settled), {}
        return servers

    def reached_in(self, table: TableState) -> Sequence[tuple[int, Achievement]]:
        """Who achieved what in a table's last round, as far as it is counted."""
        if table.last is None:
            return ()
        return self._reached.get((table.server_id, table.number, table.last.round_number), ())

    async def count(self, server_id: int, most: int = MOST_FOR_A_READER, *, at_leisure: bool = False) -> bool:
        """Counts the rounds of a server that are not counted yet; returns whether there are none left.

        Args:
            most: how many transactions that may take.
            at_leisure: whether to wait for chances of rules that are new to this process, which take seconds;
                a reader waits `PATIENCE_SECONDS` for them, also if somebody else counts already.
        """
        patience = None if at_leisure else PATIENCE_SECONDS
        counts = self._locks[server_id]
        try:
            await asyncio.wait_for(counts.acquire(), patience)
        except TimeoutError:
            return False
        try:
            return await self._count(server_id, most, patience)
        finally:
            counts.release()

    async def _count(self, server_id: int, most: int, patience: float | None) -> bool:
        for _ in range(most):
            rounds = await self._ledger.uncounted_rounds(server_id, AT_ONCE)
            if not rounds:
                return True
            # Read after the rounds: each was settled in a season that is stored.
            seasons = await self._ledger.seasons(server_id)
            try:
                counting = _added(server_id, rounds, seasons)
                added, played, flows = await asyncio.wait_for(counting, patience)
            except TimeoutError:
                return False
            links = tuple(one.link for one in rounds)
            # Read after the rounds: if another process counts meanwhile, it counts the first of them.
            parties = {party for _, parts in played for party in parts}
            progress = await self._ledger.progress_of(server_id, parties)
            before = {**progress}
            for settled, parts in played:
                _go_on(progress, settled, parts)
            texts = tuple((party, progress_json(one)) for party, one in progress.items())
            try:
                await self._ledger.record(
                    RoundsCounted(
                        server_id,
                        links,
                        tuple(added.standings.values()),
                        tuple(added.tallies.values()),
                        texts,
                        tuple(flows.values()),
                    )
                )
            except Overtaken:
                # Another process has counted some of them.
                continue
            self._note(server_id, before, progress)
            if len(rounds) < AT_ONCE:
                return True
        return False

    def _note(self, server_id: int, before: Mapping[int, Progress], after: Mapping[int, Progress]) -> None:
        """Keeps for boards what members have achieved."""
        for party, progress in after.items():
            known = len(before[party].reached) if party in before else 0
            for one in progress.reached[known:]:
                of_round = self._reached.setdefault((server_id, one.table, one.round_number), [])
                of_round.append((party, one.achievement))

    async def count_all(self, of: Callable[[int], bool] = bool) -> AsyncIterator[int]:
        """Counts the rounds of these servers that are not counted yet; yields how many were, bit by bit."""
        for server_id, left in (await self._ledger.servers_to_count()).items():
            while of(server_id) and left > 0:
                is_done = await self.count(server_id, most=1, at_leisure=True)
                yield min(left, AT_ONCE)
                left = 0 if is_done else max(left - AT_ONCE, 1)

    async def clear(self) -> int:
        """Deletes all standings, to count every round again; returns how many rounds that are."""
        await self._ledger.record(StandingsCleared())
        return sum((await self._ledger.servers_to_count()).values())


def _in_thread(thread: ThreadPoolExecutor, work: Callable[..., T], *what: object) -> asyncio.Future[T]:
    return asyncio.get_running_loop().run_in_executor(thread, work, *what)


async def chances_of(result: RoundResult) -> Chances | None:
    """The chances of a round's bets with the strongest hands, by its exact odds; None if for points."""
    rules = result.rules
    if rules.play is not Play.CHIPS:
        return None
    players = len(result.players)
    bets = worth_of(rules), decks_in_play(rules, players + 1), players > 1
    with _knowing:
        found = known.get(bets)
    return found or await _in_thread(CHANCES, _remembered, bets)


def _remembered(bets: Bets) -> Chances:
    """The chances, counted once, also if who waits for them goes meanwhile."""
    with _knowing:
        found = known.get(bets)
    if found is None:
        found = Chances(*chances_under(*bets))
        with _knowing:
            known[bets] = found
    return found


_Played = list[tuple[Settled, dict[int, Part]]]


_Flows = dict[FlowKey, Flow]


async def _added(
    server_id: int, rounds: Sequence[SettledRound], seasons: Sequence[Season]
) -> tuple[Counts, _Played, _Flows]:
    """What rounds add to standings, the parts of members in each, and what went between them."""
    results = await _in_thread(COUNTING, lambda: [_result(one.body) for one in rounds])
    chances = [None if result is None else await chances_of(result) for result in results]
    return await _in_thread(COUNTING, _summed, server_id, rounds, results, chances, seasons)


def _summed(
    server_id: int,
    rounds: Sequence[SettledRound],
    results: Sequence[RoundResult | None],
    chances: Sequence[Chances | None],
    seasons: Sequence[Season],
) -> tuple[Counts, _Played, _Flows]:
    counts, played, flows = Counts(), [], _Flows()
    for one, result, of_round in zip(rounds, results, chances, strict=True):
        if result is not None:
            counts.add(server_id, one.at, result, of_round, _periods(seasons, one))
            settled = Settled(one.at, one.table, result.round_number)
            played.append((settled, parts_of(result, is_bust=_is_bust(one))))
            _flow_on(flows, flows_of(server_id, one.at, result, of_round))
    return counts, played, flows


def _flow_on(flows: _Flows, more: Iterable[Flow]) -> None:
    """Adds what a round moved."""
    for flow in more:
        before = flows.get(flow.key)
        flows[flow.key] = flow if before is None else before.plus(flow)


def _periods(seasons: Sequence[Season], one: SettledRound) -> list[str]:
    """The seasons that a round counts for."""
    return [season.period for season in seasons if season.has(one.link)]


def _go_on(progress: dict[int, Progress], settled: Settled, parts: Mapping[int, Part]) -> None:
    """Adds a round to the progress of its members."""
    for party, part in parts.items():
        progress[party] = progress.get(party, Progress()).after(part, settled)


def _is_bust(one: SettledRound) -> bool:
    """Whether a round broke the bank."""
    try:
        event = None if one.given_up is None else parse_event(one.given_up)
    except ValidationError:
        return False
    return isinstance(event, BankGivenUp) and event.leave_reason is LeaveReason.CANNOT_COVER


def _result(body: str) -> RoundResult | None:
    """The result of a settled round; None if its event cannot be read, which `verify_tables` reports."""
    try:
        event = parse_event(body)
    except ValidationError:
        return None
    return event.result if isinstance(event, RoundSettled) else None


async def standing_problems(connection: Snapshot) -> list[Finding]:
    """What is wrong with the standings: each is what the counted rounds brought its member.

    Members who are erased have none. What went between two parties stays, as their rounds do.
    """
    findings: list[Finding] = []
    for server_id in await servers_with_rounds(connection):
        due, progress, flows = Counts(), dict[int, Progress](), _Flows()
        seasons = await stored_seasons(connection, server_id)
        async with aclosing(counted_rounds(connection, server_id)) as rounds:
            async for one in rounds:
                if (result := _result(one.body)) is not None:
                    chances = await chances_of(result)
                    due.add(server_id, one.at, result, chances, _periods(seasons, one))
                    _flow_on(flows, flows_of(server_id, one.at, result, chances))
                    settled = Settled(one.at, one.table, result.round_number)
                    _go_on(progress, settled, parts_of(result, is_bust=_is_bust(one)))
        stored, reached, members = await stored_counts(connection, server_id)
        findings += _differing("standing", due.standings, stored.standings, members | {NOBODY})
        findings += _differing("tally", due.tallies, stored.tallies, members)
        texts = {AchieverKey(server_id, party): progress_json(one) for party, one in progress.items()}
        findings += _differing("progress", texts, reached, members)
        stored_flows = await flows_in(connection, server_id)
        findings += [
            Finding(
                server_id,
                f"what flowed between parties {key.one} and {key.other} in week {key.week} is "
                f"{stored_flows.get(key)}, and should be {flows.get(key)}",
            )
            for key in sorted(flows.keys() | stored_flows.keys())
            if stored_flows.get(key) != flows.get(key)
        ]
    return findings


def _differing(
    what: str, due: Mapping[Any, object], stored: Mapping[Any, object], members: set[int]
) -> Iterable[Finding]:
    due = {key: one for key, one in due.items() if key.party in members}
    for key in sorted(due.keys() | stored.keys()):
        if stored.get(key) != due.get(key):
            of = ", ".join(str(part) for part in key if part not in (key.server_id, key.party))
            yield Finding(
                key.server_id,
                f"the {what} of party {key.party} ({of}) is {stored.get(key)}, and should be {due.get(key)}",
            )
