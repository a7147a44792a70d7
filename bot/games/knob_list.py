"""The list of all knobs: values, clause and description of each, taken from the rules of each game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from bot.games.register import GAMES
from bot.games.registration import UnplayableGameError
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName


@dataclass(frozen=True, slots=True)
class Knob:
    """One knob of one game: everything but its current value.

    Attributes:
        name: the name of its field in the rules.
        default: its value in the default preset, as in JSON.
        clause: the clause of the rules that it belongs to.
        description: what it does, in one sentence.
        about: what it is about.
        kind: `on or off`, `number`, `one of several`, or `channels`.
        least: the smallest number allowed; None if it is not a number.
        most: the largest number allowed; None if it is not a number.
        choices: the words allowed; empty if it is not one of several.
        games: the games that have a knob of this name. It has the same values in all of them.
    """

    name: str
    default: Any
    clause: str
    description: str
    about: About
    kind: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    games: tuple[GameName, ...] = ()


_KINDS: Final = {"boolean": "on or off", "integer": "number", "string": "one of several", "array": "channels"}
_IN_ORDER: Final = tuple(About)


def declared_knobs(rules: type[HouseRules]) -> tuple[Knob, ...]:
    """The knobs that these rules declare, by what they are about, without the games that share them."""
    schema = rules.model_json_schema()
    knobs = []
    for name, own in schema["properties"].items():
        field = own | schema.get("$defs", {}).get(own.get("$ref", "").rpartition("/")[2], {}) | own
        if "about" not in field:
            continue
        knobs.append(
            Knob(
                name=name,
                default=field["default"],
                clause=field["clause"],
                description=field["description"],
                about=About(field["about"]),
                kind=_KINDS[field["type"]],
                least=field.get("minimum"),
                most=field.get("maximum"),
                choices=tuple(field.get("enum", ())),
            )
        )
    return tuple(sorted(knobs, key=lambda knob: _IN_ORDER.index(knob.about)))


def _every_knob() -> dict[GameName, tuple[Knob, ...]]:
    declared = {game.name: declared_knobs(game.rules) for game in GAMES.values()}
    sharing: dict[str, list[GameName]] = {}
    for game, knobs in declared.items():
        for knob in knobs:
            sharing.setdefault(knob.name, []).append(game)
    return {
        game: tuple(replace(knob, games=tuple(sharing[knob.name])) for knob in knobs)
        for game, knobs in declared.items()
    }


def _by_name() -> dict[str, Knob]:
    """The knobs as the first game that has them declares them.

    Raises:
        UnplayableGameError: if a house could not set the same value for all games that have a knob.
    """
    named: dict[str, Knob] = {}
    for about in About:
        for game, knobs in _OF_GAME.items():
            for knob in knobs:
                if knob.about is about:
                    first = named.setdefault(knob.name, knob)
                    if _values(first) != _values(knob):
                        raise UnplayableGameError(f"{game} allows other values for {knob.name}")
    return named


def _values(knob: Knob) -> tuple[object, ...]:
    return knob.about, knob.kind, knob.least, knob.most, knob.choices


_OF_GAME: Final = _every_knob()

KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(_by_name())
"""Every knob by its name, as the first game that has it declares it."""


def knob_of(name: str, game: GameName) -> Knob:
    """The knob of a game with this name.

    Raises:
        KeyError: if the game has none.
    """
    for knob in _OF_GAME[game]:
        if knob.name == name:
            return knob
    raise KeyError(name)


def knobs_of(game: GameName, *about: About) -> tuple[Knob, ...]:
    """The knobs of a game, in order: all of them, or only those about these things."""
    return tuple(knob for knob in _OF_GAME[game] if not about or knob.about in about)
