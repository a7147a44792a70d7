"""A database that is gone while its backups are there: no new one takes its place and deletes them."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerLost
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.backup import back_up, restore, upgrade_exclusively
from bot.ledger.sqlite.regular_backups import FOLDER, backups_of
from tests.ledger.ledger_files import files_in, filled, wallets_in

Opens = Callable[[Path], object]
HOUR = 3600.0


def start(database: Path) -> None:
    async def once() -> None:
        async with open_ledger(f"sqlite:///{database}"):
            pass

    asyncio.run(once())


@pytest.fixture(params=[start, upgrade_exclusively])
def opens(request: pytest.FixtureRequest) -> Opens:
    """What makes a missing database: a start of the bot, and `gnau db upgrade`."""
    made: Opens = request.param
    return made


@pytest.fixture
def backups(path: Path) -> list[Path]:
    """Two backups of a database with a member, the oldest first."""
    filled(path, 7)
    folder = path.with_name(FOLDER)
    folder.mkdir()
    for stamp in ("19700101T000000Z", "19700101T010000Z"):
        back_up(path, folder / f"{path.name}.backup-{stamp}")
    return backups_of(path)


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_no_new_database_takes_the_place_of_one_with_backups(
    path: Path, backups: list[Path], opens: Opens, lose: Opens
) -> None:
    lose(path)
    files = files_in(path.parent)
    with pytest.raises(LedgerLost) as refused:
        opens(path)
    assert (refused.value.database, refused.value.backups) == (path, path.parent / "backups")
    assert files_in(path.parent) == files, "nothing is made"
    restore(path, backups[-1])
    opens(path)
    assert wallets_in(path) == {7: 1000}


def test_with_the_backups_moved_away_the_bot_starts_over(
    path: Path, backups: list[Path], opens: Opens
) -> None:
    path.unlink()
    backups[0].parent.rename(path.with_name("old-backups"))
    opens(path)
    assert wallets_in(path) == {}


def test_backups_of_another_database_and_other_files_hinder_nobody(
    path: Path, backups: list[Path], opens: Opens
) -> None:
    other = path.with_name("practice.db")
    opens(other)
    for backup in backups:
        backup.rename(backup.with_name(f"{backup.name}.old"))
    path.unlink()
    opens(path)
    assert wallets_in(path) == wallets_in(other) == {}


def test_behind_a_link_the_backups_are_those_beside_the_file(
    path: Path, backups: list[Path], opens: Opens
) -> None:
    links = path.with_name("links")
    links.mkdir()
    link = links / "gnau.db"
    link.symlink_to(path)
    path.unlink()
    with pytest.raises(LedgerLost) as refused:
        opens(link)
    assert refused.value.backups == backups[-1].parent


def test_a_file_in_place_of_the_folder_has_no_backups(path: Path, opens: Opens) -> None:
    path.with_name("backups").write_text("a list of things to back up")
    opens(path)
    assert wallets_in(path) == {}
