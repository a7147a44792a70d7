"""The command that proves a round from its record, without the bot."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.complaints import GaveUpError, complaining, in_one_line
from bot.table.round_proof import first_mismatch
from bot.table.round_record import LONGEST_RECORD
from bot.words.proofs import verdict_words

NOT_VERIFIED: Final = 1
"""The status where a record does not fit."""
_STDIN: Final = Path("-")


def verify(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="ROUND.json", help="A record, as /round show gives it; - for one that comes from stdin."
        ),
    ],
) -> None:
    """Recompute a round from its record: deck, hands and settlement. The status is 1 where they differ."""
    text = _read(record)
    with complaining():
        found = first_mismatch(text)
    typer.echo(in_one_line(verdict_words(found)))
    if found is not None:
        raise typer.Exit(NOT_VERIFIED)


def _read(record: Path) -> str:
    """The text of a file, or of stdin, that may be a record.

    Raises:
        GaveUpError: where it cannot be read, or cannot be one.
    """
    is_stdin = record == _STDIN
    name = "stdin" if is_stdin else str(record)
    try:
        with nullcontext(typer.get_binary_stream("stdin")) if is_stdin else record.open("rb") as file:
            written = file.read(LONGEST_RECORD + 1)
    except RuntimeError:
        # The process was started without one.
        raise GaveUpError(f"{name} cannot be read: it is closed") from None
    except OSError as failed:
        raise GaveUpError(f"{name} cannot be read: {failed.strerror}") from None
    if len(written) > LONGEST_RECORD:
        raise GaveUpError(f"{name} is too long: a record of a round has at most {LONGEST_RECORD:,} bytes")
    try:
        # Some editors begin a file with a mark of its encoding.
        return written.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GaveUpError(f"{name} is not written in UTF-8, and so no record of a round") from None
