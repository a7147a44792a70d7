"""The first released schema. Only a backup leads back from it."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates every table."""
    _money()
    _tables()
    _houses()
    op.create_table(
        "commands",
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_commands")),
        comment="committed commands, so that none happens twice",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "members",
        sa.Column("member_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("dm_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("dm_closed_since", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_members")),
        comment="how to reach a member by direct message",
    )


def _money() -> None:
    op.create_table(
        "servers",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last_sequence", sa.BigInteger(), nullable=False),
        sa.Column("last_hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_servers")),
        comment="the head of each server's hash chain",
    )
    op.create_table(
        "accounts",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=True),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0 OR kind IN ('mint', 'score')", name=op.f("ck_accounts_covered")),
        sa.PrimaryKeyConstraint("server_id", "account", name=op.f("pk_accounts")),
        comment="the balance of each account",
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_accounts_server_id_member_id"),
        "accounts",
        ["server_id", "member_id"],
        sqlite_where=sa.text("member_id IS NOT NULL"),
        postgresql_where=sa.text("member_id IS NOT NULL"),
    )
    op.create_table(
        "transfers",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=64), nullable=False),
        sa.Column("loser_id", sa.BigInteger(), nullable=True),
        sa.Column("gainer_id", sa.BigInteger(), nullable=True),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("round_number", sa.BigInteger(), nullable=True),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("chips > 0", name=op.f("ck_transfers_chips")),
        sa.PrimaryKeyConstraint("server_id", "sequence", name=op.f("pk_transfers")),
        comment="transfers of chips; never changed",
        sqlite_with_rowid=False,
    )
    for party in ("loser_id", "gainer_id"):
        op.create_index(
            op.f(f"ix_transfers_server_id_{party}_sequence"),
            "transfers",
            ["server_id", party, "sequence"],
            sqlite_where=sa.text(f"{party} IS NOT NULL"),
            postgresql_where=sa.text(f"{party} IS NOT NULL"),
        )
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER transfers_no_{verb.lower()} BEFORE {verb} ON transfers "
                "BEGIN SELECT RAISE(ABORT, 'transfers cannot be changed'); END"
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
        sa.Column("round_number", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=op.f("fk_events_table_id")),
        sa.PrimaryKeyConstraint("table_id", "sequence", name=op.f("pk_events")),
        comment="the events of each table",
    )
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=op.f("fk_deadlines_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_deadlines")),
        comment="when a table continues automatically",
    )


def _houses() -> None:
    op.create_table(
        "house_changes",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("command_key", sa.String(length=128), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("house", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", "number", name=op.f("pk_house_changes")),
        comment="each change of a server's house rules; the last one is in force",
    )
    op.create_table(
        "house_drafts",
        sa.Column("draft_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("based_on", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("draft_id", name=op.f("pk_house_drafts")),
        comment="previewed changes of house rules, which may still be confirmed",
    )
