"""Notes of erased parties in a file beside the database, so that a restored backup is erased again.

The file has one party a line: random numbers, which say nothing about anybody.
"""

import logging
import os
from pathlib import Path
from typing import Final

from bot.ledger.sqlite.copying import sync
from bot.ledger.sqlite.location import OWNER_ONLY, give_to_owner, real_path
from bot.ledger.sqlite.storage_errors import unavailable

log = logging.getLogger(__name__)

SUFFIX: Final = ".erased"
_MOST_DIGITS: Final = 19
"""A line of a million digits would take minutes to read."""


def notes_path(database: Path) -> Path:
    """Where the notes of a database are.

    Raises:
        LedgerUnavailable: the database's folder cannot be reached.
    """
    real = real_path(database)
    return real.with_name(f"{real.name}{SUFFIX}")


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
        raise unavailable(f"{path} cannot be written: {error.strerror}", error, path) from error


def has_notes(database: Path) -> bool:
    """Whether there are notes, after reading them.

    Raises:
        LedgerUnavailable: the notes cannot be read.
    """
    return _lines(notes_path(database)) is not None


def noted_erasures(database: Path) -> list[int]:
    """The parties in the notes, each once, in order; a warning says how many lines are no party.

    Raises:
        LedgerUnavailable: the notes cannot be read.
    """
    path = notes_path(database)
    # An empty line is before each party, and one that a kill cut off is a shorter number, which is nobody's.
    lines = [line for line in _lines(path) or [] if line]
    parties = [int(line) for line in lines if _is_party(line)]
    if wrong := len(lines) - len(parties):
        log.warning(
            "%s: lines that are no party, so whom they stood for is not erased again: %s", path, wrong
        )
    return list(dict.fromkeys(parties))


def _lines(path: Path) -> list[str] | None:
    """The lines of the notes without blanks around them; None if there are no notes."""
    try:
        return [line.strip() for line in path.read_text("ascii", "replace").splitlines()]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unavailable(f"{path} cannot be read: {error.strerror}", error, path) from error


def _is_party(line: str) -> bool:
    return line.isdecimal() and len(line) <= _MOST_DIGITS and 0 < int(line) < 1 << 63
