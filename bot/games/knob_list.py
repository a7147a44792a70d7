"""The list of all knobs: bounds, choices, clause and description of each, taken from `HouseRules`."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from bot.rules.knobs import About, GameName, HouseRules


@dataclass(frozen=True, slots=True)
class Knob:
    """One knob: everything but its current value.

    Attributes:
        name: the name of its field in `HouseRules`.
        default: its default value, as in JSON.
        clause: the clause of the rules that it belongs to.
        description: what it does, in one sentence.
        about: what it is about.
        games: the games that have it.
        kind: `on or off`, `number`, `one of several`, or `channels`.
        least: the smallest number allowed; None if it is not a number.
        most: the largest number allowed; None if it is not a number.
        choices: the words allowed; empty if it is not one of several.
    """

    name: str
    default: Any
    clause: str
    description: str
    about: About
    games: tuple[GameName, ...]
    kind: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


_KINDS: Final = {"boolean": "on or off", "integer": "number", "string": "one of several", "array": "channels"}


def _knobs() -> dict[str, Knob]:
    schema = HouseRules.model_json_schema()
    knobs = {}
    for name, own in schema["properties"].items():
        field = own | schema["$defs"].get(own.get("$ref", "").rpartition("/")[2], {}) | own
        knobs[name] = Knob(
            name=name,
            default=field["default"],
            clause=field["clause"],
            description=field["description"],
            about=About(field["about"]),
            games=tuple(map(GameName, field["games"])),
            kind=_KINDS[field["type"]],
            least=field.get("minimum"),
            most=field.get("maximum"),
            choices=tuple(field.get("enum", ())),
        )
    return knobs


KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(_knobs())
"""Every knob by its name, in the order of `HouseRules`."""


def knobs_of(game: GameName, *about: About) -> tuple[Knob, ...]:
    """The knobs of a game, in order: all of them, or only those about these things."""
    return tuple(knob for knob in KNOBS.values() if game in knob.games and (not about or knob.about in about))
