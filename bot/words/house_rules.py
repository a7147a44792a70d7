"""The rules in force, told from the knobs' own declarations."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from bot.rules.declarations import knobs_of
from bot.rules.games import game_of
from bot.rules.knobs import EVEN_MONEY, GameName, HouseRules, Play
from bot.rules.presets import preset_of
from bot.words.settings import preset_title, setting_words
from bot.words.speech import say

_IN_THE_ORDER: Final = "multiple_"
"""Knobs whose names begin so are told with the hand that they price."""

_Line = tuple[str, int, str]
"""The name of hands, their multiple (0 where they never win), and the code of what they take."""


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
            say("rules.title", preset=rules_name(rules)),
            " ".join(_play(rules)),
            say("rules.order"),
            *_order(rules),
            say("rules.knobs"),
            *_knobs(rules),
        ]
    )


def _play(rules: HouseRules) -> Iterator[str]:
    """How a round goes, in sentences."""
    game = game_of(rules)
    sizes = {"fewest": game.fewest_players, "most": game.most_players, "pack": game.pack_size}
    yield say(f"rules.play.{rules.game}", **sizes)
    if rules.game is GameName.TAU_NGAU:
        yield say("rules.wild.on" if rules.wild_in_score else "rules.wild.off")
    yield say(f"rules.arrange.{rules.game}.{rules.arrange}")
    yield say(f"rules.ties.{rules.game}.{rules.ties}")
    yield say(f"rules.bank.{rules.game}.{rules.bank_passes}")
    if rules.play is Play.POINTS:
        yield say("rules.points")
    else:
        yield say("rules.held", most=rules.largest_multiple)


def _order(rules: HouseRules) -> Iterator[str]:
    """A line a class of hands, those in force, the strongest first (G16, T08)."""
    worth = "rules.hand_points" if rules.play is Play.POINTS else "rules.hand"
    for place, (name, multiple, what) in enumerate(_HANDS[rules.game](rules), start=1):
        line = worth if multiple else "rules.loses"
        yield say(line, place=place, name=name, multiple=multiple, what=say(what))


def _hands_of_gnau(rules: HouseRules) -> Iterator[_Line]:
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
    yield say("hand.no_ox"), 0, "rules.no_ox"


def _hands_of_tau_ngau(_rules: HouseRules) -> Iterator[_Line]:
    yield say("rules.score_name"), EVEN_MONEY, "rules.score"
    yield say("hand.stuck"), 0, "rules.stuck"


_HANDS: Final[Mapping[GameName, Callable[[HouseRules], Iterator[_Line]]]] = MappingProxyType(
    {GameName.GNAU: _hands_of_gnau, GameName.TAU_NGAU: _hands_of_tau_ngau}
)


def _knobs(rules: HouseRules) -> Iterator[str]:
    for knob in knobs_of(rules.game):
        without_effect = knob.name == "tonku_tens" and not rules.ngau_tonku
        if not knob.name.startswith(_IN_THE_ORDER) and not without_effect:
            yield say("rules.knob", setting=setting_words(rules, knob.name), what=say(f"knob.{knob.name}"))
