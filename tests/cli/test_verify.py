"""`gnau verify`: checks a round from its record, without the bot."""

import json
from pathlib import Path

import pytest

from tests.cli.runner import ask, refusal
from tests.proof.committed_rounds import ROUNDS, round_of_gnau


@pytest.mark.parametrize("play", ROUNDS)
def test_a_round_is_verified(play: str, tmp_path: Path) -> None:
    record = tmp_path / "round.json"
    record.write_text(json.dumps(ROUNDS[play](), indent=1, ensure_ascii=False), encoding="utf-8")

    result = ask("verify", str(record))

    assert (result.exit_code, result.stderr) == (0, "")
    verified = "Verified: every hand, result and chip follows from the secret, the bets and the rules\n"
    assert result.stdout == verified
    text = record.read_text("utf-8")
    assert ask("verify", "-", stdin=text).stdout == verified
    assert ask("verify", "-", stdin=text.encode("utf-8-sig")).stdout == verified


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    told = round_of_gnau()
    told["result"]["banker"]["chips"] += 1
    record = tmp_path / "round.json"
    record.write_text(json.dumps(told))

    result = ask("verify", str(record))

    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith("Not verified: the gain of the bank should be “")
    assert result.stdout.count("\n") == 1


def test_what_a_player_noted_is_compared(tmp_path: Path) -> None:
    told = round_of_gnau()
    record = tmp_path / "round.json"
    record.write_text(json.dumps(told))
    seed = told["sheet"]["players"][0]["client_seed"]
    noted = ["--seal", told["seal"].lower().replace("-", " "), "--contribution", seed]

    right = ask("verify", str(record), *noted, "--receipt", told["receipt"])
    wrong = ask("verify", str(record), *noted, "--receipt", told["seal"])

    assert (right.exit_code, right.stderr) == (0, "")
    assert wrong.exit_code == 1
    assert wrong.stdout.startswith(
        f"Not the round that you noted: you noted the receipt {told['seal']}, but "
    )
    assert refusal("verify", str(record), "--seal", "7K2Q9").startswith("a code has 25 letters and digits")


def test_control_characters_of_a_record_are_escaped(tmp_path: Path) -> None:
    told = round_of_gnau()
    told["secret"] = "\x1b[2J\nverified: everything follows"
    record = tmp_path / "round.json"
    record.write_text(json.dumps(told))

    result = ask("verify", str(record))

    assert result.exit_code == 1
    (line,) = result.stdout.splitlines()
    assert line.isprintable()


def test_a_record_that_is_too_long_is_refused(tmp_path: Path) -> None:
    film = tmp_path / "film.json"
    with film.open("wb") as file:
        file.truncate(1 << 40)

    most = "a record of a round has at most 1,048,576 characters"
    assert refusal("verify", str(film)) == f"{film} is too long: {most}"


@pytest.mark.parametrize(
    "text",
    [
        '{"format":' * 50_000 + "1" + "}" * 50_000,
        "[]",
        "NaN",
        '{"format": "gnau/2", "table": NaN}',
        '{"table": 1' + "0" * 5000 + "}",
        '"\\ud800"',
    ],
    ids=["deep", "a list", "no number", "no number within", "a large number", "half a sign"],
)
def test_other_json_is_one_line(text: str, tmp_path: Path) -> None:
    record = tmp_path / "round.json"
    record.write_text(text)

    assert refusal("verify", str(record)).startswith("this is no record of a round: ")


def test_a_file_that_is_not_a_record_is_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    assert refusal("verify", str(missing)) == f"{missing} cannot be read: No such file or directory"
    assert "cannot be read" in refusal("verify", str(tmp_path))
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8" in refusal("verify", str(binary))
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    assert "this is no record of a round" in refusal("verify", str(empty))
