"""The knobs that a game's rules or a server's settings declare, and rules with each choice of each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName
from bot.rules.server_settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Knob:
    """One knob of one game: everything but its current value.

    Attributes:
        name: the name of its field in the rules.
        default: its value in the default preset, as in JSON.
        clause: the clause of the rules that it belongs to.
        description: what it does, in one sentence.
        about: what it is about.
        pays: whether it decides what hands pay; tables for points play by a fixed value (G19).
        decides: whether the hands or the result of a round depend on it, so that it is in the round's record.
        kind: `on or off`, `number`, `one of several`, `channels`, or `text`.
        least: the smallest number allowed; None if it is not a number.
        most: the largest number allowed, or the most channels; None for other kinds.
        choices: the words allowed; empty if it is not one of several.
        empty: the word for no channel, for no text, or for the number 0; empty if there is none.
        games: the games that have a knob of this name. It has the same values in all of them. A server's
            setting has all games.
    """

    name: str
    default: Any
    clause: str
    description: str
    about: About
    pays: bool
    decides: bool
    kind: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    empty: str = ""
    games: tuple[GameName, ...] = ()


_KINDS: Final = {"boolean": "on or off", "integer": "number", "string": "text", "array": "channels"}
_IN_ORDER: Final = tuple(About)


def declared_knobs(rules: type[HouseRules] | type[ServerSettings]) -> tuple[Knob, ...]:
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
                pays=field["pays"],
                decides=field["decides"],
                kind="one of several" if "enum" in field else _KINDS[field["type"]],
                least=field.get("minimum"),
                most=field.get("maximum", field.get("maxItems")),
                choices=tuple(field.get("enum", ())),
                empty=field["empty"],
            )
        )
    return tuple(sorted(knobs, key=lambda knob: _IN_ORDER.index(knob.about)))


def with_each_choice(rules: HouseRules) -> Iterator[HouseRules]:
    """These rules, and these with each other choice of each knob that is a switch or one of several."""
    yield rules
    for knob in declared_knobs(type(rules)):
        present = getattr(rules, knob.name)
        choices = (True, False) if knob.kind == "on or off" else map(type(present), knob.choices)
        yield from (rules.model_copy(update={knob.name: choice}) for choice in choices if choice != present)
