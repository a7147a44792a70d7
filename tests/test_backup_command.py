"""`BACKUP_COMMAND` gets each backup, and none of the bot's secrets; whatever it does, the backup stays."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.run.backup_command import BackupCommand
from bot.run.monitoring.figures import Figures
from bot.ui.services import BackgroundTasks

PATIENCE = 60.0


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what it waits for has no event
            await asyncio.sleep(0.02)


def script(folder: Path, code: str) -> list[str]:
    """A command that runs this, and gets the path of the backup as its first argument."""
    file = folder / "hand_over.py"
    file.write_text(f"import os, pathlib, shutil, sys, time\n{code}")
    return [sys.executable, str(file)]


async def handed_over(folder: Path, words: list[str]) -> tuple[Figures, Path]:
    """What is counted after a backup was handed to a command, and the backup."""
    figures, tasks, backup = Figures(), BackgroundTasks(), folder / "gnau.db.backup"
    backup.write_text("chips")
    BackupCommand(words, 3600.0, figures, tasks).tried(backup)
    await until(lambda: figures.backup_copied is not None)
    await tasks.close()
    assert backup.read_text() == "chips"
    return figures, backup


@pytest.mark.parametrize("named", [False, True])
async def test_the_command_gets_the_path_of_a_backup_and_the_environment_without_our_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("RCLONE_CONFIG", "rclone.conf")
    there = tmp_path / "elsewhere; touch oops"
    there.mkdir()
    words = script(
        tmp_path,
        "assert 'DISCORD_TOKEN' not in os.environ and os.environ['RCLONE_CONFIG'] == 'rclone.conf'\n"
        "shutil.copy(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 'elsewhere; touch oops')",
    )
    monkeypatch.chdir(tmp_path)
    figures, backup = await handed_over(tmp_path, [*words, "{}", str(there)] if named else words)
    assert figures.backup_copied
    assert [file.name for file in there.iterdir()] == [backup.name]
    assert not (tmp_path / "oops").exists()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("sys.exit('no such remote\\nnobody is there')", "it ended with status 1: nobody is there"),
        ("pathlib.Path(sys.argv[1]).read_bytes(); os.kill(os.getpid(), 9)", "it ended with status -9: "),
        (None, "it cannot be started: No such file or directory"),
    ],
)
async def test_a_command_that_fails_is_a_warning_and_the_backup_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, code: str | None, why: str
) -> None:
    words = ["no-such-program"] if code is None else script(tmp_path, code)
    figures, backup = await handed_over(tmp_path, words)
    assert figures.backup_copied is False
    assert figures.backups_failed == 0
    (said,) = (record for record in caplog.records if record.name == "bot.run.backup_command")
    assert (said.levelname, said.getMessage()) == (
        "WARNING",
        f"BACKUP_COMMAND failed for {backup}, which stays here: {why}",
    )


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_command_that_hangs_is_killed_with_what_it_started(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, stopped: bool
) -> None:
    words = script(
        tmp_path,
        "if not os.fork():\n    pathlib.Path('child.new').write_text(str(os.getpid()))\n"
        "    os.rename('child.new', 'child')\ntime.sleep(600)".replace("'child", f"'{tmp_path}/child"),
    )
    figures, tasks, child = Figures(), BackgroundTasks(), tmp_path / "child"
    BackupCommand(words, PATIENCE if stopped else 5.0, figures, tasks).tried(tmp_path / "backup")
    if stopped:
        await until(child.exists)
        await tasks.close()
    else:
        await until(lambda: figures.backup_copied is False)
        assert "it took more than 5 seconds" in caplog.text
        await until(child.exists)
    number = int(child.read_text())
    await until(lambda: not _runs(number))


def _runs(process: int) -> bool:
    """Whether a process runs; one that has ended may still wait for its new parent."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
