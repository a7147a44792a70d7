"""The writer's SQL: reads what a batch needs, and writes what it computed.

Each statement runs once for the whole batch. Statements are compiled from the schema once, and rows go to the
driver unchanged: for a thousand rows that takes half the time of binding each row by name. Where the engine
takes all rows of a statement at once, they go as columns: a server plans each row of many again.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Delete,
    Dialect,
    Double,
    Insert,
    Select,
    Table,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)

from bot.ledger.batch import MOST_RESET, Batch, CacheMisses, Rows, WriteCache
from bot.ledger.changes import (
    Ban,
    BanLifted,
    BoardPosted,
    DirectChannel,
    HeadPosted,
    HouseDraft,
    Identity,
    LocaleChosen,
    OpeningsOutdated,
    OwnApplication,
    OwnerNote,
    PlanChanged,
    RoundsCounted,
    SeasonChanged,
    ServerErasure,
    ServerGreeted,
    StandingsCleared,
    WeekPosted,
)
from bot.ledger.engine import Connection
from bot.ledger.errors import Overtaken
from bot.ledger.schema import (
    APPLICATION_KEY,
    OWNERS,
    accounts,
    achievements,
    admin_notes,
    bans,
    chains,
    commands,
    deadlines,
    direct_channels,
    events,
    flows,
    house_changes,
    house_drafts,
    keys,
    parties,
    plans,
    seasons,
    seed_words,
    servers,
    spent_openings,
    standings,
    tables,
    tallies,
    transfers,
    uncounted_rounds,
)
from bot.ledger.sql import BIGINT, TEXT, element, elements, for_all_rows, listed
from bot.table.accounts import Account, AccountKind, Reason
from bot.table.audit import ADDED
from bot.table.standings import HIGH_PART, LUCK_ROUNDS, MILLION, SETTLED, Standing
from bot.table.state import NOBODY

RowsOf = Callable[[Batch], Rows]
"""The rows that a statement writes for a batch."""
EVERY_SETTLED: Final = (
    select(tables.c.server_id, events.c.link, events.c.table_id, events.c.sequence)
    .select_from(events.join(tables))
    .where(events.c.kind == literal_column(f"'{SETTLED}'"))
)
"""Every settled round, in the columns of `uncounted_rounds`."""
DRAFT_SECONDS: Final = 86_400.0
"""How long a draft of house rules can be confirmed."""


def _insert(table: Table) -> Insert:
    """Takes rows in the order of the table's columns."""
    return insert(table).values(_of_row(table.c))


def _of_row(columns: Iterable[Column[Any]]) -> dict[str, BindParameter[Any]]:
    return {column.name: bindparam(column.name, type_=column.type) for column in columns}


def _replacing(inserted: Any, table: Table, changed: Iterable[Column[Any]]) -> Any:
    return inserted.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={column.name: inserted.excluded[column.name] for column in changed},
    )


def _delete(table: Table) -> Delete:
    """Takes primary keys as rows."""
    return delete(table).where(*_key(table))


def _key(table: Table) -> list[Any]:
    return [column == bindparam(f"key_{column.name}") for column in table.primary_key]


_asked: Final = elements("names")
"""The names to look up."""
_later_changes: Final = house_changes.alias()

_READS: Final[dict[str, Select[Any]]] = {
    "answers": select(commands.c.key, commands.c.answer).where(commands.c.key.in_(listed("names", TEXT))),
    "last_events": (
        select(tables.c.server_id, tables.c.table_id, tables.c.sequence, events.c.hash)
        .join(events, (events.c.table_id == tables.c.table_id) & (events.c.sequence == tables.c.sequence))
        .where(tables.c.table_id.in_(listed("names")))
    ),
    # Where others write too, nobody else moves these heads from then on until the batch is committed.
    "heads": (
        select(chains)
        .where(chains.c.server_id.in_(listed("names")))
        .order_by(chains.c.server_id)
        .with_for_update()
    ),
    "houses": (
        select(house_changes.c.server_id, house_changes.c.number, house_changes.c.hash).where(
            house_changes.c.server_id.in_(listed("names")),
            ~exists().where(
                _later_changes.c.server_id == house_changes.c.server_id,
                _later_changes.c.number > house_changes.c.number,
            ),
        )
    ),
    "gifts": (
        select(transfers.c.server_id, func.max(transfers.c.link))
        .select_from(
            _asked.join(
                transfers,
                (transfers.c.server_id == element(_asked, BIGINT, 0))
                & (transfers.c.link > element(_asked, BIGINT, 1)),
            )
        )
        .where(transfers.c.reason == literal_column(f"'{Reason.GIFT}'"))
        .group_by(transfers.c.server_id)
    ),
    # An erased member has a wallet still, and no identity. One more row than is reset: there are others.
    "resets": (
        select(
            accounts.c.server_id, accounts.c.kind, accounts.c.party, accounts.c.table_id, accounts.c.balance
        )
        .select_from(
            _asked.join(accounts, accounts.c.server_id == element(_asked, BIGINT, 0)).outerjoin(
                parties,
                (parties.c.party == accounts.c.party) & (parties.c.server_id == accounts.c.server_id),
            )
        )
        .where(
            (
                (accounts.c.kind == literal_column(f"'{AccountKind.WALLET}'"))
                & (accounts.c.balance != element(_asked, BIGINT, 1))
                & parties.c.party.is_not(None)
            )
            | (
                (accounts.c.kind == literal_column(f"'{AccountKind.HOLD}'"))
                & (accounts.c.balance != literal_column("0"))
            ),
        )
        .limit(literal_column(str(MOST_RESET + 1)))
        .offset(literal_column("0"))
    ),
    "balances": (
        # With IN and pairs, SQLite would scan all accounts; with a join, it looks each one up.
        select(accounts.c.server_id, accounts.c.account, accounts.c.balance).select_from(
            _asked.join(
                accounts,
                (accounts.c.server_id == element(_asked, BIGINT, 0))
                & (accounts.c.account == element(_asked, TEXT, 1)),
            )
        )
    ),
}
"""What is read, by the cache's attribute that it fills."""


def _facts(kind: type[Any], row: Callable[[Any], tuple[object, ...]] | None = None) -> RowsOf:
    """A row for each fact of a kind, in order, so that the last one about a thing stays.

    Args:
        row: makes the row; by default it has all fields.
    """
    row_of = row or attrgetter(*(field.name for field in fields(kind)))
    return lambda batch: [row_of(fact) for fact in batch.facts if isinstance(fact, kind)]


def _counted(batch: Batch) -> Iterable[Standing]:
    return (one for fact in batch.facts if isinstance(fact, RoundsCounted) for one in fact.standings)


def _notes(batch: Batch) -> dict[str, int | str | None]:
    """What is noted beside the books, by the names of `keys`; None for what is deleted."""
    notes: dict[str, int | str | None] = {}
    for fact in batch.facts:
        if isinstance(fact, OwnApplication):
            notes[APPLICATION_KEY] = fact.application_id
        elif isinstance(fact, OwnerNote):
            notes[OWNERS + fact.name] = fact.text
    return notes


def _bans(batch: Batch) -> dict[tuple[int, bytes], Ban | BanLifted]:
    """The last that is recorded of each ban."""
    return {(fact.server_id, fact.digest): fact for fact in batch.facts if isinstance(fact, Ban | BanLifted)}


_NO_WORDS: Final[ColumnElement[str]] = literal_column("''")
_MOVE_HEADS: Final = (
    update(chains)
    .where(*_key(chains), chains.c.head == bindparam("before"))
    .values(last_link=bindparam("link"), head=bindparam("new_head"))
)
"""Moves the head of a chain, if the chain still ends where the writer believes. Its hash says so, not its
number: after a server has lost the last commit, another link may have that number by now."""
_FENCES: Final[list[tuple[Any, RowsOf]]] = [
    (_MOVE_HEADS, lambda batch: batch.moved_heads),
    (
        _delete(uncounted_rounds),
        lambda batch: [
            (fact.server_id, link)
            for fact in batch.facts
            if isinstance(fact, RoundsCounted)
            for link in fact.links
        ],
    ),
    (
        update(servers)
        .values(week_posted=bindparam("week"))
        .where(
            servers.c.server_id == bindparam("server"),
            servers.c.week_posted.is_not_distinct_from(bindparam("before", type_=servers.c.week_posted.type)),
        ),
        lambda batch: [
            (fact.week, fact.server_id, fact.before) for fact in batch.facts if isinstance(fact, WeekPosted)
        ],
    ),
    (
        delete(plans).where(
            plans.c.name == bindparam("same_name"),
            plans.c.at.is_not_distinct_from(bindparam("same_at", type_=plans.c.at.type)),
            plans.c.what == bindparam("same_what"),
        ),
        lambda batch: [
            (one.name, one.at, one.what)
            for fact in batch.facts
            if isinstance(fact, PlanChanged) and (one := fact.before) is not None
        ],
    ),
    (
        delete(seasons).where(
            *_key(seasons),
            seasons.c.ends_at.is_not_distinct_from(bindparam("same_end", type_=seasons.c.ends_at.type)),
            seasons.c.repeat_day.is_not_distinct_from(bindparam("same_day", type_=seasons.c.repeat_day.type)),
            seasons.c.is_over == bindparam("same_over"),
            seasons.c.is_posted == bindparam("same_posted"),
            seasons.c.is_crowned == bindparam("same_crowned"),
            seasons.c.winners == bindparam("same_winners"),
        ),
        lambda batch: [
            (
                *(one.server_id, one.number, one.ends_at, one.repeat_day, one.is_over),
                *(one.is_posted, one.is_crowned, one.winners),
            )
            for fact in batch.facts
            if isinstance(fact, SeasonChanged) and (one := fact.before) is not None
        ],
    ),
]
"""What must change every one of its rows, or another process was faster: it has counted a round already, or
done what was planned, posted a week, or ended a season."""
_FIXED: Final = (tables.c.server_id, tables.c.number, tables.c.opened_at)
_CHANGING: Final = (
    tables.c.channel_id,
    tables.c.is_open,
    tables.c.is_playing,
    tables.c.state,
    tables.c.sequence,
    tables.c.closed_at,
)
"""What a command sets of a new table, and of each."""


def _upsert(dialects_insert: Callable[[Table], Any]) -> Callable[..., Any]:
    def upsert(table: Table, *columns: Column[Any], changed: Collection[Column[Any]] = ()) -> Any:
        """Takes rows of the primary key and these columns, by default of all, in the table's order.

        Where there is such a key, only what is `changed` is replaced, by default all that the rows have.
        """
        taken = (*table.primary_key, *columns) if columns else tuple(table.c)
        inserted = dialects_insert(table).values(_of_row(taken))
        return _replacing(inserted, table, changed or [column for column in taken if not column.primary_key])

    return upsert


def _writes_of_changes(dialects_insert: Callable[[Table], Any]) -> list[tuple[Any, RowsOf]]:
    """Each statement with its rows, in an order that satisfies every foreign key. No key is there twice."""
    upsert = _upsert(dialects_insert)
    return [
        (_insert(chains), lambda batch: batch.new_heads),
        # Apart: an upsert takes three times as long as an update, and a settled round has a score of
        # accounts.
        (_insert(accounts), lambda batch: batch.new_accounts),
        (
            update(accounts).where(*_key(accounts)).values(balance=bindparam("balance")),
            lambda batch: batch.balances,
        ),
        (_insert(transfers), lambda batch: batch.transfers),
        (upsert(tables, *_FIXED, *_CHANGING, changed=_CHANGING), lambda batch: batch.tables),
        (_insert(events), lambda batch: batch.events),
        (_insert(uncounted_rounds), lambda batch: batch.uncounted),
        (_delete(deadlines), lambda batch: batch.touched_tables),
        (_insert(deadlines), lambda batch: batch.deadlines),
        (_insert(commands), lambda batch: batch.commands),
        (_insert(house_changes), lambda batch: batch.house_changes),
    ]


def _luck(sums: Mapping[str, ColumnElement[Any]]) -> Mapping[str, ColumnElement[Any]]:
    """`Standing.counted_luck` of sums, to the last digit."""
    # Literal, because each parameter of the statement is a column of its row.
    numbers: list[ColumnElement[Any]] = [
        literal_column(repr(one)) for one in (float(HIGH_PART), float(MILLION), 0.0, LUCK_ROUNDS)
    ]
    high_part, million, none, fewest = numbers
    ahead, high, low = (cast(sums[name], Double) for name in ("ahead", "variance_high", "variance_low"))
    variance = high * high_part + low
    is_told = (sums["luck_rounds"] >= fewest) & (variance > none)
    return {"luck": case((is_told, ahead * func.abs(ahead) / (variance * million)))}


def _adding(
    inserted: Any,
    table: Table,
    added: Collection[str],
    most: Collection[str] = (),
    from_sums: Callable[[Mapping[str, ColumnElement[Any]]], Mapping[str, ColumnElement[Any]]] = lambda _: {},
) -> Any:
    """Adds what rounds brought to a row that is there already.

    Args:
        inserted: what puts it there otherwise.
        added: the columns that are added up.
        most: those of which the larger value stays.
        from_sums: what gives other columns from the sums.
    """
    new = inserted.excluded

    def both(name: str, together: ColumnElement[Any]) -> ColumnElement[Any]:
        """The two together, or the one of them that is not empty."""
        return func.coalesce(together, new[name], table.c[name])

    sums = {name: both(name, table.c[name] + new[name]) for name in added}
    return inserted.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            **sums,
            **from_sums(sums),
            **{
                name: both(name, case((new[name] > table.c[name], new[name]), else_=table.c[name]))
                for name in most
            },
        },
    )


def _of_member(dialects_insert: Callable[[Table], Any], table: Table) -> Any:
    """Takes rows with party and server at the end; those of members who are erased change nothing."""
    is_theirs = parties.c.party == bindparam("same_party"), parties.c.server_id == bindparam("same_server")
    return dialects_insert(table).from_select(
        list(table.c), select(*_of_row(table.c).values()).where(_is_stored(*is_theirs))
    )


def _is_stored(*which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether there is such a member, whom nobody erases before the batch is committed.

    Another process that erases a member waits for this one, or this one for it.
    """
    return exists(select(parties.c.party).where(*which).with_for_update(read=True, key_share=True))


def _season() -> Insert:
    """Takes rows of seasons, with the server after each link; a link of None is the end of its chain.

    Nobody settles a round there until the batch is committed: who counts one knows in which season it was.
    """

    def or_end(column: Column[Any], server: str) -> ColumnElement[Any]:
        of_server = chains.c.server_id == bindparam(server, type_=chains.c.server_id.type)
        end = select(chains.c.last_link).where(of_server).with_for_update(read=True).scalar_subquery()
        return func.coalesce(bindparam(column.name, type_=column.type), end)

    values: dict[str, ColumnElement[Any]] = {**_of_row(seasons.c)}
    values["first_link"] = func.coalesce(or_end(seasons.c.first_link, "begins_in"), literal_column("0"))
    values["last_link"] = or_end(seasons.c.last_link, "ends_in")
    return insert(seasons).values(values)


def _writes_of_facts(dialects_insert: Callable[[Table], Any]) -> list[tuple[Any, RowsOf]]:
    """Each statement with its rows, one after the other: the last fact about a thing stays."""
    upsert = _upsert(dialects_insert)
    of_member = partial(_of_member, dialects_insert)
    of_standings: dict[str, Any] = {
        "added": ("rounds", "net", "points", "luck_rounds", "ahead", "variance_high", "variance_low"),
        "most": ("biggest", "best", "last_at"),
        "from_sums": _luck,
    }

    def new(table: Table, *columns: Column[Any]) -> Any:
        """Takes rows of these columns; one whose key is there already changes nothing."""
        return dialects_insert(table).values(_of_row(columns)).on_conflict_do_nothing()

    return [
        (
            delete(house_drafts).where(house_drafts.c.at < bindparam("before")),
            _facts(HouseDraft, lambda draft: (draft.at - DRAFT_SECONDS,)),
        ),
        (upsert(house_drafts), _facts(HouseDraft)),
        (
            update(tables)
            .where(tables.c.table_id == bindparam("table"))
            .values(message_id=bindparam("message"), posted_at=bindparam("posted")),
            _facts(BoardPosted, lambda board: (board.message_id, board.at, board.table_id)),
        ),
        (new(seed_words, *seed_words.c), lambda batch: batch.seed_words),
        (new(admin_notes, *admin_notes.c), lambda batch: batch.admin_notes),
        (_delete(bans), lambda batch: list(_bans(batch))),
        (
            new(bans, *bans.c),
            lambda batch: [astuple(one) for one in _bans(batch).values() if isinstance(one, Ban)],
        ),
        (
            delete(bans).where(bans.c.until < bindparam("now")),
            _facts(OpeningsOutdated, lambda outdated: (outdated.at,)),
        ),
        (
            update(bans)
            .values(party=null(), admin=null(), words=_NO_WORDS)
            .where(bans.c.party == bindparam("erased")),
            lambda batch: batch.erased,
        ),
        (
            update(bans).values(admin=null(), words=_NO_WORDS).where(bans.c.admin == bindparam("erased")),
            lambda batch: batch.erased,
        ),
        (_delete(parties), lambda batch: batch.erased),
        (delete(admin_notes).where(admin_notes.c.admin == bindparam("admin")), lambda batch: batch.erased),
        (upsert(parties), _facts(Identity)),
        (delete(standings), _facts(StandingsCleared, lambda _: ())),
        (delete(tallies), _facts(StandingsCleared, lambda _: ())),
        (delete(achievements), _facts(StandingsCleared, lambda _: ())),
        (delete(flows), _facts(StandingsCleared, lambda _: ())),
        (delete(uncounted_rounds), _facts(StandingsCleared, lambda _: ())),
        (
            insert(uncounted_rounds).from_select(list(uncounted_rounds.c), EVERY_SETTLED),
            _facts(StandingsCleared, lambda _: ()),
        ),
        (
            _adding(of_member(standings), standings, **of_standings),
            lambda batch: [(*astuple(one), one.party, one.server_id) for one in _counted(batch) if one.party],
        ),
        (
            # What is of the whole server.
            _adding(dialects_insert(standings).values(_of_row(standings.c)), standings, **of_standings),
            lambda batch: [astuple(one) for one in _counted(batch) if one.party == NOBODY],
        ),
        (
            _adding(of_member(tallies), tallies, added=("rounds", "won", "net")),
            lambda batch: [
                (*astuple(one), one.party, one.server_id)
                for fact in batch.facts
                if isinstance(fact, RoundsCounted)
                for one in fact.tallies
            ],
        ),
        (
            # Of an erased member too: nothing else says who they were.
            _adding(dialects_insert(flows).values(_of_row(flows.c)), flows, added=ADDED, most=("largest",)),
            lambda batch: [
                astuple(one) for fact in batch.facts if isinstance(fact, RoundsCounted) for one in fact.flows
            ],
        ),
        (
            _replacing(of_member(achievements), achievements, [achievements.c.progress]),
            lambda batch: [
                (fact.server_id, party, progress, party, fact.server_id)
                for fact in batch.facts
                if isinstance(fact, RoundsCounted)
                for party, progress in fact.progress
            ],
        ),
        (
            _replacing(
                of_member(plans),
                plans,
                [column for column in plans.c if not column.primary_key],
            ),
            lambda batch: [
                (*astuple(one), one.party, one.server_id)
                for fact in batch.facts
                if isinstance(fact, PlanChanged) and (one := fact.after) is not None
            ],
        ),
        (
            _season(),
            lambda batch: [
                (
                    *astuple(one)[:-1],
                    one.server_id,
                    one.last_link,
                    # Until it is over, it has no end.
                    one.server_id if one.is_over else None,
                )
                for fact in batch.facts
                if isinstance(fact, SeasonChanged)
                for one in filter(None, (fact.after, fact.following))
            ],
        ),
        *(
            (delete(table).where(table.c.party == bindparam("party")), lambda batch: batch.erased)
            for table in (seed_words, admin_notes, standings, plans)
        ),
        *(
            (
                delete(table).where(
                    table.c.server_id == bindparam("server"), table.c.party == bindparam("party")
                ),
                lambda batch: batch.erased_members,
            )
            for table in (achievements, tallies)
        ),
        (
            # Who is erased while a message is on its way to them leaves nothing.
            _replacing(
                dialects_insert(direct_channels).from_select(
                    list(direct_channels.c),
                    select(*_of_row(direct_channels.c).values()).where(
                        _is_stored(parties.c.user_id == bindparam("same_user"))
                    ),
                ),
                direct_channels,
                [direct_channels.c.channel_id, direct_channels.c.closed_since],
            ),
            _facts(DirectChannel, lambda one: (one.user_id, one.channel_id, one.closed_since, one.user_id)),
        ),
        (
            update(parties).values(locale=bindparam("chosen")).where(parties.c.user_id == bindparam("user")),
            _facts(LocaleChosen, lambda chosen: (chosen.locale, chosen.user_id)),
        ),
        (
            new(servers, servers.c.server_id),
            _facts(ServerGreeted, lambda greeted: (greeted.server_id,)),
        ),
        (upsert(servers, servers.c.erase_at), _facts(ServerErasure)),
        (upsert(servers, servers.c.head_posted_at), _facts(HeadPosted)),
        (_delete(keys), lambda batch: [(name,) for name in _notes(batch)]),
        (
            upsert(keys),
            lambda batch: [
                (name, str(value).encode()) for name, value in _notes(batch).items() if value is not None
            ],
        ),
        (
            # Another server may still know the user.
            delete(direct_channels).where(
                direct_channels.c.user_id == bindparam("user"),
                ~exists().where(parties.c.user_id == bindparam("same_user")),
            ),
            lambda batch: [(user_id, user_id) for user_id in batch.erased_users],
        ),
        (
            delete(spent_openings).where(spent_openings.c.until < bindparam("before")),
            _facts(OpeningsOutdated, lambda outdated: (outdated.at,)),
        ),
        (
            update(spent_openings)
            .values(until=bindparam("latest"))
            .where(spent_openings.c.until > bindparam("same_latest")),
            _facts(OpeningsOutdated, lambda outdated: (outdated.latest, outdated.latest)),
        ),
        (
            _replacing(
                dialects_insert(spent_openings).from_select(
                    list(spent_openings.c),
                    select(*_of_row(spent_openings.c).values()).where(
                        exists().where(commands.c.key == bindparam("opening"))
                    ),
                ),
                spent_openings,
                [spent_openings.c.until],
            ),
            lambda batch: batch.spent_openings,
        ),
    ]


@dataclass(frozen=True, slots=True)
class _Write:
    """A compiled statement; it takes rows, or all of them at once as columns."""

    sql: str
    rows_of: RowsOf
    takes_columns: bool

    def run(self, connection: Connection, rows: Rows) -> int:
        """Writes some rows; returns how many the database has written."""
        cursor = connection.cursor()
        if self.takes_columns:
            cursor.execute(self.sql, [list(column) for column in zip(*rows, strict=True)])
        else:
            cursor.executemany(self.sql, rows)
        return int(cursor.rowcount)


@cache
def _compiled(
    dialect: Dialect, dialects_insert: Callable[[Table], Any]
) -> tuple[dict[str, str], list[_Write], list[_Write]]:
    """Reads, fences and writes as SQL; kept: compiling takes longer than opening a database."""
    reads = {what: str(read.compile(dialect=dialect)) for what, read in _READS.items()}
    writes = []
    for statement, rows_of in _writes_of_changes(dialects_insert):
        at_once = for_all_rows(statement, dialect)
        writes.append(_Write(at_once or str(statement.compile(dialect=dialect)), rows_of, bool(at_once)))
    for statement, rows_of in _writes_of_facts(dialects_insert):
        writes.append(_Write(str(statement.compile(dialect=dialect)), rows_of, takes_columns=False))
    fences = [
        _Write(str(statement.compile(dialect=dialect)), rows_of, takes_columns=False)
        for statement, rows_of in _FENCES
    ]
    return reads, fences, writes


class Store:
    """The compiled statements. Call its methods in the connection's own thread.

    Args:
        dialect: compiles statements whose values come by place.
        dialects_insert: the dialect's insert, as `Engine.insert`.
    """

    def __init__(self, dialect: Dialect, dialects_insert: Callable[[Table], Any]) -> None:
        self.reads, self.fences, self.writes = _compiled(dialect, dialects_insert)

    def fill(self, connection: Connection, misses: CacheMisses, cache: WriteCache) -> None:
        """Reads what is missing in the cache into it."""

        def found(what: str, names: Collection[object]) -> Iterable[Any]:
            if not names:
                return ()
            asked = json.dumps(list(names))
            cursor: Iterable[Any] = connection.cursor().execute(self.reads[what], (asked,))
            return cursor

        for server_id, link, head in found("heads", misses.servers):
            cache.heads[server_id] = (link, head)
        cache.answers.update(found("answers", misses.keys))
        for server_id, table_id, sequence, last_hash in found("last_events", misses.tables):
            cache.last_events[server_id, table_id] = (sequence, last_hash)
        for server_id, number, last_hash in found("houses", misses.houses):
            cache.houses[server_id] = (number, last_hash)
        cache.gifts.update(found("gifts", misses.gifts))
        for server_id, account, balance in found("balances", misses.accounts):
            cache.balances[server_id, account] = balance
        for asked in misses.resets:
            for server_id, kind, party, table_id, balance in found("resets", [asked]):
                account = Account(AccountKind(kind), party, table_id)
                cache.resets.setdefault(server_id, []).append(account)
                cache.balances[server_id, str(account)] = balance

    def check_heads(self, connection: Connection, servers: Collection[int], cache: WriteCache) -> None:
        """Keeps others from writing to these servers until the batch is committed.

        Raises:
            Overtaken: the chain of one does not end where the cache says.
        """
        found = WriteCache()
        self.fill(connection, CacheMisses(servers=set(servers)), found)
        if any(found.heads.get(server_id) != cache.heads.get(server_id) for server_id in servers):
            raise Overtaken

    def write(self, connection: Connection, batch: Batch) -> None:
        """Writes the rows of a batch.

        Raises:
            Overtaken: a chain does not end where the batch goes on, because another process wrote to it, or
                one has counted a round.
        """
        for fence in self.fences:
            if (rows := fence.rows_of(batch)) and fence.run(connection, rows) != len(rows):
                raise Overtaken
        for write in self.writes:
            if rows := write.rows_of(batch):
                write.run(connection, rows)
