"""Takes chips, scores and house rules out of a database of an earlier format into a new one.

Rounds are not taken over: that format has members' ids under its hashes. Whatever was held at a table goes
back to its member.
"""

import asyncio
import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.ledger.backup import refuse_to_start_over, side_files, temporary_folder
from bot.ledger.changes import Change, HouseRow, Identity
from bot.ledger.connections import reading_connection
from bot.ledger.copying import sync
from bot.ledger.errors import LedgerCorrupt, LedgerUnavailable
from bot.ledger.file_lock import exclusive_lock
from bot.ledger.integrity import damage_in
from bot.ledger.journal import CARRIED_OVER
from bot.ledger.keys import opening_key
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.location import give_to_owner, resolved
from bot.ledger.storage_errors import as_ledger_errors
from bot.ledger.upgrade import CARRIED_OVER_FROM, is_ledger
from bot.table.accounts import HOUSE, MINT, Move, Reason, score, wallet

UNKNOWN_NAME: Final = "Member"
"""The name of somebody whose name the old database does not have, until they are seen."""
UNKNOWN_LOCALE: Final = "en-US"


@dataclass(slots=True)
class OldServer:
    """What a database of the earlier format has of one server.

    Attributes:
        chips: each member's chips, held ones included, by Discord's id of the user.
        scores: their running scores.
        house_chips: the house's own chips.
        house: the house rules in force, as JSON text; None if they were never changed.
        changed_by: Discord's id of the user who last changed them.
        names: the names of members.
    """

    chips: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    house_chips: int = 0
    house: str | None = None
    changed_by: int = 0
    names: dict[int, str] = field(default_factory=dict)


def carry_over_file(old: Path, database: Path, at: float) -> int:
    """Makes a new database with what one of the earlier format has. Not for an event loop.

    The new database gets its name only when it is complete.

    Args:
        old: the database of the earlier format, which stays as it is.
        database: where the new one goes.
        at: when, in seconds since the epoch, UTC.

    Returns:
        How many members were taken over.

    Raises:
        LedgerUnavailable: the old one is missing or of another format, or there is a new one already.
        LedgerCorrupt: the old one is damaged, or its balances do not sum to zero.
        LedgerInUse: the bot has the new one open.
        LedgerLost: the new one is missing, but has backups.
    """

    async def write(path: Path) -> int:
        async with open_ledger(f"sqlite:///{path}") as ledger:
            return await carry_over(ledger, servers, at)

    servers = read_old(old)
    with exclusive_lock(database) as locked, temporary_folder(locked.path) as folder:
        database = locked.path
        for file in (database, *side_files(database)):
            if file.exists() and file.stat().st_size:
                # A WAL of the old database would be taken for a part of the new one.
                raise LedgerUnavailable(f"{file} already exists: move it away")
        refuse_to_start_over(database)
        complete = folder.absolute() / database.name
        count = asyncio.run(write(complete))
        with as_ledger_errors(database):
            give_to_owner(complete, database)
            complete.replace(database)
            sync(database.absolute().parent)
    return count


def read_old(path: Path) -> dict[int, OldServer]:
    """What a database of the earlier format has, by server.

    Raises:
        LedgerUnavailable: it is missing, or of another format.
        LedgerCorrupt: it is damaged, or its balances do not sum to zero.
    """
    path = resolved(path)
    if not path.is_file():
        raise LedgerUnavailable(f"there is no database {path}: check the path")
    with as_ledger_errors(path):
        if not is_ledger(path) or _revision(path) != CARRIED_OVER_FROM:
            raise LedgerUnavailable(
                f"{path} is not a database of the earlier format, version {CARRIED_OVER_FROM}"
            )
        problems = damage_in(path)
        with closing(reading_connection(path)) as connection:
            servers, sums = _read(connection)
    problems += [
        f"server {server_id}: all balances sum to {chips} chips, not to zero"
        for server_id, chips in sums.items()
        if chips
    ]
    if problems:
        raise LedgerCorrupt(problems)
    return servers


async def carry_over(ledger: Ledger, servers: dict[int, OldServer], at: float) -> int:
    """Writes what `read_old` read into a new ledger.

    Args:
        ledger: has nobody in it.
        servers: what was read.
        at: when, in seconds since the epoch, UTC.

    Returns:
        How many members were taken over.

    Raises:
        LedgerUnavailable: the ledger has somebody in it, or cannot be written.
    """
    if await ledger.server_ids():
        raise LedgerUnavailable("the new database has members in it already: carry over into an empty one")
    count = 0
    for server_id, old in servers.items():
        parties = {user: secrets.randbits(62) or 1 for user in _users(old)}
        for user, party in parties.items():
            name = old.names.get(user, UNKNOWN_NAME)
            await ledger.record(Identity(party, server_id, user, name, UNKNOWN_LOCALE))
        for user, party in parties.items():
            if user in old.chips:
                await ledger.commit(_opening(server_id, party, old.chips[user], at))
        others = [*_house_chips(old), *_scores(old, parties)]
        if others:
            await ledger.commit(Change(f"carried-over:{server_id}", server_id, at, tuple(others)))
        if old.house is not None:
            row = HouseRow(1, parties[old.changed_by], "[]", old.house)
            await ledger.commit(Change(f"carried-over:house:{server_id}", server_id, at, house=row))
        count += len(parties)
    return count


def _revision(path: Path) -> str | None:
    with closing(reading_connection(path)) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def _read(connection: sqlite3.Connection) -> tuple[dict[int, OldServer], Counter[int]]:
    servers: dict[int, OldServer] = {}
    sums: Counter[int] = Counter()
    for server_id, kind, member_id, balance in connection.execute(
        "SELECT server_id, kind, member_id, balance FROM accounts"
    ):
        server = servers.setdefault(server_id, OldServer())
        sums[server_id] += balance
        if kind in ("wallet", "hold"):
            server.chips[member_id] += balance
        elif kind == "score":
            server.scores[member_id] += balance
        elif kind == "house":
            server.house_chips += balance
    for server_id, member_id, house in connection.execute(
        "SELECT server_id, member_id, house FROM house_changes ORDER BY server_id, number"
    ):
        server = servers.setdefault(server_id, OldServer())
        server.house, server.changed_by = house, member_id
    for server_id, state in connection.execute("SELECT server_id, state FROM tables ORDER BY opened_at"):
        if server_id in servers:
            servers[server_id].names.update(_names(state))
    return servers, sums


def _names(state: str) -> Iterator[tuple[int, str]]:
    """The members in a stored state, by Discord's id of the user, with their names."""
    try:
        waiting: list[Any] = [json.loads(state)]
    except ValueError:
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("member_id"), int) and isinstance(value.get("name"), str):
                yield value["member_id"], value["name"]
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _users(old: OldServer) -> list[int]:
    changed_by = [] if old.house is None else [old.changed_by]
    return list(dict.fromkeys([*old.chips, *old.scores, *changed_by]))


def _opening(server_id: int, party: int, chips: int, at: float) -> Change:
    """A member's chips, in place of opening chips: they get none later, even if they have none now."""
    moves = (Move(MINT, wallet(party), chips, Reason.CARRIED_OVER),) if chips else ()
    return Change(opening_key(server_id, party), server_id, at, moves, answer=CARRIED_OVER)


def _house_chips(old: OldServer) -> Iterator[Move]:
    if old.house_chips:
        yield Move(MINT, HOUSE, old.house_chips, Reason.CARRIED_OVER)


def _scores(old: OldServer, parties: dict[int, int]) -> Iterator[Move]:
    """Moves from those below zero to those above it: all scores sum to zero."""
    below = [[user, -points] for user, points in old.scores.items() if points < 0]
    for user, points in old.scores.items():
        while points > 0 and below:
            part = min(points, below[-1][1])
            yield Move(score(parties[below[-1][0]]), score(parties[user]), part, Reason.CARRIED_OVER)
            points -= part
            below[-1][1] -= part
            if not below[-1][1]:
                below.pop()
