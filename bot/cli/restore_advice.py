"""What a host can do about a database that is damaged or lost: the commands, ready to be copied."""

import time
from contextlib import suppress
from pathlib import Path
from shlex import quote

from bot.ledger.errors import LedgerDamaged, LedgerError, LedgerLost
from bot.ledger.location import resolved
from bot.ledger.regular_backups import newest_backup


def with_advice(failed: LedgerError, database: Path) -> str:
    """Why the ledger failed, and what to do if the bot's database is damaged or lost.

    Args:
        failed: the error.
        database: the bot's SQLite file, or a link to it.
    """
    match failed:
        case LedgerDamaged() if failed.database == resolved(database):
            restore = restore_command(failed.database)
            return f"{failed}. See more with gnau db check; put a backup back with {restore}"
        case LedgerLost():
            return (
                f"{failed}: put the newest back with {restore_command(failed.database)}, or to start over, "
                f"move {failed.backups} away"
            )
    return str(failed)


def restore_command(database: Path) -> str:
    """The command that puts the bot's newest backup of a database back, as far as there is one.

    Args:
        database: the SQLite file, not a link to it; it may be missing.
    """
    with suppress(OSError):
        if newest := newest_backup(database, time.time()):
            return f"gnau db restore {quote(str(newest))}"
    return "gnau db restore PATH"
