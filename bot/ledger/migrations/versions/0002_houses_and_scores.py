"""The rules that each house has chosen, and who chose them. There is no way back from it but a backup."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes room for the rules of houses."""
    _houses()


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
