"""Runs PostgreSQL's own programs: `pg_dump` makes a backup, `pg_restore` reads one.

The password reaches them in the environment, where other users of the machine cannot see it.
"""

import asyncio
import os
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shlex import join
from tempfile import NamedTemporaryFile
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bot.ledger.errors import LedgerUnusable
from bot.ledger.postgres.address import name_of
from bot.ledger.postgres.replacing import KEPT
from bot.ledger.postgres.upgrade import STAYS

_WITHOUT: Final = (*(f"--exclude-table=*.{table}" for table in STAYS), f"--exclude-schema={KEPT}*")
"""Who was erased must stay noted when a backup is restored, and what a restore kept is no part of it."""
_STAYING: Final = re.compile(rf" ({'|'.join(STAYS)})(_\w+)? ")
"""In a line about any of these tables."""
_OURS: Final = ("alembic_version", "transfers", "events", "chains")
"""Tables that are in every version."""
_LONGEST_LINE: Final = 1 << 26
"""The most bytes of a row in a backup."""
_CHUNK: Final = 1 << 16
_COPY: Final = re.compile(rb"COPY .* FROM stdin;\n")
_COPY_END: Final = b"\\.\n"
_SESSION: Final = (b"SET ", b"SELECT pg_catalog.set_config(", b"\\")
"""How lines begin outside of rows that only set up a session of the program psql."""


async def dump(address: str, to: Path, snapshot: str, server_version: int) -> None:
    """Writes a backup of what a snapshot sees, and reads all of it again.

    Args:
        snapshot: its name, as `pg_export_snapshot` gives it.
        server_version: the server's, as it says it itself: 180004 for 18.4.

    Raises:
        LedgerUnusable: there is no fitting program; the text says which command to run elsewhere.
    """
    program = await _fitting("pg_dump", server_version // 10_000)
    if program is None:
        raise LedgerUnusable(
            f"there is no pg_dump of PostgreSQL {server_version // 10_000} or newer here: run where there is "
            f"one, with user and password in PGUSER and PGPASSWORD: {_by_hand(address, to.name)}"
        )
    given = conninfo_to_dict(address)
    password = given.pop("password", None)
    secret = {} if password is None else {"PGPASSWORD": str(password)}
    options = ("--format=custom", "--no-password", f"--snapshot={snapshot}", *_WITHOUT, f"--file={to}")
    async with _running(program, *options, f"--dbname={make_conninfo('', **given)}", **secret):
        pass
    async with script_of(to) as script:
        while await script.read(_CHUNK):
            pass


async def contents_of(backup: Path) -> str:
    """What is in a backup, as `--use-list` takes it, without tables that stay as they are."""
    async with _running(_restorer(backup), "--list", str(backup)) as listing:
        entries = (await listing.read()).decode("utf-8", "replace")
    if missing := [name for name in _OURS if not re.search(rf" TABLE DATA \S+ {name} ", entries)]:
        raise LedgerUnusable(f"{backup} is no backup of a ledger: it has no table {missing[0]}")
    return "".join(line for line in entries.splitlines(keepends=True) if not _STAYING.search(line))


@asynccontextmanager
async def script_of(backup: Path) -> AsyncIterator[asyncio.StreamReader]:
    """The SQL that makes again what is in a backup of a ledger, but for tables that stay as they are.

    A damaged one is refused at the end at the latest.
    """
    contents = await contents_of(backup)
    with NamedTemporaryFile("w", encoding="utf-8") as listed:
        listed.write(contents)
        listed.flush()
        options = ("--file=-", "--no-owner", "--no-privileges", f"--use-list={listed.name}", str(backup))
        async with _running(_restorer(backup), *options) as script:
            yield script


async def run_script(connection: AsyncConnection[Any], script: asyncio.StreamReader) -> None:
    """Runs the SQL of a backup, in the connection's transaction."""
    sql: list[bytes] = []
    async with connection.cursor() as cursor:
        async for line in script:
            if line.startswith(_SESSION):
                continue
            if not _COPY.fullmatch(line):
                sql.append(line)
                continue
            await cursor.execute(b"".join(sql))
            sql.clear()
            async with cursor.copy(line.rstrip(b";\n")) as copy:
                rows: list[bytes] = []
                size = 0
                async for row in script:
                    if row == _COPY_END:
                        break
                    rows.append(row)
                    size += len(row)
                    if size > _CHUNK:
                        await copy.write(b"".join(rows))
                        rows, size = [], 0
                await copy.write(b"".join(rows))
        await cursor.execute(b"".join(sql))


def _by_hand(address: str, file: str) -> str:
    return join(["pg_dump", "--format=custom", *_WITHOUT, f"--file={file}", f"--dbname={name_of(address)}"])


def _restorer(backup: Path) -> str:
    if (found := shutil.which("pg_restore")) is None:
        raise LedgerUnusable(
            f"there is no pg_restore here to read {backup}: install PostgreSQL's client programs"
        )
    return found


async def _fitting(program: str, least: int) -> str | None:
    """A program of this version of PostgreSQL or a newer one; None if there is none on the path."""
    if (found := shutil.which(program)) is None:
        return None
    async with _running(found, "--version") as said:
        version = re.search(rb"\) (\d+)", await said.read())
    return found if version is not None and int(version[1]) >= least else None


@asynccontextmanager
async def _running(program: str, *options: str, **environment: str) -> AsyncIterator[asyncio.StreamReader]:
    """The output of a program; at the end, its first complaint is raised if it failed."""
    process = await asyncio.create_subprocess_exec(
        program,
        *options,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        limit=_LONGEST_LINE,
        env={**os.environ, "LC_ALL": "C", **environment},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    complaint = asyncio.create_task(process.stderr.read())
    try:
        yield process.stdout
        said = (await complaint).decode("utf-8", "replace").strip().splitlines()
        if await process.wait():
            raise LedgerUnusable(said[0] if said else f"{program} ended with status {process.returncode}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        complaint.cancel()
