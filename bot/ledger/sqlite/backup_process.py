"""`python -m bot.ledger.sqlite.backup_process DATABASE BACKUP` makes one backup at the lowest priority."""

import os
import sys
from pathlib import Path
from typing import Final

from bot.ledger.errors import LedgerCorrupt, LedgerDamaged, LedgerError
from bot.ledger.sqlite.backup import back_up

_LOWEST_PRIORITY: Final = 19


def main(database: str, backup: str) -> None:
    """Makes the backup; exits with one line that says why if it cannot."""
    if sys.platform != "win32":
        os.nice(_LOWEST_PRIORITY)
    try:
        back_up(Path(database), Path(backup))
    except LedgerCorrupt as corrupt:
        count = len(corrupt.problems)
        sys.exit(f"{database} has faults: {count}. Run gnau db check. The first: {corrupt.problems[0]}")
    except LedgerDamaged as damaged:
        sys.exit(f"{damaged}. Run gnau db check")
    except LedgerError as failed:
        sys.exit(str(failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
