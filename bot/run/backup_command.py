"""Hands each regular backup to the command of the host's in BACKUP_COMMAND, which copies it elsewhere.

The backup stays whatever the command does. It gets no setting of the bot's, such as the token.
"""

import asyncio
import logging
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.config import DECLARED
from bot.run.monitoring.figures import Figures
from bot.ui.services import BackgroundTasks

log = logging.getLogger(__name__)

MOST_SECONDS: Final = 3600.0
"""How long a command may take at most; no longer than until the next backup."""
PLACE: Final = "{}"
"""The word of a command in whose place the backup's path comes; without it, the path comes last."""
_LONGEST_REASON: Final = 200


class BackupCommand:
    """Runs the command after each backup, one at a time.

    Args:
        words: the command; empty for none.
        every: the seconds between two backups.
    """

    def __init__(self, words: Sequence[str], every: float, figures: Figures, tasks: BackgroundTasks) -> None:
        self._words = list(words) if PLACE in words else [*words, PLACE]
        self._is_set = bool(words)
        self._seconds = min(every, MOST_SECONDS)
        self._figures = figures
        self._tasks = tasks
        self._one_at_a_time = asyncio.Lock()

    def tried(self, backup: Path | None) -> None:
        """Notes that a backup was made, or could not be; runs the command soon after one that was."""
        self._figures.tried_backup(backup)
        if backup is not None and self._is_set:
            self._tasks.start(self._hand_over(backup), "backup-command")

    async def _hand_over(self, backup: Path) -> None:
        async with self._one_at_a_time:
            why_not = await self._run(backup)
        self._figures.backup_copied = not why_not
        if why_not:
            log.warning("BACKUP_COMMAND failed for %s, which stays here: %s", backup, why_not)
        else:
            log.info("BACKUP_COMMAND has taken %s", backup)

    async def _run(self, backup: Path) -> str:
        """Runs the command. Returns why it failed; empty if it did not."""
        kept = {name: value for name, value in os.environ.items() if not _is_ours(name)}
        try:
            process = await asyncio.create_subprocess_exec(
                *(str(backup) if word == PLACE else word for word in self._words),
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                env=kept,
                # What it starts itself ends with it, and an interrupt in the terminal is for the bot.
                start_new_session=True,
            )
        except OSError as failed:
            return f"it cannot be started: {failed.strerror}"
        try:
            async with asyncio.timeout(self._seconds):
                _, said = await process.communicate()
        except TimeoutError:
            return f"it took more than {self._seconds:.0f} seconds"
        finally:
            if process.returncode is None:
                _kill(process)
                await process.wait()
        if process.returncode == 0:
            return ""
        lines = said.decode(errors="replace").strip().splitlines() or [""]
        return f"it ended with status {process.returncode}: {lines[-1][:_LONGEST_REASON]}"


def _is_ours(name: str) -> bool:
    """Whether it is a setting of the bot's; the proxy's is for all programs."""
    return name in DECLARED and not name.endswith("_PROXY")


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kills a process, and what it has started."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
