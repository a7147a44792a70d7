"""What `gnau run` writes to its log: one line a record, whatever text is in it."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging, sys
from bot.cli.log_output import log_on_stderr

log = logging.getLogger("bot.of.a.test")
with log_on_stderr():
    log.warning("the name %s could not be stored", sys.argv[1])
    try:
        raise ValueError(sys.argv[1])
    except ValueError:
        log.exception("a press was not carried out")
"""
ROOM_COMES_LATER = """
import logging, resource
from bot.cli.log_output import log_on_stderr
from bot.cli.lost_output import watched_output

def has_room(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

with watched_output():
    for word, size in ("first", resource.RLIM_INFINITY), ("second", 10), ("third", resource.RLIM_INFINITY):
        has_room(size)
        # As it ends, it has written everything.
        with log_on_stderr():
            logging.getLogger("bot.of.a.test").warning(word)
        logging.getLogger().handlers.clear()
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


def test_no_traceback_has_the_token_of_an_interaction() -> None:
    address = "https://discord.com/api/v10/webhooks/1/aW50.ZXJh-Y3Rpb24_x/messages"
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, address], capture_output=True, check=True, timeout=60
    )
    assert "  ValueError: https://discord.com/api/v10/webhooks/…/messages" in ended.stderr.decode()
    assert "ZXJh" not in ended.stderr.decode()


def test_a_log_on_a_full_disk_goes_on_once_there_is_room(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        subprocess.run([sys.executable, "-c", ROOM_COMES_LATER], stderr=file, check=True, timeout=60)
    assert [line.rpartition(" ")[2] for line in log.read_text().splitlines()] == ["first", "third"]
