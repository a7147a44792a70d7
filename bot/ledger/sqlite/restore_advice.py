"""What a host can do about a database that is damaged or lost: the commands, ready to be copied."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Final

from bot.ledger.errors import LedgerDamaged, LedgerError, LedgerForeign, LedgerLost
from bot.ledger.sqlite.location import resolved
from bot.ledger.sqlite.regular_backups import backups_until

MOST_CHECKED: Final = 3
"""How many backups are checked at most, because each takes a while."""


def with_advice(failed: LedgerError, database: Path) -> str:
    """Why the ledger failed, and what to do if a database is damaged or lost."""
    match failed:
        case LedgerDamaged() if failed.database == resolved(database):
            restore = restore_command(failed.database)
            return f"{failed}. See more with gnau db check; put a backup back with {restore}"
        case LedgerForeign() if failed.database == resolved(database):
            return (
                f"DATABASE_URL names {failed.database}, which is no SQLite database. Correct the setting; "
                "only if this was gnau's database, move it away and restore a backup"
            )
        case LedgerLost():
            return (
                f"{failed}: put the newest back with {restore_command(failed.database)}, or to start over, "
                f"move {failed.backups} away"
            )
    return str(failed)


def restore_command(database: Path) -> str:
    """The command that puts the bot's newest good backup of a database back, as far as there is one.

    Each backup was checked when it was made, and is checked again: its file may be damaged since.
    """
    with suppress(OSError):
        made, later = backups_until(database, time.time())
        last, dated_later = _newest_good(made), _newest_good(later)
        if newest := last or dated_later:
            command = f"gnau db restore {quote(str(newest))}"
            # While the clock is or was wrong, the name of a backup does not say how old it is.
            if last and dated_later:
                command += f" (or {quote(str(dated_later))}, if the clock is or was wrong)"
            return command
    return "gnau db restore PATH"


def _newest_good(backups: Sequence[Path]) -> Path | None:
    """The newest of the last few backups that has no faults; the oldest comes first."""
    from bot.ledger.sqlite.integrity import problems_in

    for backup in backups[: -MOST_CHECKED - 1 : -1]:
        with suppress(LedgerError, OSError):
            if not problems_in(backup):
                return backup
    return None
