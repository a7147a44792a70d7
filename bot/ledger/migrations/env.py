"""Alembic's entry point: runs the migrations on the given connection."""

from alembic import context

from bot.ledger.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
