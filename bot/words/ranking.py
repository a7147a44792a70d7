"""The classes of hands that are in force, the strongest first: what each wins, and what it takes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.rules.knobs import EVEN_MONEY, GameName, HouseRules
from bot.words.translation import translate


@dataclass(frozen=True, slots=True)
class Ranked:
    """Hands that are of one class and win the same.

    Attributes:
        name: what they are called.
        multiple: what they win, in stakes or points, the suited bonus apart; 0 where they never win.
        what: what it takes to have one.
    """

    name: str
    multiple: int
    what: str


def ranking(rules: HouseRules) -> tuple[Ranked, ...]:
    """The classes of hands in force, the strongest first (G16, T08)."""
    return tuple(_RANKINGS[rules.game](rules))


def _ranking_of_gnau(rules: HouseRules) -> Iterator[Ranked]:
    dukes = "rules.five_dukes_tens" if rules.five_dukes_tens else "rules.five_dukes"
    yield Ranked(translate("hand.five_dukes"), rules.multiple_five_dukes, translate(dukes))
    if rules.five_small:
        yield Ranked(translate("hand.five_small"), rules.multiple_five_small, translate("rules.five_small"))
    if rules.ngau_tonku:
        tonku = "rules.tonku_tens" if rules.tonku_tens else "rules.ngau_tonku"
        yield Ranked(translate("hand.ngau_tonku"), rules.multiple_ngau_tonku, translate(tonku))
    double = "rules.mixed_double" if rules.mixed_double else "rules.double_ox"
    yield Ranked(translate("hand.double_ox", rank="K–A"), rules.multiple_double_ox, translate(double))
    yield Ranked(
        translate("hand.single_ox", points=10), rules.multiple_ox_of_ten, translate("rules.ox_of_ten")
    )
    yield Ranked(translate("rules.single_name"), rules.multiple_single_ox, translate("rules.single_ox"))
    yield Ranked(translate("hand.no_ox"), 0, translate("rules.no_ox"))


def _ranking_of_tau_ngau(_rules: HouseRules) -> Iterator[Ranked]:
    yield Ranked(translate("rules.score_name"), EVEN_MONEY, translate("rules.score"))
    yield Ranked(translate("hand.stuck"), 0, translate("rules.stuck"))


_RANKINGS: Final[Mapping[GameName, Callable[[HouseRules], Iterator[Ranked]]]] = MappingProxyType(
    {GameName.GNAU: _ranking_of_gnau, GameName.TAU_NGAU: _ranking_of_tau_ngau}
)
