"""Every reason to say no, as a code with the facts that a sentence needs; `words` has the sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Refusal(StrEnum):
    """Why a table does not do what it was asked."""

    TABLE_CLOSED = "table_closed"
    TABLE_FULL = "table_full"
    ALREADY_SEATED = "already_seated"
    HOLDS_THE_BANK = "holds_the_bank"
    NOT_SEATED = "not_seated"
    NO_BANK = "no_bank"
    BANK_TAKEN = "bank_taken"
    NOT_BANKER = "not_banker"
    LIMITS_CROSSED = "limits_crossed"
    BANK_TOO_POOR = "bank_too_poor"
    STAKE_BELOW_LOWEST = "stake_below_lowest"
    STAKE_ABOVE_HIGHEST = "stake_above_highest"
    PLAYER_CANNOT_COVER = "player_cannot_cover"
    PLAYER_TOO_POOR = "player_too_poor"
    BANK_CANNOT_COVER = "bank_cannot_cover"
    BANK_EXHAUSTED = "bank_exhausted"
    CARDS_ARE_OUT = "cards_are_out"
    NO_CARDS_OUT = "no_cards_out"
    NOBODY_HAS_BET = "nobody_has_bet"
    NO_BET_OF_YOURS = "no_bet_of_yours"
    NO_HAND = "no_hand"
    ALREADY_SHOWN = "already_shown"
    ROUND_IS_OVER = "round_is_over"
    MAY_NOT_CLOSE = "may_not_close"
    NOT_DUE = "not_due"


FACTS: Final[Mapping[Refusal, tuple[str, ...]]] = MappingProxyType(
    {
        Refusal.TABLE_CLOSED: (),
        Refusal.TABLE_FULL: ("seats",),
        Refusal.ALREADY_SEATED: ("seat",),
        Refusal.HOLDS_THE_BANK: (),
        Refusal.NOT_SEATED: (),
        Refusal.NO_BANK: (),
        Refusal.BANK_TAKEN: ("banker",),
        Refusal.NOT_BANKER: ("banker",),
        Refusal.LIMITS_CROSSED: ("lowest", "highest"),
        Refusal.BANK_TOO_POOR: ("lowest", "needed", "wallet", "most"),
        Refusal.STAKE_BELOW_LOWEST: ("stake", "lowest", "highest"),
        Refusal.STAKE_ABOVE_HIGHEST: ("stake", "lowest", "highest"),
        Refusal.PLAYER_CANNOT_COVER: ("stake", "needed", "wallet", "most"),
        Refusal.PLAYER_TOO_POOR: ("lowest", "needed", "wallet"),
        Refusal.BANK_CANNOT_COVER: ("stake", "most"),
        Refusal.BANK_EXHAUSTED: ("lowest",),
        Refusal.CARDS_ARE_OUT: (),
        Refusal.NO_CARDS_OUT: (),
        Refusal.NOBODY_HAS_BET: (),
        Refusal.NO_BET_OF_YOURS: (),
        Refusal.NO_HAND: (),
        Refusal.ALREADY_SHOWN: (),
        Refusal.ROUND_IS_OVER: ("meant", "now"),
        Refusal.MAY_NOT_CLOSE: ("opener",),
        Refusal.NOT_DUE: (),
    }
)
"""The facts that go with each refusal: chips, seat and round numbers as whole numbers, members by name.

`needed` is what must be held, `wallet` what is free to be held, `most` the largest stake that would do.
"""


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that changes nothing.

    Attributes:
        code: why.
        facts: what a sentence about it needs, as `FACTS` lists it.
    """

    code: Refusal
    facts: Mapping[str, int | str]


def refuse(code: Refusal, **facts: int | str) -> Refused:
    """Makes a refusal of its code and its facts.

    Raises:
        TypeError: where the facts are not the ones that `FACTS` lists.
    """
    if set(facts) != set(FACTS[code]):
        raise TypeError(f"{code} goes with the facts {FACTS[code]}, not with {tuple(facts)}")
    return Refused(code, MappingProxyType(facts))
