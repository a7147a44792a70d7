"""What `gnau run` writes to its log: one line a record, whatever text is in it."""

import subprocess
import sys

SCRIPT = """
import logging, sys
from bot.cli.bot_commands import _log_to_terminal

_log_to_terminal("INFO")
log = logging.getLogger("bot.of.a.test")
log.warning("the name %s could not be stored", sys.argv[1])
try:
    raise ValueError(sys.argv[1])
except ValueError:
    log.exception("a press was not carried out")
"""
HOSTILE = "\u202eAlice\u200b\n2026-11-22 22:00:00,000 ERROR bot: the books are gone\x1b[2J"
ESCAPED = r"\u202eAlice\u200b\n2026-11-22 22:00:00,000 ERROR bot: the books are gone\x1b[2J"


def test_no_text_hides_in_the_log_or_passes_for_another_record() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, HOSTILE], capture_output=True, check=True, timeout=60
    )
    first, second, *traceback = ended.stderr.decode().split("\n")[:-1]

    assert first.endswith(f"WARNING bot.of.a.test: the name {ESCAPED} could not be stored")
    assert second.endswith("ERROR bot.of.a.test: a press was not carried out")
    assert traceback[0] == "  Traceback (most recent call last):"
    assert r"  ValueError: \u202eAlice\u200b" in traceback
    assert all(line.startswith("  ") and line.isprintable() for line in traceback)
