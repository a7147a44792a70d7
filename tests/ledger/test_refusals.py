"""What cannot be opened is refused in one sentence, by the bot and by commands, and stays as it is."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerForeign, LedgerLost, LedgerUnusable
from bot.ledger.sqlite.backup import back_up, restore
from bot.ledger.sqlite.erasure import noted_erasures
from bot.ledger.sqlite.integrity import problems_in
from bot.ledger.sqlite.upgrade import migrate
from tests.databases import create_database
from tests.ledger.ledger_files import (
    OPENS,
    Use,
    contents,
    filled,
    left_by_a_kill,
    make_newer,
    read,
    refused,
    start,
    wallets_in,
)

BACKUP = "ledger.db.backup-19700101T010000Z"


def good_copy(path: Path) -> Path:
    return create_database(path.parents[1] / "good" / "copy.db")


def restored(path: Path) -> None:
    restore(path, good_copy(path))


READS: tuple[Use, ...] = (problems_in, read, lambda path: back_up(path, path.parents[1] / "other.db"))
EVERY: tuple[Use, ...] = (
    *(*OPENS, *READS, restored, noted_erasures),
    lambda path: back_up(good_copy(path), path, overwrite=True),
)


def a_list(path: Path) -> None:
    path.write_bytes(b"shopping list\n" * 100)


def recipes(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")


def a_file_above(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("")


def with_hard_links(path: Path) -> None:
    filled(path, 7)
    path.with_name("hard.db").hardlink_to(path)


def in_a_circle(path: Path) -> None:
    path.symlink_to(path)


def behind_a_missing_disk(path: Path) -> None:
    """A new database would be on the wrong disk."""
    path.symlink_to(path.parent / "disk" / "gnau.db")


def below_a_missing_disk(path: Path) -> None:
    path.parent.rmdir()
    path.parent.symlink_to(path.parents[1] / "disk" / "data", target_is_directory=True)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def lost(path: Path) -> None:
    """Leaves only a backup of a database with a member."""
    filled(path, 7)
    backup = path.with_name("backups") / BACKUP
    backup.parent.mkdir()
    back_up(path, backup)
    path.unlink()


def lost_but_for_its_name(path: Path) -> None:
    lost(path)
    path.touch()


def lost_behind_a_link(path: Path) -> None:
    real = path.with_name("real")
    real.mkdir()
    lost(real / path.name)
    path.symlink_to(real / path.name)


def killed_then(lose: Use) -> Use:
    """Leaves the WAL with what was written last, which SQLite deletes as it opens an empty file."""

    def left(path: Path) -> None:
        filled(path, 7)
        left_by_a_kill(path)
        lose(path)

    return left


NO_FOLDER = "{path} is a symbolic link to {folder}/disk/gnau.db, and there is no folder {folder}/disk"
LOST = "{path} is missing or empty, but it has backups"
NEWER = "{path} was made by another version of this program: "
WAL_LEFT = "{path} is missing or empty, but {path}-wal has what was written last: put the database back, or "


@pytest.mark.parametrize(
    ("put", "uses", "refusal", "sentence"),
    [
        (Path.mkdir, (*OPENS, *READS), LedgerUnusable, "{path} is a folder, not a database"),
        (os.mkfifo, OPENS, LedgerUnusable, "{path} is not a regular file"),
        (a_file_above, OPENS, LedgerUnusable, "the database {path} cannot be created: {folder}: File exists"),
        (a_list, (*OPENS, restored), LedgerForeign, "{path} is no SQLite database"),
        (recipes, (*OPENS, *READS), LedgerUnusable, "{path} is not a ledger of this program"),
        (recipes, (restored,), LedgerUnusable, "{path} is another program's database, and was not replaced"),
        (make_newer, (*OPENS, *READS), LedgerUnusable, f"{NEWER}its schema is '9999'"),
        (make_newer, (migrate,), LedgerUnusable, NEWER),
        (Path.exists, READS, LedgerUnusable, "there is no database {path}: check the path"),
        (emptied, READS, LedgerUnusable, "{path} is empty: there is no ledger in it"),
        (with_hard_links, (*OPENS, restored), LedgerUnusable, "{path} has several hard links: keep only one"),
        (in_a_circle, EVERY, LedgerUnusable, "{path} is a symbolic link that leads in a circle"),
        (behind_a_missing_disk, EVERY, LedgerUnusable, NO_FOLDER),
        (below_a_missing_disk, EVERY, LedgerUnusable, "{folder} is a symbolic link to "),
        (lost, OPENS, LedgerLost, LOST),
        (lost_but_for_its_name, OPENS, LedgerLost, LOST),
        (lost_behind_a_link, OPENS, LedgerLost, "{folder}/real/ledger.db is missing or empty, but "),
        (killed_then(Path.unlink), OPENS, LedgerUnusable, WAL_LEFT),
        (killed_then(emptied), OPENS, LedgerUnusable, WAL_LEFT),
        (killed_then(emptied), READS, LedgerUnusable, "{path} is empty: there is no ledger in it"),
    ],
)
def test_what_cannot_be_opened_is_refused_and_stays_as_it_is(
    tmp_path: Path, put: Use, uses: tuple[Use, ...], refusal: type[LedgerUnusable], sentence: str
) -> None:
    path = tmp_path / "data" / "ledger.db"
    path.parent.mkdir()
    put(path)
    good_copy(path)
    before = contents(tmp_path)
    assert refused(path, uses, refusal).startswith(sentence.format(path=path, folder=path.parent))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("opens", OPENS)
def test_a_refused_opening_leaves_no_lock(path: Path, opens: Use) -> None:
    a_list(path)
    refused(path, [opens], LedgerForeign)
    emptied(path)
    opens(path)


@pytest.mark.parametrize("opens", OPENS)
def test_a_lost_database_is_opened_once_it_is_restored(path: Path, opens: Use) -> None:
    lost(path)
    restore(path, path.with_name("backups") / BACKUP)
    opens(path)
    assert wallets_in(path) == {7: 1000}


@pytest.mark.parametrize("opens", OPENS)
@pytest.mark.parametrize(
    "hide",
    [
        lambda folder: folder.rename(folder.with_name("old-backups")),
        lambda folder: (folder / BACKUP).rename(folder / f"{BACKUP}.old"),
        lambda folder: (folder / BACKUP).rename(folder / BACKUP.replace("ledger", "other")),
        lambda folder: folder.rename(folder.with_name("old")) and folder.write_text("a list of backups"),
    ],
    ids=["moved away", "no backups", "of another database", "a file"],
)
def test_without_backups_of_its_own_a_lost_database_is_made_anew(
    path: Path, opens: Use, hide: Callable[[Path], object]
) -> None:
    lost(path)
    hide(path.with_name("backups"))
    opens(path)
    assert wallets_in(path) == {}


@pytest.mark.parametrize("opens", OPENS)
def test_a_link_to_a_folder_that_is_there_again_is_followed(path: Path, opens: Use) -> None:
    behind_a_missing_disk(path)
    (path.parent / "disk").mkdir()
    opens(path)
    start(path.parent / "disk" / "gnau.db")
