"""A copy of the database gets its name only when it is on disk, so that a power cut leaves no half."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.ledger.files import sync
from bot.ledger.sqlite.backup import back_up, restore, upgrade_exclusively
from bot.ledger.sqlite.erasure import note_erasures, noted_erasures, notes_path
from tests.ledger.ledger_files import files_in, filled, left_by_a_kill
from tests.ledger.next_version import release_next_version

Event = tuple[str, int]
"""That a file or folder, by its inode, was synced, got a name, or has a file with a new name in it."""


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """What happens to files from now on."""
    noted: list[Event] = []
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        noted.append(("synced", os.fstat(descriptor).st_ino))
        sync(descriptor)

    def noting(rename: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
        def named(source: Path, target: Path) -> None:
            rename(source, target)
            noted.append(("named", target.stat().st_ino))
            noted.append(("changed", target.absolute().parent.stat().st_ino))

        return named

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", noting(os.rename))
    monkeypatch.setattr(os, "replace", noting(os.replace))
    return noted


def assert_synced(events: list[Event], named: int) -> None:
    """Checks that each file was on disk before it got its name, and its folder after that."""
    for at, (what, inode) in enumerate(events):
        if what == "named":
            assert ("synced", inode) in events[:at], events
    assert [what for what, _ in events].count("named") == named
    assert_folders_synced(events)


def assert_folders_synced(events: list[Event]) -> None:
    """Checks that each folder with a new name in it was on disk after that."""
    assert any(what == "changed" for what, _ in events)
    for at, (what, inode) in enumerate(events):
        if what == "changed":
            assert ("synced", inode) in events[at:], events


def test_a_backup_is_on_disk_before_it_has_its_name(path: Path, copy: Path, events: list[Event]) -> None:
    filled(path, 7)
    events.clear()
    back_up(path, copy)
    assert_synced(events, named=1)


def test_a_restored_database_and_the_old_one_are_on_disk_before_they_have_their_names(
    path: Path, copy: Path, events: list[Event]
) -> None:
    filled(path, 7)
    back_up(path, copy)
    left_by_a_kill(path)
    events.clear()
    restore(path, copy)
    assert_synced(events, named=2)
    old, new = (at for at, (what, _) in enumerate(events) if what == "changed")
    assert ("synced", path.parent.stat().st_ino) in events[old:new], "the old one cannot be lost"


def test_the_copy_of_an_older_database_is_on_disk_before_it_has_its_name(
    path: Path, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    release_next_version(monkeypatch)
    events.clear()
    upgrade_exclusively(path)
    assert_synced(events, named=1)


def test_notes_of_erased_members_are_on_disk_with_their_name(path: Path, events: list[Event]) -> None:
    path.touch()
    note_erasures(path, [7])
    notes, folder = notes_path(path).stat().st_ino, path.parent.stat().st_ino
    assert events == [("synced", notes), ("synced", folder)]
    note_erasures(path, [8])
    assert events[2:] == [("synced", notes)]


def test_notes_of_erased_members_are_written_before_they_are_synced(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.touch()
    synced: list[list[int]] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(noted_erasures(path)))
    note_erasures(path, [7])
    note_erasures(path, [8])
    assert synced == [[7], [7], [7, 8]], "the folder is synced in between"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not list what is open")
def test_no_file_stays_open_after_it_was_synced(path: Path) -> None:
    path.touch()
    before = files_in(Path("/dev/fd"))
    sync(path)
    sync(path.parent)
    assert files_in(Path("/dev/fd")) <= before
