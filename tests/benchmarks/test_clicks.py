"""The benchmark of clicks goes through: nothing here asserts a time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

CLICKS = Path(__file__).parents[2] / "benchmarks" / "clicks.py"
SMALL = ("--quick", "--tables", "3", "--seats", "2", "--clickers", "3", "--seconds", "0.3")

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="CPU time comes from /proc")


def run(*options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(CLICKS), *options]
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.thorough
def test_every_load_is_measured_on_both_bots() -> None:
    ended = run(*SMALL, "--profile")
    assert (ended.returncode, ended.stderr) == (0, "")
    for load in ("single clicks", "steady clicks", "whole rounds"):
        assert re.search(f"^{load} +bare", ended.stdout, re.MULTILINE)
        assert re.search(f"^{load} +ours", ended.stdout, re.MULTILINE)
    for part in ("ratio, ours to bare", "CPU of our bot: single clicks", "CPU of our bot: whole rounds"):
        assert part in ended.stdout
    assert "Single clicks were: " in ended.stdout
    # Where the machine is busy a click is late, which Discord answers with a 404; nothing else goes wrong.
    errors = re.search(r"ours with errors: (.*)\.", ended.stdout)
    assert errors is None or re.fullmatch(r"404: \d+", errors[1])


@pytest.mark.thorough
def test_rounds_are_played_with_and_without_pictures() -> None:
    ended = run(*SMALL, "--pictures")
    assert (ended.returncode, ended.stderr) == (0, "")
    uploads = dict(re.findall(r"^((?:signs|emojis).*?) {2,}[\d.]+ +([\d.]+)", ended.stdout, re.MULTILINE))
    assert uploads.pop("emojis, no pictures of own hands") == "1.0", "that of the board is left"
    assert len(uploads) == 4
    assert all(float(count) > 1 for count in uploads.values())
