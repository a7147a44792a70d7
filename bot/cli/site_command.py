"""`gnau site`: writes a static site of a server, for a web server to serve. The bot may run meanwhile."""

import asyncio
import os
import re
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.cli.database_commands import existing_database_or_refused, ledger_errors_refused
from bot.cli.errors import CommandError
from bot.rules.knobs import Language

MOST_ROUNDS: Final = 1_000
_CONTENTS: Final = ".gnau-site"
"""The file that says which files of the folder are the site's, a name a line: only these are ever deleted."""
_OWN: Final = re.compile(r"[a-z0-9-]+\.(html|json)")
_LANGUAGES: Final = tuple(language.value for language in Language if language is not Language.AUTO)


def site(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Where to write: an empty or missing folder, or an earlier site."),
    ],
    server_id: Annotated[
        int | None,
        typer.Option(
            "--server",
            metavar="ID",
            min=1,
            max=2**63 - 1,
            help="Discord's id of the server; not needed if the database has only one.",
        ),
    ] = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="What the site is called; by default after the games.")
    ] = "",
    rounds: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=MOST_ROUNDS, help="How many of the newest rounds have a page."),
    ] = 100,
    channels: Annotated[
        list[int] | None,
        typer.Option(
            "--channel",
            metavar="ID",
            help="Only rounds of tables in this channel; repeat it for more. By default every channel, "
            "private ones too.",
        ),
    ] = None,
    no_names: Annotated[bool, typer.Option("--no-names", help="Call nobody by name.")] = False,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="LANGUAGE",
            help=f"By default the one in the house rules, or English: {', '.join(_LANGUAGES)}.",
        ),
    ] = None,
) -> None:
    """Write a static site of a server: rules with odds, leaderboards, and the newest rounds with their proof.

    The bot may run meanwhile. Run it again, such as every hour, to bring the site up to date: who was erased
    or hides themselves since is then called "Member".
    """
    if language is not None and language not in _LANGUAGES:
        raise CommandError(f"--language is one of {', '.join(_LANGUAGES)}")
    database = existing_database_or_refused()
    _earlier(folder)

    async def read() -> dict[str, str]:
        from bot.site.pages import Wanted, pages_of

        async with database.reading() as ledger:
            chosen = _chosen(server_id, await ledger.known_servers())
            return await pages_of(
                ledger,
                Wanted(chosen, title, rounds, frozenset(channels or ()), not no_names, language),
                time.time(),
            )

    with ledger_errors_refused():
        files = asyncio.run(read())
    try:
        _write(folder, files)
    except OSError as failed:
        raise CommandError(f"{failed.filename or folder} cannot be written: {failed.strerror}") from None
    typer.echo(f"{folder} has the site: {len(files):,} files")


def _chosen(server_id: int | None, known: Collection[int]) -> int:
    """The server that is meant."""
    if server_id is None:
        if len(known) == 1:
            return next(iter(known))
        raise CommandError(f"which server? The database has {len(known):,}: choose one with --server ID")
    if server_id not in known:
        raise CommandError(f"nothing is stored about the server {server_id}")
    return server_id


def _earlier(folder: Path) -> set[str]:
    """The files that an earlier run wrote there."""
    try:
        if not folder.exists():
            return set()
        contents = folder / _CONTENTS
        if contents.exists():
            return {name for name in contents.read_text("utf-8").split() if _OWN.fullmatch(name)}
        is_empty = not any(folder.iterdir())
    except (OSError, ValueError) as failed:
        raise CommandError(f"{folder} cannot be used: {failed}") from None
    if not is_empty:
        raise CommandError(f"{folder} has other files: name an empty folder, or one that gnau site wrote")
    return set()


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Replaces each file at once by its new text, in this order, then deletes what has gone."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder):
        earlier = _earlier(folder)
        _replace(folder / _CONTENTS, "\n".join(sorted({*files, *earlier})))
        for name, text in files.items():
            _replace(folder / name, text)
        for name in earlier - files.keys():
            (folder / name).unlink(missing_ok=True)
        _replace(folder / _CONTENTS, "\n".join(sorted(files)))


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Waits until no other run writes there; not on Windows, which cannot lock a folder."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _replace(file: Path, text: str) -> None:
    """Writes a file beside its place and moves it there, so that nobody reads half of it."""
    half = file.with_name(f".{file.name}.part")
    half.unlink(missing_ok=True)
    half.write_text(text, "utf-8")
    half.replace(file)
