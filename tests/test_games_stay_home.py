"""What one game is, only its package, the word catalogues and the pictures of pieces know."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.games.register import GAMES

ROOT = Path(__file__).parents[1]
HOMES = (
    *(f"bot/games/{game.replace('-', '_')}/" for game in GAMES),
    "bot/games/register.py",
    "bot/words/catalogue/",
)
PACKAGES = tuple(f"bot.games.{game.replace('-', '_')}" for game in GAMES)


def sources() -> Iterator[Path]:
    for room in ("bot", "cogs"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if not str(path.relative_to(ROOT)).startswith(HOMES):
                yield path


def about_a_game(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each place that knows one game: an import of its package, a comparison or a table with its name."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith(PACKAGES):
                yield node.lineno, module
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names if name.name.startswith(PACKAGES))
            case ast.Compare(left=left, comparators=others):
                yield from ((node.lineno, name) for name in games_in([left, *others]))
            case ast.Dict(keys=keys):
                yield from ((node.lineno, name) for name in games_in(keys))
            case ast.MatchValue(value=value):
                yield from ((node.lineno, name) for name in games_in([value]))


def games_in(nodes: list[ast.expr | None] | list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Constant) and part.value in GAMES:
                yield str(part.value)


def test_no_room_but_its_own_asks_which_game_it_is() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} knows {what}"
        for path in sources()
        for line, what in about_a_game(ast.parse(path.read_text()))
    ]

    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "if rules.game == 'gnau': pass",
        "x = game in ('tau-ngau', other)",
        "EMOJI = {'gnau': 'ox'}",
        "match game:\n    case 'gnau': pass",
        "from bot.games.gnau import GNAU",
        "from bot.games.tau_ngau.hands import points_of",
        "import bot.games.gnau",
    ],
)
def test_the_look_finds_what_it_looks_for(source: str) -> None:
    assert list(about_a_game(ast.parse(source)))
