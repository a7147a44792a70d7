"""Who leads in a server, what a profile shows, and which rounds are in no standing yet.

A page, and a member's own place, come from an index that has the members in that order. What members have now
changes with every round, and is in no such index: it is added up of those who have played lately.
"""

from collections.abc import AsyncGenerator, Collection
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
    tuple_,
    union,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.contract import MOST_PLAYERS
from bot.ledger.changes import Season
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import Leaderboard, OwnRank, Rank, SettledRound
from bot.ledger.schema import (
    UNLISTED,
    accounts,
    achievements,
    chains,
    events,
    parties,
    seasons,
    standings,
    tables,
    tallies,
    uncounted_rounds,
)
from bot.ledger.sql import listed, total
from bot.rules.knobs import GameName
from bot.table.accounts import OF_CHIPS, AccountKind
from bot.table.achievements import AchieverKey, Progress, Reached, parse_progress
from bot.table.standings import EVERY, SETTLED, Counts, Measure, Standing, Tally
from bot.table.state import NOBODY

Snapshot = AsyncConnection
"""What `Reader.reading` gives."""
_PARTY: Final[BindParameter[int]] = bindparam("party")
_UNLISTED: Final = select(parties.c.party).where(parties.c.server_id == bindparam("server"), UNLISTED)
_SLICE: Final = and_(
    standings.c.server_id == bindparam("server"),
    standings.c.period == bindparam("period"),
    standings.c.game == bindparam("game"),
)
_LISTED: Final = and_(
    _SLICE,
    standings.c.last_at >= bindparam("since"),
    standings.c.party != literal_column(str(NOBODY)),
    standings.c.party.not_in(_UNLISTED),
)


def _page(measure: Measure) -> Statement:
    """Some of the members in order: party and amount; among equals, who played last comes first."""
    amount = standings.c[measure]
    return Statement(
        select(standings.c.party, amount)
        .where(_LISTED, amount.is_not(None))
        .order_by(amount.desc(), standings.c.last_at.desc(), standings.c.party.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


def _ahead(measure: Measure) -> Statement:
    """How many members have more than an amount."""
    amount = standings.c[measure]
    return Statement(select(func.count()).where(_LISTED, amount > bindparam("amount")))


def _own(measure: Measure) -> Statement:
    """A member's amount, how many have more, and how many others are above them in the order."""
    amount, mine = standings.c[measure], standings.alias("mine")
    own = mine.c[measure]
    more = select(func.count()).where(_LISTED, amount > own).correlate(mine).scalar_subquery()
    above = (
        select(func.count())
        .where(
            _LISTED,
            # Said apart, so that the index stops there.
            amount >= own,
            tuple_(amount, standings.c.last_at, standings.c.party)
            > tuple_(own, mine.c.last_at, mine.c.party),
        )
        .correlate(mine)
        .scalar_subquery()
    )
    return Statement(
        select(own, more, above).where(
            mine.c.server_id == bindparam("server"),
            mine.c.period == bindparam("period"),
            mine.c.game == bindparam("game"),
            mine.c.party == _PARTY,
            own.is_not(None),
        )
    )


def _owned() -> tuple[Statement, Statement, Statement]:
    """The same three of what members have now, held chips included."""
    of_chips = or_(*(accounts.c.kind == kind for kind in sorted(OF_CHIPS)))
    amount = total(accounts.c.balance).label("amount")
    owned = (
        select(accounts.c.party, amount)
        .select_from(
            standings.join(
                accounts,
                (accounts.c.server_id == standings.c.server_id) & (accounts.c.party == standings.c.party),
            )
        )
        .where(_LISTED, accounts.c.party.is_not(None), of_chips)
        .group_by(accounts.c.party)
        .subquery()
    )
    mine = (
        select(amount)
        .where(accounts.c.server_id == bindparam("server"), accounts.c.party == _PARTY, of_chips)
        .subquery()
    )
    more = owned.c.amount > mine.c.amount
    above = more | ((owned.c.amount == mine.c.amount) & (owned.c.party > _PARTY))
    own = (
        select(mine.c.amount, func.count().filter(more), func.count().filter(above))
        .select_from(mine.outerjoin(owned, literal(1) == 1))
        .where(mine.c.amount.is_not(None))
        .group_by(mine.c.amount)
    )
    page = select(owned).order_by(owned.c.amount.desc(), owned.c.party.desc())
    return (
        Statement(page.limit(bindparam("limit")).offset(bindparam("offset"))),
        Statement(select(func.count()).select_from(owned).where(owned.c.amount > bindparam("amount"))),
        Statement(own),
    )


PAGES: Final = {
    measure: _owned() if measure is Measure.CHIPS else (_page(measure), _ahead(measure), _own(measure))
    for measure in Measure
}
"""What reads a page, how many have more than an amount, and a member's own place."""
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
_STANDING: Final = Statement(select(standings).where(_SLICE, standings.c.party == _PARTY))
_MONTHS: Final = Statement(
    select(standings.c.period)
    .distinct()
    .where(
        standings.c.server_id == bindparam("server"),
        standings.c.period.like("____-__"),
        standings.c.game == EVERY,
    )
    .order_by(standings.c.period.desc())
    .limit(bindparam("limit"))
)
_TALLIES: Final = Statement(
    select(tallies).where(tallies.c.server_id == bindparam("server"), tallies.c.party == _PARTY)
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


_SEASONS: Final = Statement(
    select(seasons).where(seasons.c.server_id == bindparam("server")).order_by(seasons.c.number.desc())
)
_RUNNING_SEASONS: Final = Statement(select(seasons).where(~seasons.c.is_over))
_SEASONS_TO_POST: Final = Statement(
    select(seasons).where(seasons.c.is_over, ~seasons.c.is_posted, seasons.c.channel_id.is_not(None))
)
_LAST_LINK: Final = select(chains.c.last_link).where(chains.c.server_id == bindparam("server"))
_HELD: Final = select(func.count()).where(
    accounts.c.server_id == bindparam("server"),
    accounts.c.kind == AccountKind.HOLD,
    accounts.c.balance != 0,
)
_WALLETS: Final = (
    select(accounts.c.party, accounts.c.balance)
    .select_from(accounts.join(parties, parties.c.party == accounts.c.party))
    .where(
        accounts.c.server_id == bindparam("server"),
        accounts.c.kind == AccountKind.WALLET,
        parties.c.server_id == bindparam("server"),
    )
    .order_by(accounts.c.party)
)


def _season(*row: Any) -> Season:
    """A season from its row, in which SQLite has numbers for what is true or false."""
    season = Season(*row)
    return replace(
        season, resets=bool(season.resets), is_over=bool(season.is_over), is_posted=bool(season.is_posted)
    )


class StandingQueries(Reader):
    """Reads standings and seasons."""

    async def seasons(self, server_id: int) -> list[Season]:
        """The seasons of a server, the newest first."""
        return await self.all_of(_season, _SEASONS, server=server_id)

    async def running_seasons(self) -> list[Season]:
        """The seasons of all servers that are not over."""
        return await self.all_of(_season, _RUNNING_SEASONS)

    async def seasons_to_post(self) -> list[Season]:
        """The seasons that are over, and whose first three are still to be posted."""
        return await self.all_of(_season, _SEASONS_TO_POST)

    async def chips_at_rest(self, server_id: int) -> tuple[int, dict[int, int]] | None:
        """The last link of a server's chain, and what each member has then; None while chips are held."""
        values = {"server": server_id}
        async with self.reading() as connection:
            if (await connection.execute(_HELD, values)).scalar_one():
                return None
            link = (await connection.execute(_LAST_LINK, values)).scalar() or 0
            found = await connection.execute(_WALLETS, values)
            return link, {row.party: row.balance for row in found}

    async def leaders(self, board: Leaderboard, offset: int, limit: int) -> list[Rank]:
        """Some members of a leaderboard, in its order, from the one after the first `offset` on."""
        page, ahead, _ = PAGES[board.measure]
        found = await self.rows(page, **board.values, limit=limit, offset=offset)
        ranks: list[Rank] = []
        for position, (party, amount) in enumerate(found, offset + 1):
            if ranks and ranks[-1].amount == amount:
                place = ranks[-1].place
            elif ranks or position == 1:
                place = position
            else:
                place = 1 + int(await self.value(ahead, **board.values, amount=amount))
            ranks.append(Rank(place, party, amount))
        return ranks

    async def rank(self, board: Leaderboard, party: int) -> OwnRank | None:
        """A member's own place, also if they are not listed; None without anything to rank."""
        row = await self.row(PAGES[board.measure][2], **board.values, party=party)
        return None if row is None else OwnRank(row[1] + 1, party, row[0], row[2])

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
        """What a member's profile is made of."""
        return await self.all_of(Tally, _TALLIES, server=server_id, party=party)


async def stored_seasons(connection: AsyncConnection, server_id: int) -> list[Season]:
    """The seasons of a server."""
    rows = await connection.execute(select(seasons).where(seasons.c.server_id == server_id))
    return [_season(*row) for row in rows]


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
