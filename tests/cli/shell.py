"""Runs `gnau` in processes of its own, with only the environment that a test gives."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.cli.errors import BAD_INPUT
from tests.stand_in import StandIn

GNAU = Path(sys.executable).parent / "gnau"
TOKEN = "MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
WRONG_TOKEN = "NjAwMDAwMDAw.GnauGn.a-token-that-Discord-never-made"
PATIENCE = 60.0
"""Seconds: a busy machine takes long to start a process."""
LOGGED = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} CRITICAL bot\.cli\.bot_commands: ")
OF_THE_RUN = {
    name: value for name, value in os.environ.items() if name.startswith(("PYTHONPYCACHEPREFIX", "COVERAGE_"))
} | {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONFAULTHANDLER": "1"}
"""Which code this run tests, where it keeps bytecode, how it measures coverage: no setting of the bot."""


@dataclass(frozen=True)
class Ended:
    """The exit status and the output of a process."""

    status: int
    stdout: str
    stderr: str

    def refused(self, status: int = BAD_INPUT) -> str:
        """The one line of refusal; without time, level and name if it is the log of `gnau run`."""
        assert self.status == status, self
        assert self.stdout == ""
        lines = self.stderr.splitlines()
        assert len(lines) == 1, self.stderr
        assert not any(word in self.stderr for word in (*TOKEN.split("."), *WRONG_TOKEN.split(".")))
        return LOGGED.sub("", lines[0])


class Shell:
    """Runs `gnau` in its own directory, with only the environment that a test gives."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.started: list[Process] = []

    async def start(self, *words: str, under: Sequence[str] = (), **environment: str) -> Process:
        process = await asyncio.create_subprocess_exec(
            *under,
            GNAU,
            *words,
            cwd=self.home,
            env={"HOME": str(self.home), **OF_THE_RUN, **environment},
            stdout=PIPE,
            stderr=PIPE,
            # The tests may run under `nohup`.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        self.started.append(process)
        return process

    async def end_of(self, process: Process, seconds: float = PATIENCE) -> Ended:
        output = asyncio.create_task(process.communicate())
        await asyncio.wait([output], timeout=seconds)
        if not output.done():
            # It says what it waits for.
            process.send_signal(signal.SIGABRT)
        stdout, stderr = await output
        assert process.returncode != -signal.SIGABRT, f"it has not ended:\n{stderr.decode()}"
        assert process.returncode is not None
        return Ended(process.returncode, stdout.decode(), stderr.decode())

    async def run(self, *words: str, **environment: str) -> Ended:
        return await self.end_of(await self.start(*words, **environment))

    async def close(self) -> None:
        for process in self.started:
            if process.returncode is None:
                process.kill()
                await process.communicate()


def settings_for(discord: StandIn) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_URL": discord.api_url,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
        "BACKUP_EVERY": "off",
    }


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.02)
