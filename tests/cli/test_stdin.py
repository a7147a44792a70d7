"""`gnau hand --stdin`: one hand per line in, one JSON object per line out, in order."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.rules.cards import card_text, deck
from tests.cli.runner import EXAMPLE, answer, ask
from tests.cli.schemas import ERROR, HAND, check

GNAU = Path(sys.executable).parent / "gnau"


def test_each_line_is_answered_in_order() -> None:
    pack = deck()
    hands = [" ".join(map(card_text, pack[first : first + 50 : 10])) for first in range(12)]
    result = ask("hand", "--stdin", stdin="\n".join(hands) + "\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        answer("hand", each) for each in hands
    ]


def test_a_bad_line_gets_an_error_and_the_rest_goes_on() -> None:
    lines = [EXAMPLE, "1Z 2S 3S 4S 5S", "", "KD KD QS 5H 5S", "3S 6D 8C 4H", EXAMPLE]
    result = ask("hand", "--stdin", stdin="\n".join(lines))
    assert (result.exit_code, result.stderr) == (2, "")
    first, *wrong, last = (json.loads(line) for line in result.stdout.splitlines())
    assert first == last == answer("hand", EXAMPLE)
    for told in wrong:
        check(told, ERROR)
    words = ['"1Z" is not a card', "not 0", "KD appears twice", "not 4"]
    assert len(wrong) == len(words)
    assert all(word in told["error"] for word, told in zip(words, wrong, strict=True))


def test_no_lines_are_not_an_error() -> None:
    result = ask("hand", "--stdin", stdin="")
    assert (result.exit_code, result.output) == (0, "")


def test_lines_can_come_from_another_system_and_only_one_that_is_not_utf8_is_an_error() -> None:
    text = f"\ufeff{EXAMPLE}\r\n3♠ 6♦ 8♣ 4♥ 8♦\r\n"
    result = ask("hand", "--stdin", stdin=text.encode() + b"\xff\xfe 2S\n" + EXAMPLE.encode())
    first, second, wrong, last = (json.loads(line) for line in result.stdout.splitlines())
    assert result.exit_code == 2
    check(wrong, ERROR)
    check(first, HAND)
    assert first == second == last == answer("hand", EXAMPLE)


def test_each_line_is_answered_before_the_next_is_written() -> None:
    with subprocess.Popen(
        [GNAU, "hand", "--stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Without PYTHONUNBUFFERED: the command itself must flush each line.
        env={"PATH": os.environ["PATH"]},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(EXAMPLE + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["value"] == 8
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.thorough
def test_a_reader_that_has_gone_ends_it_silently() -> None:
    with subprocess.Popen(
        [GNAU, "hand", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{EXAMPLE}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write(f"{EXAMPLE}\n".encode())
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141, "as shells tell the end of who writes to nobody"
