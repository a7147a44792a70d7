"""Only its owner can read a database, because it contains dealt hands and secrets."""

import logging
import sys
from pathlib import Path

import pytest

from bot.ledger.sqlite.backup import back_up, restore
from tests.ledger.ledger_files import filled


def test_only_the_owner_can_read_a_database_and_its_backup(path: Path, copy: Path) -> None:
    filled(path, 7)
    assert path.stat().st_mode & 0o777 == 0o600
    back_up(path, copy)
    path.unlink()
    copy.chmod(0o644)
    restored = copy.with_name("restored.db")
    restore(restored, copy)
    back_up(restored, path)
    assert [file.stat().st_mode & 0o777 for file in (restored, path)] == [0o600, 0o600]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_a_database_that_everybody_can_read_is_one_warning(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a file system without permissions, or after a copy by hand."""
    caplog.set_level(logging.INFO, "bot.ledger")
    filled(path, 7)
    path.chmod(0o640)
    filled(path, 8)
    assert caplog.records == [], "a group may be meant to read it"
    path.chmod(0o644)
    filled(path, 9)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage().startswith(f"the permissions of {path} let every user of this machine read ")


def test_a_copy_is_made_where_permissions_cannot_be_set(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, _: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    filled(path, 7)
    monkeypatch.setattr(Path, "chmod", refused)
    back_up(path, copy)
    assert restore(path, copy) is not None
