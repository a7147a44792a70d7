"""Reasons why house rules are impossible, each with the facts for its sentence."""

from enum import StrEnum


class WrongRule(StrEnum):
    """What is wrong with a knob, a value or a preset."""

    UNKNOWN_PRESET = "unknown_preset"
    UNKNOWN_KNOB = "unknown_knob"
    LIKELY_TYPO = "likely_typo"
    FIXED_KNOB = "fixed_knob"
    OTHER_GAME = "other_game"
    NO_KNOB = "no_knob"
    NO_VALUE = "no_value"
    NOT_A_SWITCH = "not_a_switch"
    NOT_A_CHOICE = "not_a_choice"
    NOT_A_NUMBER = "not_a_number"
    NOT_CHANNELS = "not_channels"
    TOO_MANY_CHANNELS = "too_many_channels"
    UNKNOWN_CHANNEL = "unknown_channel"
    CATEGORY = "category"
    NO_MESSAGES = "no_messages"
    MAY_NOT_POST = "may_not_post"
    NOT_A_CURRENCY = "not_a_currency"
    NOT_AN_EMOJI = "not_an_emoji"
    TONKU_TENS_ALONE = "tonku_tens_alone"
    STAKES_CROSSED = "stakes_crossed"


class WrongRuleError(ValueError):
    """Impossible house rules.

    Args:
        code: what is wrong.
        **facts: what its sentence names.
    """

    def __init__(self, code: WrongRule, **facts: int | str) -> None:
        super().__init__(" ".join([code, *map(str, facts.values())]))
        self.code = code
        self.facts = facts
