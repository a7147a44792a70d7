"""The command that proves a round from its record, without the bot."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.complaints import GaveUpError, complaining
from bot.table.round_proof import misfit
from bot.table.round_record import LONGEST_RECORD
from bot.words.proofs import verdict_words

NOT_VERIFIED = 1
"""The status where a record does not fit."""


def verify(
    record: Annotated[Path, typer.Argument(metavar="ROUND.json", help="A record, as /round show gives it.")],
) -> None:
    """Recompute a round from its record: deck, hands and settlement. Ends with 1 where they differ."""
    try:
        with record.open("rb") as file:
            text = file.read(LONGEST_RECORD + 1).decode()
    except OSError as failed:
        raise GaveUpError(f"{record} cannot be read: {failed.strerror}") from None
    except UnicodeDecodeError:
        raise GaveUpError(f"{record} is not written in UTF-8, and so no record of a round") from None
    with complaining():
        found = misfit(text)
    typer.echo(verdict_words(found))
    if found is not None:
        raise typer.Exit(NOT_VERIFIED)
