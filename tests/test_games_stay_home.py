"""What one game is, only its package, the word catalogues and the pictures of pieces know."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from bot.games.contract import Game
from bot.games.knobs import KNOBS
from bot.games.register import GAMES

ROOT = Path(__file__).parents[1]
HOMES = (
    *(f"bot/games/{game.replace('-', '_')}/" for game in GAMES),
    "bot/games/register.py",
    "bot/words/catalogue/",
)
PACKAGES = tuple(game.replace("-", "_") for game in GAMES)
OWN_KNOBS = {knob.name for knob in KNOBS.values() if len(knob.games) == 1} - {
    one.name for one in fields(Game)
}
"""Knobs that only one game has; the contract itself speaks of a suited bonus."""
PROGRAM = {
    "bot/cli/app.py",
    "bot/ledger/postgres/connections.py",
    "bot/practice/stand_in.py",
    "bot/practice/world.py",
    "bot/run/monitoring/metrics.py",
    "bot/run/monitoring/server.py",
    "bot/run/process.py",
    "scripts/words/template.py",
}
"""Where `gnau` is the name of this program, and not of the game."""


def sources() -> Iterator[Path]:
    for room in ("bot", "cogs"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if not str(path.relative_to(ROOT)).startswith(HOMES):
                yield path


def about_a_game(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each place that knows one game: its name, an import of its package, or a knob that only it has."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(value)) if value in GAMES or value in OWN_KNOBS:
                yield node.lineno, value
            case ast.keyword(arg=str(name)) if name in PACKAGES or name in OWN_KNOBS:
                yield node.value.lineno, name
            case ast.Attribute(attr=name) if name in OWN_KNOBS:
                yield node.lineno, name
            case ast.ImportFrom(module=str(module), names=names):
                parts = {*module.split("."), *(name.name for name in names)}
                yield from ((node.lineno, part) for part in parts & set(PACKAGES))
            case ast.Import(names=names):
                parts = {part for name in names for part in name.name.split(".")}
                yield from ((node.lineno, part) for part in parts & set(PACKAGES))


def test_no_room_but_its_own_asks_which_game_it_is() -> None:
    found = [
        (str(path.relative_to(ROOT)), line, what)
        for path in sources()
        for line, what in about_a_game(ast.parse(path.read_text()))
    ]

    assert [one for one in found if not (one[2] == "gnau" and one[0] in PROGRAM)] == []
