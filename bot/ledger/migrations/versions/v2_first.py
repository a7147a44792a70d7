"""The first version, which later ones upgrade from. A new database is made from `bot.ledger.schema`."""

revision = "2"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is upgraded to it."""
