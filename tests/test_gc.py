"""A running bot rarely collects garbage. The setting is per process, so a second process tests it."""

import subprocess
import sys

PROGRAM = """
import gc
from bot.run.process import YOUNG, collect_rarely
tuples = [([],) for _ in range(5000)]
before = gc.get_threshold()
collect_rarely()
assert gc.get_threshold() == (YOUNG, *before[1:])
assert gc.get_freeze_count() > 5000
collections = gc.get_stats()[0]["collections"]
more = [([],) for _ in range(4000)]
assert gc.get_stats()[0]["collections"] == collections
"""


def test_objects_of_the_start_are_frozen_and_collections_are_rare() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
