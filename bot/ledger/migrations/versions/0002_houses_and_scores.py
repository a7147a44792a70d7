"""The rules that each house has chosen, and who chose them; running scores, which may go below zero.

There is no way back from it but a backup.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes room for the rules of houses, and lets scores go below zero."""
    _houses()
    _scores()


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
        comment="each change of a server's house rules; those of the last one are in force",
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
        comment="changes of house rules that somebody was shown, and may yet confirm",
    )


def _scores() -> None:
    """Changes one check, for which SQLite has to make the table anew, row by row."""
    covered = op.f("ck_accounts_covered")
    as_it_is = sa.Table(
        "accounts",
        sa.MetaData(),
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=True),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0 OR kind = 'mint'", name=covered),
        sa.PrimaryKeyConstraint("server_id", "account", name=op.f("pk_accounts")),
        sa.Index(
            op.f("ix_accounts_server_id_member_id"),
            "server_id",
            "member_id",
            sqlite_where=sa.text("member_id IS NOT NULL"),
            postgresql_where=sa.text("member_id IS NOT NULL"),
        ),
        comment="what each account has now",
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("accounts", copy_from=as_it_is) as accounts:
        accounts.drop_constraint(covered, type_="check")
        accounts.create_check_constraint(covered, "balance >= 0 OR kind IN ('mint', 'score')")
