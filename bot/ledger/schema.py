"""The tables of the database. A new one is made of them, and migrations lead older ones to exactly them.

docs/STORAGE.md explains them.

A *party* is the random number that stands for a member in one server. Only `parties` says who it is, so
deleting a row there erases the member, and changes nothing that is hashed.

Ids are Discord's, 64 bits wide. Times are seconds since the epoch, UTC, stored as doubles, which read back
exactly: a deadline in a row always equals the same deadline in a table's state. States, events and answers
are JSON text that the ledger does not interpret.
"""

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
from sqlalchemy.types import TypeEngine

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


def _text(most: int | None = None) -> TypeEngine[str]:
    """Text of at most so many characters, ordered by their code points, as SQLite always does."""
    return String(most).with_variant(String(most, collation="C"), "postgresql")


def _id(name: str) -> Column[int]:
    """A column of the primary key, without auto-increment."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


parties: Final = Table(
    "parties",
    metadata,
    _id("party"),
    Column("server_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", _text(), nullable=False),
    Column("locale", _text(), nullable=False),
    Column("squeezes", Boolean, nullable=False, server_default="0"),
    UniqueConstraint("user_id", "server_id"),
    sqlite_strict=True,
    comment="the member behind each party; deleted to erase the member",
)

seed_words: Final = Table(
    "seed_words",
    metadata,
    Column("client_seed", _text(64), primary_key=True),
    Column("party", BigInteger, nullable=False, index=True),
    Column("salt", _text(32), nullable=False),
    Column("words", _text(), nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="words that members chose as client seeds, by their code; deleted to erase the member",
)

spent_openings: Final = Table(
    "spent_openings",
    metadata,
    _id("server_id"),
    Column("digest", LargeBinary, primary_key=True),
    Column("until", Double, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="who had opening chips before being erased, as a keyed hash, until a deadline",
)

OPENINGS_KEY: Final = "spent openings"
APPLICATION_KEY: Final = "application"
"""The names of the two keys; the second is Discord's id of the application, in digits."""

keys: Final = Table(
    "keys",
    metadata,
    Column("name", _text(), primary_key=True),
    Column("key", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="the random key of the hashes in spent_openings, and the application of Discord's",
)

direct_channels: Final = Table(
    "direct_channels",
    metadata,
    _id("user_id"),
    Column("channel_id", BigInteger),
    Column("closed_since", Double),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="how to reach a user by direct message",
)

servers: Final = Table(
    "servers",
    metadata,
    _id("server_id"),
    Column("erase_at", Double),
    Column("head_posted_at", Double),
    sqlite_strict=True,
    comment="when a server that the bot left is erased, and when the head of its chain was last posted",
)

chains: Final = Table(
    "chains",
    metadata,
    _id("server_id"),
    Column("last_link", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),
    sqlite_strict=True,
    comment="the end of each server's hash chain of transfers, events and house changes",
)

accounts: Final = Table(
    "accounts",
    metadata,
    _id("server_id"),
    Column("account", _text(64), primary_key=True),
    Column("kind", _text(16), nullable=False),
    Column("party", BigInteger),
    Column("table_id", BigInteger),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0 OR kind IN ('mint', 'score')", name="covered"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="the balance of each account",
)
Index(
    None,
    accounts.c.server_id,
    accounts.c.party,
    sqlite_where=accounts.c.party.is_not(None),
    postgresql_where=accounts.c.party.is_not(None),
)

transfers: Final = Table(
    "transfers",
    metadata,
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
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="transfers of chips; never changed",
)
for _side in (transfers.c.loser, transfers.c.gainer):
    Index(
        None,
        transfers.c.server_id,
        _side,
        transfers.c.link,
        sqlite_where=_side.is_not(None),
        postgresql_where=_side.is_not(None),
    )

tables: Final = Table(
    "tables",
    metadata,
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
    UniqueConstraint("server_id", "number"),
    sqlite_strict=True,
    comment="the current state of every table",
)
Index(
    "ix_tables_open_channel",
    tables.c.channel_id,
    unique=True,
    sqlite_where=tables.c.is_open,
    postgresql_where=tables.c.is_open,
)

events: Final = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey(tables.c.table_id), primary_key=True, autoincrement=False),
    _id("sequence"),
    Column("link", BigInteger, nullable=False),
    Column("round_number", BigInteger),
    Column("kind", _text(32), nullable=False),
    Column("body", _text(), nullable=False),
    Column("command_key", _text(128), nullable=False),
    Column("at", Double, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_strict=True,
    comment="the events of each table; never changed",
)

deadlines: Final = Table(
    "deadlines",
    metadata,
    Column("table_id", ForeignKey(tables.c.table_id), primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    sqlite_strict=True,
    comment="when a table continues automatically",
)

commands: Final = Table(
    "commands",
    metadata,
    Column("key", _text(128), primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("table_id", BigInteger),
    Column("at", Double, nullable=False),
    Column("answer", _text()),
    sqlite_strict=True,
    sqlite_with_rowid=False,
    comment="committed commands, so that none happens twice",
)

house_changes: Final = Table(
    "house_changes",
    metadata,
    _id("server_id"),
    _id("number"),
    Column("link", BigInteger, nullable=False),
    Column("party", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("command_key", _text(128), nullable=False),
    Column("what", _text(), nullable=False),
    Column("house", _text(), nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_strict=True,
    comment="each change of a server's house rules; the last one is in force; never changed",
)

house_drafts: Final = Table(
    "house_drafts",
    metadata,
    _id("draft_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("based_on", BigInteger, nullable=False),
    Column("what", _text(), nullable=False),
    sqlite_strict=True,
    comment="previewed changes of house rules, which may still be confirmed",
)

CHAINED: Final = (transfers, events, house_changes)
"""The tables whose rows are links of a chain."""
FILLED: Final = tuple(name for name in metadata.tables if name != keys.name)
"""The tables in which a new database has no rows."""
