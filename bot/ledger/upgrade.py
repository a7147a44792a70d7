"""Brings a database up to the newest schema, by Alembic, in one transaction: a kill leaves it whole."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError

from bot.ledger.connections import migrating_engine
from bot.ledger.errors import LedgerUnavailable


def upgrade(path: Path, busy_seconds: float = 5.0, *, to: str = "head") -> None:
    """Makes the database where there is none, and migrates it where it is old.

    Args:
        path: the SQLite file, in a folder that exists.
        busy_seconds: how long to wait for a lock on the file.
        to: the revision that it is migrated to; the newest, unless a test wants an older one.

    Raises:
        LedgerUnavailable: where the file cannot be opened, is no database, or is newer than this program.
    """
    config = Config()
    config.set_main_option("script_location", "bot.ledger:migrations")
    # The parts of settings that are lists of paths; Alembic warns where nobody says how they are parted.
    config.set_main_option("path_separator", "os")
    engine = migrating_engine(path, busy_seconds)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, to)
    except DBAPIError as error:
        raise LedgerUnavailable(f"cannot open {path}: {error.orig}") from error
    except CommandError as error:
        raise LedgerUnavailable(f"{path} was made by a newer version of this program: {error}") from error
    finally:
        engine.dispose()
