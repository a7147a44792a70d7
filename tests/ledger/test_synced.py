"""A copy of the database gets its name only when it is on disk, so that a power cut leaves no half."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.ledger.backup import back_up, restore, upgrade_exclusively
from tests.ledger.ledger_files import filled, left_by_a_kill
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
        if what == "changed":
            assert ("synced", inode) in events[at:], events
    assert [what for what, _ in events].count("named") == named


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


def test_the_copy_of_an_older_database_is_on_disk_before_it_has_its_name(
    path: Path, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 7)
    release_next_version(monkeypatch)
    events.clear()
    upgrade_exclusively(path)
    assert_synced(events, named=1)
