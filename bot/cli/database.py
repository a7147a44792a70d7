"""The commands about the database: bring it up to date, keep a copy, put one back, and audit it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.complaints import GaveUpError, in_one_line
from bot.cli.environment import environment
from bot.config import SettingError, read_database_url
from bot.ledger.location import database_path

FAULTY: Final = 1
"""The status where something is wrong with what was looked at."""

db: Final = typer.Typer(
    name="db", help="Look after the database that DATABASE_URL names, in the environment or `.env`."
)


@db.command()
def upgrade() -> None:
    """Bring the database up to this version's schema, as starting the bot does; an older one is kept, too."""
    database = _database()
    from bot.ledger import backup as backups

    with _complaining():
        done = backups.upgrade_exclusively(database)
    if done.before is None:
        typer.echo(f"{database} is made, at version {done.after}")
    elif done.copy is None:
        typer.echo(f"{database} is at version {done.after} already")
    else:
        typer.echo(f"{database} went from version {done.before} to {done.after}; as it was: {done.copy}")


@db.command()
def backup(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Write it over a file that is there.")] = False,
) -> None:
    """Copy the database, also while the bot runs, and check the copy."""
    database = _database()
    from bot.ledger import backup as backups

    with _complaining(f"nothing was written: {database} is not sound"):
        backups.back_up(database, path, overwrite=force)
    typer.echo(f"{path} is a sound copy of {database}")


@db.command()
def restore(path: Annotated[Path, typer.Argument(metavar="PATH", help="The copy to put back.")]) -> None:
    """Check a copy, and put it in the place of the database, which is kept; not while the bot runs."""
    database = _database()
    from bot.ledger import backup as backups

    with _complaining(f"nothing was changed: {path} is not sound"):
        kept = backups.restore(database, path)
        tables = backups.open_tables_in(database)
    typer.echo(f"{database} is as {path} has it" + (f"; as it was: {kept}" if kept else ""))
    if tables:
        typer.echo(
            f"{database} has open tables: {tables}; before anybody bets there, have them closed by "
            "/table close, since secrets of their shuffles may have been shown",
            err=True,
        )


@db.command()
def check(
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="A copy to check; if not said, the database itself.")
    ] = None,
) -> None:
    """Audit the database, also while the bot runs: chips, hashes, holds, and every table told again."""
    checked = _database() if path is None else path
    from bot.croupier.replay import verify_tables
    from bot.ledger.integrity import problems_in

    with _complaining():
        faults = problems_in(checked, extra_audits=[verify_tables])
    if faults:
        _tell(faults, err=False)
        raise typer.Exit(FAULTY)
    typer.echo(f"{checked}: all is well")


def _database() -> Path:
    try:
        return database_path(read_database_url(environment()))
    except SettingError as wrong:
        raise GaveUpError(str(wrong)) from None


@contextmanager
def _complaining(of_faults: str = "") -> Iterator[None]:
    """Ends the command where the ledger does not do its part: by faults, one a line, or in one line."""
    # SQLAlchemy takes its time to import: what is wrong with the command itself is told before that.
    from bot.ledger.errors import LedgerCorrupt, LedgerError

    try:
        yield
    except LedgerCorrupt as unsound:
        _tell([of_faults, *unsound.problems], err=True)
        raise typer.Exit(FAULTY) from None
    except LedgerError as failed:
        raise GaveUpError(str(failed)) from None


def _tell(lines: Sequence[str], *, err: bool) -> None:
    """One thing a line, whatever somebody has written into the database."""
    typer.echo("\n".join(map(in_one_line, lines)), err=err)
