"""Knobs as text: writing a value, reading one, and saying what is wrong with it."""

from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final

from pydantic import ValidationError

from bot.rules.knob_list import KNOBS, Knob, knobs_of
from bot.rules.knobs import About, GameName, HouseRules
from bot.rules.presets import PRESETS, with_overrides
from bot.rules.typed_text import parse_digits, quote

_SWITCHES: Final = {"on": True, "off": False}
EVERY_CHANNEL: Final = "all"
"""The word for "no restriction on channels"."""


class WrongRuleError(ValueError):
    """Impossible house rules. The message is one sentence: which knob, why, and what works."""


def knob_text(value: bool | int | StrEnum | tuple[int, ...]) -> str:
    """A knob's value as text: `on`, `7`, `banker`, `all`, or channel ids separated by spaces."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or EVERY_CHANNEL
    return str(value)


def parse_knob(name: str, text: str) -> tuple[str, Any]:
    """Reads a knob's value from text.

    Returns:
        The knob's name in `HouseRules`, and the value as in JSON.

    Raises:
        WrongRuleError: if there is no such knob, or the value is not allowed.
    """
    knob = knob_named(name)
    word = text.strip().casefold()
    match knob.kind:
        case "on or off":
            if word not in _SWITCHES:
                raise WrongRuleError(f'{knob.name} cannot be "{quote(text)}": it is on or off')
            return knob.name, _SWITCHES[word]
        case "number":
            return knob.name, _number(knob, word, text)
        case "channels":
            return knob.name, _channels(knob, word, text)
        case _:
            if word not in knob.choices:
                raise WrongRuleError(
                    f'{knob.name} cannot be "{quote(text)}": it is one of {", ".join(knob.choices)}'
                )
            return knob.name, word


def rules_with(preset: str, settings: Mapping[str, str]) -> HouseRules:
    """The rules of a preset, with some knobs changed by text.

    Args:
        preset: a key of `PRESETS`.
        settings: the knobs' values as text, by name.

    Raises:
        WrongRuleError: if there is no such preset, its game does not have a knob, a value is not allowed, or
            knobs contradict each other.
    """
    game = preset_named(preset).game
    overrides = {}
    for name, text in settings.items():
        knob, value = parse_knob(name, text)
        if game not in KNOBS[knob].games:
            raise WrongRuleError(f"{knob} is not a knob of {game}, the game of the preset {preset}")
        overrides[knob] = value
    return checked(preset, overrides)


def checked(preset: str, overrides: Mapping[str, Any]) -> HouseRules:
    """The rules of a preset with some knobs changed, each to a value that it allows.

    Raises:
        WrongRuleError: if the knobs contradict each other.
    """
    try:
        return with_overrides(preset, overrides)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        reason = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
        place = "".join(f"{part}: " for part in first["loc"])
        raise WrongRuleError(f"{place}{reason}") from None


def preset_named(name: str) -> HouseRules:
    """The rules of a preset.

    Raises:
        WrongRuleError: if there is no such preset.
    """
    if name not in PRESETS:
        raise WrongRuleError(f'"{quote(name)}" is not a preset: there are {", ".join(PRESETS)}')
    return PRESETS[name]


def knob_named(name: str) -> Knob:
    """The knob with this name; capitals and hyphens are fine.

    Raises:
        WrongRuleError: if there is no such knob, or a house cannot set it.
    """
    wanted = name.strip().casefold().replace("-", "_")
    knob = KNOBS.get(wanted)
    if knob is not None and knob.about is not About.TABLE:
        return knob
    if knob is not None:
        raise WrongRuleError(f"{wanted} cannot be set: you choose it when you open a table")
    close = get_close_matches(wanted, (knob.name for knob in settable()), 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise WrongRuleError(f'"{quote(name)}" is not a knob of the house{hint}')


def settable(game: GameName | None = None) -> tuple[Knob, ...]:
    """The knobs that a house can set, in order: those of one game, or all."""
    known = KNOBS.values() if game is None else knobs_of(game)
    return tuple(knob for knob in known if knob.about is not About.TABLE)


def _number(knob: Knob, word: str, text: str) -> int:
    bounds = f"a whole number from {knob.least} to {knob.most}"
    digits = parse_digits(word.removeprefix("-"))
    if digits is None or len(digits) > len(str(knob.most)) + 1:
        raise WrongRuleError(f'{knob.name} cannot be "{quote(text)}": it is {bounds}')
    number = -int(digits) if word.startswith("-") else int(digits)
    assert knob.least is not None
    assert knob.most is not None
    if not knob.least <= number <= knob.most:
        raise WrongRuleError(f"{knob.name} cannot be {number}: it is {bounds}")
    return number


def _channels(knob: Knob, word: str, text: str) -> list[int]:
    if word == EVERY_CHANNEL:
        return []
    names = [part.removeprefix("<#").removesuffix(">") for part in word.replace(",", " ").split()]
    if not names or not all(name.isascii() and name.isdigit() and len(name) <= 20 for name in names):
        raise WrongRuleError(
            f'{knob.name} cannot be "{quote(text)}": it is channels, such as <#1234>, or {EVERY_CHANNEL}'
        )
    return sorted({int(name) for name in names})
