"""What an audit of a server reads: where chips came from by week, and between whom they went.

Nothing here is asked of the writer, or on the connection that answers presses. Rows are found by index, from
the newest week back, and of a kind no more than `MOST_ROWS`: of a larger server, fewer weeks are read.
"""

import json
from collections import Counter
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Double,
    Select,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger.reader import Reader
from bot.ledger.schema import accounts, admin_notes, events, flows, tables, transfers, uncounted_rounds
from bot.ledger.sql import BIGINT, element, elements, listed, total
from bot.table.accounts import OF_CHIPS, OF_PLAY, OF_TOURNAMENTS, Reason
from bot.table.audit import (
    ADDED,
    TO_MEMBERS,
    Evidence,
    Flow,
    FlowKey,
    GiftSeen,
    GrantSeen,
    Hands,
    Newcomer,
    Pair,
    Supply,
    supplies,
    week_of,
    week_start,
)
from bot.table.standings import HIGH_PART, MILLION
from bot.table.state import COMPUTERS, NOBODY, THE_HOUSE

MOST_ROWS: Final = 100_000
"""How many rows of a kind an audit adds up, about; it reads whole weeks, and the current one at least."""
MOST_PAIRS: Final = 10
"""How many pairs it has by each order."""
MOST_NEWCOMERS: Final = 1_000
MOST_GRANTS: Final = 1_000
"""How many of the largest grants and takes an audit has."""
MOST_LOSSES: Final = 20_000
"""In how many of a member's last losses and gifts those are looked for that show what went to another."""
MOST_ROUNDS: Final = 5
"""How many of these rounds, or gifts, there are."""

_SERVER: Final[ColumnElement[bool]] = flows.c.server_id == bindparam("server")
_HANDED: Final = and_(
    transfers.c.server_id == bindparam("server"),
    transfers.c.table_id.is_(None),
    transfers.c.at >= bindparam("since"),
)
_GIFT: Final = and_(_HANDED, transfers.c.reason == literal_column(f"'{Reason.GIFT}'"))
_OPENED: Final = and_(_HANDED, transfers.c.reason == literal_column(f"'{Reason.OPENING_CHIPS}'"))


def _quoted(reasons: Any) -> list[ColumnElement[str]]:
    return [literal_column(f"'{reason}'") for reason in sorted(reasons)]


_NEWCOMERS: Final = (
    select(transfers.c.gainer).where(_OPENED).order_by(transfers.c.at.desc()).limit(MOST_NEWCOMERS).subquery()
)
_ARE_NEW: Final = select(_NEWCOMERS.c.gainer)
_weeks: Final = elements("weeks")
_start: Final = element(_weeks, BIGINT, 0)
_end: Final = element(_weeks, BIGINT, 1)
_came: Final = case(
    (transfers.c.reason == literal_column(f"'{Reason.GIFT}'"), transfers.c.chips),
    # The house's opening chips come to no member.
    (transfers.c.loser.is_(None) & (transfers.c.gainer >= THE_HOUSE), literal_column("0")),
    (transfers.c.gainer.is_(None) | (transfers.c.gainer >= THE_HOUSE), -transfers.c.chips),
    else_=transfers.c.chips,
)
"""Below zero for what left members; of a gift, its chips."""
_SUPPLIED: Final = (
    select(_start, transfers.c.reason, total(_came))
    .select_from(
        _weeks.join(
            transfers,
            (transfers.c.server_id == bindparam("server"))
            & transfers.c.table_id.is_(None)
            & (transfers.c.at >= _start)
            & (transfers.c.at < _end),
        )
    )
    .group_by(_start, transfers.c.reason)
)
_is_given: Final = transfers.c.reason == literal_column(f"'{Reason.GRANTED}'")
_GRANTS: Final = (
    select(
        transfers.c.at,
        func.coalesce(transfers.c.gainer, transfers.c.loser),
        case((_is_given, transfers.c.chips), else_=-transfers.c.chips),
        admin_notes.c.admin,
        admin_notes.c.words,
    )
    .select_from(transfers.outerjoin(admin_notes, admin_notes.c.key == transfers.c.command_key))
    .where(_HANDED, transfers.c.reason.in_(_quoted((Reason.GRANTED, Reason.TAKEN))))
    .order_by(transfers.c.chips.desc(), transfers.c.link.desc())
    .limit(MOST_GRANTS)
)
_OF_HOUSE: Final = select(flows.c.week, flows.c.net).where(
    _SERVER, flows.c.week >= bindparam("week"), flows.c.one == NOBODY, flows.c.other == THE_HOUSE
)
_FIRST_UNCOUNTED: Final = (
    select(uncounted_rounds.c.link, events.c.command_key)
    .select_from(
        uncounted_rounds.join(
            events,
            (events.c.table_id == uncounted_rounds.c.table_id)
            & (events.c.sequence == uncounted_rounds.c.sequence),
        )
    )
    .where(uncounted_rounds.c.server_id == bindparam("server"))
    .order_by(uncounted_rounds.c.link)
    .limit(1)
)
_LAST_BEFORE: Final = (
    select(transfers.c.link)
    .where(
        transfers.c.server_id == bindparam("server"),
        transfers.c.link < bindparam("link"),
        transfers.c.command_key != bindparam("key"),
    )
    .order_by(transfers.c.link.desc())
    .limit(1)
)
"""The last transfer before the command that settled a round: a command's transfers come before its events."""
_house_gains: Final = transfers.c.gainer == THE_HOUSE
_UNCOUNTED_OF_HOUSE: Final = (
    select(_start, total(case((_house_gains, transfers.c.chips), else_=-transfers.c.chips)))
    .select_from(
        _weeks.join(
            transfers,
            (transfers.c.server_id == bindparam("server"))
            & (transfers.c.link > bindparam("link"))
            & (transfers.c.at >= _start)
            & (transfers.c.at < _end),
        )
    )
    .where(
        transfers.c.reason.in_(_quoted(OF_PLAY - OF_TOURNAMENTS)),
        or_(_house_gains, transfers.c.loser == THE_HOUSE),
    )
    .group_by(_start)
)
_OWNED: Final = select(total(accounts.c.balance)).where(
    accounts.c.server_id == bindparam("server"),
    accounts.c.party.is_not(None),
    accounts.c.party.not_in((THE_HOUSE, *COMPUTERS)),
    accounts.c.kind.in_(sorted(OF_CHIPS)),
)
_LAST_HANDED: Final = (
    select(transfers.c.at).where(_HANDED).order_by(transfers.c.at.desc()).limit(1).offset(bindparam("rows"))
)
_LAST_FLOW: Final = (
    select(flows.c.week)
    .where(_SERVER, flows.c.week >= bindparam("week"))
    .order_by(flows.c.week.desc())
    .limit(1)
    .offset(bindparam("rows"))
)


def _pairs() -> Select[Any]:
    """The pairs that come first by chips, how little chance explains, and weaker hands; and how many."""
    sums = {name: total(flows.c[name]).label(name) for name in ADDED}
    added = (
        select(flows.c.one, flows.c.other, *sums.values(), func.max(flows.c.largest).label("largest"))
        .where(_SERVER, flows.c.week >= bindparam("week"), flows.c.one != NOBODY)
        .group_by(flows.c.one, flows.c.other)
        .subquery()
    )
    numbers: list[ColumnElement[Any]] = [
        literal_column(repr(one)) for one in (float(MILLION), float(HIGH_PART), 1.0 / 3)
    ]
    million, high_part, third = numbers

    def floating(name: str) -> ColumnElement[float]:
        return cast(added.c[name], Double)

    variance = (floating("variance_high") * high_part + floating("variance_low")) / million
    ahead = func.abs(floating("ahead")) / million
    # The exponent in `Pair.by_chance`, twice.
    unlikely = case(
        (variance > literal_column("0.0"), ahead * ahead / (variance + floating("largest") * ahead * third)),
        else_=literal_column("0.0"),
    )
    counted = case((added.c.luck_rounds > literal_column("0"), 1), else_=0)
    weaker = added.c.weaker_one + added.c.weaker_other
    orders = (func.abs(added.c.net), unlikely, func.abs(added.c.arranged), weaker)
    places = [
        func.row_number().over(order_by=(order.desc(), added.c.one, added.c.other)).label(f"place_{at}")
        for at, order in enumerate(orders)
    ]
    placed = select(*added.c, *places, cast(func.sum(counted).over(), BigInteger).label("pairs")).subquery()
    return select(placed.c.pairs, placed.c.one, placed.c.other).where(
        or_(*(placed.c[f"place_{at}"] <= MOST_PAIRS for at in range(len(places))))
    )


_PAIRS: Final = _pairs()
_FLOWED: Final = (
    select(flows.c.one, flows.c.other, *(total(flows.c[name]) for name in ADDED), func.max(flows.c.largest))
    .where(
        _SERVER,
        flows.c.week >= bindparam("week"),
        flows.c.one.in_(listed("members")),
        flows.c.other.in_(listed("members")),
    )
    .group_by(flows.c.one, flows.c.other)
)
_HANDS: Final = tuple(
    select(flows.c[side], total(flows.c[f"hands_{side}"]), total(flows.c[f"weaker_{side}"]))
    .where(_SERVER, flows.c.week >= bindparam("week"), flows.c[side].in_(listed("members")))
    .group_by(flows.c[side])
    for side in ("one", "other")
)
"""How many hands members could arrange, and played weaker: as the one of a pair, and as the other."""
_is_first: Final = transfers.c.loser < transfers.c.gainer
_one: Final = case((_is_first, transfers.c.loser), else_=transfers.c.gainer)
_other: Final = case((_is_first, transfers.c.gainer), else_=transfers.c.loser)
_given: Final = total(case((_is_first, transfers.c.chips), else_=-transfers.c.chips))
_GIFTS: Final = select(_one, _other, _given).where(_GIFT).group_by(_one, _other)
_MOST_GIFTS: Final = _GIFTS.order_by(func.abs(_given).desc(), _one, _other).limit(MOST_PAIRS)
_GIFTS_AMONG: Final = _GIFTS.where(
    transfers.c.loser.in_(listed("members")), transfers.c.gainer.in_(listed("members"))
)
_HANDED_TO_NEW: Final = (
    select(transfers.c.gainer, total(transfers.c.chips))
    .where(_HANDED, transfers.c.reason.in_(_quoted(TO_MEMBERS)), transfers.c.gainer.in_(_ARE_NEW))
    .group_by(transfers.c.gainer)
)
_GIFTS_OF_NEW: Final = _GIFTS.where(or_(transfers.c.loser.in_(_ARE_NEW), transfers.c.gainer.in_(_ARE_NEW)))
_arranged: Final = total(flows.c.arranged)
_ARRANGED_BY_NEW: Final = (
    select(flows.c.one, flows.c.other, _arranged)
    .where(
        _SERVER,
        flows.c.week >= bindparam("week"),
        flows.c.arranged != literal_column("0"),
        or_(flows.c.one.in_(_ARE_NEW), flows.c.other.in_(_ARE_NEW)),
    )
    .group_by(flows.c.one, flows.c.other)
)
_lost: Final = (
    select(
        transfers.c.table_id,
        transfers.c.round_number,
        transfers.c.chips,
        transfers.c.gainer,
        transfers.c.reason,
        transfers.c.at,
    )
    .where(
        transfers.c.server_id == bindparam("server"),
        transfers.c.loser == bindparam("loser"),
        # Without it, SQLite would go through the whole ledger of the server.
        transfers.c.link > literal_column("0"),
    )
    .order_by(transfers.c.link.desc())
    .limit(MOST_LOSSES)
    .subquery()
)
_chips: Final = total(_lost.c.chips)
_ROUNDS: Final = (
    select(tables.c.number, _lost.c.round_number, _chips)
    .select_from(_lost.join(tables, tables.c.table_id == _lost.c.table_id))
    .where(
        _lost.c.gainer == bindparam("gainer"),
        _lost.c.at >= bindparam("since"),
        _lost.c.reason.in_(_quoted(OF_PLAY)),
    )
    .group_by(tables.c.number, _lost.c.round_number)
    .order_by(_chips.desc(), tables.c.number, _lost.c.round_number)
    .limit(MOST_ROUNDS)
)
_GIVEN_TO: Final = (
    select(_lost.c.at, _lost.c.chips)
    .where(
        _lost.c.gainer == bindparam("gainer"),
        _lost.c.at >= bindparam("since"),
        _lost.c.reason == literal_column(f"'{Reason.GIFT}'"),
    )
    .order_by(_lost.c.chips.desc(), _lost.c.at)
    .limit(MOST_ROUNDS)
)


class AuditQueries(Reader):
    """Reads what an audit shows."""

    async def supplies(self, server_id: int, weeks: int, now: float) -> list[Supply]:
        """Where the chips of members came from in each of the last weeks, the oldest first.

        Rounds that are in no standing yet are part of it: what members own has them too.

        Fewer weeks, if more than about `MOST_ROWS` transfers would be added up.
        """
        async with self.reading() as connection:
            first = await _first_week(connection, server_id, weeks, now)
            last = week_of(now)
            spans = [[week_start(week), week_start(week + 1)] for week in range(first, last + 1)]
            rows = await connection.execute(_SUPPLIED, {"server": server_id, "weeks": json.dumps(spans)})
            moved = {(week_of(start), reason): chips for start, reason, chips in rows}
            house = await connection.execute(_OF_HOUSE, {"server": server_id, "week": first})
            gained = Counter[int]({week: chips for week, chips in house})  # noqa: C416 - rows are no pairs to mypy
            gained.update(await _uncounted(connection, server_id, spans))
            owned = (await connection.execute(_OWNED, {"server": server_id})).scalar() or 0
        return supplies(owned, range(first, last + 1), moved, gained)

    async def grants(self, server_id: int, weeks: int, now: float) -> list[GrantSeen]:
        """What admins gave members and took from them in the last weeks, the most chips first."""
        async with self.reading() as connection:
            since = week_start(await _first_week(connection, server_id, weeks, now))
            values = {"server": server_id, "since": since}
            return [GrantSeen(*row) for row in await connection.execute(_GRANTS, values)]

    async def pairs(self, server_id: int, weeks: int, now: float) -> tuple[list[Pair], int]:
        """The pairs of members between whom most went, or least by chance, and how many pairs have bets."""
        async with self.reading() as connection:
            first = await _first_week(connection, server_id, weeks, now)
            values = {"server": server_id, "week": first, "since": week_start(first)}
            found = [tuple(row) for row in await connection.execute(_PAIRS, values)]
            gifts = await connection.execute(_MOST_GIFTS, values)
            chosen = {(one, other) for _, one, other in found} | {(one, other) for one, other, _ in gifts}
            members = json.dumps(sorted({party for pair in chosen for party in pair}))
            given = await connection.execute(_GIFTS_AMONG, {**values, "members": members})
            gifts_of = {(one, other): chips for one, other, chips in given}
            flowed = await connection.execute(_FLOWED, {**values, "members": members})
            flow_of = {(row[0], row[1]): Flow(server_id, first, *row) for row in flowed}
            hands: dict[int, Hands] = {}
            for query in _HANDS:
                rows = await connection.execute(query, {**values, "members": members})
                for party, arranged, weaker in rows:
                    before = hands.get(party, Hands())
                    hands[party] = Hands(before.arranged + arranged, before.weaker + weaker)
        made = [
            Pair.of(flow_of.get(pair) or Flow(server_id, first, *pair, 0, 0), gifts_of.get(pair, 0), hands)
            for pair in sorted(chosen)
        ]
        return made, found[0][0] if found else 0

    async def newcomers(self, server_id: int, weeks: int, now: float) -> list[Newcomer]:
        """The newest members, each with what they were handed and who got most of what they gave on."""
        async with self.reading() as connection:
            first = await _first_week(connection, server_id, weeks, now)
            values = {"server": server_id, "week": first, "since": week_start(first)}
            rows = await connection.execute(_HANDED_TO_NEW, values)
            handed = {party: chips for party, chips in rows}  # noqa: C416 - as above
            gifts, arranged = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
            for query, found in ((_GIFTS_OF_NEW, gifts), (_ARRANGED_BY_NEW, arranged)):
                for one, other, chips in await connection.execute(query, values):
                    found[one, other] += chips
                    found[other, one] -= chips
        most: dict[int, Newcomer] = {}
        for party, to in gifts.keys() | arranged.keys():
            if party in handed:
                one = Newcomer(party, handed[party], to, gifts[party, to], arranged[party, to])
                if party not in most or one.given > most[party].given:
                    most[party] = one
        return list(most.values())

    async def rounds_between(self, server_id: int, loser: int, gainer: int, since: float) -> list[Evidence]:
        """The rounds in which most went from one member to another, lately."""
        values = {"server": server_id, "loser": loser, "gainer": gainer, "since": since}
        async with self.reading() as connection:
            return [Evidence(*row) for row in await connection.execute(_ROUNDS, values)]

    async def gifts_between(self, server_id: int, giver: int, receiver: int, since: float) -> list[GiftSeen]:
        """The largest gifts of one member to another, lately."""
        values = {"server": server_id, "loser": giver, "gainer": receiver, "since": since}
        async with self.reading() as connection:
            return [GiftSeen(*row) for row in await connection.execute(_GIVEN_TO, values)]


async def _first_week(connection: AsyncConnection, server_id: int, weeks: int, now: float) -> int:
    """The first of the last weeks that are added up."""
    last = week_of(now)
    first = max(last - weeks + 1, 0)
    values = {"server": server_id, "week": first, "since": week_start(first), "rows": MOST_ROWS}
    at = (await connection.execute(_LAST_HANDED, values)).scalar()
    week = (await connection.execute(_LAST_FLOW, values)).scalar()
    full = [first if at is None else week_of(at) + 1, first if week is None else week + 1]
    return min(max(full), last)


async def _uncounted(connection: AsyncConnection, server_id: int, spans: list[list[int]]) -> dict[int, int]:
    """What the house gained by week, in the rounds that are in no standing yet.

    Rounds are counted in the order of the chain, so these are the last ones.
    """
    first = (await connection.execute(_FIRST_UNCOUNTED, {"server": server_id})).one_or_none()
    if first is None:
        return {}
    values = {"server": server_id, "link": first.link, "key": first.command_key}
    before = (await connection.execute(_LAST_BEFORE, values)).scalar() or 0
    values = {"server": server_id, "link": before, "weeks": json.dumps(spans)}
    rows = await connection.execute(_UNCOUNTED_OF_HOUSE, values)
    return {week_of(start): chips for start, chips in rows}


async def flows_in(connection: AsyncConnection, server_id: int) -> dict[FlowKey, Flow]:
    """Every flow of a server."""
    rows = await connection.execute(select(flows).where(flows.c.server_id == server_id))
    found = [Flow(*row) for row in rows]
    return {one.key: one for one in found}
