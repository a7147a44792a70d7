"""Every refusal of a table, as a code with facts; `bot.words` has the sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Refusal(StrEnum):
    """Why a table refuses a command."""

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
    ALREADY_DEALT = "already_dealt"
    NOT_DEALT = "not_dealt"
    NOBODY_HAS_BET = "nobody_has_bet"
    NO_BET_OF_YOURS = "no_bet_of_yours"
    SITS_AT_TABLE = "sits_at_table"
    NO_BET_TO_BACK = "no_bet_to_back"
    NO_SIDE_BET_OF_YOURS = "no_side_bet_of_yours"
    SIDE_BETS_FULL = "side_bets_full"
    PLAYED_FOR_POINTS = "played_for_points"
    NO_HAND = "no_hand"
    ALREADY_REVEALED = "already_revealed"
    ROUND_IS_OVER = "round_is_over"
    MAY_NOT_CLOSE = "may_not_close"
    NOT_DUE = "not_due"
    ARRANGED_BY_TABLE = "arranged_by_table"
    NOT_AN_OX = "not_an_ox"
    BACKED_HAND = "backed_hand"
    TIME_IS_UP = "time_is_up"
    DICE_PICK_BANKER = "dice_pick_banker"
    NO_DICE_FOR_BANK = "no_dice_for_bank"
    TOO_FEW_SEATED = "too_few_seated"
    NOBODY_CAN_BANK = "nobody_can_bank"
    TOO_FEW_BETS = "too_few_bets"
    LIMITS_OUTSIDE_HOUSE = "limits_outside_house"
    BETS_ALREADY_PLACED = "bets_already_placed"
    CLIENT_SEED_LENGTH = "client_seed_length"
    NOT_PLAYING = "not_playing"
    HOUSE_HAS_BANK = "house_has_bank"
    HOUSE_DOES_NOT_BANK = "house_does_not_bank"
    HOUSE_ALWAYS_BANKS = "house_always_banks"
    HOUSE_KEEPS_BANK = "house_keeps_bank"
    HOUSE_CANNOT_COVER = "house_cannot_cover"
    HOUSE_HAS_NO_ROOM = "house_has_no_room"


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
        Refusal.ALREADY_DEALT: (),
        Refusal.NOT_DEALT: (),
        Refusal.NOBODY_HAS_BET: (),
        Refusal.NO_BET_OF_YOURS: (),
        Refusal.SITS_AT_TABLE: (),
        Refusal.NO_BET_TO_BACK: (),
        Refusal.NO_SIDE_BET_OF_YOURS: (),
        Refusal.SIDE_BETS_FULL: ("most",),
        Refusal.PLAYED_FOR_POINTS: (),
        Refusal.NO_HAND: (),
        Refusal.ALREADY_REVEALED: (),
        Refusal.ROUND_IS_OVER: ("meant", "now"),
        Refusal.MAY_NOT_CLOSE: ("opener",),
        Refusal.NOT_DUE: (),
        Refusal.ARRANGED_BY_TABLE: (),
        Refusal.NOT_AN_OX: ("totals",),
        Refusal.BACKED_HAND: (),
        Refusal.TIME_IS_UP: (),
        Refusal.DICE_PICK_BANKER: (),
        Refusal.NO_DICE_FOR_BANK: (),
        Refusal.TOO_FEW_SEATED: ("fewest", "seated"),
        Refusal.NOBODY_CAN_BANK: ("lowest", "needed"),
        Refusal.TOO_FEW_BETS: ("fewest", "bets"),
        Refusal.LIMITS_OUTSIDE_HOUSE: ("lowest", "highest"),
        Refusal.BETS_ALREADY_PLACED: (),
        Refusal.CLIENT_SEED_LENGTH: ("longest",),
        Refusal.NOT_PLAYING: (),
        Refusal.HOUSE_HAS_BANK: (),
        Refusal.HOUSE_DOES_NOT_BANK: (),
        Refusal.HOUSE_ALWAYS_BANKS: (),
        Refusal.HOUSE_KEEPS_BANK: (),
        Refusal.HOUSE_CANNOT_COVER: ("lowest",),
        Refusal.HOUSE_HAS_NO_ROOM: ("most", "seated"),
    }
)
"""The facts of each refusal: chips, seat and round numbers, and members as parties.

`needed` is what must be held, `wallet` what is free, `most` the largest bet that is accepted.
"""


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a command that is refused."""

    code: Refusal
    facts: Mapping[str, int | str]


def refuse(code: Refusal, **facts: int | str) -> Refused:
    """Makes a refusal."""
    if set(facts) != set(FACTS[code]):
        raise TypeError(f"{code} goes with the facts {FACTS[code]}, not with {tuple(facts)}")
    return Refused(code, MappingProxyType(facts))
