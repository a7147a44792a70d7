"""A database and its backups on real mounts."""

import sys
from pathlib import Path

import pytest

from bot.ledger.sqlite.integrity import problems_in
from tests.ledger.ledger_files import files_in, filled
from tests.ledger.mounts import WITHOUT_SHARED_MEMORY, can_mount, in_own_mounts

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not can_mount(), reason="this user may not mount, or there is no bindfs"),
]

GNAU = Path(sys.executable).with_name("gnau")
BAD_INPUT = 2
MAKE_A_BACKUP = """
import asyncio, sys
from pathlib import Path
from bot.ledger.sqlite.regular_backups import RegularBackups

sys.exit(not asyncio.run(RegularBackups(Path(sys.argv[1]), 3600.0, 1).make()))
"""


def settings(database: Path) -> dict[str, str]:
    return {"DATABASE_URL": f"sqlite:///{database}", "DISCORD_TOKEN": "a.b.c"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("command", ["run", "db upgrade"])
def test_a_database_file_that_is_mounted_alone_is_refused(path: Path, folder: Path, command: str) -> None:
    """Also if it comes from the same disk, as `--mount` of Docker does it."""
    filled(path, 7)
    database = folder / "gnau.db"
    database.touch()
    script = f'mount --bind "$1" "$2"; "$3" {command}'
    ended = in_own_mounts(script, path, database, GNAU, **settings(database))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.endswith(
        f"{database} is mounted alone, so what the bot keeps beside it would be lost: "
        "mount the folder that it is in\n"
    )
    assert files_in(folder) == {database.name}


def test_a_database_in_a_mounted_folder_and_behind_a_link_is_opened(path: Path, folder: Path) -> None:
    filled(path, 7)
    link = path.with_name("link.db")
    link.symlink_to(folder / path.name)
    script = 'mount --bind "$1" "$2"; "$3" db upgrade'
    ended = in_own_mounts(script, path.parent, folder, GNAU, **settings(link))
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("command", ["run", "db upgrade"])
def test_a_file_system_without_shared_memory_is_refused(folder: Path, command: str) -> None:
    database = folder / "gnau.db"
    script = f'{WITHOUT_SHARED_MEMORY} "$1" "$1"; "$2" {command}'
    ended = in_own_mounts(script, folder, GNAU, **settings(database))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.endswith(
        f"cannot open {database}: this file system cannot hold the database: use a local disk\n"
    )


def test_a_backup_goes_to_a_file_system_without_shared_memory(folder: Path) -> None:
    database, backups = folder / "gnau.db", folder / "backups"
    filled(database, 7)
    backups.mkdir()
    script = f'{WITHOUT_SHARED_MEMORY} "$1" "$1"; "$2" -c "$3" "$4"'
    ended = in_own_mounts(script, backups, sys.executable, MAKE_A_BACKUP, database)
    assert (ended.returncode, ended.stderr) == (0, "")
    (backup,) = backups.iterdir()
    assert backup.stat().st_mode & 0o777 == 0o600
    assert problems_in(backup) == []


def test_a_share_of_backups_that_cannot_be_written_is_named(folder: Path) -> None:
    database, backups = folder / "gnau.db", folder / "backups"
    filled(database, 7)
    backups.mkdir()
    script = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; "$2" -c "$3" "$4"'
    ended = in_own_mounts(script, backups, sys.executable, MAKE_A_BACKUP, database)
    assert ended.returncode == 1
    assert ended.stderr == f"no backup was made: cannot write to {backups}: Read-only file system\n"
    assert files_in(backups) == set()


def test_a_file_system_without_permissions_holds_a_database_its_copies_and_a_restore(folder: Path) -> None:
    database, copy = folder / "gnau.db", folder / "copy.db"
    script = (
        'bindfs --perms=0644:+X --chmod-deny "$1" "$1"; '
        '"$2" db upgrade; "$2" db backup "$3"; "$2" db restore "$3"'
    )
    ended = in_own_mounts(script, folder, GNAU, copy, **settings(database))
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.startswith(f"the permissions of {database} let every user of this machine read ")
