"""Sentences about the rules in force, made from the declarations of the knobs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.games.knob_list import knobs_of
from bot.games.presets import preset_of
from bot.games.register import game_of
from bot.rules.knobs import EVEN_MONEY, GameName, HouseRules, Play
from bot.words.rule_names import preset_title, setting_words
from bot.words.translation import translate

_MULTIPLES: Final = "multiple_"
"""How the names of knobs begin that are listed with their hands."""


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that equals these rules; `House rules` if none does."""
    return preset_title(preset_of(rules))


def rules_text(rules: HouseRules) -> str:
    """How the game goes, the hands in order with their multiples, and every knob of the game.

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
    """How a round goes under these rules, in sentences on one line."""
    return " ".join(_play(rules))


def _play(rules: HouseRules) -> Iterator[str]:
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
    """One line for each class of hands, strongest first."""
    worth = "rules.hand_points" if rules.play is Play.POINTS else "rules.hand"
    for place, ranked in enumerate(hand_ranking(rules), start=1):
        line = worth if ranked.multiple else "rules.loses"
        yield translate(line, place=place, name=ranked.name, multiple=ranked.multiple, what=ranked.what)


def _knobs(rules: HouseRules) -> Iterator[str]:
    for knob in knobs_of(rules.game):
        without_effect = knob.name == "tonku_tens" and not rules.ngau_tonku
        if not knob.name.startswith(_MULTIPLES) and not without_effect:
            yield translate(
                "rules.knob", setting=setting_words(rules, knob.name), what=translate(f"knob.{knob.name}")
            )


@dataclass(frozen=True, slots=True)
class RankedHand:
    """A class of hands that win the same.

    Attributes:
        name: its name.
        multiple: what it wins, as a multiple of the bet or in points, without the suited bonus; 0 if nothing.
        what: what it takes.
    """

    name: str
    multiple: int
    what: str


def hand_ranking(rules: HouseRules) -> tuple[RankedHand, ...]:
    """The classes of hands in force, strongest first (G16, T08)."""
    return tuple(_RANKINGS[rules.game](rules))


def _ranking_of_gnau(rules: HouseRules) -> Iterator[RankedHand]:
    dukes = "rules.five_dukes_tens" if rules.five_dukes_tens else "rules.five_dukes"
    yield RankedHand(translate("hand.five_dukes"), rules.multiple_five_dukes, translate(dukes))
    if rules.five_small:
        yield RankedHand(
            translate("hand.five_small"), rules.multiple_five_small, translate("rules.five_small")
        )
    if rules.ngau_tonku:
        tonku = "rules.tonku_tens" if rules.tonku_tens else "rules.ngau_tonku"
        yield RankedHand(translate("hand.ngau_tonku"), rules.multiple_ngau_tonku, translate(tonku))
    double = "rules.mixed_double" if rules.mixed_double else "rules.double_ox"
    yield RankedHand(translate("hand.double_ox", rank="K–A"), rules.multiple_double_ox, translate(double))
    yield RankedHand(
        translate("hand.single_ox", points=10), rules.multiple_ox_of_ten, translate("rules.ox_of_ten")
    )
    yield RankedHand(translate("rules.single_name"), rules.multiple_single_ox, translate("rules.single_ox"))
    yield RankedHand(translate("hand.no_ox"), 0, translate("rules.no_ox"))


def _ranking_of_tau_ngau(_rules: HouseRules) -> Iterator[RankedHand]:
    yield RankedHand(translate("rules.score_name"), EVEN_MONEY, translate("rules.score"))
    yield RankedHand(translate("hand.stuck"), 0, translate("rules.stuck"))


_RANKINGS: Final[Mapping[GameName, Callable[[HouseRules], Iterator[RankedHand]]]] = MappingProxyType(
    {GameName.GNAU: _ranking_of_gnau, GameName.TAU_NGAU: _ranking_of_tau_ngau}
)
