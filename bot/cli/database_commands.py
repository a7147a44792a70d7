"""The commands about the database: `gnau db`, and what is read from it, `gnau rounds` and `gnau privacy`.

Those about privacy are for members who ask the host, because they cannot use `/privacy`.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.errors import CommandError, bad_input_refused, in_one_line
from bot.config import SettingError, read_settings
from bot.ledger.errors import LedgerCorrupt, LedgerDamaged, LedgerError
from bot.ledger.files import OWNER_ONLY
from bot.rules.hashing import read_code
from bot.rules.typed_text import json_text

if TYPE_CHECKING:
    from bot.croupier.privacy import Erased
    from bot.ledger.chain import Link
    from bot.ledger.changes import Identity
    from bot.ledger.database import Database

FAULTY: Final = 1
"""The exit status if the database or the copy has faults."""

db: Final = typer.Typer(name="db")
rounds: Final = typer.Typer(name="rounds", no_args_is_help=True)
privacy: Final = typer.Typer(name="privacy")


@db.command()
def upgrade() -> None:
    """Upgrade the database to this version, as the bot does when it starts. A copy of an old file is kept."""
    database = database_or_refused()
    with ledger_errors_refused():
        done = database.upgrade()
    if done.before is None:
        typer.echo(f"{database.name} is created, at version {done.after}")
    elif done.before == done.after:
        typer.echo(f"{database.name} is already at version {done.after}")
    else:
        copied = f"; the old one: {done.copy}" if done.copy else ""
        typer.echo(f"{database.name} is upgraded from version {done.before} to {done.after}{copied}")


@db.command()
def backup(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Copy the database and check the copy. The bot may run meanwhile."""
    database = existing_database_or_refused()
    with ledger_errors_refused(f"nothing was written: {database.name} has faults"):
        database.back_up(path, overwrite=force)
    typer.echo(f"{path} is a good copy of {database.name}")


@db.command()
def restore(path: Annotated[Path, typer.Argument(metavar="PATH", help="The copy to restore.")]) -> None:
    """Replace the database with a copy, after checking it. The old one is kept. Stop the bot first."""
    database = database_or_refused()
    with ledger_errors_refused(f"nothing was changed: {path} has faults"):
        done = database.restore(path)
    old = f"; the old one: {done.kept}" if done.kept else ""
    typer.echo(f"{database.name} is restored from {path}{old}")
    with ledger_errors_refused():
        tables = asyncio.run(_erase_again(database))
    if done.doubt:
        typer.echo(done.doubt, err=True)
    if tables:
        typer.echo(
            f"{database.name} has open tables: {tables}; close them with /table close before anybody bets, "
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
    from bot.croupier.replay import verify_tables
    from bot.ledger.database import database_in

    checked = existing_database_or_refused() if path is None else database_in(path)
    with bad_input_refused():
        code = None if head is None else read_code(head)
    with ledger_errors_refused():
        faults = checked.problems([verify_tables])
        # A damaged file cannot be searched.
        found = None if code is None or faults else asyncio.run(_find_head(checked, code))
    if faults:
        _print_lines(faults, err=False)
        if path is None:
            _print_lines([f"to put a backup back, stop the bot, then: {checked.restore_command()}"], err=True)
        raise typer.Exit(FAULTY)
    if code is not None and found is None:
        typer.echo(
            f"the head {code} is in none of its chains: it was mistyped, what was written then was changed "
            "or cut off, or this is an older backup or another database"
        )
        raise typer.Exit(FAULTY)
    typer.echo(f"{checked.name}: no faults")
    if found is not None:
        at = datetime.fromtimestamp(found.at, UTC).isoformat(sep=" ", timespec="seconds")
        typer.echo(f"{code} is link {found.link} of the chain of server {found.server_id}, written {at}")


@db.command()
def rebuild() -> None:
    """Count every settled round again, for leaderboards. Stop the bot first."""
    database = existing_database_or_refused()
    with ledger_errors_refused():
        database.refuse_running_bot()
        rounds = asyncio.run(_rebuild(database))
    typer.echo(f"{database.name} has counted {rounds:,} rounds again")


@db.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The address of the database to copy.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The address of a new or empty one.")],
) -> None:
    """Copy a database to another place or engine, and compare the two. Stop the bot first.

    An address is as in DATABASE_URL: sqlite:///data/gnau.db or postgresql://host/name. Other users of this
    machine can read a password in it: set PGPASSWORD instead.
    """
    old, new = _database("FROM", source), _database("TO", target)
    if old.name == new.name:
        raise CommandError("FROM and TO are the same database")
    from bot.cli.text_output import progress
    from bot.ledger.copying import copy_database

    with ledger_errors_refused(f"nothing was copied: {old.name} has faults"):
        copied = asyncio.run(copy_database(old, new, lambda rows: progress(rows, "Copying")))
    typer.echo(f"{new.name} has everything of {old.name}, and no faults; rows: {copied.rows:,}")
    with ledger_errors_refused():
        asyncio.run(_erase_again(new))


@db.command("new-application")
def new_application() -> None:
    """Let the bot move to another application of Discord's. Stop the bot first."""
    database = existing_database_or_refused()
    with ledger_errors_refused():
        database.refuse_running_bot()
        asyncio.run(_forget_application(database))
    typer.echo(
        f"{database.name} may move to another application: the next gnau run notes the one of its "
        "DISCORD_TOKEN. Servers that have not invited its bot by then are erased 30 days later"
    )


def _database(argument: str, url: str) -> "Database":
    """The database at an address that was typed."""
    from bot.ledger.database import database_at

    try:
        return database_at(url)
    except ValueError as wrong:
        raise CommandError(f"{argument} cannot be used: {wrong}") from None


def database_or_refused() -> "Database":
    """The database in the settings."""
    from bot.ledger.database import database_at

    try:
        return database_at(read_settings("DATABASE_URL").database_url)
    except SettingError as wrong:
        raise CommandError(str(wrong)) from None


def existing_database_or_refused() -> "Database":
    """The database in the settings, which is there and has something in it."""
    database = database_or_refused()
    with ledger_errors_refused():
        database.refuse_missing()
    return database


async def _erase_again(database: "Database") -> int:
    """Erases the members again who were erased since a backup; returns how many tables are open."""
    from bot.croupier.croupier import Croupier
    from bot.croupier.houses import unchanged
    from bot.croupier.privacy import Privacy
    from bot.ledger.ledger import open_ledger

    async with open_ledger(database.url) as ledger:
        await Privacy(Croupier(ledger, unchanged)).erase_noted()
        return len(await ledger.open_tables())


async def _rebuild(database: "Database") -> int:
    """Empties the standings and fills them again; returns how many rounds were counted."""
    from bot.cli.text_output import progress
    from bot.croupier.standings import Standings
    from bot.ledger.ledger import open_ledger

    async with open_ledger(database.url) as ledger:
        standings = Standings(ledger)
        rounds = await standings.clear()
        with progress(rounds, "Counting") as counted:
            async for more in standings.count_all():
                counted(more)
    return rounds


async def _find_head(database: "Database", code: str) -> "Link | None":
    from bot.ledger.chain import link_with_head

    async with database.reading() as ledger, ledger.reading() as connection:
        return await link_with_head(connection, code)


async def _forget_application(database: "Database") -> None:
    from bot.ledger.changes import OwnApplication
    from bot.ledger.ledger import open_ledger

    async with open_ledger(database.url) as ledger:
        await ledger.record(OwnApplication(None))


@rounds.callback()
def _group() -> None:
    """Records of settled rounds."""


@rounds.command("export")
def export_rounds(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; created if it is missing.")],
) -> None:
    """Write the record of every settled round, one JSON file each. The bot may run meanwhile."""
    database = existing_database_or_refused()
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as failed:
        raise CommandError(f"{folder} cannot be created: {failed.strerror}") from None
    with ledger_errors_refused():
        count = asyncio.run(_export_rounds(database, folder))
    typer.echo(f"{folder} has the records of {count:,} rounds")


async def _export_rounds(database: "Database", folder: Path) -> int:
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


UserId = Annotated[
    int, typer.Argument(metavar="USER_ID", help="Discord's id of the user.", min=1, max=2**63 - 1)
]


@privacy.command("export")
def export_user(user_id: UserId) -> None:
    """Print everything that is stored about a user, as JSON. The bot may run meanwhile."""
    database = existing_database_or_refused()

    async def read() -> dict[str, object] | None:
        from bot.croupier.privacy import own_data
        from bot.croupier.stored_tournaments import StoredTournaments

        async with database.reading() as ledger:
            identities = await ledger.identities_of(user_id)
            tournaments = StoredTournaments(ledger)
            return await own_data(ledger, tournaments, identities) if identities else None

    with ledger_errors_refused():
        data = asyncio.run(read())
    if data is None:
        raise CommandError(f"nothing is stored about the user {user_id}")
    typer.echo(json_text(data))


@privacy.command()
def erase(user_id: UserId) -> None:
    """Erase a user in every server, as `/privacy erase` does. The bot may run meanwhile."""
    from bot.croupier.privacy import Erased
    from bot.run.host_requests import ERASE, ask_bot

    database = existing_database_or_refused()
    with ledger_errors_refused():
        told = ask_bot(database.meeting_place(), ERASE, user_id)
        done = Erased(*told[0]) if told else asyncio.run(_erase(database.url, user_id))
    if not any(done):
        raise CommandError(f"nothing is stored about the user {user_id}")
    for server_id, chips in done.chips:
        typer.echo(f"the user is erased in server {server_id}; chips that went to the house: {chips:,}")
    for server_id, tables in done.tables:
        numbers = ", ".join(map(str, tables))
        typer.echo(
            f"the user is not erased in server {server_id}: close table {numbers} with /table close while "
            "the bot runs, and try again"
        )
    if done.tables:
        raise typer.Exit(FAULTY)


async def _erase(url: str, user_id: int) -> "Erased":
    """Erases a user, as another process beside the bots that may run on the same server."""
    from bot.croupier.croupier import Croupier
    from bot.croupier.houses import unchanged
    from bot.croupier.privacy import Privacy, forgotten
    from bot.ledger.ledger import open_ledger

    erased: list[Identity] = []
    async with open_ledger(url) as ledger:
        croupier = Croupier(ledger, unchanged)
        privacy = Privacy(croupier)
        privacy.on_erased(erased.append)
        if ledger.processes is None:
            await croupier.load()
        try:
            return await privacy.erase_everywhere(user_id)
        finally:
            if ledger.processes is not None:
                for one in erased:
                    await ledger.processes.notify(forgotten(one))
            await croupier.close()


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
        return database_or_refused().advice(failed)
    return str(failed)


def _print_lines(lines: Sequence[str], *, err: bool) -> None:
    """Prints each text in one line, even if somebody put control characters into the database."""
    typer.echo("\n".join(map(in_one_line, lines)), err=err)
