"""The knobs and the preset of Niu Niu."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal

from bot.rules.house_rules import CardRules
from bot.rules.knobs import Multiple, pay, worth


class NiuTies(StrEnum):
    """Who wins if two hands are of the same class and number (N09)."""

    CARDS = "cards"
    BANKER = "banker"
    PUSH = "push"


class NiuNiuRules(CardRules):
    """The house rules of Niu Niu. The defaults are the preset `niu-niu`."""

    game: Literal["niu-niu"] = "niu-niu"
    game_version: Literal[1] = 1

    five_small: bool = worth(
        True, "N05", "Five cards from ace to 4 that total 10 or less are Five Small, which ranks first."
    )
    bomb: bool = worth(True, "N06", "Four cards of the same rank are a Bomb, which ranks above Five Flowers.")
    five_flowers: bool = worth(True, "N07", "Five cards that are J, Q or K are Five Flowers.")

    multiple_five_small: Multiple = pay(8, "N08", "What Five Small wins, as a multiple of the bet.")
    multiple_bomb: Multiple = pay(6, "N08", "What a Bomb wins, as a multiple of the bet.")
    multiple_five_flowers: Multiple = pay(5, "N08", "What Five Flowers wins, as a multiple of the bet.")
    multiple_niu_niu: Multiple = pay(4, "N08", "What Niu Niu wins, as a multiple of the bet.")
    multiple_niu_9: Multiple = pay(3, "N08", "What Niu 9 wins, as a multiple of the bet.")
    multiple_niu_8: Multiple = pay(2, "N08", "What Niu 8 wins, as a multiple of the bet.")
    multiple_niu_7: Multiple = pay(2, "N08", "What Niu 7 wins, as a multiple of the bet.")
    multiple_low_niu: Multiple = pay(1, "N08", "What Niu 6 to Niu 1 win, as a multiple of the bet.")
    multiple_no_niu: Multiple = pay(1, "N10", "What No Niu wins, as a multiple of the bet.")
    niu_ties: NiuTies = worth(
        NiuTies.CARDS,
        "N09",
        "Who wins between equal hands: the highest card, the banker, or nobody.",
    )


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"niu-niu": {}})
"""The values that are met most often (N08)."""
