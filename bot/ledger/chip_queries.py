"""What members have: chips, scores and their ledger."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    bindparam,
    case,
    func,
    literal_column,
    select,
    true,
    union_all,
)

from bot.clock import DAY_SECONDS
from bot.ledger.changes import claims_of, opening_key
from bot.ledger.memory import (
    GAINS_AT_FIRST,
    GAINS_AT_ONCE,
    GAINS_ENOUGH,
    Day,
    Evening,
    Gain,
    Place,
    day_number,
    evening_of,
    has_break,
)
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import Claim, Entry, Held, Purse, Stack, Transfer
from bot.ledger.schema import (
    LARGEST,
    NOT_OF_A_ROUND,
    accounts,
    admin_notes,
    commands,
    tables,
    transfers,
)
from bot.ledger.sql import BIGINT, TEXT, element, elements, equal_in_index, listed, total
from bot.rules.knobs import GameName
from bot.table.accounts import OF_PLAY, OF_TOURNAMENTS, AccountKind, LedgerPart, Reason, pot

_IN_SERVER: Final = accounts.c.server_id == bindparam("server")
_asked: Final = elements("asked")
_TRANSFERS: Final = Statement(
    select(
        *(transfers.c.at, transfers.c.chips, transfers.c.reason, transfers.c.source, transfers.c.target),
        *(transfers.c.loser, transfers.c.gainer, tables.c.number, transfers.c.round_number),
        *(admin_notes.c.admin, admin_notes.c.words),
    )
    .select_from(
        transfers.outerjoin(tables, transfers.c.table_id == tables.c.table_id).outerjoin(
            admin_notes, admin_notes.c.key == transfers.c.command_key
        )
    )
    .where(
        transfers.c.server_id == bindparam("server"),
        transfers.c.loser.is_not(None) | transfers.c.gainer.is_not(None),
    )
    .order_by(transfers.c.link.desc())
    .limit(bindparam("limit"))
)


def _reason_in(reasons: Iterable[Reason]) -> ColumnElement[bool]:
    """Whether a transfer has one of these reasons."""
    return transfers.c.reason.in_([literal_column(f"'{reason}'") for reason in sorted(reasons)])


def _side(
    *conditions: ColumnElement[bool], gained: bool, newer: bool = False
) -> Select[tuple[int, int, int | None]]:
    """The last transfers on one side of a member's ledger for which these conditions hold; or the first."""
    own = transfers.c.gainer if gained else transfers.c.loser
    other = transfers.c.loser if gained else transfers.c.gainer
    chips = transfers.c.chips if gained else -transfers.c.chips
    last = (
        select(transfers.c.link, chips.label("chips"), other.label("other"))
        .where(transfers.c.server_id == bindparam("server"), own == bindparam("party"), *conditions)
        .order_by(transfers.c.link if newer else transfers.c.link.desc())
        .limit(bindparam("limit"))
        .subquery()
    )
    return select(last.c.link, last.c.chips, last.c.other)


_later: Final = transfers.alias("later")
_own, _same = transfers.alias("own"), transfers.alias("same")


def _made_at() -> ColumnElement[float]:
    """When a transfer was made. Where it is dated in the future, the clock was wrong then.

    So it counts as made when the next transfer of its server was that is dated right, or `now` without one.
    """
    next_one = (
        select(_later.c.at)
        .where(
            _later.c.server_id == transfers.c.server_id,
            _later.c.link > transfers.c.link,
            _later.c.at <= bindparam("now"),
        )
        .order_by(_later.c.link)
        .limit(1)
        .scalar_subquery()
    )
    return case(
        (transfers.c.at <= bindparam("now"), transfers.c.at),
        else_=func.coalesce(next_one, bindparam("now")),
    )


_IS_GIFT: Final = transfers.c.reason == literal_column(f"'{Reason.GIFT}'")
_IS_PLAY: Final = transfers.c.reason.in_([literal_column(f"'{reason}'") for reason in sorted(OF_PLAY)])
_IS_ENTRY, _IS_RETURNED = (
    transfers.c.reason == literal_column(f"'{reason}'") for reason in (Reason.ENTRY, Reason.ENTRY_RETURNED)
)


def _moved(
    *conditions: ColumnElement[bool],
    gained: bool,
    why: ColumnElement[bool] = _IS_GIFT,
    also: Iterable[ColumnElement[Any]] = (),
) -> Select[Any]:
    """When a member got, or gave away, chips since a time for a reason, and how many, the oldest first.

    Args:
        why: the reason; a gift, if none is named.
        also: what else is read of each.
    """

    def is_own(of: FromClause) -> ColumnElement[bool]:
        side = of.c.gainer if gained else of.c.loser
        return (of.c.server_id == bindparam("server")) & (side == bindparam("party"))

    # What is asked of the first is all in the index of a member's transfers: if it knows no sizes, SQLite
    # takes that index only then, or where the rows are to be in its order. Else it reads all of the server.
    earlier = (
        select(_own.c.link)
        .select_from(
            _own.join(_same, (_same.c.server_id == bindparam("server")) & (_same.c.link == _own.c.link))
        )
        .where(is_own(_own), _same.c.at < bindparam("since"))
        .order_by(_own.c.link.desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(_made_at().label("made_at"), transfers.c.chips, *also)
        .where(
            is_own(transfers),
            # From there on, so that no more is read than what moved since.
            transfers.c.link > func.coalesce(earlier, 0),
            why,
            _made_at() >= bindparam("since"),
            *conditions,
        )
        .order_by(transfers.c.link)
        .limit(LARGEST)
    )


def _moved_chips(*conditions: ColumnElement[bool], gained: bool, why: ColumnElement[bool]) -> Statement:
    """How many chips they are together."""
    moved = _moved(*conditions, gained=gained, why=why).subquery()
    return Statement(select(func.coalesce(total(moved.c.chips), 0)))


_OF_PART: Final[Mapping[LedgerPart, tuple[ColumnElement[bool], ...]]] = {
    LedgerPart.ALL: (),
    LedgerPart.PLAY: (_reason_in(OF_PLAY),),
    LedgerPart.GIFTS: (NOT_OF_A_ROUND, _reason_in({Reason.GIFT})),
    LedgerPart.HANDOUTS: (NOT_OF_A_ROUND, ~_reason_in({Reason.GIFT, *OF_TOURNAMENTS})),
}


_OF_GAME: Final = (
    _IS_PLAY,
    transfers.c.table_id.in_(
        select(tables.c.table_id).where(
            tables.c.server_id == bindparam("server"), tables.c.game == bindparam("game")
        )
        # Else PostgreSQL would join them, and where it knows no sizes look at every table for each transfer.
    ).is_(true()),
)


def _entries(*conditions: ColumnElement[bool], newer: bool) -> Statement:
    """The entries of a ledger for which this holds on one side of a link, those nearest to it first."""
    link = transfers.c.link
    beside: ColumnElement[int] = bindparam("beside")
    wanted = (link > beside if newer else link < beside, *conditions)
    both = union_all(*(_side(*wanted, gained=gained, newer=newer) for gained in (True, False))).subquery()
    return Statement(
        select(
            link,
            transfers.c.at,
            both.c.chips,
            transfers.c.reason,
            transfers.c.table_id,
            tables.c.number,
            transfers.c.round_number,
            both.c.other,
            admin_notes.c.words,
        )
        .select_from(
            both.join(
                transfers, (transfers.c.server_id == bindparam("server")) & (transfers.c.link == both.c.link)
            )
            .outerjoin(tables, tables.c.table_id == transfers.c.table_id)
            .outerjoin(admin_notes, admin_notes.c.key == transfers.c.command_key)
        )
        .order_by(both.c.link if newer else both.c.link.desc())
        .limit(bindparam("limit"))
    )


ENTRIES: Final[Mapping[tuple[str, bool], Statement]] = {
    (part, newer): _entries(*conditions, newer=newer)
    for part, conditions in _OF_PART.items()
    for newer in (False, True)
}
_ENTRIES_OF_GAME: Final = {newer: _entries(*_OF_GAME, newer=newer) for newer in (False, True)}
_IN_PLAY: Final = (_IS_PLAY, transfers.c.link < bindparam("before"))
_PLAYED: Final = union_all(_side(*_IN_PLAY, gained=True), _side(*_IN_PLAY, gained=False)).subquery()
_GAINS: Final = Statement(
    select(_PLAYED.c.link, _PLAYED.c.chips, transfers.c.at)
    .select_from(
        _PLAYED.join(
            transfers,
            (transfers.c.server_id == bindparam("server")) & (transfers.c.link == _PLAYED.c.link),
        )
    )
    .order_by(_PLAYED.c.link.desc())
    .limit(bindparam("limit"))
)


def of_party(party: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether an account is this party's."""
    return equal_in_index(accounts.c.party, party)


PURSE: Final = Statement(
    select(accounts.c.kind, accounts.c.balance, tables.c.table_id, tables.c.number, tables.c.channel_id)
    .select_from(accounts.outerjoin(tables, accounts.c.table_id == tables.c.table_id))
    .where(_IN_SERVER, of_party(bindparam("party")))
    .order_by(tables.c.number)
)
_ASKED_ACCOUNTS: Final = _asked.join(
    accounts,
    (accounts.c.server_id == element(_asked, BIGINT, 0)) & of_party(element(_asked, BIGINT, 1)),
)
OF_ACCOUNTS: Final = select(
    accounts.c.server_id, accounts.c.party, accounts.c.kind, accounts.c.table_id, accounts.c.balance
).select_from(_ASKED_ACCOUNTS)
_OPENED: Final = select(commands.c.key).where(commands.c.key.in_(listed("asked", TEXT)))
_LAST_CLAIM: Final = Statement(
    select(commands.c.key, commands.c.at, commands.c.answer)
    .where(commands.c.key > bindparam("prefix"), commands.c.key < bindparam("end"))
    .order_by(commands.c.key.desc())
    .limit(1)
)
CLAIM_MADE_AT: Final = Statement(
    select(_made_at())
    .where(
        transfers.c.server_id == bindparam("server"),
        transfers.c.gainer == bindparam("party"),
        transfers.c.command_key == bindparam("key"),
        transfers.c.link < LARGEST,
    )
    .order_by(transfers.c.link.desc())
)
WALLETS: Final = Statement(
    select(accounts.c.party, accounts.c.balance)
    .select_from(_ASKED_ACCOUNTS)
    .where(accounts.c.kind == AccountKind.WALLET)
)
_CHIPS: Final = Statement(
    select(accounts.c.server_id, accounts.c.party, accounts.c.balance).where(
        accounts.c.party.in_(listed("parties")),
        accounts.c.kind == AccountKind.WALLET,
        accounts.c.balance != 0,
    )
)
_HOLDS: Final = Statement(
    select(accounts.c.party, accounts.c.balance).where(
        accounts.c.table_id == bindparam("table"),
        accounts.c.kind == AccountKind.HOLD,
        accounts.c.balance != 0,
    )
)
_POTS: Final = Statement(
    select(accounts.c.table_id, accounts.c.balance).where(
        accounts.c.server_id == bindparam("server"),
        accounts.c.kind == AccountKind.POT,
        accounts.c.balance != 0,
    )
)
_IN_SERVERS_CHAIN: Final = transfers.c.server_id == bindparam("server")
_PAID_IN: Final = Statement(
    select(transfers.c.loser, total(transfers.c.chips))
    .where(_IN_SERVERS_CHAIN, transfers.c.target == bindparam("pot"), _IS_ENTRY)
    .group_by(transfers.c.loser)
)
_PAID_BACK: Final = Statement(
    select(transfers.c.gainer, total(transfers.c.chips))
    .where(_IN_SERVERS_CHAIN, transfers.c.source == bindparam("pot"), _IS_RETURNED)
    .group_by(transfers.c.gainer)
)
# One gift is left out.
_OTHERS: Final = transfers.c.command_key != bindparam("besides")
GIVEN, GOT = (_moved_chips(_OTHERS, gained=gained, why=_IS_GIFT) for gained in (False, True))
WON, LOST = (
    _moved_chips(gained=gained, why=_IS_PLAY & ~_IS_ENTRY & ~_IS_RETURNED) for gained in (True, False)
)
ENTERED: Final = Statement(_moved(gained=False, why=_IS_ENTRY, also=[transfers.c.target]))
RETURNED: Final = Statement(_moved(gained=True, why=_IS_RETURNED, also=[transfers.c.source]))
GIFTS: Final = Statement(_moved(gained=False))


def purse_of(rows: Iterable[Sequence[Any]]) -> Purse:
    """What a member has, from the rows of `PURSE`."""
    wallet = 0
    score: int | None = None
    held: list[Held] = []
    for kind, balance, table_id, number, channel_id in rows:
        if kind == AccountKind.WALLET:
            wallet = balance
        elif kind == AccountKind.SCORE:
            score = balance
        elif balance:
            held.append(Held(table_id, number, channel_id, balance))
    return Purse(wallet, tuple(held), score or 0, has_score=score is not None)


class ChipQueries(Reader):
    """Reads chips and scores."""

    async def purse(self, server_id: int, party: int) -> Purse:
        """What a member has in a server."""
        return purse_of(await self.rows(PURSE, server=server_id, party=party))

    async def stacks_of(self, places: Collection[Place]) -> dict[Place, Stack]:
        """The stacks of members, by server and party; an empty one for a member without any account."""
        keys = {opening_key(*place): place for place in places}
        wallets: dict[Place, int] = {}
        scores: dict[Place, int] = {}
        holds: dict[Place, dict[int, int]] = {}
        async with self.reading() as connection:
            for *place, kind, table_id, balance in await connection.execute(
                OF_ACCOUNTS, {"asked": json.dumps(list(keys.values()))}
            ):
                server_id, party = place
                if kind == AccountKind.HOLD:
                    if balance:
                        holds.setdefault((server_id, party), {})[table_id] = balance
                else:
                    (wallets if kind == AccountKind.WALLET else scores)[server_id, party] = balance
            found = set((await connection.execute(_OPENED, {"asked": json.dumps(list(keys))})).scalars())
        return {
            place: Stack(
                wallets.get(place), holds.get(place, {}), scores.get(place, 0), inf if key in found else 0.0
            )
            for key, place in keys.items()
        }

    async def wallets(self, server_id: int, parties: Iterable[int]) -> dict[int, int]:
        """The free chips of several members; members without a wallet are omitted."""
        return dict(await self.rows(WALLETS, asked=[(server_id, party) for party in parties]))

    async def chips_of(self, parties: Iterable[int]) -> dict[tuple[int, int], int]:
        """The free chips of parties in any server, by server and party; empty wallets are omitted."""
        rows = await self.rows(_CHIPS, parties=list(parties))
        return {(server_id, party): chips for server_id, party, chips in rows}

    async def holds(self, table_id: int) -> dict[int, int]:
        """The chips held at a table, by member; members without a hold are omitted."""
        return dict(await self.rows(_HOLDS, table=table_id))

    async def pots(self, server_id: int) -> dict[int, int]:
        """The chips in the pots of a server's tournaments; empty pots are omitted. It may take long."""
        return dict(await self.many_rows(_POTS, server=server_id))

    async def entries_in(self, server_id: int, tournament_id: int) -> dict[int, int]:
        """What members have paid to enter a tournament, and not got back, by party. It may take long."""
        where = {"server": server_id, "pot": str(pot(tournament_id))}
        back = dict(await self.many_rows(_PAID_BACK, **where))
        paid = {party: chips - back.get(party, 0) for party, chips in await self.many_rows(_PAID_IN, **where)}
        return {party: chips for party, chips in paid.items() if chips}

    async def evenings_of(self, places: Collection[Place]) -> dict[Place, Evening]:
        """What the evening has brought members so far, by server and party."""
        return {place: evening_of(reversed(await self._gains(place))) for place in places}

    async def days_of(self, places: Collection[Place]) -> dict[Place, Day]:
        """What the day on which members last played has brought them, by server and party."""
        return {place: await self._day(place) for place in places}

    async def _day(self, place: Place) -> Day:
        server_id, party = place
        last = await self.row(_GAINS, server=server_id, party=party, before=LARGEST, limit=1)
        if last is None:
            return Day()
        day, since = day_number(last[2]), last[2] - last[2] % DAY_SECONDS
        values = {"server": server_id, "party": party, "since": since, "now": last[2]}
        # In this order: what is settled meanwhile may count as lost, but not as won alone.
        won = int(await self.value(WON, **values))
        found = Day(day, won - int(await self.value(LOST, **values)))
        entries = [Gain(place, chips, at, pot) for at, chips, pot in await self.rows(RETURNED, **values)]
        paid = await self.rows(ENTERED, **values)
        entries = [*(Gain(place, -chips, at, pot) for at, chips, pot in paid), *entries]
        for gain in sorted(entries, key=lambda gain: gain.at):
            found = found.with_gain(gain)
        return found

    async def _gains(self, place: Place) -> list[Gain]:
        """What a member last gained and lost by playing, newest first: a whole evening, or enough."""
        server_id, party = place
        gains: list[Gain] = []
        before, limit = LARGEST, GAINS_AT_FIRST
        while True:
            rows = await self.rows(_GAINS, server=server_id, party=party, before=before, limit=limit)
            gains += [Gain(place, chips, at) for _, chips, at in rows]
            if len(rows) < limit or has_break(gains[-limit - 1 :]) or len(gains) >= GAINS_ENOUGH:
                return gains
            before, limit = rows[-1][0], GAINS_AT_ONCE

    async def entries(
        self,
        server_id: int,
        party: int,
        limit: int,
        *,
        part: LedgerPart | GameName = LedgerPart.ALL,
        beside: int = LARGEST,
        newer: bool = False,
    ) -> list[Entry]:
        """The transfers by which a member gained or lost chips just before a link, the newest first.

        Transfers between a member's own wallet and holds are omitted.

        Args:
            part: which of them; a game for those of its rounds.
            newer: whether those just after the link are asked for.
        """
        values = {"server": server_id, "party": party, "limit": limit, "beside": beside}
        statement = ENTRIES.get((part, newer))
        if statement is None:
            # All rounds since then may be of other games.
            rows = await self.many_rows(_ENTRIES_OF_GAME[newer], **values, game=part)
        else:
            rows = await self.rows(statement, **values)
        found = [Entry(*row) for row in rows]
        return found[::-1] if newer else found

    async def many_entries(
        self, server_id: int, party: int, limit: int, part: LedgerPart | GameName = LedgerPart.ALL
    ) -> list[Entry]:
        """The last of these transfers, at most `limit`; that may take long."""
        values = {"server": server_id, "party": party, "limit": limit, "beside": LARGEST, "game": part}
        statement = ENTRIES.get((part, False), _ENTRIES_OF_GAME[False])
        return [Entry(*row) for row in await self.many_rows(statement, **values)]

    async def transfers_in(self, server_id: int, limit: int) -> list[Transfer]:
        """The last transfers of a server by which somebody gained or lost; that may take long."""
        rows = await self.many_rows(_TRANSFERS, server=server_id, limit=limit)
        return [Transfer(*row) for row in rows]

    async def gifts_since(
        self, server_id: int, party: int, since: float, now: float, *, gained: bool, besides: str
    ) -> int:
        """How many chips a member got, or gave, as gifts.

        Args:
            now: the time; a gift that is dated later was made before the clock was set back.
            gained: whether it is about what they got; else about what they gave.
            besides: the key of a gift that does not count.
        """
        values = {"server": server_id, "party": party, "since": since, "now": now, "besides": besides}
        return int(await self.value(GOT if gained else GIVEN, **values))

    async def gifts_of(self, server_id: int, party: int, since: float, now: float) -> list[tuple[float, int]]:
        """When a member gave chips away, and how many, the oldest first.

        `now` is as for `gifts_since`.
        """
        rows = await self.rows(GIFTS, server=server_id, party=party, since=since, now=now)
        return [(at, chips) for at, chips in rows]

    async def last_claim(self, kind: str, server_id: int, party: int, now: float) -> Claim | None:
        """The last handout of a kind that a member took; None if they never did.

        `now` is as for `gifts_since`.
        """
        prefix = claims_of(kind, server_id, party)
        # A colon comes after every digit.
        row = await self.row(_LAST_CLAIM, prefix=prefix, end=f"{prefix}:")
        if row is None:
            return None
        key, at, answer = row
        if at > now:
            at = await self.value(CLAIM_MADE_AT, server=server_id, party=party, key=key, now=now)
        return Claim(int(key.removeprefix(prefix)), at, answer)
