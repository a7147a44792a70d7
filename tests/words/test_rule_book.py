from math import comb
from pathlib import Path

import pytest

from bot.games.house import UNCHANGED
from bot.games.knobs import KNOBS, PRESETS, checked, knobs_of, parse_knob
from bot.games.register import GAMES
from bot.games.settle import ranked_hands
from bot.rules.knobs import About, GameName, Knob
from bot.words.rules import game_title
from bot.words.translation import translated
from scripts.words.rule_book import COMMAND, rule_book

EVERY_KNOB = [(game, knob) for game in GAMES for knob in knobs_of(game)]
BOOK = Path(__file__).parents[2] / "docs" / "RULES.md"


def rows(first: str, of: GameName | None = None) -> list[list[str]]:
    """The cells of each row of any table of the book, or of one game, whose first cell is this."""
    text = rule_book() if of is None else rule_book().split(f"\n## {game_title(of)}\n")[1].split("\n## ")[0]
    split = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|"))
    return [cells for cells in split if cells[0] == first]


def knob_row(knob: Knob, game: GameName) -> list[str]:
    """The row that declares a knob of a game; the one that compares presets has no games."""
    return next(row for row in rows(f"`{knob.name}`") if game_title(game) in row[1].split(", "))


def test_the_book_in_the_repository_matches_the_declarations() -> None:
    assert BOOK.read_text(encoding="utf-8") == rule_book(), f"renew it: {COMMAND}"


def test_every_knob_is_declared_in_the_book() -> None:
    for game, knob in EVERY_KNOB:
        _, games, clause, default, bounds, what = knob_row(knob, game)

        assert set(games.split(", ")) <= {game_title(other) for other in knob.games}
        assert clause == knob.clause
        assert what == knob.description
        assert default.startswith("`")
        if knob.choices:
            assert bounds.replace("`", "").split(", ") == list(knob.choices)
        if knob.least is not None:
            assert bounds == f"{knob.least:,} to {knob.most:,}"


def test_a_default_in_the_book_can_be_set_as_it_is_written() -> None:
    for game, knob in EVERY_KNOB:
        default = knob_row(knob, game)[3].strip("`")

        assert knob.about is About.TABLE or parse_knob(knob.name, default) == (knob.name, knob.default)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_the_book_lists_each_preset_so_that_it_could_be_set_knob_by_knob(preset: str) -> None:
    column = next(place for place, cell in enumerate(rows("rule")[0]) if cell.startswith(f"`{preset}`"))
    told = {
        knob.name: row[column]
        for knob in KNOBS.values()
        if knob.about in (About.WORTH, About.ROUND)
        for row in rows(f"`{knob.name}`")[:1]
        if row[column] != "–"
    }
    game = PRESETS[preset].game
    usual = UNCHANGED.preset(game)

    overrides = dict(parse_knob(name, text) for name, text in told.items())
    assert checked(usual, overrides) == PRESETS[preset]


def test_g18_g19_the_book_lists_what_each_hand_wins_under_each_preset() -> None:
    assert rows("hand")[0][3:] == ["`wikipedia`", "`points`", "`lodige`"]
    assert rows("Five Dukes")[0] == [
        "Five Dukes",
        "all five are J, Q or K (`lodige`: all five are 10, J, Q or K)",
        "792",
        "7",
        "10",
        "10",
    ]
    assert rows("Five Small")[0][3:] == ["7", "10", "–"]
    assert rows("No Ox")[0][3:] == ["nothing", "nothing", "nothing"]
    assert rows("Score 9 to 0")[0][3:] == ["1"]


def test_g19_the_book_says_that_tables_for_points_score_by_a_preset() -> None:
    assert "A table for points pays as in the preset `points`, whatever the server has set" in rule_book()


@pytest.mark.parametrize("game", GAMES)
def test_the_book_counts_every_hand_of_one_deck(game: GameName) -> None:
    standard = PRESETS[GAMES[game].default_preset]
    titles = [translated(row.title) for row in ranked_hands(standard)]
    counted = sum(int(rows(title, game)[0][2].replace(",", "")) for title in titles)
    pieces = GAMES[game].pieces.size
    assert counted == comb(pieces, 5)
