"""Makes or migrates a database of either engine, with Alembic and in the caller's transaction."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert

from bot.ledger.schema import OPENINGS_KEY, keys, metadata

_one_at_a_time: Final = threading.Lock()
"""Alembic keeps what it is doing in its module: two migrations at once, in two threads, confuse it."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The schema's version before and after an upgrade, and the copy that was made of an older database."""

    before: str | None
    after: str
    copy: Path | None = None


def make_or_migrate(connection: Connection, triggers: Iterable[str]) -> None:
    """Makes a database of the newest schema, or migrates an older one.

    Args:
        triggers: the statements by which a new one refuses changes of what is never changed.

    Raises:
        alembic.util.CommandError: it is of a version that this program does not know.
    """
    config = migrations_config()
    config.attributes["connection"] = connection
    with _one_at_a_time:
        if revision_in(connection) is not None:
            command.upgrade(config, "head")
            return
        metadata.create_all(connection, checkfirst=False)
        for statement in triggers:
            connection.exec_driver_sql(statement)
        connection.execute(insert(keys).values(name=OPENINGS_KEY, key=token_bytes(32)))
        command.stamp(config, "head")


def revision_in(connection: Connection) -> str | None:
    """The version of a database's schema; None for a new one."""
    return MigrationContext.configure(connection).get_current_revision()


def revisions() -> list[str]:
    """Every version of the schema, the oldest first."""
    walked = ScriptDirectory.from_config(migrations_config()).walk_revisions()
    return [script.revision for script in walked][::-1]


def migrations_config() -> Config:
    """What Alembic needs to find the migrations."""
    config = Config()
    config.set_main_option("script_location", "bot.ledger:migrations")
    # Alembic warns unless told what separates the paths in a list of folders.
    config.set_main_option("path_separator", "os")
    return config
