"""Only its owner can read a database, because it contains dealt hands and secrets."""

from pathlib import Path

from bot.ledger.backup import back_up, restore
from tests.ledger.ledger_files import filled


def test_a_backup_is_no_more_readable_than_its_database(path: Path, copy: Path) -> None:
    filled(path, 7)
    path.chmod(0o600)
    back_up(path, copy)
    assert copy.stat().st_mode & 0o777 == 0o600


def test_only_the_owner_can_read_a_database_and_its_backup(path: Path, copy: Path) -> None:
    filled(path, 7)
    back_up(path, copy)
    path.unlink()
    copy.chmod(0o644)
    restored = copy.with_name("restored.db")
    restore(restored, copy)
    back_up(restored, path)
    assert [file.stat().st_mode & 0o777 for file in (restored, path)] == [0o600, 0o600]


def test_only_the_owner_can_read_a_new_database(path: Path) -> None:
    filled(path, 7)
    assert path.stat().st_mode & 0o777 == 0o600
