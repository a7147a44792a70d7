"""The `gnau rounds` commands: records of settled rounds."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.database_commands import existing_database_or_refused, ledger_errors_refused
from bot.cli.errors import CommandError
from bot.ledger.files import OWNER_ONLY
from bot.rules.typed_text import json_text

if TYPE_CHECKING:
    from bot.ledger.database import Database

rounds: Final = typer.Typer(name="rounds", no_args_is_help=True)


@rounds.callback()
def _group() -> None:
    """Records of settled rounds."""


@rounds.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; created if it is missing.")],
) -> None:
    """Write the record of every settled round, one JSON file each. The bot may run meanwhile."""
    database = existing_database_or_refused()
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as failed:
        raise CommandError(f"{folder} cannot be created: {failed.strerror}") from None
    with ledger_errors_refused():
        count = asyncio.run(_export(database, folder))
    typer.echo(f"{folder} has the records of {count:,} rounds")


async def _export(database: "Database", folder: Path) -> int:
    """Writes every record, for this user alone because it has names; returns how many there are."""
    from bot.croupier.rounds import every_settled_round

    count = 0
    async with database.reading() as ledger:
        try:
            async for server_id, past in every_settled_round(ledger):
                names = await ledger.identities(past.parties)
                record = past.record({party: names[party].name for party in sorted(names)})
                number = f"table-{past.number}-round-{past.result.round_number}"
                file = folder / f"server-{server_id}-{number}.json"
                # An earlier record may be readable by all.
                file.unlink(missing_ok=True)
                file.touch(OWNER_ONLY)
                file.write_text(json_text(record), "utf-8")
                count += 1
        except OSError as failed:
            raise CommandError(f"{failed.filename or folder} cannot be written: {failed.strerror}") from None
    return count
