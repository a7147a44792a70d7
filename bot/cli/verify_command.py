"""The command `verify`: checks a round from its record, without the bot."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.errors import CommandError, bad_input_refused, in_one_line
from bot.rules.hashing import read_code, read_contribution
from bot.table.round_proof import Noted, first_mismatch
from bot.table.round_record import LONGEST_RECORD
from bot.words.proofs import verdict_words

NOT_VERIFIED: Final = 1
"""The exit status if a record is not verified."""
MOST_BYTES: Final = 4 * LONGEST_RECORD
"""A character has at most four bytes."""
_STDIN: Final = Path("-")


def verify(
    record: Annotated[
        Path,
        typer.Argument(metavar="ROUND.json", help="A record from /round show; - reads it from stdin."),
    ],
    seal: Annotated[str | None, typer.Option(metavar="CODE", help="The seal that you noted.")] = None,
    contribution: Annotated[
        str | None, typer.Option(metavar="CODE", help="The ticket or the contribution of your bet or hand.")
    ] = None,
    receipt: Annotated[
        str | None, typer.Option(metavar="CODE", help="The receipt that you noted with the result.")
    ] = None,
) -> None:
    """Recompute a round from its record: deck, hands and settlement. The exit status is 1 if they differ."""
    text = _read(record)
    with bad_input_refused():
        brought = None if contribution is None else read_contribution(contribution)
        noted = Noted(_code(seal), brought, _code(receipt))
        found = first_mismatch(text, noted)
    typer.echo(in_one_line(verdict_words(found)))
    if found is not None:
        raise typer.Exit(NOT_VERIFIED)


def _code(typed: str | None) -> str | None:
    """A code that somebody noted, the way that records have it."""
    return None if typed is None else read_code(typed)


def _read(record: Path) -> str:
    """The text of a file, or of stdin."""
    is_stdin = record == _STDIN
    name = "stdin" if is_stdin else str(record)
    try:
        with nullcontext(typer.get_binary_stream("stdin")) if is_stdin else record.open("rb") as file:
            written = file.read(MOST_BYTES + 1)
    except RuntimeError:
        # The process was started without stdin.
        raise CommandError(f"{name} cannot be read: it is closed") from None
    except OSError as failed:
        raise CommandError(f"{name} cannot be read: {failed.strerror}") from None
    if len(written) > MOST_BYTES:
        raise CommandError(
            f"{name} is too long: a record of a round has at most {LONGEST_RECORD:,} characters"
        )
    try:
        # Some editors start a file with a byte order mark.
        return written.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not a record of a round: it is not UTF-8") from None
