"""The seasons of servers, and what a season that resets chips would change."""

from dataclasses import replace
from typing import Any, Final

from sqlalchemy import BigInteger, bindparam, case, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.changes import Season
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import ResetPreview
from bot.ledger.schema import accounts, parties, seasons
from bot.ledger.sql import total
from bot.table.accounts import OF_CHIPS, AccountKind

_SEASONS: Final = Statement(
    select(seasons).where(seasons.c.server_id == bindparam("server")).order_by(seasons.c.number.desc())
)
_RUNNING_SEASONS: Final = Statement(select(seasons).where(~seasons.c.is_over))
_UNTOLD_SEASONS: Final = Statement(
    select(seasons)
    .where(
        seasons.c.is_over,
        seasons.c.ends_at >= bindparam("since"),
        or_(
            ~seasons.c.is_posted & seasons.c.channel_id.is_not(None),
            ~seasons.c.is_crowned & seasons.c.role_id.is_not(None),
        ),
    )
    # The oldest first, so that a role goes on from season to season.
    .order_by(seasons.c.server_id, seasons.c.number)
)
_HELD: Final = Statement(
    select(accounts.c.table_id)
    .distinct()
    .where(
        accounts.c.server_id == bindparam("server"),
        accounts.c.kind == AccountKind.HOLD,
        accounts.c.balance != 0,
    )
)
_OF_MEMBERS: Final = (
    select((total(accounts.c.balance) - bindparam("chips", type_=BigInteger)).label("more"))
    .join(parties, (parties.c.party == accounts.c.party) & (parties.c.server_id == accounts.c.server_id))
    .where(
        accounts.c.server_id == bindparam("server"),
        or_(*(accounts.c.kind == kind for kind in sorted(OF_CHIPS))),
    )
    .group_by(accounts.c.party)
    .subquery()
)
_more = _OF_MEMBERS.c.more
_NONE: Final = literal_column("0", BigInteger)
_RESET: Final = Statement(
    select(
        func.count(),
        *(
            func.coalesce(total(case((_more * sign > _NONE, counted), else_=_NONE)), _NONE)
            for sign in (literal_column("1", BigInteger), literal_column("-1", BigInteger))
            for counted in (literal_column("1", BigInteger), _more * sign)
        ),
    ).select_from(_OF_MEMBERS)
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


class SeasonQueries(Reader):
    """Reads seasons."""

    async def seasons(self, server_id: int) -> list[Season]:
        """The seasons of a server, the newest first."""
        return await self.all_of(_season, _SEASONS, server=server_id)

    async def running_seasons(self) -> list[Season]:
        """The seasons of all servers that are not over."""
        return await self.all_of(_season, _RUNNING_SEASONS)

    async def untold_seasons(self, since: float) -> list[Season]:
        """The seasons that ended since then, and whose first three are to be posted, or to get their role.

        The oldest of a server come first.
        """
        return await self.all_of(_season, _UNTOLD_SEASONS, since=since)

    async def tables_with_holds(self, server_id: int) -> set[int]:
        """The tables of a server at which chips are held for bets."""
        return {table_id for (table_id,) in await self.rows(_HELD, server=server_id)}

    async def reset_preview(self, server_id: int, chips: int) -> ResetPreview:
        """What changes if every member of a server gets this many chips, held ones included."""
        (row,) = await self.many_rows(_RESET, server=server_id, chips=chips)
        return ResetPreview(*row)

    async def parties_of(self, server_id: int) -> list[int]:
        """The parties of a server's members."""
        return [party for (party,) in await self.rows(_MEMBERS, server=server_id)]


async def stored_seasons(connection: AsyncConnection, server_id: int) -> list[Season]:
    """The seasons of a server."""
    rows = await connection.execute(select(seasons).where(seasons.c.server_id == server_id))
    return [_season(*row) for row in rows]
