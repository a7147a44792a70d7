"""Knobs as text: how a value is written, how it is read, and what is wrong where it cannot be."""

from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final

from pydantic import ValidationError

from bot.rules.declarations import KNOBS, Knob, knobs_of
from bot.rules.knobs import About, GameName, HouseRules
from bot.rules.numerals import digits_written
from bot.rules.presets import PRESETS, with_overrides
from bot.rules.quote import quote

_SWITCHES: Final = {"on": True, "off": False}
EVERY_CHANNEL: Final = "all"
"""How "no channel is named" is written."""


class WrongRuleError(ValueError):
    """House rules that cannot be: its text is one sentence that says which knob, why, and what would do."""


def knob_text(value: bool | int | StrEnum | tuple[int, ...]) -> str:
    """A knob's value as it is written: `on`, `7`, `banker`, `all`, or the ids of channels apart by blanks."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or EVERY_CHANNEL
    return str(value)


def parse_knob(name: str, text: str) -> tuple[str, Any]:
    """Reads a knob's value as it is written.

    Returns:
        The knob's name as the rules have it, and the value as JSON has it.

    Raises:
        WrongRuleError: where there is no such knob, or it cannot have that value.
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
    """The rules of a preset, but for knobs that are set in text.

    Args:
        preset: a key of `PRESETS`.
        settings: the values of knobs, as they are written, by name.

    Raises:
        WrongRuleError: where there is no such preset, its game does not know a knob, a value cannot be, or
            the knobs contradict one another.
    """
    game = preset_named(preset).game
    overrides = {}
    for name, text in settings.items():
        knob, value = parse_knob(name, text)
        if game not in KNOBS[knob].games:
            raise WrongRuleError(f"{knob} is no knob of the game {game}, which the preset {preset} is for")
        overrides[knob] = value
    return checked(preset, overrides)


def checked(preset: str, overrides: Mapping[str, Any]) -> HouseRules:
    """The rules of a preset, but for knobs with values that they may have.

    Raises:
        WrongRuleError: where the knobs contradict one another.
    """
    try:
        return with_overrides(preset, overrides)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        said = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
        place = "".join(f"{part}: " for part in first["loc"])
        raise WrongRuleError(f"{place}{said}") from None


def preset_named(name: str) -> HouseRules:
    """The rules of the preset of that name.

    Raises:
        WrongRuleError: where there is none.
    """
    if name not in PRESETS:
        raise WrongRuleError(f'"{quote(name)}" is not a preset: there are {", ".join(PRESETS)}')
    return PRESETS[name]


def knob_named(name: str) -> Knob:
    """The knob of that name, however it is written.

    Raises:
        WrongRuleError: where there is none, or a house cannot set it.
    """
    wanted = name.strip().casefold().replace("-", "_")
    knob = KNOBS.get(wanted)
    if knob is not None and knob.about is not About.TABLE:
        return knob
    if knob is not None:
        raise WrongRuleError(f"{wanted} is not set by itself: it is chosen when a table is opened")
    close = get_close_matches(wanted, (knob.name for knob in settable()), 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise WrongRuleError(f'"{quote(name)}" is not a knob of the house{hint}')


def settable(game: GameName | None = None) -> tuple[Knob, ...]:
    """The knobs that can be set, in order: those of one game, or of any."""
    known = KNOBS.values() if game is None else knobs_of(game)
    return tuple(knob for knob in known if knob.about is not About.TABLE)


def _number(knob: Knob, word: str, text: str) -> int:
    bounds = f"a whole number from {knob.least} to {knob.most}"
    digits = digits_written(word.removeprefix("-"))
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
