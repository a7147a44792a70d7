"""Lost output: a full disk is one line on stderr; a reader that has gone is silent."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.ledger.sqlite.backup import upgrade_exclusively
from tests.cli.runner import EXAMPLE
from tests.proof.committed_rounds import round_of_gnau
from tests.sizes import sample

GNAU = Path(sys.executable).parent / "gnau"
FULL = Path("/dev/full")
COMMANDS = [
    ["hand", EXAMPLE],
    ["hand", EXAMPLE, "--json"],
    ["hand", "--stdin"],
    ["simulate", "--rounds", "100"],
    ["verify", "round.json"],
    ["db", "check"],
    ["practice", "--rounds", "1"],
    ["duel", "--help"],
    [],
]

Gnau = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no device here that is always full")


@pytest.fixture
def gnau(tmp_path: Path) -> Gnau:
    """Runs `gnau` with these arguments, in a folder with a record and a database."""
    (tmp_path / "round.json").write_text(json.dumps(round_of_gnau()))
    environment = os.environ | {"DATABASE_URL": "sqlite:///gnau.db"}
    upgrade_exclusively(tmp_path / "gnau.db")

    def run(words: list[str], **streams: object) -> "subprocess.CompletedProcess[str]":
        given: dict[str, object] = {"stderr": subprocess.PIPE, "input": f"{EXAMPLE}\n"} | streams
        return subprocess.run(  # type: ignore[call-overload,no-any-return]  # the names are those of `run`
            [GNAU, *words], cwd=tmp_path, env=environment, text=True, timeout=60, check=False, **given
        )

    return run


@pytest.fixture
def nobody() -> Iterator[int]:
    """A pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.fixture
def full() -> Iterator[int]:
    """A device that is always full."""
    with FULL.open("wb") as device:
        yield device.fileno()


@pytest.mark.thorough
@pytest.mark.parametrize("words", sample(COMMANDS, 1, ids=map(" ".join, COMMANDS)))
def test_a_full_disk_is_one_line_and_a_reader_that_has_gone_none(
    gnau: Gnau, full: int, nobody: int, words: list[str]
) -> None:
    ended = gnau(words, stdout=full)
    assert (ended.returncode, ended.stderr) == (1, "the answer cannot be written: No space left on device\n")
    ended = gnau(words, stdout=nobody)
    assert (ended.returncode, ended.stderr) == (141, "")


@pytest.mark.thorough
def test_status_and_answer_are_right_even_without_stderr(gnau: Gnau, full: int, nobody: int) -> None:
    for stream in (full, nobody):
        ended = gnau(["hand", "1Z"], stdout=subprocess.PIPE, stderr=stream)
        assert (ended.returncode, ended.stdout) == (2, "")
    ended = gnau(["simulate", "--rounds", "100", "--json"], stdout=subprocess.PIPE, stderr=full)
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["rounds"] == 100


@pytest.mark.parametrize(
    ("closed", "words", "said"),
    sample(
        [
            (1, ["hand", EXAMPLE], "the answer cannot be written: Bad file descriptor"),
            (0, ["hand", "--stdin"], "--stdin reads hands from stdin, but stdin is closed"),
        ]
    ),
)
def test_a_stream_that_is_closed_from_the_start_is_one_line(
    gnau: Gnau, closed: int, words: list[str], said: str
) -> None:
    ended = gnau(words, preexec_fn=lambda: os.close(closed))
    assert ended.returncode in {1, 2}
    assert ended.stderr == f"{said}\n"
