"""Changes of a server's house rules, and their effects, as values that can be stored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from bot.games.house import House, Values
from bot.games.knob_list import SETTINGS, Knob, knobs_of
from bot.games.knob_text import knob_text
from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import OF_ALL_GAMES, About, GameName
from bot.rules.wrong_rules import WrongRule, WrongRuleError


class Verb(StrEnum):
    """Ways to change house rules."""

    PRESET = "preset"
    SET = "set"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class HouseChange:
    """A requested change of house rules.

    Attributes:
        verb: the way to change them.
        knob: which knob; None for a preset, or to reset all knobs.
        text: the preset's name, or the knob's new value as text; None for a reset.
        game: the only game to change; None for every game that has the preset or knob.
    """

    verb: Verb
    knob: str | None = None
    text: str | None = None
    game: GameName | None = None

    def applied_to(self, house: House) -> House:
        """The house after this change.

        Raises:
            WrongRuleError: there is no such preset or knob, the value is not allowed, or knobs would
                contradict each other.
        """
        if self.verb is Verb.RESET:
            return _reset(house, self.knob, self.game)
        if self.text is None:
            raise WrongRuleError(WrongRule.NO_VALUE)
        if self.verb is Verb.PRESET:
            return house.with_preset(self.text)
        if self.knob is None:
            raise WrongRuleError(WrongRule.NO_KNOB)
        return house.with_knob(self.knob, self.text, self.game)


@dataclass(frozen=True, slots=True)
class Altered:
    """One effect of a change, as text, since later versions may not know the knob.

    Attributes:
        game: for which game; None for all games.
        knob: which knob; None for the preset.
        old: the value before, as text.
        new: the value after, as text.
    """

    game: str | None
    knob: str | None
    old: str
    new: str


def altered(before: House, after: House) -> tuple[Altered, ...]:
    """The differences between two houses: presets first, then knobs in the order of the rules."""
    return (*_presets(before, after), *_hosting(before, after), *_game_rules(before, after))


def _reset(house: House, knob: str | None, game: GameName | None) -> House:
    if knob is not None:
        return house.without_knob(knob, game)
    if game is not None:
        return replace(house, overrides={**house.overrides, game: {}})
    return replace(house, overrides={}, hosting={})


def _presets(before: House, after: House) -> Iterator[Altered]:
    for game in GAMES:
        if before.preset(game) != after.preset(game):
            yield Altered(game, None, before.preset(game), after.preset(game))


def _hosting(before: House, after: House) -> Iterator[Altered]:
    seen = set()
    for game in GAMES:
        for one in _knobs(before.rules(game), after.rules(game), game, OF_ALL_GAMES):
            if one.knob not in seen:
                seen.add(one.knob)
                yield replace(one, game=None)
    yield from _differences(before.server, after.server, None, SETTINGS)


def _game_rules(before: House, after: House) -> Iterator[Altered]:
    for game in GAMES:
        yield from _knobs(before.rules(game), after.rules(game), game, (About.WORTH, About.ROUND))


def _knobs(old: HouseRules, new: HouseRules, game: GameName, about: Iterable[About]) -> Iterator[Altered]:
    return _differences(old, new, game, knobs_of(game, *about))


def _differences(old: Values, new: Values, game: GameName | None, knobs: Iterable[Knob]) -> Iterator[Altered]:
    for knob in knobs:
        values = tuple(knob_text(getattr(of, knob.name), knob.empty) for of in (old, new))
        if values[0] != values[1]:
            yield Altered(game, knob.name, *values)


_CHANGE: Final = TypeAdapter(HouseChange)
_ALTERED: Final = TypeAdapter(tuple[Altered, ...])


def change_json(change: HouseChange) -> str:
    """A change as JSON text."""
    return _CHANGE.dump_json(change).decode()


def parse_change(text: str) -> HouseChange:
    """Reads a stored change.

    Raises:
        pydantic.ValidationError: it is not a change that this version knows.
    """
    return _CHANGE.validate_json(text)


def altered_json(effects: tuple[Altered, ...]) -> str:
    """The effects of a change as JSON text."""
    return _ALTERED.dump_json(effects).decode()


def parse_altered(text: str) -> tuple[Altered, ...]:
    """Reads the effects of a stored change.

    Raises:
        pydantic.ValidationError: it cannot be read.
    """
    return _ALTERED.validate_json(text)
