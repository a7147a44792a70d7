"""Standings: what rounds brought members, by game and period; members can be on no leaderboard."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None

_TEXT = sa.String(16).with_variant(sa.String(16, collation="C"), "postgresql")


def upgrade() -> None:
    """Adds empty standings, and has every settled round counted."""
    for name in ("is_hidden", "has_left"):
        op.add_column("parties", sa.Column(name, sa.Boolean, nullable=False, server_default="0"))
    unlisted = sa.text("is_hidden = 1 OR has_left = 1")
    if op.get_context().dialect.name == "postgresql":
        unlisted = sa.text("is_hidden OR has_left")
    op.create_index(
        "ix_parties_unlisted", "parties", ["server_id"], sqlite_where=unlisted, postgresql_where=unlisted
    )
    strict = {"sqlite_strict": True, "sqlite_with_rowid": False}
    op.create_table(
        "uncounted_rounds",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
        comment="settled rounds that are in no standing yet, by the event that settled them",
        **strict,
    )
    op.create_table(
        "standings",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("period", _TEXT, primary_key=True),
        sa.Column("game", _TEXT, primary_key=True),
        sa.Column("party", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("rounds", sa.BigInteger, nullable=False),
        sa.Column("net", sa.BigInteger),
        sa.Column("biggest", sa.BigInteger),
        sa.Column("best", sa.BigInteger),
        sa.Column("points", sa.BigInteger),
        sa.Column("last_at", sa.Double, nullable=False),
        comment="what the counted rounds of a period brought each member, by game and in all games",
        **strict,
    )
    for ranked in ("rounds", "net", "biggest", "best", "points"):
        some = sa.text(f"{ranked} IS NOT NULL")
        op.create_index(
            f"ix_standings_by_{ranked}",
            "standings",
            ["server_id", "period", "game", ranked, "last_at", "party"],
            sqlite_where=some,
            postgresql_where=some,
        )
    op.create_index("ix_standings_party", "standings", ["party"])
    op.execute(
        "INSERT INTO uncounted_rounds SELECT tables.server_id, events.table_id, events.sequence"
        " FROM events JOIN tables ON tables.table_id = events.table_id WHERE events.kind = 'round_settled'"
    )
