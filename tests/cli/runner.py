"""Runs the command line in this process, and reads its output."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from bot.cli.app import app

EXAMPLE = "3S 6D 8C 4H 8D"
"""The worked example of the rules (G23): a Double-Ox 8."""


def ask(*words: str, stdin: str | bytes = "") -> Result:
    """The result of `gnau` with these arguments."""
    return CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)


def answer(*words: str) -> dict[str, Any]:
    """The JSON answer of `gnau` with these arguments."""
    result = ask(*words, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    told = json.loads(result.stdout)
    assert isinstance(told, dict)
    return told


def refusal(*words: str) -> str:
    """The one line of refusal of `gnau` with these arguments."""
    result = ask(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    line, end, rest = result.stderr.partition("\n")
    assert (end, rest) == ("\n", ""), result.stderr
    return line
