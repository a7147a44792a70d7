"""Who leads in a server, what a profile shows, and which rounds are in no standing yet.

A page, and a member's own place, come from an index that has the members in that order. What members have now
changes with every round, and is in no such index: it is added up of those who have played lately. In a large
server that takes seconds, and so does counting who is above a member: there the order is kept for a minute.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from operator import neg
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import (
    BindParameter,
    Select,
    Subquery,
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

from bot.clock import HOUR_SECONDS, steady_time
from bot.games.contract import MOST_PLAYERS
from bot.ledger.changes import Season
from bot.ledger.chip_queries import of_party
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import Leaderboard, OwnRank, Rank, SettledRound
from bot.ledger.schema import (
    UNLISTED,
    accounts,
    achievements,
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


class Pages(NamedTuple):
    """What reads a leaderboard.

    Attributes:
        page: some of the members in order: party and amount; among equals, who played last comes first.
        ahead: how many members have more than an amount.
        own: a member's amount, how many have more, and how many others are above them in the order.
        order: as `page`, all of them.
        some: of these members party, amount, and what else their order follows. Who has no amount is left out
            and all are sorted afterwards: for that, SQLite would go through all members.
        amount: a member's amount.
    """

    page: Statement
    ahead: Statement
    own: Statement
    order: Statement
    some: Statement
    amount: Statement


_SOME: Final = standings.c.party.in_(listed("parties"))


def _ranked(measure: Measure) -> Pages:
    """The order by what rounds brought."""
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
    theirs = (
        mine.c.server_id == bindparam("server"),
        mine.c.period == bindparam("period"),
        mine.c.game == bindparam("game"),
        mine.c.party == _PARTY,
        own.is_not(None),
    )
    order = (
        select(standings.c.party, amount)
        .where(_LISTED, amount.is_not(None))
        .order_by(amount.desc(), standings.c.last_at.desc(), standings.c.party.desc())
    )
    return Pages(
        Statement(order.limit(bindparam("limit")).offset(bindparam("offset"))),
        Statement(select(func.count()).where(_LISTED, amount > bindparam("amount"))),
        Statement(select(own, more, above).where(*theirs)),
        Statement(order),
        Statement(select(standings.c.party, amount, standings.c.last_at).where(_LISTED, _SOME)),
        Statement(select(own).where(*theirs)),
    )


def _owned() -> Pages:
    """The order by what members have now, held chips included."""
    of_chips = or_(*(accounts.c.kind == kind for kind in sorted(OF_CHIPS)))
    amount = total(accounts.c.balance).label("amount")
    listed_accounts = (
        select(standings.c.party, amount)
        .select_from(
            standings.join(
                accounts,
                (accounts.c.server_id == standings.c.server_id) & of_party(standings.c.party),
            )
        )
        .where(_LISTED, accounts.c.party.is_not(None), of_chips)
        .group_by(standings.c.party)
    )
    owned = listed_accounts.subquery()
    mine = (
        select(amount)
        .where(accounts.c.server_id == bindparam("server"), of_party(_PARTY), of_chips)
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
    some = listed_accounts.where(_SOME).subquery()

    def ordered(of: Subquery) -> Select[*tuple[Any, ...]]:
        return select(of).order_by(of.c.amount.desc(), of.c.party.desc())

    return Pages(
        Statement(ordered(owned).limit(bindparam("limit")).offset(bindparam("offset"))),
        Statement(select(func.count()).select_from(owned).where(owned.c.amount > bindparam("amount"))),
        Statement(own),
        Statement(ordered(owned)),
        Statement(select(some, some.c.party)),
        Statement(select(mine).where(mine.c.amount.is_not(None))),
    )


PAGES: Final = {measure: _owned() if measure is Measure.CHIPS else _ranked(measure) for measure in Measure}
_IS_LARGE: Final = Statement(select(standings.c.party).where(_SLICE).limit(1).offset(bindparam("offset")))
LARGE: Final = 10_000
"""Up to so many members, all who are above somebody are counted each time."""
ORDER_SECONDS: Final = 60.0
"""How old the order of more members is before it is read again, which takes seconds. Nobody waits for it."""
MOST_IN_ORDERS: Final = 1_000_000
"""How many members are in all orders that are kept; each takes 16 bytes."""
SPARE: Final = 20
"""How many members more than are shown are read, for those who are on the leaderboard no longer."""


class Order:
    """The members of a leaderboard in its order, a while ago; none if there are few of them.

    Attributes:
        read_at: when it was read, by `steady_time`.
    """

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.parties = array("q", (party for party, _ in rows))
        self._amounts = array("d", (amount for _, amount in rows))
        self.read_at = steady_time()

    def __len__(self) -> int:
        return len(self.parties)

    def ahead(self, amount: float) -> int:
        """How many had more than an amount."""
        return bisect_left(self._amounts, -amount, key=neg)

    def above(self, party: int, amount: float) -> int:
        """How many others are above a member with an amount."""
        first, end = self.ahead(amount), bisect_right(self._amounts, -amount, key=neg)
        try:
            return self.parties.index(party, first, end)
        except ValueError:
            return first


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
_STANDINGS_IN: Final = Statement(
    select(standings)
    .where(
        standings.c.server_id == bindparam("server"),
        standings.c.party.not_in(_UNLISTED),
        standings.c.party != literal_column(str(NOBODY)),
    )
    .order_by(standings.c.last_at.desc(), standings.c.party, standings.c.period, standings.c.game)
    .limit(bindparam("limit"))
)
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
_UNTOLD_SEASONS: Final = Statement(
    select(seasons)
    .where(
        seasons.c.is_over,
        or_(
            ~seasons.c.is_posted & seasons.c.channel_id.is_not(None),
            ~seasons.c.is_crowned & seasons.c.role_id.is_not(None),
        ),
    )
    # The oldest first, so that a role goes on from season to season.
    .order_by(seasons.c.server_id, seasons.c.number)
)
_HELD: Final = Statement(
    select(func.count()).where(
        accounts.c.server_id == bindparam("server"),
        accounts.c.kind == AccountKind.HOLD,
        accounts.c.balance != 0,
    )
)
_MEMBERS: Final = Statement(select(parties.c.party).where(parties.c.server_id == bindparam("server")))


def _season(*row: Any) -> Season:
    """A season from its row, in which SQLite has numbers for what is true or false."""
    one = Season(*row)
    return replace(
        one,
        resets=bool(one.resets),
        is_over=bool(one.is_over),
        is_posted=bool(one.is_posted),
        is_crowned=bool(one.is_crowned),
    )


class StandingQueries(Reader):
    """Reads standings and seasons."""

    async def seasons(self, server_id: int) -> list[Season]:
        """The seasons of a server, the newest first."""
        return await self.all_of(_season, _SEASONS, server=server_id)

    async def running_seasons(self) -> list[Season]:
        """The seasons of all servers that are not over."""
        return await self.all_of(_season, _RUNNING_SEASONS)

    async def untold_seasons(self) -> list[Season]:
        """The seasons that are over, and whose first three are still to be posted, or to get their role.

        The oldest of a server come first.
        """
        return await self.all_of(_season, _UNTOLD_SEASONS)

    async def holds_chips(self, server_id: int) -> bool:
        """Whether chips are held for bets in a server."""
        return bool(await self.value(_HELD, server=server_id))

    async def parties_of(self, server_id: int) -> list[int]:
        """The parties of a server's members."""
        return [party for (party,) in await self.rows(_MEMBERS, server=server_id)]

    async def first_leaders(self, board: Leaderboard, limit: int) -> list[Rank]:
        """The first members of a leaderboard; the order of a large one is neither read nor kept for them."""
        return await self._leaders(board, 0, limit, None)

    async def leaders(self, board: Leaderboard, offset: int, limit: int) -> list[Rank]:
        """Some members of a leaderboard, in its order, from the one after the first `offset` on."""
        return await self._leaders(board, offset, limit, await self._order(board))

    async def _leaders(self, board: Leaderboard, offset: int, limit: int, order: Order | None) -> list[Rank]:
        pages = PAGES[board.measure]
        if order:
            # They are where they were a while ago, unless they are hidden now, and have what they have now.
            some = list(order.parties[offset : offset + limit + SPARE])
            rows = await self.rows(pages.some, **board.values, parties=some)
            rows = [row for row in rows if row[1] is not None]
            rows.sort(key=lambda row: (*row[1:], row[0]), reverse=True)
            found = [row[:2] for row in rows[:limit]]
        else:
            found = await self.rows(pages.page, **board.values, limit=limit, offset=offset)
        ranks: list[Rank] = []
        for position, (party, amount) in enumerate(found, offset + 1):
            if ranks and ranks[-1].amount == amount:
                place = ranks[-1].place
            elif ranks or position == 1:
                place = position
            elif order:
                place = 1 + order.ahead(amount)
            else:
                place = 1 + int(await self.value(pages.ahead, **board.values, amount=amount))
            ranks.append(Rank(place, party, amount))
        return ranks

    async def rank(self, board: Leaderboard, party: int) -> OwnRank | None:
        """A member's own place, also if they are not listed; None without anything to rank."""
        pages, order = PAGES[board.measure], await self._order(board)
        if order:
            row = await self.row(pages.amount, **board.values, party=party)
            if row is None:
                return None
            return OwnRank(order.ahead(row[0]) + 1, party, row[0], order.above(party, row[0]))
        row = await self.row(pages.own, **board.values, party=party)
        return None if row is None else OwnRank(row[1] + 1, party, row[0], row[2])

    @cached_property
    def _orders(self) -> LRUCache[Leaderboard, Order]:
        return LRUCache(MOST_IN_ORDERS, getsizeof=lambda order: min(1 + len(order), MOST_IN_ORDERS))

    async def _order(self, board: Leaderboard) -> Order:
        """The order of a large leaderboard; an empty one of any other."""
        found = self._orders.get(replace(board, since=0.0))
        if found is None or steady_time() - found.read_at > HOUR_SECONDS:
            return await self.read_order(board)
        return found

    def is_outdated(self, board: Leaderboard) -> bool:
        """Whether the order of a leaderboard is to be read again, with `read_order`; until then it serves."""
        found = self._orders.get(replace(board, since=0.0))
        return found is not None and steady_time() - found.read_at > ORDER_SECONDS

    async def read_order(self, board: Leaderboard) -> Order:
        """Reads the order of a leaderboard, if it is large, and keeps it."""
        is_large = await self.value(_IS_LARGE, **board.values, offset=LARGE) is not None
        rows = await self.many_rows(PAGES[board.measure].order, **board.values) if is_large else []
        found = self._orders[replace(board, since=0.0)] = Order(rows)
        return found

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
