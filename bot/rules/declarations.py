"""What there is to say of each knob beside its value, read off the declaration of the house rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from bot.rules.knobs import About, GameName, HouseRules


@dataclass(frozen=True, slots=True)
class Knob:
    """What there is to say of one knob.

    Attributes:
        name: as the rules call it.
        default: its value where nobody sets it, as JSON has it.
        clause: where the rule stands.
        description: what it does, in a sentence.
        about: what it is about.
        games: the games that know it.
        kind: `on or off`, `number`, `one of several`, or `channels`.
        least: the smallest number it may be; None where it is no number.
        most: the largest number it may be; None where it is no number.
        choices: the words it may be; empty where it is not one of several.
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
    for name, said in schema["properties"].items():
        told = said | schema["$defs"].get(said.get("$ref", "").rpartition("/")[2], {}) | said
        knobs[name] = Knob(
            name=name,
            default=told["default"],
            clause=told["clause"],
            description=told["description"],
            about=About(told["about"]),
            games=tuple(map(GameName, told["games"])),
            kind=_KINDS[told["type"]],
            least=told.get("minimum"),
            most=told.get("maximum"),
            choices=tuple(told.get("enum", ())),
        )
    return knobs


KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(_knobs())
"""Every knob by its name, in the order of the rules."""


def knobs_of(game: GameName, *about: About) -> tuple[Knob, ...]:
    """The knobs that a game knows, in order: those about one of these, or all where nothing is named."""
    return tuple(knob for knob in KNOBS.values() if game in knob.games and (not about or knob.about in about))
