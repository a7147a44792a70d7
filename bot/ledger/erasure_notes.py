"""Notes of erased parties in a file beside the database, so that a restored backup is erased again.

The file has one party a line: random numbers, which say nothing about anybody.
"""

import os
from pathlib import Path
from typing import Final

from bot.ledger.copying import sync
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.location import OWNER_ONLY, give_to_owner

SUFFIX: Final = ".erased"


def notes_path(database: Path) -> Path:
    """Where the notes of a database are."""
    resolved = database.resolve()
    return resolved.with_name(f"{resolved.name}{SUFFIX}")


def note_erasures(database: Path, parties: list[int]) -> None:
    """Adds parties to the notes, and returns when they are on disk.

    Raises:
        LedgerUnavailable: the notes cannot be written.
    """
    path = notes_path(database)
    try:
        is_new = not path.exists()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
        with os.fdopen(descriptor, "w") as file:
            # After a line that a kill cut off, an empty one does no harm.
            file.write("".join(f"\n{party}\n" for party in parties))
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            give_to_owner(path, database)
            sync(path.absolute().parent)
    except OSError as error:
        raise LedgerUnavailable(f"{path} cannot be written: {error.strerror}") from error


def noted_erasures(database: Path) -> list[int]:
    """The parties in the notes, each once, in order; lines that are no party are skipped.

    Raises:
        LedgerUnavailable: the notes cannot be read.
    """
    path = notes_path(database)
    try:
        lines = path.read_text("ascii", "replace").split()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LedgerUnavailable(f"{path} cannot be read: {error.strerror}") from error
    return list(dict.fromkeys(int(line) for line in lines if line.isdecimal() and len(line) < 20))
