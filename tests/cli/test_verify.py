"""`gnau verify`: a round is proved from its record, without the bot."""

import json
from pathlib import Path

import pytest

from tests.cli.asking import ask, refusal
from tests.table.sealed_rounds import ROUNDS, round_of_gnau


@pytest.mark.parametrize("play", ROUNDS)
def test_a_round_is_verified(play: str, tmp_path: Path) -> None:
    record = tmp_path / "round.json"
    record.write_text(json.dumps(ROUNDS[play](), indent=1, ensure_ascii=False), encoding="utf-8")

    result = ask("verify", str(record))

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "verified: everything follows from the secret, the bettors and the rules\n"


def test_the_first_thing_that_does_not_fit_is_named(tmp_path: Path) -> None:
    told = round_of_gnau()
    told["banker"]["chips"] += 1
    record = tmp_path / "round.json"
    record.write_text(json.dumps(told))

    result = ask("verify", str(record))

    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith("not verified: the gain of the bank is ")
    assert result.stdout.count("\n") == 1


def test_what_is_no_record_is_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    assert refusal("verify", str(missing)) == f"{missing} cannot be read: No such file or directory"
    assert "cannot be read" in refusal("verify", str(tmp_path))
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe")
    assert "not written in UTF-8" in refusal("verify", str(binary))
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    assert "this is no record of a round" in refusal("verify", str(empty))
