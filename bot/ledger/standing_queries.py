"""What rounds brought members, day by day and in all, and which rounds are in no standing yet."""

from collections.abc import AsyncGenerator, Collection
from itertools import accumulate
from typing import Final

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    select,
    union,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.contract import MOST_PLAYERS
from bot.ledger.chip_queries import PURSE, purse_of
from bot.ledger.rank_queries import SLICE, UNLISTED_PARTIES
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import DaysPlayed, Purse, SettledRound
from bot.ledger.schema import (
    LARGEST,
    NOT_OF_A_ROUND,
    achievements,
    events,
    parties,
    standings,
    tables,
    tallies,
    transfers,
    uncounted_rounds,
)
from bot.ledger.sql import day_of, listed, total
from bot.rules.knobs import GameName
from bot.table.achievements import AchieverKey, Progress, Reached, parse_progress
from bot.table.standings import BY_DAY, EVERY, SETTLED, Counts, Standing, Tally
from bot.table.state import NOBODY

Snapshot = AsyncConnection
"""What `Reader.reading` gives."""
_PARTY: Final[BindParameter[int]] = bindparam("party")
_SAME_EVENT: Final = (events.c.table_id == uncounted_rounds.c.table_id) & (
    events.c.sequence == uncounted_rounds.c.sequence
)
MOST_LEAVE: Final = 2 * MOST_PLAYERS
"""After how many events of the same command, at most, the bank is given up: others leave first."""
_given_up: Final = events.alias()
_ROUND: Final = select(
    events.c.link,
    events.c.table_id,
    tables.c.number,
    events.c.at,
    events.c.body,
    select(_given_up.c.body)
    .where(
        _given_up.c.table_id == events.c.table_id,
        _given_up.c.sequence > events.c.sequence,
        _given_up.c.sequence <= events.c.sequence + literal_column(str(MOST_LEAVE)),
        _given_up.c.kind == literal_column("'bank_given_up'"),
        _given_up.c.command_key == events.c.command_key,
    )
    .limit(literal_column("1"))
    .scalar_subquery(),
)
_UNCOUNTED: Final = Statement(
    _ROUND.select_from(uncounted_rounds.join(events, _SAME_EVENT).join(tables))
    .where(uncounted_rounds.c.server_id == bindparam("server"))
    .order_by(uncounted_rounds.c.link)
    .limit(bindparam("limit"))
)
_UNCOUNTED_SERVERS: Final = Statement(
    select(uncounted_rounds.c.server_id, func.count()).group_by(uncounted_rounds.c.server_id)
)
_OF_PARTY: Final = Statement(select(standings).where(standings.c.party == _PARTY))
_STANDING: Final = Statement(select(standings).where(SLICE, standings.c.party == _PARTY))
_STANDINGS_IN: Final = Statement(
    select(standings)
    .where(
        standings.c.server_id == bindparam("server"),
        standings.c.party.not_in(UNLISTED_PARTIES),
        standings.c.party != literal_column(str(NOBODY)),
    )
    .order_by(standings.c.last_at.desc(), standings.c.party, standings.c.period, standings.c.game)
    .limit(bindparam("limit"))
)
_last: Final = select(func.max(standings.c.period).label("period")).where(
    standings.c.server_id == bindparam("server")
)
# Digits come before this one, and the first letters of other periods after it.
_periods: Final = _last.where(standings.c.period < literal_column("':'")).cte("periods", recursive=True)
_PERIODS: Final = _periods.union_all(
    # From each to the next one by the index, since a period has very many rows.
    select(_last.where(standings.c.period < _periods.c.period).scalar_subquery()).where(
        _periods.c.period.is_not(None)
    )
)
_MONTHS: Final = Statement(
    select(_PERIODS.c.period)
    .where(_PERIODS.c.period.like("____-__"))
    .order_by(_PERIODS.c.period.desc())
    .limit(bindparam("limit"))
)
_OF_MEMBER: Final = (tallies.c.server_id == bindparam("server"), tallies.c.party == _PARTY)
_IS_DAY: Final = tallies.c.part == literal_column(f"'{BY_DAY}'")
_TALLIES: Final = Statement(select(tallies).where(*_OF_MEMBER))
_RESULTS: Final = Statement(select(tallies).where(*_OF_MEMBER, ~_IS_DAY))
_days: Final = (
    select(
        *(tallies.c.item, tallies.c.won, tallies.c.net),
        # Days in a row have it in common.
        (tallies.c.item - func.row_number().over(order_by=tallies.c.item)).label("run"),
    )
    .where(*_OF_MEMBER, _IS_DAY)
    .subquery()
)
_runs: Final = (
    select(
        func.min(_days.c.item).label("first"),
        func.max(_days.c.item).label("last"),
        func.count().label("days"),
        total(_days.c.won).label("won"),
        func.max(_days.c.net).label("best"),
    )
    .group_by(_days.c.run)
    .subquery()
)
_DAYS_PLAYED: Final = Statement(
    select(
        func.min(_runs.c.first),
        total(_runs.c.won),
        func.max(_runs.c.days).filter(_runs.c.last >= bindparam("yesterday")),
        func.max(_runs.c.days),
        select(tallies.c.item)
        .where(*_OF_MEMBER, _IS_DAY)
        .order_by(tallies.c.net.desc(), tallies.c.item)
        .limit(literal_column("1"))
        .scalar_subquery(),
        func.max(_runs.c.best),
    )
)


_own, _same = transfers.alias("own"), transfers.alias("same")
_first_rounds: Final = tuple(
    # What is asked of the first is all in the index of a member's transfers: else SQLite reads the server's.
    select(_own.c.link)
    .select_from(_own.join(_same, (_same.c.server_id == bindparam("server")) & (_same.c.link == _own.c.link)))
    .where(_own.c.server_id == bindparam("server"), side == _PARTY, _same.c.round_number.is_not(None))
    .order_by(_own.c.link)
    .limit(literal_column("1"))
    .scalar_subquery()
    for side in (_own.c.gainer, _own.c.loser)
)
"""The first transfers by which a round brought a member chips, and took some."""
_had_before: Final = and_(*(transfers.c.link < func.coalesce(first, LARGEST) for first in _first_rounds))


def _moved(
    day: ColumnElement[int], chips: ColumnElement[int], before: ColumnElement[int]
) -> Select[int, int, int]:
    """What a member gained, and what of it before their first round, with the step of their balances."""
    step = (day - bindparam("first", type_=BigInteger)) // bindparam("days", type_=BigInteger)
    return select(step.label("step"), chips.label("chips"), before.label("before"))


def _without_round(side: Column[int], chips: ColumnElement[int]) -> Select[int, int, int]:
    """The same of gifts, handouts and all else that is of no round."""
    before = case((_had_before, chips), else_=literal_column("0", BigInteger))
    return _moved(day_of(transfers.c.at), chips, before).where(
        transfers.c.server_id == bindparam("server"), side == _PARTY, NOT_OF_A_ROUND
    )


_all_moved: Final = union_all(
    _moved(tallies.c.item, tallies.c.net, literal_column("0", BigInteger)).where(*_OF_MEMBER, _IS_DAY),
    _without_round(transfers.c.gainer, transfers.c.chips),
    _without_round(transfers.c.loser, -transfers.c.chips),
).subquery()
STEPS: Final = Statement(
    select(_all_moved.c.step, total(_all_moved.c.chips), total(_all_moved.c.before)).group_by(
        _all_moved.c.step
    )
)
_COUNTED: Final = (
    _ROUND.select_from(
        tables.join(events).outerjoin(
            uncounted_rounds,
            (uncounted_rounds.c.server_id == tables.c.server_id) & _SAME_EVENT,
        )
    )
    .where(
        tables.c.server_id == bindparam("server"),
        events.c.kind == SETTLED,
        uncounted_rounds.c.link.is_(None),
    )
    .order_by(events.c.link)
)
_PROGRESS: Final = Statement(
    select(achievements.c.party, achievements.c.progress).where(
        achievements.c.server_id == bindparam("server"), achievements.c.party.in_(listed("parties"))
    )
)


class StandingQueries(Reader):
    """Reads standings, tallies and achievements."""

    async def uncounted_rounds(self, server_id: int, limit: int) -> list[SettledRound]:
        """The first settled rounds of a server that are in no standing yet, in the order of its chain."""
        return await self.all_of(SettledRound, _UNCOUNTED, server=server_id, limit=limit)

    async def progress_of(self, server_id: int, parties: Collection[int]) -> dict[int, Progress]:
        """How far members have come; without those who have not begun."""
        rows = await self.rows(_PROGRESS, server=server_id, parties=list(parties))
        return {party: parse_progress(text) for party, text in rows}

    async def reached_by(self, server_id: int, party: int) -> tuple[Reached, ...]:
        """What a member has achieved, oldest first."""
        return (await self.progress_of(server_id, [party])).get(party, Progress()).reached

    async def servers_to_count(self) -> dict[int, int]:
        """How many settled rounds are in no standing yet, by server."""
        return dict(await self.rows(_UNCOUNTED_SERVERS))

    async def standings_of(self, party: int) -> list[Standing]:
        """Every standing of a member."""
        return await self.all_of(Standing, _OF_PARTY, party=party)

    async def standings_in(self, server_id: int, limit: int) -> list[Standing]:
        """The standings of the members whom leaderboards show, who played last first; it may take long."""
        rows = await self.many_rows(_STANDINGS_IN, server=server_id, limit=limit)
        return [Standing(*row) for row in rows]

    async def months_counted(self, server_id: int, limit: int) -> list[str]:
        """The newest months in which a round of a server was counted, the newest first."""
        return [month for (month,) in await self.rows(_MONTHS, server=server_id, limit=limit)]

    async def standing(
        self, server_id: int, party: int, period: str = EVERY, game: GameName = EVERY
    ) -> Standing | None:
        """A member's standing, or that of `NOBODY`; None before the first counted round."""
        found = await self.all_of(
            Standing, _STANDING, server=server_id, period=period, game=game, party=party
        )
        return found[0] if found else None

    async def tallies_of(self, server_id: int, party: int) -> list[Tally]:
        """Every tally of a member."""
        return await self.all_of(Tally, _TALLIES, server=server_id, party=party)

    async def results_of(self, server_id: int, party: int) -> list[Tally]:
        """The tallies of a member's rounds as banker, and of those with each class of hand."""
        return await self.all_of(Tally, _RESULTS, server=server_id, party=party)

    async def days_played(self, server_id: int, party: int, today: int) -> DaysPlayed | None:
        """The days on which a member played; None before the first counted round."""
        row = await self.row(_DAYS_PLAYED, server=server_id, party=party, yesterday=today - 1)
        if row is None or row[0] is None:
            return None
        first, won, in_a_row, most, day, net = row
        return DaysPlayed(first, won, in_a_row or 0, most, (day, net) if net > 0 else None)

    async def balances(
        self, server_id: int, party: int, first: int, today: int, most: int
    ) -> tuple[Purse, list[int]]:
        """What a member has, and their chips before their first round and at the end of each day since.

        What is dated before or after these days counts as of the first or the last; so does a round that is
        not counted yet as of the last.

        Args:
            first: the day of that round, which is the first that changed their chips.
            most: how many balances there are at most; several days are one step if there are more.
        """
        days = 1 + max(today - first, 0)
        together = -(-days // (most - 1))
        moved, begun = [0] * -(-days // together), 0
        of_member = {"server": server_id, "party": party}
        # Of one moment: a round may be settled meanwhile.
        async with self.reading() as connection:
            purse = purse_of(await connection.execute(PURSE.query, of_member))
            steps = await connection.execute(STEPS.query, of_member | {"first": first, "days": together})
        for step, chips, before in steps:
            number = min(max(step, 0), len(moved) - 1)
            moved[number] += chips
            begun += before
        after = list(accumulate(moved))
        return purse, [begun, *after[:-1], purse.total]


async def servers_with_rounds(connection: AsyncConnection) -> list[int]:
    """The servers that have a table, a standing or an achievement."""
    found = union(*(select(table.c.server_id) for table in (tables, standings, achievements)))
    return sorted((await connection.execute(found)).scalars())


async def counted_rounds(connection: AsyncConnection, server_id: int) -> AsyncGenerator[SettledRound, None]:
    """Yields every round of a server that is in its standings, in the order of its chain."""
    async with connection.stream(_COUNTED, {"server": server_id}) as rows:
        async for row in rows:
            yield SettledRound(*row)


async def stored_counts(
    connection: AsyncConnection, server_id: int
) -> tuple[Counts, dict[AchieverKey, str], set[int]]:
    """Every standing, tally and progress of a server, and the members who are stored there."""
    counts = Counts()
    for row in await connection.execute(select(standings).where(standings.c.server_id == server_id)):
        standing = Standing(*row)
        counts.standings[standing.key] = standing
    for row in await connection.execute(select(tallies).where(tallies.c.server_id == server_id)):
        tally = Tally(*row)
        counts.tallies[tally.key] = tally
    stored = await connection.execute(select(achievements).where(achievements.c.server_id == server_id))
    progress = {AchieverKey(server_id, party): text for _, party, text in stored}
    members = await connection.execute(select(parties.c.party).where(parties.c.server_id == server_id))
    return counts, progress, set(members.scalars())
