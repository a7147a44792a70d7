"""A bot under test in a process of its own: starts it, asks it, measures its CPU, and ends it."""

import asyncio
import json
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from tests.stand_in import StandIn

START_SECONDS: Final = 60.0
SLICE_SECONDS: Final = 0.02
END_SECONDS: Final = 10.0
_BENCHMARKS: Final = Path(__file__).parent.parent
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class BotEndedError(Exception):
    """The bot ended, or did not start in time; its text has the end of what it logged."""


class BotProcess:
    """One bot: `async with BotProcess("clicking.bare_bot", discord, folder) as bot: …`.

    Args:
        module: what runs it.
        discord: what it connects to; must have been started.
        folder: where it keeps its ledger and its log.
        database_url: the address of the database; by default a file there.
        shards: how many there are, and which are this process's; by default it is the only one.

    Attributes:
        told: what it said of itself when it was ready.
    """

    def __init__(
        self,
        module: str,
        discord: StandIn,
        folder: Path,
        database_url: str | None = None,
        shards: tuple[int, str] | None = None,
    ) -> None:
        self.told: dict[str, Any] = {}
        self._log = folder / f"{module}.log"
        self._words = (
            sys.executable,
            "-m",
            module,
            discord.token,
            discord.api_url,
            discord.gateway_url,
            database_url or f"sqlite:///{folder / f'{module}.db'}",
        )
        # As where it is installed: from the second start on, nothing is compiled.
        self._environment = {
            **os.environ,
            **({} if shards is None else {"SHARD_COUNT": str(shards[0]), "SHARD_IDS": shards[1]}),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        }
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        with self._log.open("wb") as log:
            # Ctrl+C goes to the benchmark alone, which then ends what it started.
            self._process = await asyncio.create_subprocess_exec(
                *self._words,
                cwd=_BENCHMARKS,
                env=self._environment,
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(START_SECONDS):
                self.told = await self._answer()
        except BaseException as failed:
            await self._end()
            if isinstance(failed, TimeoutError):
                raise BotEndedError(f"{self._words[2]} was not ready in time: {self.logged()}") from None
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    def cpu_seconds(self) -> float:
        """The CPU time that all its threads have used so far, in user and kernel mode."""
        assert self._process is not None
        # The name may have spaces and parentheses in it: the numbers begin after the last one.
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_megabytes(self) -> float:
        """The memory that the process holds now."""
        assert self._process is not None
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    @asynccontextmanager
    async def slowed(self, share: float) -> AsyncIterator[None]:
        """Lets the process use only this share of a core during the block, however busy the machine is.

        Args:
            share: of a core, for all its threads together.
        """
        assert self._process is not None
        pid = self._process.pid
        clock = ~pid << 3 | 2  # the CPU clock of another process, as clock_getcpuclockid makes it

        async def stop_and_go() -> None:
            at, used = time.perf_counter(), time.clock_gettime(clock)
            ahead = 0.0
            while True:
                await asyncio.sleep(SLICE_SECONDS * share)
                now, uses = time.perf_counter(), time.clock_gettime(clock)
                # What it leaves unused it can use later, but no more than in one slice.
                ahead = max(ahead + uses - used - share * (now - at), -SLICE_SECONDS * share)
                at, used = now, uses
                if ahead > 0:
                    os.kill(pid, signal.SIGSTOP)
                    await asyncio.sleep(ahead / share)
                    os.kill(pid, signal.SIGCONT)

        slowing = asyncio.create_task(stop_and_go())
        try:
            yield
        finally:
            slowing.cancel()
            os.kill(pid, signal.SIGCONT)

    async def ask(self, word: str) -> Any:
        """Sends it a word, and returns its answer.

        Raises:
            BotEndedError: it ended instead.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n".encode())
        return await self._answer()

    def logged(self) -> str:
        """The last 1,000 characters of its log: warnings and worse; empty where nothing went wrong."""
        return self._log.read_text(errors="replace")[-1000:].strip()

    async def _answer(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise BotEndedError(f"{self._words[2]} ended: {self.logged()}")
        return json.loads(line)

    async def _end(self) -> None:
        """Closes its input, by which it knows; kills it where it stays."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(END_SECONDS):
                    await process.wait()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
