"""Members can choose to see the last piece of a hand by a press of their own."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the choice, which nobody has made yet."""
    op.add_column("parties", sa.Column("squeezes", sa.Boolean, nullable=False, server_default="0"))
