"""The first schema that every later version can upgrade from. Only a backup leads back from it."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates every table, and the key of the hashes that outlive an erasure."""
    _members()
    _money()
    _tables()
    _houses()
    if op.get_bind().dialect.name == "sqlite":
        for table in ("transfers", "events", "house_changes"):
            for verb in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} cannot be changed'); END"
                )
    keys = sa.table("keys", sa.column("name", sa.Text), sa.column("key", sa.LargeBinary))
    op.bulk_insert(keys, [{"name": "spent openings", "key": secrets.token_bytes(32)}])


def _members() -> None:
    op.create_table(
        "parties",
        sa.Column("party", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("party", name=op.f("pk_parties")),
        sa.UniqueConstraint("user_id", "server_id", name=op.f("uq_parties_user_id_server_id")),
        comment="the member behind each party; deleted to erase the member",
        sqlite_strict=True,
    )
    op.create_table(
        "seed_words",
        sa.Column("client_seed", sa.String(length=64), nullable=False),
        sa.Column("party", sa.BigInteger(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("client_seed", name=op.f("pk_seed_words")),
        comment="words that members chose as client seeds, by their code; deleted to erase the member",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_seed_words_party"), "seed_words", ["party"], unique=False)
    op.create_table(
        "spent_openings",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", "digest", name=op.f("pk_spent_openings")),
        comment="who had opening chips before being erased, as a keyed hash, until a deadline",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_keys")),
        comment="the random key of the hashes in spent_openings",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "direct_channels",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("closed_since", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_direct_channels")),
        comment="how to reach a user by direct message",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _money() -> None:
    op.create_table(
        "servers",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("erase_at", sa.Double(), nullable=True),
        sa.Column("head_posted_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_servers")),
        comment="when a server that the bot left is erased, and when the head of its chain was last posted",
        sqlite_strict=True,
    )
    op.create_table(
        "chains",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last_link", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_chains")),
        comment="the end of each server's hash chain of transfers, events and house changes",
        sqlite_strict=True,
    )
    op.create_table(
        "accounts",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("party", sa.BigInteger(), nullable=True),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0 OR kind IN ('mint', 'score')", name=op.f("ck_accounts_covered")),
        sa.PrimaryKeyConstraint("server_id", "account", name=op.f("pk_accounts")),
        comment="the balance of each account",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_accounts_server_id_party"),
        "accounts",
        ["server_id", "party"],
        sqlite_where=sa.text("party IS NOT NULL"),
        postgresql_where=sa.text("party IS NOT NULL"),
    )
    op.create_table(
        "transfers",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("link", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=64), nullable=False),
        sa.Column("loser", sa.BigInteger(), nullable=True),
        sa.Column("gainer", sa.BigInteger(), nullable=True),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("round_number", sa.BigInteger(), nullable=True),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("chips > 0", name=op.f("ck_transfers_chips")),
        sa.PrimaryKeyConstraint("server_id", "link", name=op.f("pk_transfers")),
        comment="transfers of chips; never changed",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_transfers_server_id_gainer_link"),
        "transfers",
        ["server_id", "gainer", "link"],
        sqlite_where=sa.text("gainer IS NOT NULL"),
        postgresql_where=sa.text("gainer IS NOT NULL"),
    )
    op.create_index(
        op.f("ix_transfers_server_id_loser_link"),
        "transfers",
        ["server_id", "loser", "link"],
        sqlite_where=sa.text("loser IS NOT NULL"),
        postgresql_where=sa.text("loser IS NOT NULL"),
    )
    op.create_table(
        "commands",
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_commands")),
        comment="committed commands, so that none happens twice",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("is_playing", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.Double(), nullable=False),
        sa.Column("closed_at", sa.Double(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("posted_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_tables")),
        sa.UniqueConstraint("server_id", "number", name=op.f("uq_tables_server_id_number")),
        comment="the current state of every table",
        sqlite_strict=True,
    )
    op.create_index(
        "ix_tables_open_channel",
        "tables",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("is_open"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("link", sa.BigInteger(), nullable=False),
        sa.Column("round_number", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=op.f("fk_events_table_id")),
        sa.PrimaryKeyConstraint("table_id", "sequence", name=op.f("pk_events")),
        comment="the events of each table; never changed",
        sqlite_strict=True,
    )
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=op.f("fk_deadlines_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_deadlines")),
        comment="when a table continues automatically",
        sqlite_strict=True,
    )


def _houses() -> None:
    op.create_table(
        "house_changes",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("link", sa.BigInteger(), nullable=False),
        sa.Column("party", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("house", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", "number", name=op.f("pk_house_changes")),
        comment="each change of a server's house rules; the last one is in force; never changed",
        sqlite_strict=True,
    )
    op.create_table(
        "house_drafts",
        sa.Column("draft_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("based_on", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("draft_id", name=op.f("pk_house_drafts")),
        comment="previewed changes of house rules, which may still be confirmed",
        sqlite_strict=True,
    )
