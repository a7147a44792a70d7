"""The rules in force, told from the knobs' own declarations."""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Final

from bot.rules.knobs import HouseRules, Ties
from bot.rules.presets import preset_of
from bot.words.speech import say

_IN_THE_ORDER: Final = "multiple_"
"""Knobs whose names begin so are told with the hand that they price."""


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that these rules are, or that they are a house's own."""
    return say(f"preset.{preset_of(rules) or 'none'}")


def edge_text(edge: Fraction) -> str:
    """What the bank keeps of a chip staked, in one sentence.

    Args:
        edge: the bank's expected gain for each chip staked, against one player.
    """
    return say("rules.edge", edge=edge)


def rules_text(rules: HouseRules) -> str:
    """How the game goes, the order of the hands with their multiples, and every knob that matters.

    Returns:
        Discord markdown, at most 3,500 characters.
    """
    ties = "rules.ties_banker" if rules.ties is Ties.BANKER else "rules.ties_push"
    held = say("rules.held", most=rules.largest_multiple)
    return "\n".join(
        [
            say("rules.title", preset=rules_name(rules)),
            f"{say('rules.play')} {say(ties)} {held}",
            say("rules.order"),
            *_order(rules),
            say("rules.knobs"),
            *_knobs(rules),
        ]
    )


def _order(rules: HouseRules) -> Iterator[str]:
    """A line a class of hands, those in force, the strongest first (G16)."""
    place = 0
    for name, multiple, what in _hands(rules):
        place += 1
        yield say("rules.hand", place=place, name=name, multiple=multiple, what=say(what))
    yield say("rules.no_ox", place=place + 1, name=say("hand.no_ox"))


def _hands(rules: HouseRules) -> Iterator[tuple[str, int, str]]:
    """Name, multiple, and the code of what it takes, of each class that has an ox or needs none."""
    dukes = "rules.five_dukes_tens" if rules.five_dukes_tens else "rules.five_dukes"
    yield say("hand.five_dukes"), rules.multiple_five_dukes, dukes
    if rules.five_small:
        yield say("hand.five_small"), rules.multiple_five_small, "rules.five_small"
    if rules.ngau_tonku:
        tonku = "rules.tonku_tens" if rules.tonku_tens else "rules.ngau_tonku"
        yield say("hand.ngau_tonku"), rules.multiple_ngau_tonku, tonku
    double = "rules.mixed_double" if rules.mixed_double else "rules.double_ox"
    yield say("hand.double_ox", rank="K–A"), rules.multiple_double_ox, double
    yield say("hand.single_ox", points=10), rules.multiple_ox_of_ten, "rules.ox_of_ten"
    yield say("rules.single_name"), rules.multiple_single_ox, "rules.single_ox"


def _knobs(rules: HouseRules) -> Iterator[str]:
    for name in HouseRules.model_fields:
        without_effect = name == "tonku_tens" and not rules.ngau_tonku
        if not name.startswith(_IN_THE_ORDER) and not without_effect:
            yield say("rules.knob", setting=_setting(getattr(rules, name)), what=say(f"knob.{name}"))


def _setting(value: bool | int | StrEnum) -> str:
    if isinstance(value, bool):
        return say("setting.on" if value else "setting.off")
    if isinstance(value, StrEnum):
        return say(f"setting.{value.value}")
    return say("setting.number", setting=value)
