"""Runs pytest in a fork of a process that has the libraries: to import them takes longer than most trials."""

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import pytest

_OURS: Final = ("bot", "cogs", "tests")
_SERVER: Final = get_context("forkserver")
_SERVER.set_forkserver_preload(
    [
        "alembic.command",
        "babel.messages.pofile",
        "discord.ext.commands",
        "hypothesis",
        "pytest",
        "sqlalchemy.ext.asyncio",
        "typer",
    ]
)
_IMPORTED_BEFORE: Final = "ignore::pytest.PytestAssertRewriteWarning"
"""The warning that pytest cannot rewrite the assertions of Hypothesis."""


def run_pytest(
    folder: Path, options: Sequence[str], environment: Mapping[str, str], output: Path, seconds: float
) -> int | None:
    """Runs pytest in a folder, which has to contain our packages.

    Args:
        folder: the working directory.
        options: pytest's arguments.
        environment: all environment variables.
        output: the file for what it prints.
        seconds: how long it may take.

    Returns:
        Its exit status; None if it took longer.
    """
    process = _SERVER.Process(target=_pytest, args=(folder, list(options), dict(environment), output))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return process.exitcode


def _pytest(folder: Path, options: list[str], environment: dict[str, str], output: Path) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with output.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    # What is imported so far is the checkout's: the folder has its own.
    for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    sys.exit(pytest.main(["-W", _IMPORTED_BEFORE, *options]))
