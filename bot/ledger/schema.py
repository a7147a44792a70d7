"""The tables of the database. The migrations lead to exactly this schema.

Ids are Discord's, 64 bits wide. Times are seconds since the epoch, UTC, stored as doubles, which read back
exactly: a deadline in a row always equals the same deadline in a table's state. States, events and answers
are JSON text that the ledger does not interpret.
"""

from typing import Final

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
)

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _id(name: str) -> Column[int]:
    """A column of the primary key, without auto-increment."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


servers: Final = Table(
    "servers",
    metadata,
    _id("server_id"),
    Column("last_sequence", BigInteger, nullable=False),
    Column("last_hash", String(64), nullable=False),
    comment="the head of each server's hash chain",
)

accounts: Final = Table(
    "accounts",
    metadata,
    _id("server_id"),
    Column("account", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("member_id", BigInteger),
    Column("table_id", BigInteger),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0 OR kind IN ('mint', 'score')", name="covered"),
    sqlite_with_rowid=False,
    comment="the balance of each account",
)
Index(
    None,
    accounts.c.server_id,
    accounts.c.member_id,
    sqlite_where=accounts.c.member_id.is_not(None),
    postgresql_where=accounts.c.member_id.is_not(None),
)

transfers: Final = Table(
    "transfers",
    metadata,
    _id("server_id"),
    _id("sequence"),
    Column("source", String(64), nullable=False),
    Column("target", String(64), nullable=False),
    # The members who lost and gained chips; both empty if a member's chips only move between their own
    # accounts. They follow from source and target, and let an index find a member's gains and losses.
    Column("loser_id", BigInteger),
    Column("gainer_id", BigInteger),
    Column("chips", BigInteger, nullable=False),
    Column("reason", String(32), nullable=False),
    Column("table_id", BigInteger),
    Column("round_number", BigInteger),
    Column("command_key", String(128), nullable=False),
    Column("at", Double, nullable=False),
    Column("previous_hash", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    CheckConstraint("chips > 0", name="chips"),
    sqlite_with_rowid=False,
    comment="transfers of chips; never changed",
)
for _party in (transfers.c.loser_id, transfers.c.gainer_id):
    Index(
        None,
        transfers.c.server_id,
        _party,
        transfers.c.sequence,
        sqlite_where=_party.is_not(None),
        postgresql_where=_party.is_not(None),
    )

APPEND_ONLY: Final = tuple(
    f"CREATE TRIGGER transfers_no_{verb.lower()} BEFORE {verb} ON transfers "
    "BEGIN SELECT RAISE(ABORT, 'transfers cannot be changed'); END"
    for verb in ("UPDATE", "DELETE")
)
"""The triggers by which SQLite refuses to change or delete a transfer."""
for _trigger in APPEND_ONLY:
    _ddl = DDL(_trigger)  # type: ignore[no-untyped-call]  # SQLAlchemy does not type its constructor
    event.listen(transfers, "after_create", _ddl.execute_if(dialect="sqlite"))

tables: Final = Table(
    "tables",
    metadata,
    _id("table_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("is_open", Boolean, nullable=False),
    Column("is_playing", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("opened_at", Double, nullable=False),
    Column("closed_at", Double),
    Column("message_id", BigInteger),
    Column("posted_at", Double),
    UniqueConstraint("server_id", "number"),
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
    Column("round_number", BigInteger),
    Column("kind", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("command_key", String(128), nullable=False),
    Column("at", Double, nullable=False),
    comment="the events of each table",
)

deadlines: Final = Table(
    "deadlines",
    metadata,
    Column("table_id", ForeignKey(tables.c.table_id), primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    comment="when a table continues automatically",
)

commands: Final = Table(
    "commands",
    metadata,
    Column("key", String(128), primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("table_id", BigInteger),
    Column("at", Double, nullable=False),
    Column("answer", Text),
    sqlite_with_rowid=False,
    comment="committed commands, so that none happens twice",
)

house_changes: Final = Table(
    "house_changes",
    metadata,
    _id("server_id"),
    _id("number"),
    Column("member_id", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("command_key", String(128), nullable=False),
    Column("what", Text, nullable=False),
    Column("house", Text, nullable=False),
    comment="each change of a server's house rules; the last one is in force",
)

house_drafts: Final = Table(
    "house_drafts",
    metadata,
    _id("draft_id"),
    Column("server_id", BigInteger, nullable=False),
    Column("member_id", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("based_on", BigInteger, nullable=False),
    Column("what", Text, nullable=False),
    comment="previewed changes of house rules, which may still be confirmed",
)

members: Final = Table(
    "members",
    metadata,
    _id("member_id"),
    Column("dm_channel_id", BigInteger),
    Column("dm_closed_since", Double),
    comment="how to reach a member by direct message",
)
