"""What the writer writes for facts: what is beside the chains, and what rounds brought members."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Double,
    Insert,
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

from bot.ledger.batch import Batch
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
    ServerCleared,
    ServerErasure,
    ServerGreeted,
    StandingsCleared,
    TournamentChanged,
)
from bot.ledger.row_statements import (
    RowsOf,
    adding,
    delete_rows,
    facts_of,
    insert_rows,
    of_row,
    replacing,
    upserting,
)
from bot.ledger.schema import (
    APPLICATION_KEY,
    OWNERS,
    achievements,
    admin_notes,
    bans,
    chains,
    commands,
    direct_channels,
    events,
    flows,
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
    tournaments,
    uncounted_rounds,
)
from bot.table.audit import ADDED
from bot.table.standings import HIGH_PART, LUCK_ROUNDS, MILLION, SEASON, SETTLED, Standing
from bot.table.state import NOBODY

DRAFT_SECONDS: Final = 86_400.0
"""How long a draft of house rules can be confirmed."""
_EVERY_SETTLED: Final = (
    select(tables.c.server_id, events.c.link, events.c.table_id, events.c.sequence)
    .select_from(events.join(tables))
    .where(events.c.kind == literal_column(f"'{SETTLED}'"))
)
"""Every settled round, in the columns of `uncounted_rounds`."""
_OF_SEASONS: Final = func.substr(
    standings.c.period, literal_column("1"), literal_column(str(len(SEASON)))
) == literal_column(f"'{SEASON}'")


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


def _luck(sums: Mapping[str, ColumnElement[Any]]) -> Mapping[str, ColumnElement[Any]]:
    """`Standing.luck` of sums, to the last digit."""
    # Literal, because each parameter of the statement is a column of its row.
    numbers: list[ColumnElement[Any]] = [
        literal_column(repr(one)) for one in (float(HIGH_PART), float(MILLION), 0.0, LUCK_ROUNDS)
    ]
    high_part, million, none, fewest = numbers
    ahead, high, low = (cast(sums[name], Double) for name in ("ahead", "variance_high", "variance_low"))
    variance = high * high_part + low
    is_told = (sums["luck_rounds"] >= fewest) & (variance > none)
    return {"luck": case((is_told, ahead * func.abs(ahead) / (variance * million)))}


def _of_member(dialects_insert: Callable[[Table], Any], table: Table) -> Any:
    """Takes rows with party and server at the end; those of members who are erased change nothing."""
    is_theirs = parties.c.party == bindparam("same_party"), parties.c.server_id == bindparam("same_server")
    return dialects_insert(table).from_select(
        list(table.c), select(*of_row(table.c).values()).where(_is_stored(*is_theirs))
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

    values: dict[str, ColumnElement[Any]] = {**of_row(seasons.c)}
    values["first_link"] = func.coalesce(or_end(seasons.c.first_link, "begins_in"), literal_column("0"))
    values["last_link"] = or_end(seasons.c.last_link, "ends_in")
    return insert(seasons).values(values)


def writes_of_facts(dialects_insert: Callable[[Table], Any]) -> list[tuple[Any, RowsOf]]:
    """Each statement with its rows, one after the other: the last fact about a thing stays."""
    upsert = upserting(dialects_insert)
    of_member = partial(_of_member, dialects_insert)
    of_standings: dict[str, Any] = {
        "added": ("rounds", "net", "points", "luck_rounds", "ahead", "variance_high", "variance_low"),
        "most": ("biggest", "best", "last_at"),
        "from_sums": _luck,
    }

    def new(table: Table, *columns: Column[Any]) -> Any:
        """Takes rows of these columns; one whose key is there already changes nothing."""
        return dialects_insert(table).values(of_row(columns)).on_conflict_do_nothing()

    return [
        (
            delete(house_drafts).where(house_drafts.c.at < bindparam("before")),
            facts_of(HouseDraft, lambda draft: (draft.at - DRAFT_SECONDS,)),
        ),
        (upsert(house_drafts), facts_of(HouseDraft)),
        (
            update(tables)
            .where(tables.c.table_id == bindparam("table"))
            .values(message_id=bindparam("message"), posted_at=bindparam("posted")),
            facts_of(BoardPosted, lambda board: (board.message_id, board.at, board.table_id)),
        ),
        (new(seed_words, *seed_words.c), lambda batch: batch.seed_words),
        (new(admin_notes, *admin_notes.c), lambda batch: batch.admin_notes),
        (delete_rows(bans), lambda batch: list(_bans(batch))),
        (
            new(bans, *bans.c),
            lambda batch: [astuple(one) for one in _bans(batch).values() if isinstance(one, Ban)],
        ),
        (
            delete(bans).where(bans.c.until < bindparam("now")),
            facts_of(OpeningsOutdated, lambda outdated: (outdated.at,)),
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
        (delete_rows(parties), lambda batch: batch.erased),
        (delete(admin_notes).where(admin_notes.c.admin == bindparam("admin")), lambda batch: batch.erased),
        (upsert(parties), facts_of(Identity)),
        *(
            (
                delete(table).where(table.c.server_id == bindparam("server"), *which),
                facts_of(ServerCleared, lambda cleared: (cleared.server_id,)),
            )
            for table, which in ((seasons, ()), (standings, (_OF_SEASONS,)), (tournaments, ()))
        ),
        (delete(standings), facts_of(StandingsCleared, lambda _: ())),
        (delete(tallies), facts_of(StandingsCleared, lambda _: ())),
        (delete(achievements), facts_of(StandingsCleared, lambda _: ())),
        (delete(flows), facts_of(StandingsCleared, lambda _: ())),
        (delete(uncounted_rounds), facts_of(StandingsCleared, lambda _: ())),
        (
            insert(uncounted_rounds).from_select(list(uncounted_rounds.c), _EVERY_SETTLED),
            facts_of(StandingsCleared, lambda _: ()),
        ),
        (
            adding(of_member(standings), standings, **of_standings),
            lambda batch: [(*astuple(one), one.party, one.server_id) for one in _counted(batch) if one.party],
        ),
        (
            # What is of the whole server.
            adding(dialects_insert(standings).values(of_row(standings.c)), standings, **of_standings),
            lambda batch: [astuple(one) for one in _counted(batch) if one.party == NOBODY],
        ),
        (
            adding(of_member(tallies), tallies, added=("rounds", "won", "net")),
            lambda batch: [
                (*astuple(one), one.party, one.server_id)
                for fact in batch.facts
                if isinstance(fact, RoundsCounted)
                for one in fact.tallies
            ],
        ),
        (
            # Of an erased member too: nothing else says who they were.
            adding(dialects_insert(flows).values(of_row(flows.c)), flows, added=ADDED, most=("largest",)),
            lambda batch: [
                astuple(one) for fact in batch.facts if isinstance(fact, RoundsCounted) for one in fact.flows
            ],
        ),
        (
            replacing(of_member(achievements), achievements, [achievements.c.progress]),
            lambda batch: [
                (fact.server_id, party, progress, party, fact.server_id)
                for fact in batch.facts
                if isinstance(fact, RoundsCounted)
                for party, progress in fact.progress
            ],
        ),
        (
            replacing(
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
        (insert_rows(tournaments), facts_of(TournamentChanged, lambda changed: astuple(changed.after))),
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
            replacing(
                dialects_insert(direct_channels).from_select(
                    list(direct_channels.c),
                    select(*of_row(direct_channels.c).values()).where(
                        _is_stored(parties.c.user_id == bindparam("same_user"))
                    ),
                ),
                direct_channels,
                [direct_channels.c.channel_id, direct_channels.c.closed_since],
            ),
            facts_of(DirectChannel, lambda one: (one.user_id, one.channel_id, one.closed_since, one.user_id)),
        ),
        (
            update(parties).values(locale=bindparam("chosen")).where(parties.c.user_id == bindparam("user")),
            facts_of(LocaleChosen, lambda chosen: (chosen.locale, chosen.user_id)),
        ),
        (
            new(servers, servers.c.server_id),
            facts_of(ServerGreeted, lambda greeted: (greeted.server_id,)),
        ),
        (upsert(servers, servers.c.erase_at), facts_of(ServerErasure)),
        (upsert(servers, servers.c.head_posted_at), facts_of(HeadPosted)),
        (delete_rows(keys), lambda batch: [(name,) for name in _notes(batch)]),
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
            facts_of(OpeningsOutdated, lambda outdated: (outdated.at,)),
        ),
        (
            update(spent_openings)
            .values(until=bindparam("latest"))
            .where(spent_openings.c.until > bindparam("same_latest")),
            facts_of(OpeningsOutdated, lambda outdated: (outdated.latest, outdated.latest)),
        ),
        (
            replacing(
                dialects_insert(spent_openings).from_select(
                    list(spent_openings.c),
                    select(*of_row(spent_openings.c).values()).where(
                        exists().where(commands.c.key == bindparam("opening"))
                    ),
                ),
                spent_openings,
                [spent_openings.c.until],
            ),
            lambda batch: batch.spent_openings,
        ),
    ]
