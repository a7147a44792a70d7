"""Impossible input is refused in one line, with exit status 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runner import EXAMPLE, ask, refusal
from tests.sizes import sample

GNAU = Path(sys.executable).parent / "gnau"
TAU_NGAU = ("--preset", "tau-ngau")


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ("1Z 6D 8C 4H 8D", '"1Z" is not a card'),
        ("3S 6D 8C 4H 6-5", '"6-5" is not a card'),
        ("3S.6D.8C.4H.8D", '"3S.6D.8C.4H.8D" is not a card'),
        (",,,,", "a hand is 5 cards, not 0"),
        ("3S 3S 8C 4H 8D", "3S appears twice, but is only once among 52 cards"),
        ("3S 6D 8C 4H", "a hand is 5 cards, not 4"),
        ("3S 6D 8C 4H 8D 9D", "a hand is 5 cards, not 6"),
    ],
)
def test_an_impossible_hand_of_cards_is_refused(pieces: str, said: str) -> None:
    assert said in refusal("hand", pieces)
    assert said in refusal("hand", pieces, "--json")
    assert said in refusal("duel", "9S 9D 9C 7S 7D", pieces)
    assert said in refusal("duel", pieces, "9S 9D 9C 7S 7D")


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ("6-4 5-5 6-4 6-5 7-1", '"7-1" is not a tile'),
        ("6-4 5-5 6-4 6-5 3S", '"3S" is not a tile'),
        ("6-4 5-5 6-4 6-5", "a hand is 5 tiles, not 4"),
        ("6-3 6-3 6-4 6-5 6-1", "6-3 appears twice, but is only once among 32 tiles"),
        ("6-4 5-5 6-4 6-5 6-4", "6-4 appears 3 times, but is only twice among 32 tiles"),
    ],
)
def test_t01_an_impossible_hand_of_tiles_is_refused(pieces: str, said: str) -> None:
    assert said in refusal("hand", pieces, *TAU_NGAU)


LOOKS_LIKE_TILES = '"6-5" is not a card; this looks like tiles: add --preset tau-ngau'
LOOKS_LIKE_CARDS = '"3S" is not a tile; this looks like cards: leave out --preset'


def test_pieces_of_another_game_than_the_presets_get_a_hint() -> None:
    tiles = "6-5 6-1 5-5 6-4 1-1"
    assert refusal("hand", tiles) == LOOKS_LIKE_TILES
    assert refusal("hand", tiles, "--preset", "points") == LOOKS_LIKE_TILES
    assert refusal("duel", tiles, EXAMPLE) == LOOKS_LIKE_TILES
    assert refusal("duel", EXAMPLE, tiles) == LOOKS_LIKE_TILES
    assert json.loads(ask("hand", "--stdin", stdin=tiles).stdout) == {"error": LOOKS_LIKE_TILES}
    assert refusal("hand", EXAMPLE, *TAU_NGAU) == LOOKS_LIKE_CARDS


def test_a_hand_of_mixed_pieces_gets_no_hint() -> None:
    assert "looks like" not in refusal("hand", "3S 6D 8C 4H 6-5")
    assert "looks like" not in refusal("hand", "1Z 6D 8C 4H 8D")
    assert "looks like" not in refusal("hand", "6-4 5-5 6-4 6-5 3S", *TAU_NGAU)


def test_g01_two_hands_cannot_hold_the_same_card() -> None:
    assert "8D appears twice" in refusal("duel", EXAMPLE, "8D 9S 9C KD QS")
    assert ask("duel", EXAMPLE, "8D 9S 9C KD QS", "--decks", "2").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--preset", "vegas"],
            "There is no preset called “vegas”. Presets: wikipedia, points, lodige, tau-ngau",
        ),
        (["--set", "five_duke=on"], "There is no rule called “five_duke”. Did you mean five_dukes_tens?"),
        (["--set", "ties"], '"ties" sets nothing'),
        (["--set", "t" * 9999], f'"{"t" * 39}…" sets nothing'),
        (["--set", "ties=maybe"], "ties: not “maybe”. Choices: banker, push"),
        (["--set", "flex_3_6=true"], "flex_3_6: on or off, not “true”."),
        (["--set", "ties=push", "--set", "TIES=banker"], "ties is set twice"),
        (["--set", "tonku_tens=on", "--set", "ngau_tonku=off"], "First turn on Ngau Tonku"),
        (
            ["--set", "lowest_stake=9", "--set", "highest_stake=8"],
            "The lowest bet (9) is above the highest bet (8)",
        ),
        (["--set", "game=tau-ngau"], "game: that is chosen when a table is opened"),
        (["--decks", "9"], "decks: a whole number from 1 to 8, not “9”."),
        (["--decks", "2", "--set", "decks=3"], "decks is set twice"),
        ([*TAU_NGAU, "--decks", "2"], "Tau Ngau has no rule “decks”"),
    ],
)
@pytest.mark.parametrize(
    "command",
    sample(
        [
            ["hand", EXAMPLE],
            ["hand", "--stdin"],
            ["duel", EXAMPLE, EXAMPLE],
            ["odds"],
            ["simulate", "--rounds", "1"],
        ],
        ids=["hand", "stdin", "duel", "odds", "simulate"],
    ),
)
def test_impossible_rules_are_refused(command: list[str], words: list[str], said: str) -> None:
    assert said in refusal(*command, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hands"], "hands"),
        (["--version-of-what"], "--version-of-what"),
        (["hand"], "which hand?"),
        (["hand", EXAMPLE, "--stdin"], "do not go together"),
        (["hand", EXAMPLE, "--xml"], "--xml"),
        (["simulate", "--rounds", "many"], "Invalid value for '--rounds': it must be a whole number"),
        (["practice", "--game", "poker"], 'there is no game "poker"; games: gnau, tau-ngau'),
        (["hand", EXAMPLE, "--preset"], "--preset"),
        (["duel"], "PLAYER"),
        (["duel", EXAMPLE], "BANKER"),
        (["duel", EXAMPLE, "9S 9D 9C 7S 7D", "QS"], "QS"),
        (["odds", "wikipedia"], "wikipedia"),
        (["simulate", "--rounds", "0"], "--rounds is 1 to 10,000,000, not 0"),
        (["simulate", "--rounds", "10000001"], "--rounds is 1 to 10,000,000, not 10000001"),
        (["simulate", "--rounds", "9" * 4000], "--rounds is 1 to 10,000,000, not 999"),
        (["simulate", "--seed", "-1"], "--seed"),
        (["simulate", "--seats", "0"], "gnau has 1 to 19 seats besides the banker's, not 0"),
        (["simulate", "--seats", "1", *TAU_NGAU], "tau-ngau has 2 to 5 seats"),
    ],
)
def test_wrong_commands_and_options_are_refused(words: list[str], said: str) -> None:
    assert said in refusal(*words)


def test_control_characters_are_escaped_in_refusals() -> None:
    line = refusal("hand", "\x1b[31mred\x07 6D 8C 4H 8D")
    assert line.isprintable()
    assert refusal("hand", EXAMPLE, "--set", "a\nb=on").isprintable()
    assert refusal("hand", EXAMPLE, "--a\nb").isprintable()


def test_without_a_command_it_prints_the_help_and_fails() -> None:
    result = ask()
    assert result.exit_code == 2
    for command in ("run", "practice", "hand", "duel", "odds", "simulate"):
        assert command in result.stdout


def test_a_process_refuses_on_stderr_and_by_its_status() -> None:
    ended = subprocess.run([GNAU, "hand", "1Z 6D"], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith('"1Z" is not a card')
    assert ended.stderr.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("encoding", "words", "status", "said"),
    [
        ("ascii", ["duel", EXAMPLE, "9S 6C 7C 4S KD"], 0, "6C 4S KD + 9S 7C Ox of 6"),
        ("ascii", ["hand", EXAMPLE], 0, "wins 3 x the stake"),
        ("ascii", ["hand", "--help"], 0, "3S, 10H or TH, KD; tiles 6-5."),
        ("latin-1", ["hand", "1Z"], 2, "a rank and a suit, such as 3S, 10H or KD"),
    ],
)
def test_a_terminal_without_signs_of_suits_gets_their_letters(
    encoding: str, words: list[str], status: int, said: str
) -> None:
    ended = subprocess.run(
        [GNAU, *words],
        env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == status, ended.stderr
    assert said in " ".join((ended.stdout + ended.stderr).replace("|", " ").split())
