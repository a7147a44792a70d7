"""What members can have for months."""

import json

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def _text(most: int | None = None) -> sa.types.TypeEngine[str]:
    return sa.String(most).with_variant(sa.String(most, collation="C"), "postgresql")


def upgrade() -> None:
    """Adds empty tables, and has every settled round counted again."""
    # Reminders and scheduled tables.
    op.create_table(
        "plans",
        sa.Column("name", _text(), primary_key=True),
        sa.Column("server_id", sa.BigInteger, nullable=False),
        sa.Column("party", sa.BigInteger, nullable=False),
        sa.Column("kind", _text(16), nullable=False),
        sa.Column("channel_id", sa.BigInteger),
        sa.Column("at", sa.Double),
        sa.Column("what", _text(), nullable=False),
        comment="what is to be done later for a member, at a time or when something happens; "
        "deleted to erase them",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    some = sa.text("at IS NOT NULL")
    op.create_index("ix_plans_at", "plans", ["at"], sqlite_where=some, postgresql_where=some)
    op.create_index("ix_plans_party", "plans", ["party"])
    op.create_index("ix_plans_server_id_kind_channel_id", "plans", ["server_id", "kind", "channel_id"])
    # The leaderboard of a week.
    op.add_column("servers", sa.Column("week_posted", _text(16)))
    # What members' rounds brought them, for their profiles.
    op.create_table(
        "tallies",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("party", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("part", _text(16), primary_key=True),
        sa.Column("item", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("rounds", sa.BigInteger, nullable=False),
        sa.Column("won", sa.BigInteger, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
        comment="what the counted rounds brought each member by day, as banker, and by class of hand "
        "in a game",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    # Achievements follow from the rounds in their order.
    op.create_table(
        "achievements",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("party", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("progress", _text(), nullable=False),
        comment="what each member achieved in the counted rounds, and how far they have come",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    # What an audit adds up.
    op.create_table(
        "flows",
        *(
            sa.Column(name, sa.BigInteger, primary_key=True, autoincrement=False)
            for name in ("server_id", "week", "one", "other")
        ),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in (
                "rounds",
                "net",
                "side",
                "arranged",
                "hands_one",
                "hands_other",
                "weaker_one",
                "weaker_other",
                "luck_rounds",
                "ahead",
                "variance_high",
                "variance_low",
                "largest",
            )
        ),
        comment="what the counted rounds of a week moved between each two parties, for audits",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    some = sa.text("table_id IS NULL")
    op.create_index(
        "ix_transfers_server_id_at",
        "transfers",
        ["server_id", "at"],
        sqlite_where=some,
        postgresql_where=some,
    )
    _add_games()
    op.drop_table("uncounted_rounds")
    op.create_table(
        "uncounted_rounds",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("link", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        comment="settled rounds that are in no standing yet, by the event that settled them",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.execute("DELETE FROM standings")
    # Luck.
    for name in ("luck_rounds", "ahead", "variance_high", "variance_low"):
        op.add_column("standings", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("standings", sa.Column("luck", sa.Double))
    some = sa.text("luck IS NOT NULL")
    op.create_index(
        "ix_standings_by_luck",
        "standings",
        ["server_id", "period", "game", "luck", "last_at", "party"],
        sqlite_where=some,
        postgresql_where=some,
    )
    op.execute(
        "INSERT INTO uncounted_rounds SELECT tables.server_id, events.link, events.table_id, events.sequence"
        " FROM events JOIN tables ON tables.table_id = events.table_id WHERE events.kind = 'round_settled'"
    )
    # A ledger's gifts and handouts, which may be few among very many rounds.
    of_none = sa.text("round_number IS NULL")
    for side, other in (("loser", "gainer"), ("gainer", "loser")):
        op.create_index(
            f"ix_transfers_{side}_without_round",
            "transfers",
            ["server_id", side, "round_number", "link", "reason", "chips", other, "at"],
            sqlite_where=of_none,
            postgresql_where=of_none,
        )
    # Who may not play.
    op.create_table(
        "bans",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("until", sa.Double),
        sa.Column("party", sa.BigInteger),
        sa.Column("admin", sa.BigInteger),
        sa.Column("words", _text(), nullable=False),
        comment="who may not play in a server, as a keyed hash, which outlives their erasure; "
        "the rest is erased",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for who in ("party", "admin"):
        op.create_index(f"ix_bans_{who}", "bans", [who])
    # Seasons.
    op.create_table(
        "seasons",
        sa.Column("server_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", _text(), nullable=False),
        sa.Column("resets", sa.Boolean, nullable=False),
        sa.Column("channel_id", sa.BigInteger),
        sa.Column("role_id", sa.BigInteger),
        sa.Column("started_at", sa.Double, nullable=False),
        sa.Column("ends_at", sa.Double),
        sa.Column("repeat_day", sa.BigInteger),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.Column("is_posted", sa.Boolean, nullable=False),
        sa.Column("is_crowned", sa.Boolean, nullable=False),
        sa.Column("winners", _text(), nullable=False),
        sa.Column("first_link", sa.BigInteger, nullable=False),
        sa.Column("last_link", sa.BigInteger),
        comment="the seasons of each server, by the links of its chain whose rounds count",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    running = sa.text("NOT is_over")
    op.create_index(
        "ix_seasons_running",
        "seasons",
        ["server_id"],
        unique=True,
        sqlite_where=running,
        postgresql_where=running,
    )
    # Tournaments.
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("server_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.Column("state", _text(), nullable=False),
        comment="what every tournament has come to",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tournaments_server_id", "tournaments", ["server_id"])
    op.create_index(
        "ix_tournaments_running",
        "tournaments",
        ["channel_id"],
        unique=True,
        sqlite_where=running,
        postgresql_where=running,
    )
    # Why admins gave members chips, or took some.
    op.create_table(
        "admin_notes",
        sa.Column("key", _text(128), primary_key=True),
        sa.Column("party", sa.BigInteger, nullable=False),
        sa.Column("admin", sa.BigInteger, nullable=False),
        sa.Column("words", _text(), nullable=False),
        comment="why an admin gave a member chips or took some, by command; deleted to erase one of the two",
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for who in ("party", "admin"):
        op.create_index(f"ix_admin_notes_{who}", "admin_notes", [who])


def _add_games() -> None:
    """Adds the game of each table, from its state; a table whose state cannot be read has none."""
    op.add_column("tables", sa.Column("game", _text(16), nullable=False, server_default=""))
    connection, last = op.get_bind(), None
    tables = sa.table("tables", sa.column("table_id"), sa.column("state"), sa.column("game"))
    in_order = sa.select(tables.c.table_id, tables.c.state).order_by(tables.c.table_id).limit(500)
    while rows := connection.execute(
        in_order if last is None else in_order.where(tables.c.table_id > last)
    ).all():
        for last, state in rows:
            connection.execute(
                sa.update(tables).where(tables.c.table_id == last).values(game=_game_in(state))
            )
    op.create_index("ix_tables_server_id_game_table_id", "tables", ["server_id", "game", "table_id"])


def _game_in(state: str) -> str:
    try:
        return str(json.loads(state)["rules"]["game"])[:16]
    except (ValueError, TypeError, LookupError):
        return ""
