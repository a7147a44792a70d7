"""Knobs as text: writing a value, reading one, and saying what is wrong with it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final

from pydantic import ValidationError

from bot.games.knob_list import KNOBS, SETTINGS, Knob, knobs_of
from bot.games.presets import PRESETS, with_overrides
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName
from bot.rules.server_settings import ServerSettings
from bot.rules.typed_text import parse_digits, quote
from bot.rules.wrong_rules import WrongRule, WrongRuleError

_SWITCHES: Final = {"on": True, "off": False}


def knob_text(value: bool | int | str | tuple[int, ...], empty: str = "") -> str:
    """A knob's value as text: `on`, `7`, `banker`, `gold`, or channel ids separated by spaces.

    Args:
        value: the value.
        empty: the knob's word for no channel, for no text, or for 0.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or empty
    return str(value or empty or value)


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
                raise WrongRuleError(WrongRule.NOT_A_SWITCH, knob=knob.name, text=quote(text))
            return knob.name, _SWITCHES[word]
        case "number":
            return knob.name, _number(knob, word, text)
        case "channels":
            return knob.name, _channels(knob, word, text)
        case "text":
            return knob.name, _text(knob, word, text)
        case _:
            if word not in knob.choices:
                choices = ", ".join(knob.choices)
                raise WrongRuleError(
                    WrongRule.NOT_A_CHOICE, knob=knob.name, text=quote(text), choices=choices
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
        if knob not in type(PRESETS[preset]).model_fields:
            raise WrongRuleError(WrongRule.OTHER_GAME, knob=knob, game=game)
        overrides[knob] = value
    return checked(preset, overrides)


def checked(preset: str, overrides: Mapping[str, Any]) -> HouseRules:
    """The rules of a preset with some knobs changed, each to a value that it allows.

    Raises:
        WrongRuleError: if the knobs contradict each other.
    """
    with _wrong_rules():
        return with_overrides(preset, overrides)


def preset_named(name: str) -> HouseRules:
    """The rules of a preset.

    Raises:
        WrongRuleError: if there is no such preset.
    """
    if name not in PRESETS:
        raise WrongRuleError(WrongRule.UNKNOWN_PRESET, preset=quote(name), presets=", ".join(PRESETS))
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
    if knob is not None or wanted == "game":
        raise WrongRuleError(WrongRule.FIXED_KNOB, knob=wanted)
    close = get_close_matches(wanted, (knob.name for knob in settable()), 1)
    if close:
        raise WrongRuleError(WrongRule.LIKELY_TYPO, knob=quote(name), close=close[0])
    raise WrongRuleError(WrongRule.UNKNOWN_KNOB, knob=quote(name))


def settable(game: GameName | None = None) -> tuple[Knob, ...]:
    """The knobs that a house can set, in order: those of one game and the server's settings, or all."""
    known = KNOBS.values() if game is None else (*knobs_of(game), *SETTINGS)
    return tuple(knob for knob in known if knob.about is not About.TABLE)


@contextmanager
def _wrong_rules() -> Iterator[None]:
    """Raises the `WrongRuleError` of a validator itself, not what pydantic makes of it."""
    try:
        yield
    except ValidationError as wrong:
        cause = wrong.errors()[0].get("ctx", {}).get("error")
        if isinstance(cause, WrongRuleError):
            raise cause from None
        raise


def _text(knob: Knob, word: str, text: str) -> str:
    written = "" if word == knob.empty else text.strip()
    with _wrong_rules():
        ServerSettings.model_validate({knob.name: written})
    return written


def _number(knob: Knob, word: str, text: str) -> int:
    assert knob.least is not None
    assert knob.most is not None
    if knob.empty and word == knob.empty:
        return 0
    digits = parse_digits(word.removeprefix("-"))
    # int() raises an error for thousands of digits.
    if digits is not None and len(digits.lstrip("0")) <= len(str(knob.most)):
        digits = digits.lstrip("0") or "0"
        number = -int(digits) if word.startswith("-") else int(digits)
        if knob.least <= number <= knob.most:
            return number
    raise WrongRuleError(
        WrongRule.NOT_A_NUMBER, knob=knob.name, text=quote(text), least=knob.least, most=knob.most
    )


def _channels(knob: Knob, word: str, text: str) -> list[int]:
    if word == knob.empty:
        return []
    names = [part.removeprefix("<#").removesuffix(">") for part in word.replace(",", " ").split()]
    if not names or not all(name.isascii() and name.isdigit() and len(name) <= 20 for name in names):
        raise WrongRuleError(WrongRule.NOT_CHANNELS, knob=knob.name, text=quote(text), empty=knob.empty)
    channels = sorted({int(name) for name in names})
    assert knob.most is not None
    if len(channels) > knob.most:
        raise WrongRuleError(WrongRule.TOO_MANY_CHANNELS, knob=knob.name, most=knob.most)
    return channels
