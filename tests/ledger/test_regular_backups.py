"""Backups that the running bot makes: when, where, how many stay, and what happens if one fails."""

import asyncio
import logging
import os
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.backup import restore
from bot.ledger.sqlite.integrity import problems_in
from bot.ledger.sqlite.regular_backups import RegularBackups, backed_up, backups_until
from tests.ledger.ledger_files import corrupt, files_in, filled, miscount_a_page, wallets_in
from tests.ledger.sample_changes import opening
from tests.sizes import sample

HOUR = 3600.0
SIX_HOURS = 6 * HOUR
START = 1_795_392_000.0
"""2026-11-23 00:00 UTC."""


STOPS_HALFWAY = """
import os, signal, sys
from bot.ledger.sqlite import backup, backup_process

backup.problems_in = lambda _: os.kill(os.getpid(), signal.SIGSTOP)
backup_process.main(*sys.argv[1:])
"""
"""Makes a backup, and stops when the copy is made and would be checked."""


class Clock:
    """A clock that goes on when somebody sleeps, and ends the run after this many seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.now = START
        self.end = START + seconds
        self.naps: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += seconds
        if self.now > self.end:
            raise asyncio.CancelledError


def regular(path: Path, clock: Clock, keep: int = 28) -> RegularBackups:
    return RegularBackups(path, SIX_HOURS, keep, clock)


async def run(backups: RegularBackups, clock: Clock) -> None:
    with pytest.raises(asyncio.CancelledError):
        await backups.run(clock.sleep)


@pytest.fixture
def full(path: Path) -> Path:
    """A database with a member in it."""
    filled(path, 7)
    return path


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "bot.ledger")
    return caplog


def lines(logged: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in logged.records]


async def test_a_backup_is_a_checked_copy_in_a_folder_for_its_owner_alone(
    full: Path, tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    backups = regular(full, Clock())
    async with open_ledger(f"sqlite:///{full}") as ledger:
        await ledger.commit(opening(8))
        assert await backups.make()
        await ledger.commit(opening(9))

    backup = tmp_path / "backups" / "ledger.db.backup-20261123T000000Z"
    assert files_in(backups.folder) == {backup.name}
    assert backups.folder.stat().st_mode & 0o777 == 0o700
    assert backup.stat().st_mode & 0o077 == 0
    assert await asyncio.to_thread(problems_in, backup) == []
    ((level, line),) = lines(logged)
    assert level == "INFO"
    assert line.startswith(f"backup {backup}: 0.")
    assert await asyncio.to_thread(restore, full, backup) is not None
    assert wallets_in(full) == {7: 1000, 8: 1000}


@pytest.mark.thorough
async def test_backups_go_on_after_one_of_a_clock_that_was_wrong(
    full: Path, logged: pytest.LogCaptureFixture
) -> None:
    wrong = Clock()
    wrong.now += 10_000 * HOUR
    assert await regular(full, wrong).make()
    clock = Clock(seconds=2 * SIX_HOURS + HOUR)
    backups = regular(full, clock, keep=2)
    await run(backups, clock)
    right = {f"ledger.db.backup-20261123T{hour}0000Z" for hour in ("06", "12")}
    later = backups.folder / "ledger.db.backup-20280113T160000Z"
    assert files_in(backups.folder) == right | {later.name}, "the wrong one takes nobody's place"
    made, dated_later = backups_until(full, clock.now)
    assert ({one.name for one in made}, dated_later) == (right, [later])
    (told,) = (line for level, line in lines(logged) if level == "WARNING")
    assert told.startswith(f"backups dated in the future: 1, up to {later}. They do not count")


@pytest.mark.thorough
async def test_while_the_clock_is_behind_no_good_backup_is_deleted(full: Path) -> None:
    clock = Clock(seconds=2 * SIX_HOURS + HOUR)
    backups = regular(full, clock, keep=2)
    await run(backups, clock)
    good = files_in(backups.folder)
    behind = Clock(seconds=3 * SIX_HOURS + HOUR)
    behind.now -= 10_000 * HOUR
    behind.end -= 10_000 * HOUR
    made, dated_later = backups_until(full, behind.now)
    assert (made, {one.name for one in dated_later}) == ([], good)
    await run(regular(full, behind, keep=2), behind)
    assert good < files_in(backups.folder)

    clock.now, clock.end = clock.now + SIX_HOURS, clock.now + SIX_HOURS + HOUR
    await run(backups, clock)
    assert len(files_in(backups.folder)) == 2
    assert max(good) in files_in(backups.folder), "what was made by the wrong clock goes first"


@pytest.mark.thorough
async def test_only_the_newest_stay_and_only_files_of_ours_are_deleted(full: Path) -> None:
    clock = Clock(seconds=2 * SIX_HOURS + HOUR)
    backups = regular(full, clock, keep=2)
    backups.folder.mkdir()
    others = {
        "other.db.backup-20200101T000000Z",
        "ledger.db.backup-20200101T000000Z.old",
        "ledger.db.backup-99999999T999999Z",
        "ledger.db.backup-",
        "notes",
        ".ledger.db.backup-notes",
    }
    for name in others:
        (backups.folder / name).write_text("something dear")
    unfinished = backups.folder / ".ledger.db.backup-20200101T000000Z-abcd"
    unfinished.mkdir()
    (unfinished / "half").write_text("half a backup")
    (backups.folder / "ledger.db.backup-20200101T000000Z").mkdir()

    await run(backups, clock)

    made = {"ledger.db.backup-20261123T060000Z", "ledger.db.backup-20261123T120000Z"}
    assert files_in(backups.folder) == made | others | {"ledger.db.backup-20200101T000000Z"}


@pytest.mark.thorough
@pytest.mark.parametrize(("spoil", "first"), [(corrupt, "wallet:7"), (miscount_a_page, "SQLite says: ")])
async def test_a_failed_backup_is_one_warning_and_deletes_nothing(
    full: Path, logged: pytest.LogCaptureFixture, spoil: Callable[[Path], None], first: str
) -> None:
    clock = Clock(seconds=SIX_HOURS + HOUR / 2)
    backups = regular(full, clock, keep=1)
    assert await backups.make()
    before = files_in(backups.folder)
    spoil(full)
    logged.clear()

    await run(backups, clock)

    ((level, line),) = lines(logged)
    assert level == "WARNING"
    assert line.startswith(f"no backup was made: {full} has faults: ")
    assert first in line
    assert files_in(backups.folder) == before
    assert clock.naps == [HOUR] * 7, "it tries again in an hour, not at once"


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such priorities")
def test_the_process_that_makes_a_backup_leaves_the_cpu_to_others(full: Path, copy: Path) -> None:
    begun = "import os, sys; from bot.ledger.sqlite.backup_process import main"
    script = f"{begun}; main(*sys.argv[1:]); print(os.nice(0))"
    command = [sys.executable, "-c", script, str(full), str(copy)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "19\n"


@pytest.mark.thorough
async def test_an_old_backup_that_cannot_be_deleted_is_one_warning(
    full: Path, logged: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = regular(full, Clock(), keep=1)
    backups.folder.mkdir()
    old = backups.folder / "ledger.db.backup-20200101T000000Z"
    old.touch()

    def refused(self: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "unlink", refused)
    assert await backups.make()
    assert lines(logged)[1:] == [("WARNING", f"an old backup stays: {old}: Permission denied")]


async def test_backups_go_on_after_a_fault_in_the_program(
    full: Path, logged: pytest.LogCaptureFixture
) -> None:
    clock = Clock(seconds=HOUR)

    def broken() -> float:
        raise ValueError("a fault")

    await run(RegularBackups(full, SIX_HOURS, 28, broken), clock)
    assert lines(logged) == [("ERROR", "backups failed, the next try is in an hour")] * 2
    assert clock.naps == [HOUR] * 2


FOLDER = "{path.parent}/backups"


@pytest.mark.parametrize(
    ("hinder", "why"),
    sample(
        [
            (lambda path, _: path.write_text("a file"), f"{FOLDER} is a file, not a folder: move it away"),
            (
                lambda path, _: path.symlink_to(path.with_name("nowhere")),
                f"{FOLDER} is a symbolic link that leads nowhere: move it away",
            ),
            (lambda path, _: path.symlink_to(path), f"{FOLDER}: Too many levels of symbolic links"),
            (lambda _, patch: patch.setattr(Path, "iterdir", not_listed), f"{FOLDER}: Permission denied"),
            (lambda path, _: database_of(path).unlink(), "{path}: No such file or directory"),
            (
                lambda path, _: database_of(path).write_bytes(b"rubbish" * 1000),
                "{path} is damaged: file is not a database. Run gnau db check",
            ),
        ],
        2,
        ids=["a file", "a link", "a circle", "not listed", "no database", "damage"],
    ),
)
async def test_what_hinders_a_backup_is_one_warning_an_hour(
    full: Path,
    logged: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    hinder: Callable[[Path, pytest.MonkeyPatch], object],
    why: str,
) -> None:
    clock = Clock(seconds=HOUR)
    backups = regular(full, clock)
    hinder(backups.folder, monkeypatch)
    await run(backups, clock)
    assert lines(logged) == [("WARNING", f"no backup was made: {why.format(path=full)}")] * 2
    assert clock.naps == [HOUR] * 2


def not_listed(_: Path) -> None:
    """Stands in for `Path.iterdir`; some file systems do not say of what."""
    raise PermissionError(13, "Permission denied")


def database_of(folder: Path) -> Path:
    return folder.with_name("ledger.db")


@pytest.mark.parametrize("small", ["backups", "."])
async def test_a_backup_never_takes_the_room_that_the_bot_needs(
    full: Path, logged: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, small: str
) -> None:
    """It is made beside the database, whatever disk it goes to."""
    usage, folder = shutil.disk_usage(full.parent), full.parent / small
    monkeypatch.setattr(
        shutil, "disk_usage", lambda one: usage._replace(free=100_000) if one == folder else usage
    )
    backups = regular(full, Clock())
    for place in (backups.folder, full.parent):
        (place / ".ledger.db.backup-20200101T000000Z-abcd").mkdir(parents=True)
    assert not await backups.make()
    assert files_in(backups.folder) == set(), "what a killed backup left takes no room either"
    assert list(full.parent.glob(".*")) == []
    ((_, line),) = lines(logged)
    needed = 2 * (await asyncio.to_thread(full.stat)).st_size / 1e6
    assert line == f"no backup was made: {folder} has 0.1 MB free, and {needed:.1f} MB are needed"


async def test_the_end_of_the_bot_ends_a_backup_and_leaves_no_half_file(
    full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(program: str, *words: Any, **options: Any) -> Process:
        *_, database, backup = words
        started.append(await start(program, "-c", STOPS_HALFWAY, database, backup, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    folder = full.parent / "backups"
    async with backed_up(full, SIX_HOURS, 28), asyncio.timeout(60):
        while not (folder.is_dir() and files_in(folder)):  # noqa: ASYNC110 - no event is set for it
            await asyncio.sleep(0.001)
        (half,) = files_in(folder)
        assert half.startswith(".ledger.db.backup-")
        assert os.getsid(started[0].pid) != os.getsid(0), "an interrupt in the terminal is for the bot alone"
    assert started[0].returncode == -signal.SIGKILL
    assert files_in(folder) == set()
    assert list(full.parent.glob(".*")) == []


async def test_no_backups_are_made_if_they_are_switched_off_and_the_log_says_so(
    full: Path, logged: pytest.LogCaptureFixture
) -> None:
    async with backed_up(full, 0, 28):
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
    assert not (full.parent / "backups").exists()
    assert lines(logged) == [("INFO", "no backups are made: BACKUP_EVERY is off")]
