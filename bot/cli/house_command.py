"""`gnau house import`: brings the settings of one server to another."""

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final
from zipfile import BadZipFile, ZipFile, is_zipfile

import typer

from bot.cli.database_commands import existing_database_or_refused, ledger_errors_refused
from bot.cli.errors import CommandError, in_one_line

if TYPE_CHECKING:
    from bot.ledger.database import Database

LARGEST: Final = 1 << 20
"""The most bytes of settings; a house has some thousand."""
NO_SETTINGS: Final = "{} has no settings of a server: use the zip of /house export"

house: Final = typer.Typer(name="house", no_args_is_help=True)


@house.callback()
def _group() -> None:
    """House rules."""


@house.command("import")
def import_house(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The zip of /house export, or the settings.json in it.")
    ],
    server_id: Annotated[
        int, typer.Option("--server", metavar="ID", help="Discord's id of the server.", min=1, max=2**63 - 1)
    ],
) -> None:
    """Give a server the settings of another one. Stop the bot first.

    Channels, roles and an emoji of the other server's own stay out. `/house history` shows the change, and
    can take it back.
    """
    text = _settings_in(file)
    database = existing_database_or_refused()
    with ledger_errors_refused():
        database.refuse_running_bot()
        changed, notes = asyncio.run(_imported(database, server_id, file, text))
    for note in notes:
        typer.echo(f"left out: {in_one_line(note)}", err=True)
    typer.echo(f"server {server_id} has the settings of {file}: {changed} changed")


def _settings_in(file: Path) -> str:
    """The settings in a file, as text."""
    from bot.ui.house.export import SETTINGS

    try:
        if is_zipfile(file):
            with ZipFile(file) as zipped, zipped.open(SETTINGS) as settings:
                written = settings.read(LARGEST + 1)
        else:
            with file.open("rb") as opened:
                written = opened.read(LARGEST + 1)
        if len(written) > LARGEST:
            raise ValueError
        return written.decode("utf-8-sig")
    except OSError as failed:
        raise CommandError(f"{file} cannot be read: {failed.strerror}") from None
    except (KeyError, ValueError, RuntimeError, BadZipFile):
        raise CommandError(NO_SETTINGS.format(file)) from None


async def _imported(
    database: "Database", server_id: int, file: Path, text: str
) -> tuple[int, tuple[str, ...]]:
    """Changes the house; returns how many things are new, and what was left out."""
    from bot.croupier.houses import HouseChange, Houses, Verb
    from bot.games.house import house_from_elsewhere, house_json
    from bot.ledger.ledger import open_ledger
    from bot.table.state import THE_HOUSE

    async with open_ledger(database.url) as ledger:
        if server_id not in await ledger.known_servers():
            raise CommandError(f"nothing is stored about the server {server_id}")
        houses = Houses(ledger)
        await houses.load()
        try:
            after, notes = house_from_elsewhere(text, houses.house_of(server_id))
        except (ValueError, RecursionError):
            raise CommandError(NO_SETTINGS.format(file)) from None
        change = HouseChange(Verb.REPLACE, text=house_json(after))
        draft = await houses.draft(secrets.randbits(62), server_id, change)
        if draft.before == draft.after:
            return 0, notes
        return len(await houses.confirm(draft.draft_id, server_id, THE_HOUSE)), notes
