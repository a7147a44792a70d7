"""Members can choose to find the ox of their hands themselves."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the choice, which nobody has made yet."""
    op.add_column("parties", sa.Column("finds_ox", sa.Boolean, nullable=False, server_default="0"))
