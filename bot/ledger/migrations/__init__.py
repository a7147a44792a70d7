"""The Alembic migrations of the database."""
