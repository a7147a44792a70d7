"""Every knob of every game and server: its list, the presets, and values as text."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from pydantic import ValidationError

from bot.games.register import GAMES, game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName, Knob, WrongRule, WrongRuleError, declared_knobs
from bot.rules.server_settings import ServerSettings
from bot.rules.typed_text import parse_digits, quote


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
    """The knobs as the first game that has them declares them, by what they are about."""
    named: dict[str, Knob] = {}
    for about in About:
        for knobs in (*_OF_GAME.values(), SETTINGS):
            for knob in knobs:
                if knob.about is about:
                    named.setdefault(knob.name, knob)
    return named


_OF_GAME: Final = _every_knob()

SETTINGS: Final = tuple(replace(knob, games=tuple(GAMES)) for knob in declared_knobs(ServerSettings))
"""The settings of a server that are in no game's rules, in order."""

KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(_by_name())
"""Every knob and setting by its name, as the first game that has it declares it."""


def knob_of(name: str, game: GameName) -> Knob:
    """The knob of a game, or the setting of the server, with this name."""
    for knob in (*_OF_GAME[game], *SETTINGS):
        if knob.name == name:
            return knob
    raise KeyError(name)


def knobs_of(game: GameName, *about: About) -> tuple[Knob, ...]:
    """The knobs of a game's rules, in order: all of them, or only those about these things."""
    return tuple(knob for knob in _OF_GAME[game] if not about or knob.about in about)


PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType(
    {name: game.rules(**differences) for game in GAMES.values() for name, differences in game.presets.items()}
)
"""Every preset by its name, by game."""


def preset_of(rules: HouseRules) -> str | None:
    """The name of the preset with these rules, or None. Knobs about hosting do not matter."""
    return next((name for name in game_of(rules).presets if _is(rules, PRESETS[name])), None)


def _is(rules: HouseRules, preset: HouseRules) -> bool:
    named = (knob.name for knob in knobs_of(rules.game, About.WORTH, About.ROUND))
    return all(getattr(rules, name) == getattr(preset, name) for name in named)


_SWITCHES: Final = {"on": True, "off": False}


def knob_text(value: bool | int | str | tuple[int, ...], empty: str = "") -> str:
    """A knob's value as text: `on`, `7`, `banker`, `gold`, or channel ids separated by spaces.

    Args:
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
    """The rules of a preset with some knobs changed, each to a value that it allows."""
    game = game_of(PRESETS[preset])
    with _wrong_rules():
        rules: HouseRules = game.rules(**{**game.presets[preset], **overrides})
    return rules


def preset_named(name: str) -> HouseRules:
    """The rules of a preset."""
    if name not in PRESETS:
        raise WrongRuleError(WrongRule.UNKNOWN_PRESET, preset=quote(name), presets=", ".join(PRESETS))
    return PRESETS[name]


def knob_named(name: str) -> Knob:
    """The knob with this name; capitals and hyphens are fine."""
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
