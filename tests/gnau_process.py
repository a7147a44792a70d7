"""The bot as a host runs it: `gnau run` in a process of its own, to be killed and started again."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Callable
from pathlib import Path

from tests.stand_in import StandIn

GNAU = Path(sys.executable).parent / "gnau"
PATIENCE = 60.0
"""Seconds: a busy machine takes long to start a process."""
LONGEST_LINE = 1 << 24


class GnauProcess:
    """Runs `gnau run`, one process at a time.

    Args:
        address: the address of the database; by default that of a file.
        shards: how many there are, and which are this process's; by default it is the only one.

    Attributes:
        command: what starts it.
        database: the file of the database.
        lines: what all processes so far have logged, without line ends.
        on_line: called with each line.
    """

    command: tuple[str | Path, ...] = (GNAU, "run")

    def __init__(
        self,
        discord: StandIn,
        folder: Path,
        *,
        log_level: str = "INFO",
        address: str | None = None,
        shards: tuple[int, str] | None = None,
    ) -> None:
        self.database = folder / "gnau.db"
        self.address = address or f"sqlite:///{self.database}"
        self.lines: list[str] = []
        self.on_line: Callable[[str], object] = self.lines.append
        self._discord = discord
        self._folder = folder
        self._log_level = log_level
        self._shards = shards
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def log(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    @property
    def environment(self) -> dict[str, str]:
        """The settings, as environment variables."""
        count, ids = self._shards or ("", "")
        return os.environ | {
            "SHARD_COUNT": str(count),
            "SHARD_IDS": ids,
            "DISCORD_TOKEN": self._discord.token,
            "DISCORD_API_URL": self._discord.api_url,
            "DISCORD_GATEWAY_URL": self._discord.gateway_url,
            "DATABASE_URL": self.address,
            "LOG_LEVEL": self._log_level,
        }

    @property
    def pid(self) -> int | None:
        """The process that runs now; None if none does."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def start(self) -> None:
        """Starts it, and returns when it is connected.

        Raises:
            AssertionError: it ended instead, or took too long.
        """
        await self.launch()
        await self.until_connected()

    async def launch(self) -> None:
        """Starts it."""
        self._process = await asyncio.create_subprocess_exec(
            *self.command,
            cwd=self._folder,
            env=self.environment,
            stdout=PIPE,
            stderr=STDOUT,
            limit=LONGEST_LINE,
            # An interrupt is for who started it, and who then ends it.
            start_new_session=True,
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def until_connected(self, seconds: float = PATIENCE) -> None:
        """Waits until it is connected.

        Raises:
            AssertionError: it ended instead, or took too long.
        """
        await until(lambda: self._discord.bot_connected or self.pid is None, "the bot is connected", seconds)
        assert self.pid is not None, f"the bot ended: {self.log[-1000:]}"

    async def end(self, how: signal.Signals = signal.SIGKILL) -> int | None:
        """Ends it by this signal; returns its exit status, or None if it does not run."""
        if self._process is None:
            return None
        process, self._process = self._process, None
        if process.returncode is None:
            process.send_signal(how)
        async with asyncio.timeout(PATIENCE):
            status = await process.wait()
        assert self._reading is not None
        await self._reading
        if self._shards is None:
            # Even a gateway that reads nothing more knows then that it is gone.
            self._discord.gateway.drop()
        return status

    def megabytes(self) -> float:
        """The memory that it holds now; 0 if it does not run."""
        if self.pid is None:
            return 0.0
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            # It has just ended.
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self.on_line(line.decode(errors="replace").rstrip("\n"))


async def until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Waits until a condition holds; if it never does, fails with its name."""
    try:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - no event is set for it
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"timed out: waited until {what}") from None
