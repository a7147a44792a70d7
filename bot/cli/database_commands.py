"""The `gnau db` commands: upgrade, back up, restore and audit the database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.bot_commands import environment
from bot.cli.errors import CommandError, in_one_line
from bot.config import SettingError, read_database_url
from bot.ledger.location import database_path

FAULTY: Final = 1
"""The exit status if the database or the copy has faults."""

db: Final = typer.Typer(
    name="db", help="Manage the database in DATABASE_URL, from the environment or `.env`."
)


@db.command()
def upgrade() -> None:
    """Upgrade the database to this version, as the bot does when it starts. A copy of the old one is kept."""
    database = _database()
    from bot.ledger import backup as backups

    with _ledger_errors_refused():
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
    database = _database()
    from bot.ledger import backup as backups

    with _ledger_errors_refused(f"nothing was written: {database} has faults"):
        backups.back_up(database, path, overwrite=force)
    typer.echo(f"{path} is a good copy of {database}")


@db.command()
def restore(path: Annotated[Path, typer.Argument(metavar="PATH", help="The copy to restore.")]) -> None:
    """Replace the database with a copy, after checking it. The old one is kept. Stop the bot first."""
    database = _database()
    from bot.ledger import backup as backups

    with _ledger_errors_refused(f"nothing was changed: {path} has faults"):
        kept = backups.restore(database, path)
        tables = backups.open_tables_in(database)
    typer.echo(f"{database} is restored from {path}" + (f"; the old one: {kept}" if kept else ""))
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
) -> None:
    """Audit the database: chips, hashes, holds, and a replay of every table. The bot may run meanwhile."""
    checked = _database() if path is None else path
    from bot.croupier.replay import verify_tables
    from bot.ledger.integrity import problems_in

    with _ledger_errors_refused():
        faults = problems_in(checked, extra_audits=[verify_tables])
    if faults:
        _print_lines(faults, err=False)
        raise typer.Exit(FAULTY)
    typer.echo(f"{checked}: no faults")


def _database() -> Path:
    try:
        return database_path(read_database_url(environment()))
    except SettingError as wrong:
        raise CommandError(str(wrong)) from None


@contextmanager
def _ledger_errors_refused(heading: str = "") -> Iterator[None]:
    """Ends the command if the ledger fails: with one line, or one line for each fault."""
    # SQLAlchemy is slow to import: report what is wrong with the command before that.
    from bot.ledger.errors import LedgerCorrupt, LedgerError

    try:
        yield
    except LedgerCorrupt as unsound:
        _print_lines([heading, *unsound.problems], err=True)
        raise typer.Exit(FAULTY) from None
    except LedgerError as failed:
        raise CommandError(str(failed)) from None


def _print_lines(lines: Sequence[str], *, err: bool) -> None:
    """Prints each text in one line, even if somebody put control characters into the database."""
    typer.echo("\n".join(map(in_one_line, lines)), err=err)
