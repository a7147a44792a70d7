"""The rules in force, told from the knobs' own declarations."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from bot.rules.games import game_of
from bot.rules.knob_list import knobs_of
from bot.rules.knobs import GameName, HouseRules, Play
from bot.rules.presets import preset_of
from bot.words.ranking import ranking
from bot.words.settings import preset_title, setting_words
from bot.words.speech import translate

_IN_THE_ORDER: Final = "multiple_"
"""Knobs whose names begin so are told with the hand that they price."""


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that these rules are, or that they are a house's own."""
    return preset_title(preset_of(rules))


def rules_text(rules: HouseRules) -> str:
    """How the game goes, the order of the hands with their multiples, and every knob that the game knows.

    Returns:
        Discord markdown, at most 3,500 characters.
    """
    return "\n".join(
        [
            translate("rules.title", preset=rules_name(rules)),
            play_words(rules),
            translate("rules.order"),
            *_order(rules),
            translate("rules.knobs"),
            *_knobs(rules),
        ]
    )


def play_words(rules: HouseRules) -> str:
    """How a round of the game goes, under these rules, in sentences on one line."""
    return " ".join(_play(rules))


def _play(rules: HouseRules) -> Iterator[str]:
    """How a round goes, in sentences."""
    yield from _PLAY[rules.game](rules)
    yield translate(f"rules.arrange.{rules.game}.{rules.arrange}")
    yield translate(f"rules.ties.{rules.game}.{rules.ties}")
    yield translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
    if rules.play is Play.POINTS:
        yield translate("rules.points")
    else:
        yield translate("rules.held", most=rules.largest_multiple)


def _play_of_gnau(rules: HouseRules) -> Iterator[str]:
    yield translate("rules.play.gnau")
    yield translate("rules.ox_triple" if rules.triple_ox else "rules.ox")
    yield translate("rules.points_of_cards_flex" if rules.flex_3_6 else "rules.points_of_cards")
    yield translate("rules.better")


def _play_of_tau_ngau(rules: HouseRules) -> Iterator[str]:
    game = game_of(rules)
    sizes = {"fewest": game.fewest_players, "most": game.most_players, "pack": game.pack_size}
    yield translate("rules.play.tau-ngau", **sizes)
    yield translate("rules.wild.on" if rules.wild_in_score else "rules.wild.off")


_PLAY: Final[Mapping[GameName, Callable[[HouseRules], Iterator[str]]]] = MappingProxyType(
    {GameName.GNAU: _play_of_gnau, GameName.TAU_NGAU: _play_of_tau_ngau}
)


def _order(rules: HouseRules) -> Iterator[str]:
    """A line a class of hands."""
    worth = "rules.hand_points" if rules.play is Play.POINTS else "rules.hand"
    for place, ranked in enumerate(ranking(rules), start=1):
        line = worth if ranked.multiple else "rules.loses"
        yield translate(line, place=place, name=ranked.name, multiple=ranked.multiple, what=ranked.what)


def _knobs(rules: HouseRules) -> Iterator[str]:
    for knob in knobs_of(rules.game):
        without_effect = knob.name == "tonku_tens" and not rules.ngau_tonku
        if not knob.name.startswith(_IN_THE_ORDER) and not without_effect:
            yield translate(
                "rules.knob", setting=setting_words(rules, knob.name), what=translate(f"knob.{knob.name}")
            )
