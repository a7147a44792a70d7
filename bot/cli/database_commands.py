"""The `gnau db` commands: upgrade, back up, restore and audit the database."""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.bot_commands import environment
from bot.cli.errors import CommandError, bad_input_refused, in_one_line
from bot.cli.restore_advice import restore_command, with_advice
from bot.config import SettingError, read_database_url
from bot.ledger.errors import LedgerCorrupt, LedgerDamaged, LedgerError
from bot.ledger.sqlite.file_lock import is_open_though_gone
from bot.ledger.sqlite.location import database_path, resolved
from bot.ledger.sqlite.storage_errors import as_ledger_errors
from bot.rules.hashing import read_code

FAULTY: Final = 1
"""The exit status if the database or the copy has faults."""

db: Final = typer.Typer(name="db")


@db.command()
def upgrade() -> None:
    """Upgrade the database to this version, as the bot does when it starts. A copy of the old one is kept."""
    database = database_or_refused()
    from bot.ledger.sqlite import backup as backups

    with ledger_errors_refused():
        done = backups.upgrade_exclusively(database)
    if done.before is None:
        typer.echo(f"{database} is created, at version {done.after}")
    elif done.copy is None:
        typer.echo(f"{database} is already at version {done.after}")
    else:
        typer.echo(
            f"{database} is upgraded from version {done.before} to {done.after}; the old one: {done.copy}"
        )


@db.command()
def backup(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Copy the database and check the copy. The bot may run meanwhile."""
    database = existing_database_or_refused()
    from bot.ledger.sqlite import backup as backups

    with ledger_errors_refused(f"nothing was written: {database} has faults"):
        backups.back_up(database, path, overwrite=force)
    typer.echo(f"{path} is a good copy of {database}")


@db.command()
def restore(path: Annotated[Path, typer.Argument(metavar="PATH", help="The copy to restore.")]) -> None:
    """Replace the database with a copy, after checking it. The old one is kept. Stop the bot first."""
    database = database_or_refused()
    from bot.ledger.sqlite import backup as backups
    from bot.ledger.sqlite.erasure import has_notes, notes_path

    with ledger_errors_refused(f"nothing was changed: {path} has faults"):
        kept = backups.restore(database, path)
    typer.echo(f"{database} is restored from {path}" + (f"; the old one: {kept}" if kept else ""))
    with ledger_errors_refused():
        asyncio.run(_erase_again(database))
        tables = backups.open_tables_in(database)
        is_noted = has_notes(database)
    if (kept is None or _is_empty(kept)) and not is_noted:
        typer.echo(
            f"there is no {notes_path(database)}: if members were erased after that backup, they are back",
            err=True,
        )
    if tables:
        typer.echo(
            f"{database} has open tables: {tables}; close them with /table close before anybody bets, "
            "because secrets of their shuffles may be known",
            err=True,
        )


@db.command()
def check(
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="A copy to check; by default the database itself.")
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="A code of the books that somebody noted: is it still in them?"),
    ] = None,
) -> None:
    """Audit the database: chips, hashes, holds, and a replay of every table. The bot may run meanwhile."""
    checked = existing_database_or_refused() if path is None else path
    with bad_input_refused():
        code = None if head is None else read_code(head)
    from bot.croupier.replay import verify_tables
    from bot.ledger.sqlite.integrity import head_in, problems_in, refuse_foreign_wal

    with ledger_errors_refused():
        try:
            refuse_foreign_wal(resolved(checked))
            faults = problems_in(checked, extra_audits=[verify_tables])
        except LedgerDamaged as damaged:
            faults = [str(damaged)]
        # A damaged file cannot be searched.
        found = None if code is None or faults else head_in(checked, code)
    if faults:
        _print_lines(faults, err=False)
        if path is None:
            restore_it = restore_command(resolved(checked))
            _print_lines([f"to put a backup back, stop the bot, then: {restore_it}"], err=True)
        raise typer.Exit(FAULTY)
    if code is not None and found is None:
        typer.echo(
            f"the head {code} is in none of its chains: it was mistyped, what was written then was changed "
            "or cut off, or this is an older backup or another database"
        )
        raise typer.Exit(FAULTY)
    typer.echo(f"{checked}: no faults")
    if found is not None:
        at = datetime.fromtimestamp(found.at, UTC).isoformat(sep=" ", timespec="seconds")
        typer.echo(f"{code} is link {found.link} of the chain of server {found.server_id}, written {at}")


@db.command("new-application")
def new_application() -> None:
    """Let the bot move to another application of Discord's. Stop the bot first."""
    database = existing_database_or_refused()
    with ledger_errors_refused():
        asyncio.run(_forget_application(database))
    typer.echo(
        f"{database} may move to another application: the next gnau run notes the one of its DISCORD_TOKEN. "
        "Servers that have not invited its bot by then are erased 30 days later"
    )


def database_or_refused() -> Path:
    """The database in the settings."""
    try:
        return database_path(read_database_url(environment()))
    except SettingError as wrong:
        raise CommandError(str(wrong)) from None


def existing_database_or_refused() -> Path:
    """The database in the settings, which is there and has something in it."""
    from bot.ledger.sqlite.backup import refuse_to_start_over
    from bot.ledger.sqlite.integrity import refuse_no_database

    database = database_or_refused()
    with ledger_errors_refused(), as_ledger_errors(database):
        path = resolved(database)
        refuse_no_database(path)
        if path.exists() and not _is_empty(path):
            return database
        if is_open_though_gone(path):
            raise CommandError(
                f"{database} is missing, but a bot has it open: put it back, or if you cannot, stop the bot "
                "and try again"
            )
        refuse_to_start_over(path)
    if path.exists():
        raise CommandError(f"{database} is empty: go to the bot's folder, or set DATABASE_URL")
    raise CommandError(f"there is no database {database}: go to the bot's folder, or set DATABASE_URL")


async def _erase_again(database: Path) -> None:
    """Erases the members in a restored database that were erased since its backup."""
    from bot.croupier.croupier import Croupier
    from bot.croupier.houses import unchanged
    from bot.croupier.privacy import Privacy
    from bot.ledger.ledger import open_ledger

    async with open_ledger(f"sqlite:///{database}") as ledger:
        await Privacy(Croupier(ledger, unchanged)).erase_noted()


async def _forget_application(database: Path) -> None:
    from bot.ledger.changes import OwnApplication
    from bot.ledger.ledger import open_ledger

    async with open_ledger(f"sqlite:///{database}") as ledger:
        await ledger.record(OwnApplication(None))


@contextmanager
def ledger_errors_refused(heading: str = "") -> Iterator[None]:
    """Ends the command if the ledger fails: with one line, or one line for each fault."""
    try:
        yield
    except LedgerCorrupt as unsound:
        _print_lines([heading, *unsound.problems], err=True)
        raise typer.Exit(FAULTY) from None
    except LedgerDamaged as damaged:
        _print_lines([_advised(damaged)], err=True)
        raise typer.Exit(FAULTY) from None
    except LedgerError as failed:
        raise CommandError(_advised(failed)) from None


def _advised(failed: LedgerError) -> str:
    """Why the ledger failed, with advice if that is about the database in the settings.

    A command for another file works whatever the settings name, and says what is wrong with that file.
    """
    with suppress(CommandError, LedgerError):
        return with_advice(failed, database_or_refused())
    return str(failed)


def _is_empty(database: Path) -> bool:
    """Whether there is nothing in a database; a damaged one may have something."""
    from bot.ledger.sqlite.upgrade import is_empty

    with suppress(sqlite3.Error):
        return is_empty(database)
    return False


def _print_lines(lines: Sequence[str], *, err: bool) -> None:
    """Prints each text in one line, even if somebody put control characters into the database."""
    typer.echo("\n".join(map(in_one_line, lines)), err=err)
