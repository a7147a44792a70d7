"""Every refusal of a table, as a code with facts; `bot.words` has the sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self


class Refusal(StrEnum):
    """Why a table refuses a command.

    Attributes:
        facts: what its sentence names: chips, seat and round numbers, members as parties. `needed` is what
            must be held, `wallet` what is free, `most` the largest bet that is accepted.
    """

    facts: tuple[str, ...]

    def __new__(cls, code: str, *facts: str) -> Self:
        """A code, and the names of its facts."""
        refusal = str.__new__(cls, code)
        refusal._value_ = code
        refusal.facts = facts
        return refusal

    TABLE_CLOSED = "table_closed"
    TABLE_CLOSES = "table_closes"
    TABLE_FULL = "table_full", "seats"
    ALREADY_SEATED = "already_seated", "seat"
    HOLDS_THE_BANK = "holds_the_bank"
    NOT_SEATED = "not_seated"
    NO_BANK = "no_bank"
    BANK_TAKEN = "bank_taken", "banker"
    NOT_BANKER = "not_banker", "banker"
    LIMITS_CROSSED = "limits_crossed", "lowest", "highest"
    BANK_TOO_POOR = "bank_too_poor", "lowest", "needed", "wallet", "most"
    STAKE_BELOW_LOWEST = "stake_below_lowest", "stake", "lowest", "highest"
    STAKE_ABOVE_HIGHEST = "stake_above_highest", "stake", "lowest", "highest"
    PLAYER_CANNOT_COVER = "player_cannot_cover", "stake", "needed", "wallet", "most"
    PLAYER_TOO_POOR = "player_too_poor", "lowest", "needed", "wallet"
    BANK_NEEDS_ROLE = "bank_needs_role", "role"
    BANK_ROLE_NOT_KNOWN = "bank_role_not_known"
    OWN_LIMIT = "own_limit", "left", "times", "until"
    BANK_CANNOT_COVER = "bank_cannot_cover", "stake", "most"
    BANK_EXHAUSTED = "bank_exhausted", "lowest"
    ALREADY_DEALT = "already_dealt"
    NOT_DEALT = "not_dealt"
    NOBODY_HAS_BET = "nobody_has_bet"
    NO_BET_OF_YOURS = "no_bet_of_yours"
    SITS_AT_TABLE = "sits_at_table"
    HAS_OWN_BET = "has_own_bet", "stake"
    NO_BET_TO_BACK = "no_bet_to_back"
    NO_SIDE_BET_OF_YOURS = "no_side_bet_of_yours"
    SIDE_BETS_FULL = "side_bets_full", "most"
    TOURNAMENT_TABLE = "tournament_table"
    EVERYBODY_BETS = "everybody_bets"
    TOURNAMENT_GOES_ON = "tournament_goes_on"
    PLAYED_FOR_POINTS = "played_for_points"
    NO_HAND = "no_hand"
    ALREADY_REVEALED = "already_revealed"
    ROUND_IS_OVER = "round_is_over", "meant", "now"
    MAY_NOT_CLOSE = "may_not_close", "opener"
    BETS_ARE_DOWN = "bets_are_down", "number", "channel", "chips"
    NOT_DUE = "not_due"
    ARRANGED_BY_TABLE = "arranged_by_table"
    NOT_AN_OX = "not_an_ox", "totals"
    BACKED_HAND = "backed_hand"
    TIME_IS_UP = "time_is_up"
    STRONGEST_COUNTED = "strongest_counted", "round"
    CHOICE_COUNTED = "choice_counted", "round"
    DICE_PICK_BANKER = "dice_pick_banker"
    NO_DICE_FOR_BANK = "no_dice_for_bank"
    TOO_FEW_SEATED = "too_few_seated", "fewest", "seated"
    NOBODY_CAN_BANK = "nobody_can_bank", "lowest", "needed"
    TOO_FEW_BETS = "too_few_bets", "fewest", "bets"
    LIMITS_OUTSIDE_HOUSE = "limits_outside_house", "lowest", "highest"
    BETS_ALREADY_PLACED = "bets_already_placed"
    CLIENT_SEED_LENGTH = "client_seed_length", "longest"
    NOT_PLAYING = "not_playing"
    HOUSE_HAS_BANK = "house_has_bank"
    HOUSE_DOES_NOT_BANK = "house_does_not_bank"
    HOUSE_ALWAYS_BANKS = "house_always_banks"
    HOUSE_KEEPS_BANK = "house_keeps_bank"
    HOUSE_CANNOT_COVER = "house_cannot_cover", "lowest"
    HOUSE_HAS_NO_ROOM = "house_has_no_room", "most", "seated"


OF_CHIPS: Final = frozenset({Refusal.BANK_TOO_POOR, Refusal.PLAYER_CANNOT_COVER, Refusal.PLAYER_TOO_POOR})
"""Why a member with more chips to lose could do what they asked for."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a command that is refused."""

    code: Refusal
    facts: Mapping[str, int | str]


def refuse(code: Refusal, **facts: int | str) -> Refused:
    """Makes a refusal."""
    if set(facts) != set(code.facts):
        raise TypeError(f"{code} goes with the facts {code.facts}, not with {tuple(facts)}")
    return Refused(code, MappingProxyType(facts))
