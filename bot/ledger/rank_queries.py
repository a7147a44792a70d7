"""Who leads in a server: the pages of its leaderboards, and a member's own place.

A page, and a member's own place, come from an index that has the members in that order. What members have now
changes with every round, and is in no such index: it is added up of those who have played lately. In a large
server that takes seconds, and so does counting who is above a member: there the order is kept for a minute.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
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
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    tuple_,
)

from bot.clock import HOUR_SECONDS, steady_time
from bot.ledger.chip_queries import of_party
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import Leaderboard, OwnRank, Rank
from bot.ledger.schema import UNLISTED, accounts, parties, standings
from bot.ledger.sql import listed, total
from bot.table.accounts import OF_CHIPS
from bot.table.standings import Measure
from bot.table.state import NOBODY

_PARTY: Final[BindParameter[int]] = bindparam("party")
UNLISTED_PARTIES: Final = select(parties.c.party).where(parties.c.server_id == bindparam("server"), UNLISTED)
SLICE: Final = and_(
    standings.c.server_id == bindparam("server"),
    standings.c.period == bindparam("period"),
    standings.c.game == bindparam("game"),
)
_PLAYED: Final = and_(
    SLICE,
    standings.c.last_at >= bindparam("since"),
    standings.c.party != literal_column(str(NOBODY)),
)
_LISTED: Final = and_(_PLAYED, standings.c.party.not_in(UNLISTED_PARTIES))


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


_SOME: Final = and_(
    _PLAYED,
    standings.c.party.in_(listed("parties")),
    # Looked up for each of them: PostgreSQL would read all who are not listed, as for a whole order.
    ~exists().where(
        parties.c.party == standings.c.party, parties.c.server_id == bindparam("server"), UNLISTED
    ),
)


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
        mine.c.last_at >= bindparam("since"),
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
        Statement(select(standings.c.party, amount, standings.c.last_at).where(_SOME)),
        Statement(select(own).where(*theirs)),
    )


def _owned() -> Pages:
    """The order by what members have now, held chips included."""
    of_chips = or_(*(accounts.c.kind == kind for kind in sorted(OF_CHIPS)))
    amount = total(accounts.c.balance).label("amount")
    balances = (
        select(standings.c.party, amount)
        .select_from(
            standings.join(
                accounts,
                (accounts.c.server_id == standings.c.server_id) & of_party(standings.c.party),
            )
        )
        .where(accounts.c.party.is_not(None), of_chips)
        .group_by(standings.c.party)
    )
    owned = balances.where(_LISTED).subquery()
    has_played = exists().where(SLICE, standings.c.party == _PARTY, standings.c.last_at >= bindparam("since"))
    mine = (
        select(amount)
        .where(accounts.c.server_id == bindparam("server"), of_party(_PARTY), of_chips, has_played)
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
    some = balances.where(_SOME).subquery()

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
_IS_LARGE: Final = Statement(select(standings.c.party).where(SLICE).limit(1).offset(bindparam("offset")))
LARGE: Final = 10_000
"""Up to this many members, everybody above somebody is counted each time."""
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


class RankQueries(Reader):
    """Reads leaderboards."""

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
        """A member's own place, also if they are hidden; None if they have nothing to rank, or are away."""
        pages, order = PAGES[board.measure], await self._order(board)
        if order:
            row = await self.row(pages.amount, **board.values, party=party)
            if row is None:
                return None
            return OwnRank(order.ahead(row[0]) + 1, party, row[0], order.above(party, row[0]))
        row = await self.row(pages.own, **board.values, party=party)
        return None if row is None else OwnRank(row[1] + 1, party, row[0], row[2])

    async def has_rank(self, board: Leaderboard, party: int) -> bool:
        """Whether a member has something to rank; no order is read for it, or kept."""
        return await self.row(PAGES[board.measure].amount, **board.values, party=party) is not None

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
