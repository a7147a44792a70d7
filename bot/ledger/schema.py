"""The tables of the database. A new one is made of them, and migrations lead older ones to exactly them.

docs/STORAGE.md explains them.

A *party* is the random number that stands for a member in one server. Only `parties` says who it is, so
deleting a row there erases the member, and changes nothing that is hashed.

Ids are Discord's, 64 bits wide. Times are seconds since the epoch, UTC, stored as doubles, which read back
exactly: a deadline in a row always equals the same deadline in a table's state. States, events and answers
are JSON text that the ledger does not interpret, but for the game in a state.
"""

from itertools import permutations
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.dialects.sqlite.base import SQLiteTypeCompiler
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from bot.table.audit import ADDED

LARGEST: Final = (1 << 63) - 1
"""The largest number in a column of integers."""


@compiles(BigInteger, "sqlite")
@compiles(Boolean, "sqlite")
def _integer(_type: Any, _compiler: SQLiteTypeCompiler, **_options: Any) -> str:
    """STRICT tables know INTEGER, REAL, TEXT and BLOB only."""
    return "INTEGER"


@compiles(Double, "sqlite")
def _real(_type: Any, _compiler: SQLiteTypeCompiler, **_options: Any) -> str:
    return "REAL"


@compiles(String, "sqlite")
def _string(_type: Any, _compiler: SQLiteTypeCompiler, **_options: Any) -> str:
    return "TEXT"


metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _table(name: str, what: str, *parts: SchemaItem, has_rowid: bool = True) -> Table:
    """A table, and what is in it."""
    return Table(name, metadata, *parts, comment=what, sqlite_strict=True, sqlite_with_rowid=has_rowid)


def _index(*columns: Column[Any], where: Any, name: str | None = None, unique: bool = False) -> None:
    """Adds an index of the rows for which a condition holds."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def _text(most: int | None = None) -> TypeEngine[str]:
    """Text of at most this many characters, ordered by their code points, as SQLite always does."""
    return String(most).with_variant(String(most, collation="C"), "postgresql")


def _id(name: str) -> Column[int]:
    """A column of the primary key, without auto-increment."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


parties: Final = _table(
    "parties",
    "the member behind each party; deleted to erase the member",
    _id("party"),
    Column("server_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", _text(), nullable=False),
    Column("locale", _text(), nullable=False),
    Column("squeezes", Boolean, nullable=False, server_default="0"),
    Column("is_hidden", Boolean, nullable=False, server_default="0"),
    Column("has_left", Boolean, nullable=False, server_default="0"),
    Column("finds_ox", Boolean, nullable=False, server_default="0"),
    UniqueConstraint("user_id", "server_id"),
)
UNLISTED: Final = parties.c.is_hidden | parties.c.has_left
"""The members whom no leaderboard shows."""
_index(parties.c.server_id, where=UNLISTED, name="ix_parties_unlisted")

seed_words: Final = _table(
    "seed_words",
    "words that members chose as client seeds, by their code; deleted to erase the member",
    Column("client_seed", _text(64), primary_key=True),
    Column("party", BigInteger, nullable=False, index=True),
    Column("salt", _text(32), nullable=False),
    Column("words", _text(), nullable=False),
    has_rowid=False,
)

admin_notes: Final = _table(
    "admin_notes",
    "why an admin gave a member chips or took some, by command; deleted to erase one of the two",
    Column("key", _text(128), primary_key=True),
    Column("party", BigInteger, nullable=False, index=True),
    Column("admin", BigInteger, nullable=False, index=True),
    Column("words", _text(), nullable=False),
    has_rowid=False,
)

spent_openings: Final = _table(
    "spent_openings",
    "who had opening chips before being erased, as a keyed hash, until a deadline",
    _id("server_id"),
    Column("digest", LargeBinary, primary_key=True),
    Column("until", Double, nullable=False),
    has_rowid=False,
)

bans: Final = _table(
    "bans",
    "who may not play in a server, as a keyed hash, which outlives their erasure; the rest is erased",
    _id("server_id"),
    Column("digest", LargeBinary, primary_key=True),
    Column("at", Double, nullable=False),
    Column("until", Double),
    Column("party", BigInteger, index=True),
    Column("admin", BigInteger, index=True),
    Column("words", _text(), nullable=False),
    has_rowid=False,
)

OPENINGS_KEY: Final = "spent openings"
APPLICATION_KEY: Final = "application"
"""The names of the two keys; the second is Discord's id of the application, in digits."""
OWNERS: Final = "owner "
"""What the names begin with of what the owner of the bot decided."""

keys: Final = _table(
    "keys",
    "the random key of the hashes in spent_openings, and the application of Discord's",
    Column("name", _text(), primary_key=True),
    Column("key", LargeBinary, nullable=False),
    has_rowid=False,
)

direct_channels: Final = _table(
    "direct_channels",
    "how to reach a user by direct message",
    _id("user_id"),
    Column("channel_id", BigInteger),
    Column("closed_since", Double),
    has_rowid=False,
)

servers: Final = _table(
    "servers",
    "when a server that the bot left is erased, and what was last posted: head of its chain, week",
    _id("server_id"),
    Column("erase_at", Double),
    Column("head_posted_at", Double),
    Column("week_posted", _text(16)),
)

chains: Final = _table(
    "chains",
    "the end of each server's hash chain of transfers, events and house changes",
    _id("server_id"),
    Column("last_link", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),
)

accounts: Final = _table(
    "accounts",
    "the balance of each account",
    _id("server_id"),
    Column("account", _text(64), primary_key=True),
    Column("kind", _text(16), nullable=False),
    Column("party", BigInteger),
    Column("table_id", BigInteger),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0 OR kind IN ('mint', 'score')", name="covered"),
    has_rowid=False,
)
_index(accounts.c.server_id, accounts.c.party, where=accounts.c.party.is_not(None))

transfers: Final = _table(
    "transfers",
    "transfers of chips; never changed",
    _id("server_id"),
    _id("link"),
    Column("source", _text(64), nullable=False),
    Column("target", _text(64), nullable=False),
    # The parties who lost and gained chips; both empty if a member's chips only move between their own
    # accounts. They follow from source and target, and let an index find a member's gains and losses.
    Column("loser", BigInteger),
    Column("gainer", BigInteger),
    Column("chips", BigInteger, nullable=False),
    Column("reason", _text(32), nullable=False),
    Column("table_id", BigInteger),
    Column("round_number", BigInteger),
    Column("command_key", _text(128), nullable=False),
    Column("at", Double, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("chips > 0", name="chips"),
    has_rowid=False,
)
NOT_OF_A_ROUND: Final = transfers.c.round_number.is_(None)
"""The transfers of gifts and handouts: few among very many."""
for _side, _other in permutations((transfers.c.loser, transfers.c.gainer)):
    _index(transfers.c.server_id, _side, transfers.c.link, where=_side.is_not(None))
    # With all that is asked for: if it knows no sizes, SQLite prefers it to the other one only then.
    _index(
        *(transfers.c.server_id, _side, transfers.c.round_number, transfers.c.link),
        *(transfers.c.reason, transfers.c.chips, _other, transfers.c.at),
        where=NOT_OF_A_ROUND,
        name=f"ix_transfers_{_side.name}_without_round",
    )
# Handouts, gifts and grants, of which an audit adds up a span of time. A settlement writes none.
_index(transfers.c.server_id, transfers.c.at, where=transfers.c.table_id.is_(None))

tables: Final = _table(
    "tables",
    "the current state of every table",
    _id("table_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("is_open", Boolean, nullable=False),
    Column("is_playing", Boolean, nullable=False),
    Column("state", _text(), nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("opened_at", Double, nullable=False),
    Column("closed_at", Double),
    Column("message_id", BigInteger),
    Column("posted_at", Double),
    Column("game", _text(16), nullable=False),
    UniqueConstraint("server_id", "number"),
)
# With all that is asked for, so that no state is read to find the tables of a game.
Index(None, tables.c.server_id, tables.c.game, tables.c.table_id)
_index(tables.c.channel_id, where=tables.c.is_open, name="ix_tables_open_channel", unique=True)

events: Final = _table(
    "events",
    "the events of each table; never changed",
    Column("table_id", ForeignKey(tables.c.table_id), primary_key=True, autoincrement=False),
    _id("sequence"),
    Column("link", BigInteger, nullable=False),
    Column("round_number", BigInteger),
    Column("kind", _text(32), nullable=False),
    Column("body", _text(), nullable=False),
    Column("command_key", _text(128), nullable=False),
    Column("at", Double, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)

seasons: Final = _table(
    "seasons",
    "the seasons of each server, by the links of its chain whose rounds count",
    _id("server_id"),
    _id("number"),
    Column("name", _text(), nullable=False),
    Column("resets", Boolean, nullable=False),
    Column("channel_id", BigInteger),
    Column("role_id", BigInteger),
    Column("started_at", Double, nullable=False),
    Column("ends_at", Double),
    Column("repeat_day", BigInteger),
    Column("is_over", Boolean, nullable=False),
    Column("is_posted", Boolean, nullable=False),
    Column("is_crowned", Boolean, nullable=False),
    Column("winners", _text(), nullable=False),
    # The last links before it and of it.
    Column("first_link", BigInteger, nullable=False),
    Column("last_link", BigInteger),
    has_rowid=False,
)
_index(seasons.c.server_id, where=~seasons.c.is_over, name="ix_seasons_running", unique=True)

tournaments: Final = _table(
    "tournaments",
    "what every tournament has come to",
    _id("tournament_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("is_over", Boolean, nullable=False),
    Column("state", _text(), nullable=False),
    has_rowid=False,
)
Index(None, tournaments.c.server_id)
_index(tournaments.c.channel_id, where=~tournaments.c.is_over, name="ix_tournaments_running", unique=True)

uncounted_rounds: Final = _table(
    "uncounted_rounds",
    "settled rounds that are in no standing yet, by the event that settled them",
    _id("server_id"),
    # The event's link, so that rounds are counted in their order.
    _id("link"),
    Column("table_id", BigInteger, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    has_rowid=False,
)

standings: Final = _table(
    "standings",
    "what the counted rounds of a period brought each member, by game and in all games",
    _id("server_id"),
    Column("period", _text(16), primary_key=True),
    Column("game", _text(16), primary_key=True),
    _id("party"),
    Column("rounds", BigInteger, nullable=False),
    # Without a round for chips, or for points, or a hand of their own, there is nothing to rank.
    Column("net", BigInteger),
    Column("biggest", BigInteger),
    Column("best", BigInteger),
    Column("points", BigInteger),
    Column("last_at", Double, nullable=False),
    Column("luck_rounds", BigInteger, nullable=False),
    Column("ahead", BigInteger, nullable=False),
    Column("variance_high", BigInteger, nullable=False),
    Column("variance_low", BigInteger, nullable=False),
    Column("luck", Double),
    has_rowid=False,
)
# What a settlement writes is not here, so an index for each order costs it nothing.
for _ranked in ("rounds", "net", "biggest", "best", "points", "luck"):
    _index(
        standings.c.server_id,
        standings.c.period,
        standings.c.game,
        standings.c[_ranked],
        standings.c.last_at,
        standings.c.party,
        where=standings.c[_ranked].is_not(None),
        name=f"ix_standings_by_{_ranked}",
    )
Index(None, standings.c.party)

tallies: Final = _table(
    "tallies",
    "what the counted rounds brought each member by day, as banker, and by class of hand in a game",
    _id("server_id"),
    _id("party"),
    Column("part", _text(16), primary_key=True),
    _id("item"),
    Column("rounds", BigInteger, nullable=False),
    Column("won", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    has_rowid=False,
)

flows: Final = _table(
    "flows",
    "what the counted rounds of a week moved between each two parties, for audits",
    _id("server_id"),
    _id("week"),
    _id("one"),
    _id("other"),
    *(Column(name, BigInteger, nullable=False) for name in (*ADDED, "largest")),
    has_rowid=False,
)

achievements: Final = _table(
    "achievements",
    "what each member achieved in the counted rounds, and how far they have come",
    _id("server_id"),
    _id("party"),
    Column("progress", _text(), nullable=False),
    has_rowid=False,
)

deadlines: Final = _table(
    "deadlines",
    "when a table continues automatically",
    Column("table_id", ForeignKey(tables.c.table_id), primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
)

plans: Final = _table(
    "plans",
    "what is to be done later for a member, at a time or when something happens; deleted to erase them",
    Column("name", _text(), primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("party", BigInteger, nullable=False, index=True),
    Column("kind", _text(16), nullable=False),
    Column("channel_id", BigInteger),
    Column("at", Double),
    Column("what", _text(), nullable=False),
    has_rowid=False,
)
_index(plans.c.at, where=plans.c.at.is_not(None))
Index(None, plans.c.server_id, plans.c.kind, plans.c.channel_id)

commands: Final = _table(
    "commands",
    "committed commands, so that none happens twice",
    Column("key", _text(128), primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("table_id", BigInteger),
    Column("at", Double, nullable=False),
    Column("answer", _text()),
    has_rowid=False,
)

house_changes: Final = _table(
    "house_changes",
    "each change of a server's house rules; the last one is in force; never changed",
    _id("server_id"),
    _id("number"),
    Column("link", BigInteger, nullable=False),
    Column("party", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("command_key", _text(128), nullable=False),
    Column("what", _text(), nullable=False),
    Column("house", _text(), nullable=False),
    Column("hash", LargeBinary, nullable=False),
)

house_drafts: Final = _table(
    "house_drafts",
    "previewed changes of house rules, which may still be confirmed",
    _id("draft_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("based_on", BigInteger, nullable=False),
    Column("what", _text(), nullable=False),
)

CHAINED: Final = (transfers, events, house_changes)
"""The tables whose rows are links of a chain."""
FILLED: Final = tuple(name for name in metadata.tables if name != keys.name)
"""The tables in which a new database has no rows."""
