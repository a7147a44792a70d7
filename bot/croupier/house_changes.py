"""What can be asked of a server's house rules, and what came of it, as values that can be stored."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from bot.rules.house import House
from bot.rules.knob_list import knobs_of
from bot.rules.knob_text import WrongRuleError, knob_text
from bot.rules.knobs import About, GameName


class Verb(StrEnum):
    """What is done to house rules."""

    PRESET = "preset"
    SET = "set"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class HouseChange:
    """One change of house rules, as somebody asks for it.

    Attributes:
        verb: what is done.
        knob: which knob; None for a preset, and for all knobs at once.
        text: the preset's name, or the knob's new value as it is written; None where knobs are reset.
        game: for which game alone; None for each that is concerned.
    """

    verb: Verb
    knob: str | None = None
    text: str | None = None
    game: GameName | None = None

    def carried_out(self, house: House) -> House:
        """The house after it.

        Raises:
            WrongRuleError: where there is no such preset or knob, the value cannot be, or knobs contradict
                one another then.
        """
        if self.verb is Verb.RESET:
            return _reset(house, self.knob, self.game)
        if self.text is None:
            raise WrongRuleError("say what it is to be")
        if self.verb is Verb.PRESET:
            return house.with_preset(self.text)
        if self.knob is None:
            raise WrongRuleError("say which knob is meant")
        return house.with_knob(self.knob, self.text, self.game)


@dataclass(frozen=True, slots=True)
class Altered:
    """One thing that a change made otherwise; in words of the time, which later rules may not know.

    Attributes:
        game: for which game; None where it is the same for all.
        knob: which knob; None where it is the preset.
        old: its value before, as it is written.
        new: its value since, as it is written.
    """

    game: str | None
    knob: str | None
    old: str
    new: str


def altered(before: House, after: House) -> tuple[Altered, ...]:
    """Everything that differs between two houses: presets first, then knobs in the order of the rules."""
    return (*_presets(before, after), *_hosting(before, after), *_own(before, after))


def _reset(house: House, knob: str | None, game: GameName | None) -> House:
    if knob is not None:
        return house.without_knob(knob, game)
    if game is not None:
        return replace(house, overrides={**house.overrides, game: {}})
    return replace(house, overrides={}, hosting={})


def _presets(before: House, after: House) -> Iterator[Altered]:
    for game in GameName:
        if before.preset(game) != after.preset(game):
            yield Altered(game, None, before.preset(game), after.preset(game))


def _hosting(before: House, after: House) -> Iterator[Altered]:
    told = set()
    for game in GameName:
        for one in _knobs(before, after, game, About.HOSTING):
            if one.knob not in told:
                told.add(one.knob)
                yield replace(one, game=None)


def _own(before: House, after: House) -> Iterator[Altered]:
    for game in GameName:
        yield from _knobs(before, after, game, About.WORTH, About.ROUND)


def _knobs(before: House, after: House, game: GameName, *about: About) -> Iterator[Altered]:
    old, new = before.rules(game), after.rules(game)
    for knob in knobs_of(game, *about):
        values = knob_text(getattr(old, knob.name)), knob_text(getattr(new, knob.name))
        if values[0] != values[1]:
            yield Altered(game, knob.name, *values)


_CHANGE: Final = TypeAdapter(HouseChange)
_ALTERED: Final = TypeAdapter(tuple[Altered, ...])


def change_json(change: HouseChange) -> str:
    """A change as it is stored."""
    return _CHANGE.dump_json(change).decode()


def parse_change(text: str) -> HouseChange:
    """Reads a stored change.

    Raises:
        pydantic.ValidationError: where it is none, or of a kind that there is no more.
    """
    return _CHANGE.validate_json(text)


def altered_json(things: tuple[Altered, ...]) -> str:
    """What a change made otherwise, as it is stored."""
    return _ALTERED.dump_json(things).decode()


def parse_altered(text: str) -> tuple[Altered, ...]:
    """Reads what a stored change made otherwise.

    Raises:
        pydantic.ValidationError: where it cannot be read.
    """
    return _ALTERED.validate_json(text)
