"""The knobs and the presets of Gnau."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, Self

from pydantic import model_validator

from bot.rules.house_rules import CardRules
from bot.rules.knobs import Multiple, SuitedBonus, Ties, pay, worth
from bot.rules.wrong_rules import WrongRule, WrongRuleError


class GnauRules(CardRules):
    """The house rules of Gnau. The defaults are the preset `wikipedia`."""

    fallbacks = MappingProxyType({"multiple_ox_of_ten": "multiple_single_ox"})

    game: Literal["gnau"] = "gnau"
    game_version: Literal[1] = 1

    flex_3_6: bool = worth(True, "G04", "A 3 or a 6 can count as either 3 or 6.")
    triple_ox: bool = worth(True, "G07", "Three cards of the same rank are an ox, whatever they total.")
    five_dukes_tens: bool = worth(False, "G08", "Tens count as dukes for Five Dukes.")
    five_small: bool = worth(True, "G09", "Five cards from ace to 4 are Five Small, which ranks second.")
    ngau_tonku: bool = worth(True, "G10", "The ace of spades and a duke as power cards are Ngau Tonku.")
    tonku_tens: bool = worth(False, "G10", "A ten can be the duke of Ngau Tonku.")
    mixed_double: bool = worth(False, "G13", "3 and 6 count as a pair: Double-Ox 6.")

    multiple_five_dukes: Multiple = pay(7, "G18", "What Five Dukes wins, as a multiple of the bet.")
    multiple_five_small: Multiple = pay(7, "G18", "What Five Small wins, as a multiple of the bet.")
    multiple_ngau_tonku: Multiple = pay(5, "G18", "What Ngau Tonku wins, as a multiple of the bet.")
    multiple_double_ox: Multiple = pay(3, "G18", "What a Double-Ox wins, as a multiple of the bet.")
    multiple_ox_of_ten: Multiple = pay(
        1, "G18", "What an Ox of 10 wins, as a multiple of the bet; if not set, as any other Single-Ox."
    )
    multiple_single_ox: Multiple = pay(1, "G18", "What any other Single-Ox wins, as a multiple of the bet.")
    suited_bonus: SuitedBonus = pay(
        SuitedBonus.OFF, "G21", "Which cards must have one suit for a hand with an ox to pay double."
    )
    ties: Ties = worth(Ties.BANKER, "G20", "Who wins a tie: the banker, or nobody (a push).")

    @model_validator(mode="after")
    def _tens_need_tonku(self) -> Self:
        if self.tonku_tens and not self.ngau_tonku:
            raise WrongRuleError(WrongRule.TONKU_TENS_ALONE)
        return self


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "wikipedia": {},
        "points": {
            "multiple_five_dukes": 10,
            "multiple_five_small": 10,
            "multiple_ngau_tonku": 5,
            "multiple_double_ox": 2,
            "multiple_single_ox": 1,
        },
        "lodige": {
            "triple_ox": False,
            "five_small": False,
            "five_dukes_tens": True,
            "mixed_double": True,
            "multiple_five_dukes": 10,
            "multiple_ngau_tonku": 5,
            "multiple_double_ox": 2,
            "multiple_single_ox": 1,
        },
    }
)
"""The payouts of the Wikipedia article "Gnau" (G18), the scores of casual play (G19), and lodige.com."""
