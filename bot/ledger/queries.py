"""Everything that is read from a ledger: members, tables, houses, and chips."""

from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import BigInteger, String, bindparam, func, literal_column, or_, select, union

from bot.ledger.audit_queries import AuditQueries
from bot.ledger.changes import Ban, DirectChannel, HouseDraft, Identity, Plan, SeedWords, TournamentRow
from bot.ledger.chip_queries import ChipQueries
from bot.ledger.engine import Reading
from bot.ledger.rank_queries import RankQueries
from bot.ledger.reader import Reader, Statement
from bot.ledger.records import StoredEvent, StoredHouse, StoredTable, TableHead
from bot.ledger.schema import (
    APPLICATION_KEY,
    OPENINGS_KEY,
    OWNERS,
    admin_notes,
    bans,
    chains,
    commands,
    deadlines,
    direct_channels,
    events,
    house_changes,
    house_drafts,
    keys,
    parties,
    plans,
    seed_words,
    servers,
    spent_openings,
    tables,
    tournaments,
)
from bot.ledger.season_queries import SeasonQueries
from bot.ledger.sql import TEXT, listed
from bot.ledger.standing_queries import StandingQueries
from bot.shards import EVERY_SHARD, SHARD_SHIFT, Shards

_IN_SERVER: Final = parties.c.server_id == bindparam("server")
_DIRECT_CHANNELS: Final = Statement(
    select(direct_channels).where(direct_channels.c.user_id.in_(listed("users")))
)
_IDENTITY: Final = Statement(select(parties).where(_IN_SERVER, parties.c.user_id == bindparam("user")))
_IDENTITIES_OF: Final = Statement(
    select(parties).where(parties.c.user_id == bindparam("user")).order_by(parties.c.server_id)
)
_IDENTITIES: Final = Statement(select(parties).where(parties.c.party.in_(listed("parties"))))
_LOCALE_ENDS: Final = Statement(select(parties).where(parties.c.locale.like(bindparam("pattern"))))
_MEMBERS: Final = Statement(select(parties).where(_IN_SERVER).limit(bindparam("limit")))
_OUTDATED_OPENING: Final = Statement(
    select(spent_openings.c.until)
    .where((spent_openings.c.until < bindparam("at")) | (spent_openings.c.until > bindparam("latest")))
    .limit(1)
)
_BAN_OVER: Final = Statement(select(bans.c.until).where(bans.c.until < bindparam("at")).limit(1))
_EVERY_BAN: Final = Statement(select(bans))
_BANS: Final = Statement(select(bans).where(bans.c.server_id == bindparam("server")).order_by(bans.c.at))
_SERVER_IDS: Final = Statement(select(parties.c.server_id).distinct().order_by(parties.c.server_id))
_REASONS_BY: Final = Statement(
    select(admin_notes.c.words).where(admin_notes.c.admin == bindparam("admin")).order_by(admin_notes.c.key)
)
_BANNED_BY: Final = Statement(
    select(bans.c.words).where(bans.c.admin == bindparam("admin")).order_by(bans.c.at)
)
_WORDS_OF: Final = Statement(select(seed_words).where(seed_words.c.party == bindparam("party")))
_SEED_WORDS: Final = Statement(
    select(seed_words).where(seed_words.c.client_seed.in_(listed("client_seeds", TEXT)))
)
_KEY: Final = Statement(select(keys.c.key).where(keys.c.name == bindparam("name")))
_NOTES: Final = Statement(select(keys).where(keys.c.name.startswith(bindparam("beginning", type_=String()))))
_PLAN: Final = Statement(select(plans).where(plans.c.name == bindparam("name")))
_PLANS_OF: Final = Statement(select(plans).where(plans.c.party == bindparam("party")))
_PLANS_DUE: Final = Statement(select(plans).where(plans.c.at <= bindparam("now")).order_by(plans.c.at))
_PLANS_OF_KIND: Final = Statement(select(plans).where(plans.c.kind == bindparam("of")))
_IN_KIND: Final = (plans.c.server_id == bindparam("server")) & (plans.c.kind == bindparam("of"))
_PLANS_IN_SERVER: Final = Statement(select(plans).where(_IN_KIND).order_by(plans.c.at, plans.c.name))
_PLANS_IN_CHANNEL: Final = Statement(
    select(plans).where(_IN_KIND, plans.c.channel_id == bindparam("channel")).order_by(plans.c.name)
)
_SPENT_UNTIL: Final = Statement(
    select(spent_openings.c.until).where(
        spent_openings.c.server_id == bindparam("server"), spent_openings.c.digest == bindparam("digest")
    )
)
_SERVER_ERASURES: Final = Statement(
    select(servers.c.server_id, servers.c.erase_at).where(servers.c.erase_at.is_not(None))
)


def _identity(*row: Any) -> Identity:
    """An identity from its row, in which SQLite has numbers for what is true or false."""
    return Identity(*row[:5], *map(bool, row[5:]))


class MemberQueries(Reader):
    """Reads who is who."""

    async def direct_channel(self, user_id: int) -> DirectChannel | None:
        """How to reach a user by direct message; None if that is not known."""
        return (await self.direct_channels_of([user_id]))[user_id]

    async def direct_channels_of(self, user_ids: Collection[int]) -> dict[int, DirectChannel | None]:
        """How to reach several users by direct message; None if that is not known."""
        channels = await self.all_of(DirectChannel, _DIRECT_CHANNELS, users=list(user_ids))
        found = {channel.user_id: channel for channel in channels}
        return {user_id: found.get(user_id) for user_id in user_ids}

    async def identity_of(self, server_id: int, user_id: int) -> Identity | None:
        """Who a user is in a server; None if nothing is stored of them there."""
        return await self.one_of(_identity, _IDENTITY, server=server_id, user=user_id)

    async def identities_of(self, user_id: int) -> list[Identity]:
        """Who a user is, in every server where something is stored of them."""
        return await self.all_of(_identity, _IDENTITIES_OF, user=user_id)

    async def identities_with_locale_ending(self, ending: str) -> list[Identity]:
        """The members whose stored locale ends so."""
        return await self.all_of(_identity, _LOCALE_ENDS, pattern=f"%{ending}")

    async def identities(self, of: Iterable[int]) -> dict[int, Identity]:
        """The members behind these parties; erased ones are omitted."""
        return {one.party: one for one in await self.all_of(_identity, _IDENTITIES, parties=list(of))}

    async def members_of(self, server_id: int, limit: int) -> list[Identity]:
        """Some of the members who are stored in a server; all if there are no more than `limit`."""
        return await self.all_of(_identity, _MEMBERS, server=server_id, limit=limit)

    async def has_outdated_openings(self, at: float, latest: float) -> bool:
        """Whether hashes of erased members are stored whose time was over then, or is over after `latest`.

        Or bans that were over then.
        """
        if await self.row(_OUTDATED_OPENING, at=at, latest=latest) is not None:
            return True
        return await self.row(_BAN_OVER, at=at) is not None

    async def bans(self, server_id: int | None = None) -> list[Ban]:
        """Who may not play in a server, the oldest ban first; or in any."""
        if server_id is None:
            return await self.all_of(Ban, _EVERY_BAN)
        return await self.all_of(Ban, _BANS, server=server_id)

    async def server_ids(self) -> list[int]:
        """The servers where somebody is stored."""
        return [server_id for (server_id,) in await self.rows(_SERVER_IDS)]

    async def reasons_by(self, admin: int) -> list[str]:
        """The reasons for which a member, as an admin, gave chips, took some, or banned somebody."""
        found = [*await self.rows(_REASONS_BY, admin=admin), *await self.rows(_BANNED_BY, admin=admin)]
        return [words for (words,) in found]

    async def words_of(self, party: int) -> list[SeedWords]:
        """The words that a member chose as client seeds."""
        return await self.all_of(SeedWords, _WORDS_OF, party=party)

    async def seed_words(self, client_seeds: Iterable[str]) -> dict[str, SeedWords]:
        """The words with these codes; erased ones are omitted."""
        found = await self.all_of(SeedWords, _SEED_WORDS, client_seeds=list(client_seeds))
        return {words.client_seed: words for words in found}

    async def member_key(self) -> bytes:
        """The key of the hashes that say who had opening chips."""
        found: bytes = await self.value(_KEY, name=OPENINGS_KEY)
        return found

    async def application_id(self) -> int | None:
        """Discord's id of the application that the database belongs to; None if that is not noted."""
        found: bytes | None = await self.value(_KEY, name=APPLICATION_KEY)
        return None if found is None else int(found)

    async def owner_notes(self, beginning: str) -> dict[str, str]:
        """What the owner of the bot decided, by those names that begin so."""
        found = await self.rows(_NOTES, beginning=OWNERS + beginning)
        return {name.removeprefix(OWNERS): text.decode() for name, text in found}

    async def plan(self, name: str) -> Plan | None:
        """The plan of this name; None if there is none."""
        return await self.one_of(Plan, _PLAN, name=name)

    async def plans_of(self, party: int) -> list[Plan]:
        """What is planned for a member."""
        return await self.all_of(Plan, _PLANS_OF, party=party)

    async def plans_due(self, now: float) -> list[Plan]:
        """What is due by now, the earliest first."""
        return await self.all_of(Plan, _PLANS_DUE, now=now)

    async def plans_of_kind(self, kind: str) -> list[Plan]:
        """What is planned of a kind in every server."""
        return await self.all_of(Plan, _PLANS_OF_KIND, of=kind)

    async def plans_at_open_tables(self, kind: str, of: Shards) -> list[Plan]:
        """What is planned of a kind in those servers of some shards that have an open table."""
        return await self.all_of(Plan, _PLANS_AT_TABLES, of=kind, count=of.count, shards=list(of.ids))

    async def plans_in(self, server_id: int, kind: str, channel_id: int | None = None) -> list[Plan]:
        """What is planned of a kind in a server, or in one channel of it."""
        if channel_id is None:
            return await self.all_of(Plan, _PLANS_IN_SERVER, server=server_id, of=kind)
        return await self.all_of(Plan, _PLANS_IN_CHANNEL, server=server_id, of=kind, channel=channel_id)

    async def opening_spent_until(self, server_id: int, digest: bytes) -> float | None:
        """Until when an erased member with this hash gets no opening chips; None if that is not noted."""
        until: float | None = await self.value(_SPENT_UNTIL, server=server_id, digest=digest)
        return until

    async def server_erasures(self) -> dict[int, float]:
        """When each server is erased that the bot has left."""
        return dict(await self.rows(_SERVER_ERASURES))


_TABLE: Final = select(*(tables.c[field.name] for field in fields(StoredTable)))
_EVENT: Final = [events.c[field.name] for field in fields(StoredEvent)]
_OF_SERVER: Final = tables.c.server_id == bindparam("server")
_EVENTS_IN_ORDER: Final = (
    select(*_EVENT).where(events.c.table_id == bindparam("table")).order_by(events.c.sequence)
)
_OPEN_IN_SHARDS: Final = tables.c.is_open & (
    tables.c.server_id.bitwise_rshift(literal_column(str(SHARD_SHIFT))) % bindparam("count", type_=BigInteger)
).in_(listed("shards"))
_PLANS_AT_TABLES: Final = Statement(
    select(plans).where(
        plans.c.server_id.in_(select(tables.c.server_id).where(_OPEN_IN_SHARDS)),
        plans.c.kind == bindparam("of"),
    )
)
_OPEN_TABLES: Final = Statement(_TABLE.where(_OPEN_IN_SHARDS).order_by(tables.c.opened_at))
_OPEN_TABLES_IN: Final = Statement(
    _TABLE.where(tables.c.is_open, tables.c.server_id.in_(listed("servers"))).order_by(tables.c.opened_at)
)
_TABLE_HEADS: Final = Statement(
    select(tables.c.server_id, tables.c.table_id, chains.c.last_link, chains.c.head)
    .join(chains, chains.c.server_id == tables.c.server_id)
    .where(_OPEN_IN_SHARDS)
)
_EVERY_TABLE: Final = Statement(
    select(tables.c.server_id, tables.c.table_id, tables.c.number).order_by(
        tables.c.server_id, tables.c.number
    )
)
_BY_ID: Final = Statement(_TABLE.where(tables.c.table_id == bindparam("table")))
_OPEN_IN: Final = Statement(_TABLE.where(tables.c.channel_id == bindparam("channel"), tables.c.is_open))
# No index leads to a channel's closed tables. The one of a server's numbers stops at the newest.
_NEWEST_IN: Final = Statement(
    _TABLE.where(_OF_SERVER, tables.c.channel_id == bindparam("channel"))
    .order_by(tables.c.number.desc())
    .limit(1)
)
_NUMBERED: Final = Statement(_TABLE.where(_OF_SERVER, tables.c.number == bindparam("number")))
_NEXT_NUMBER: Final = Statement(select(func.coalesce(func.max(tables.c.number), 0) + 1).where(_OF_SERVER))
_EVENTS: Final = Statement(_EVENTS_IN_ORDER)
_EVENTS_AFTER: Final = Statement(_EVENTS_IN_ORDER.where(events.c.sequence > bindparam("sequence")))
_EVENTS_OF_ROUND: Final = Statement(_EVENTS_IN_ORDER.where(events.c.round_number == bindparam("round")))
_ROUNDS_AND_BANKS: Final = Statement(
    select(*_EVENT)
    .where(
        events.c.table_id == bindparam("table"),
        or_(events.c.kind == "round_settled", events.c.kind == "bank_taken"),
    )
    .order_by(events.c.sequence.desc())
    .limit(bindparam("limit"))
)
_NEWEST_SETTLED: Final = Statement(
    select(tables.c.table_id, tables.c.number, events.c.at, events.c.body)
    .select_from(events.join(tables))
    .where(_OF_SERVER, events.c.kind == "round_settled")
    .order_by(events.c.link.desc())
    .limit(bindparam("limit"))
)
_NEWEST_SETTLED_IN: Final = Statement(
    _NEWEST_SETTLED.query.where(tables.c.channel_id.in_(listed("channels")))
)
_RECENT_EVENTS: Final = Statement(
    select(events.c.table_id, events.c.sequence, events.c.command_key, events.c.hash)
    .select_from(events.join(tables))
    .where(_OPEN_IN_SHARDS, events.c.sequence > tables.c.sequence - bindparam("last"))
)
_EVENTS_NAMING: Final = Statement(
    select(tables.c.number, *_EVENT)
    .select_from(events.join(tables))
    .where(_OF_SERVER, events.c.body.contains(bindparam("party")))
    .order_by(events.c.link)
)
_DEADLINES: Final = Statement(select(deadlines.c.table_id, deadlines.c.at).order_by(deadlines.c.at))


_TOURNAMENT: Final = Statement(
    select(tournaments).where(tournaments.c.tournament_id == bindparam("tournament"))
)
_RUNNING_TOURNAMENTS: Final = Statement(
    select(tournaments).where(~tournaments.c.is_over).order_by(tournaments.c.tournament_id)
)
_RUNNING_TOURNAMENTS_IN: Final = Statement(
    select(tournaments)
    .where(tournaments.c.server_id == bindparam("server"), ~tournaments.c.is_over)
    .order_by(tournaments.c.tournament_id)
)
_TOURNAMENTS_IN: Final = Statement(
    select(tournaments)
    .where(tournaments.c.server_id == bindparam("server"))
    .order_by(tournaments.c.tournament_id)
)


def _tournament(
    tournament_id: int, server_id: int, channel_id: int, is_over: int, state: str
) -> TournamentRow:
    """A tournament from its row, in which SQLite has numbers for what is true or false."""
    return TournamentRow(tournament_id, server_id, channel_id, bool(is_over), state)


class TableQueries(Reader):
    """Reads tables, and tournaments."""

    async def tournament(self, tournament_id: int) -> TournamentRow | None:
        """A tournament; None if there is none with this id."""
        found = await self.all_of(_tournament, _TOURNAMENT, tournament=tournament_id)
        return found[0] if found else None

    async def running_tournaments(self) -> list[TournamentRow]:
        """The tournaments of all servers that are not over, the oldest first."""
        return await self.all_of(_tournament, _RUNNING_TOURNAMENTS)

    async def running_tournaments_in(self, server_id: int) -> list[TournamentRow]:
        """The tournaments of a server that are not over, the oldest first."""
        return await self.all_of(_tournament, _RUNNING_TOURNAMENTS_IN, server=server_id)

    async def tournaments_in(self, server_id: int) -> list[TournamentRow]:
        """All tournaments of a server, the oldest first."""
        return await self.all_of(_tournament, _TOURNAMENTS_IN, server=server_id)

    async def open_tables(self, of: Shards = EVERY_SHARD) -> list[StoredTable]:
        """Every open table of the servers in some shards, the oldest first."""
        return await self.all_of(StoredTable, _OPEN_TABLES, count=of.count, shards=list(of.ids))

    async def table_heads(self, of: Shards) -> list[TableHead]:
        """The same tables, each with the head of its server's chain."""
        return await self.all_of(TableHead, _TABLE_HEADS, count=of.count, shards=list(of.ids))

    async def open_tables_in(self, server_ids: Iterable[int]) -> list[StoredTable]:
        """The open tables of these servers, the oldest first."""
        return await self.all_of(StoredTable, _OPEN_TABLES_IN, servers=list(server_ids))

    async def every_table(self) -> list[tuple[int, int, int]]:
        """Server, id and number of every table, open or closed, by server and number."""
        return [
            (server_id, table_id, number) for server_id, table_id, number in await self.rows(_EVERY_TABLE)
        ]

    async def table(self, table_id: int) -> StoredTable | None:
        """The table with this id, open or closed."""
        return await self.one_of(StoredTable, _BY_ID, table=table_id)

    async def table_open_in(self, channel_id: int) -> StoredTable | None:
        """The open table of a channel or thread."""
        return await self.one_of(StoredTable, _OPEN_IN, channel=channel_id)

    async def newest_table_in(self, server_id: int, channel_id: int) -> StoredTable | None:
        """The newest table of a channel or thread, open or closed."""
        return await self.one_of(StoredTable, _NEWEST_IN, server=server_id, channel=channel_id)

    async def table_numbered(self, server_id: int, number: int) -> StoredTable | None:
        """The table with this number in a server, open or closed."""
        return await self.one_of(StoredTable, _NUMBERED, server=server_id, number=number)

    async def next_table_number(self, server_id: int) -> int:
        """The number for the server's next table; of two that use the same, one gets Unstorable."""
        number: int = await self.value(_NEXT_NUMBER, server=server_id)
        return number

    async def events(self, table_id: int, round_number: int | None = None) -> list[StoredEvent]:
        """A table's events in order; all of them, or those of one round."""
        if round_number is None:
            return [StoredEvent(*row) for row in await self.many_rows(_EVENTS, table=table_id)]
        return await self.all_of(StoredEvent, _EVENTS_OF_ROUND, table=table_id, round=round_number)

    async def events_after(self, table_id: int, sequence: int) -> list[StoredEvent]:
        """A table's events after the one with this number, in order."""
        return await self.all_of(StoredEvent, _EVENTS_AFTER, table=table_id, sequence=sequence)

    async def rounds_and_banks(self, table_id: int, last: int) -> list[StoredEvent]:
        """A table's last events by which a round was settled or somebody took the bank, in order."""
        return (await self.all_of(StoredEvent, _ROUNDS_AND_BANKS, table=table_id, limit=last))[::-1]

    async def newest_settled(
        self, server_id: int, limit: int, channel_ids: Collection[int] = ()
    ) -> list[tuple[Any, ...]]:
        """The server's newest settled rounds: a table's id and number, the time, and the event's body.

        It may take long, as the server may have many events.

        Args:
            channel_ids: only those of tables in these channels; empty for all.
        """
        if not channel_ids:
            return await self.many_rows(_NEWEST_SETTLED, server=server_id, limit=limit)
        return await self.many_rows(
            _NEWEST_SETTLED_IN, server=server_id, limit=limit, channels=[*channel_ids]
        )

    async def recent_events(self, last: int, of: Shards = EVERY_SHARD) -> list[tuple[int, int, str, bytes]]:
        """The last events of such tables: table, number, key of the command, and hash."""
        found = await self.rows(_RECENT_EVENTS, last=last, count=of.count, shards=list(of.ids))
        return [(table_id, sequence, key, last_hash) for table_id, sequence, key, last_hash in found]

    async def events_naming(self, server_id: int, party: int) -> list[tuple[int, StoredEvent]]:
        """The events that name a party, each with the number of its table, in the order of writing.

        This reads every event of the server. A body may name another number that ends like the party.
        """
        rows = await self.many_rows(_EVENTS_NAMING, server=server_id, party=str(party))
        return [(row[0], StoredEvent(*row[1:])) for row in rows]

    async def deadlines(self) -> dict[int, float]:
        """When each table continues automatically, the soonest first."""
        return dict(await self.rows(_DEADLINES))


_HOUSE = [house_changes.c[field.name] for field in fields(StoredHouse)]
_HOUSE_OF_SERVER: Final = house_changes.c.server_id == bindparam("server")
_LAST: Final = (
    select(house_changes.c.server_id, func.max(house_changes.c.number).label("number"))
    .group_by(house_changes.c.server_id)
    .subquery()
)
_ANSWER: Final = Statement(select(commands.c.answer).where(commands.c.key == bindparam("key")))
_HEAD: Final = Statement(
    select(chains.c.last_link, chains.c.head).where(chains.c.server_id == bindparam("server"))
)
_HEADS_POSTED: Final = Statement(
    select(servers.c.server_id, servers.c.head_posted_at).where(servers.c.head_posted_at.is_not(None))
)
_WEEKS_POSTED: Final = Statement(select(servers.c.server_id, servers.c.week_posted))
_KNOWN_SERVERS: Final = Statement(
    select(
        union(select(servers.c.server_id), select(chains.c.server_id), select(parties.c.server_id)).subquery()
    )
)
_HOUSES: Final = Statement(
    select(*_HOUSE).join(
        _LAST,
        (house_changes.c.server_id == _LAST.c.server_id) & (house_changes.c.number == _LAST.c.number),
    )
)
_HOUSES_OF: Final = Statement(_HOUSES.query.where(_LAST.c.server_id.in_(listed("servers"))))
_HOUSE_HISTORY: Final = Statement(
    select(*_HOUSE).where(_HOUSE_OF_SERVER).order_by(house_changes.c.number.desc()).limit(bindparam("limit"))
)
_HOUSE_CHANGES: Final = Statement(
    select(*_HOUSE).where(_HOUSE_OF_SERVER, house_changes.c.number.in_(listed("numbers")))
)
_HOUSE_CHANGES_BY: Final = Statement(
    select(*_HOUSE)
    .where(_HOUSE_OF_SERVER, house_changes.c.party == bindparam("party"))
    .order_by(house_changes.c.number)
)
_HOUSE_DRAFT: Final = Statement(select(house_drafts).where(house_drafts.c.draft_id == bindparam("draft")))


class Queries(
    ChipQueries, AuditQueries, StandingQueries, RankQueries, SeasonQueries, TableQueries, MemberQueries
):
    """Reads the ledger. Each query sees one snapshot with everything committed before it."""

    async def answer(self, key: str) -> str | None:
        """The answer stored with a change, or None; None also if the key is not committed."""
        answer: str | None = await self.value(_ANSWER, key=key)
        return answer

    async def head(self, server_id: int) -> tuple[int, bytes] | None:
        """The number and the hash of the last link of a server's chain; None if it has none."""
        row = await self.row(_HEAD, server=server_id)
        return None if row is None else (row[0], row[1])

    async def heads_posted(self) -> dict[int, float]:
        """When the head of each server's chain was last posted."""
        return dict(await self.rows(_HEADS_POSTED))

    async def weeks_posted(self) -> dict[int, str | None]:
        """The week whose leaderboard each greeted server got last; None for one that got none."""
        return dict(await self.rows(_WEEKS_POSTED))

    async def known_servers(self) -> set[int]:
        """The servers that the bot has greeted, left, or anything is stored of."""
        return {server_id for (server_id,) in await self.rows(_KNOWN_SERVERS)}

    async def houses(self) -> list[StoredHouse]:
        """The last change of every server's house rules, which has the rules in force."""
        return await self.all_of(StoredHouse, _HOUSES)

    async def houses_of(self, server_ids: Iterable[int]) -> list[StoredHouse]:
        """The same of these servers."""
        return await self.all_of(StoredHouse, _HOUSES_OF, servers=list(server_ids))

    async def house_history(self, server_id: int, limit: int) -> list[StoredHouse]:
        """The last changes of a server's house rules, the newest first."""
        return await self.all_of(StoredHouse, _HOUSE_HISTORY, server=server_id, limit=limit)

    async def house_changes(self, server_id: int, numbers: Iterable[int]) -> list[StoredHouse]:
        """The changes of a server's house rules with these numbers, as far as there are any."""
        return await self.all_of(StoredHouse, _HOUSE_CHANGES, server=server_id, numbers=list(numbers))

    async def house_changes_by(self, server_id: int, party: int) -> list[StoredHouse]:
        """The changes of a server's house rules that a member made, the oldest first."""
        return await self.all_of(StoredHouse, _HOUSE_CHANGES_BY, server=server_id, party=party)

    async def house_draft(self, draft_id: int) -> HouseDraft | None:
        """The draft with this id; None if there is none, or it was too old."""
        return await self.one_of(HouseDraft, _HOUSE_DRAFT, draft=draft_id)


@asynccontextmanager
async def queries_of(engine: Reading) -> AsyncIterator[Queries]:
    """Queries of a database, which is closed on exit."""
    try:
        yield Queries(engine)
    finally:
        await engine.close()
