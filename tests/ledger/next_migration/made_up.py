"""A made-up migration: a new column, a new table, and a check that SQLite changes only in a rebuilt table."""

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Changes a schema in the three ways that later versions may need."""
    season = sa.Column("season_id", sa.BigInteger(), primary_key=True)
    op.add_column("parties", sa.Column("pronouns", sa.Text()))
    with op.batch_alter_table("house_drafts") as drafts:
        drafts.create_check_constraint("ck_house_drafts_based_on", "based_on >= 0")
    op.create_table("made_up", season, sqlite_strict=True)
