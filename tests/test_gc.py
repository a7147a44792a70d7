"""A bot that serves looks for garbage seldom; in a process of its own, since that is said for a whole one."""

import subprocess
import sys

SAYS = """
import gc
from bot.gc import YOUNG, collect_rarely
tuples = [([],) for _ in range(5000)]
before = gc.get_threshold()
collect_rarely()
assert gc.get_threshold() == (YOUNG, *before[1:])
assert gc.get_freeze_count() > 5000
looks = gc.get_stats()[0]["collections"]
more = [([],) for _ in range(4000)]
assert gc.get_stats()[0]["collections"] == looks
"""


def test_what_there_is_when_it_begins_is_never_looked_at_again_and_a_batch_seldom() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAYS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
