"""What `gnau run` writes to its log: one line a record, whatever text is in it."""

import json
import os
import pty
import re
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
EVERYTHING = """
import logging, sys, threading, warnings
from alembic.runtime import migration
from bot.cli.log_output import log_on_stderr, set_log_format
from bot.log_context import set_log_context

log = logging.getLogger("bot.of.a.test")

class Wrong:
    def __del__(self):
        raise ValueError("in __del__")

with log_on_stderr():
    set_log_format(sys.argv[1])
    set_log_context(interaction=4, round=3, table=2, server=1)
    log.info("a bet of %d", 20)
    migration.log.info("nothing to upgrade")
    migration.log.warning("no upgrade")
    logging.getLogger("discord.http").warning("no route /users/123456789012345678")
    warnings.warn("an old way", stacklevel=1)
    log.info("%d chips", "no number")
    Wrong()
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
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


def test_a_line_says_what_it_is_about_and_json_has_a_traceback_in_one_field() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", EVERYTHING, "json"], capture_output=True, check=True, timeout=60
    )
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    bet, of_alembic, of_discord, old, wrong, in_del, in_thread = lines
    stamp = bet.pop("timestamp")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", stamp)
    about = {"server": 1, "table": 2, "round": 3, "interaction": 4}
    assert bet == {"event": "a bet of 20", "level": "info", "logger": "bot.of.a.test"} | about
    assert (of_alembic["logger"], of_alembic["event"]) == ("alembic.runtime.migration", "no upgrade")
    assert of_discord["event"] == "no route /users/…"
    assert (old["logger"], "UserWarning: an old way" in old["event"]) == ("py.warnings", True)
    assert wrong["event"] == "a record of bot.of.a.test cannot be written: '%d chips'"
    for line, error in (
        (in_del, "ValueError: in __del__"),
        (in_thread, "ZeroDivisionError: division by zero"),
    ):
        assert line["event"] == "an error that nobody handles"
        assert line["exception"].startswith("Traceback (most recent call last):\n")
        assert line["exception"].endswith(f"\n{error}")

    ended = subprocess.run(
        [sys.executable, "-c", EVERYTHING, "text"], capture_output=True, check=True, timeout=60
    )
    first = ended.stderr.decode().splitlines()[0]
    about_it = "[server=1 table=2 round=3 interaction=4]"
    assert re.fullmatch(
        rf"[\d-]+ [\d:]+,\d{{3}} INFO bot\.of\.a\.test: a bet of 20 {re.escape(about_it)}", first
    )


def test_hidden_characters_are_escaped_in_json_and_on_a_terminal() -> None:
    as_json = SCRIPT.replace("log_on_stderr():", "log_on_stderr():\n    set_log_format('json')", 1)
    script = as_json.replace("import log_on_stderr", "import log_on_stderr, set_log_format")
    ended = subprocess.run(
        [sys.executable, "-c", script, HOSTILE], capture_output=True, check=True, timeout=60
    )
    lines = ended.stderr.decode().splitlines()
    assert all(line.isprintable() for line in lines)
    assert [json.loads(line)["event"] for line in lines] == [
        f"the name {HOSTILE} could not be stored",
        "a press was not carried out",
    ]

    ours, its = pty.openpty()
    subprocess.run([sys.executable, "-c", SCRIPT, HOSTILE], stderr=its, check=True, timeout=60)
    os.close(its)
    colored = os.read(ours, 1 << 16).decode()
    os.close(ours)
    plain = re.sub(r"\x1b\[\d*m", "", colored)
    assert plain != colored
    first, second, *traceback = plain.split("\r\n")[:-1]
    assert re.fullmatch(
        rf"[\d:]{{8}} \[warning *\] the name {re.escape(ESCAPED)} could not be stored .*", first
    )
    assert traceback[0] == "  Traceback (most recent call last):"
    assert all(line.isprintable() for line in (first, second, *traceback))


def test_a_log_on_a_full_disk_goes_on_once_there_is_room(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        subprocess.run([sys.executable, "-c", ROOM_COMES_LATER], stderr=file, check=True, timeout=60)
    assert [line.rpartition(" ")[2] for line in log.read_text().splitlines()] == ["first", "third"]
