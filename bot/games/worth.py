"""What of house rules decides how hands rank and what they win."""

from functools import lru_cache
from typing import Final

from bot.games.knob_list import knobs_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About

_RULES_KEPT: Final = 256


@lru_cache(maxsize=_RULES_KEPT)
def worth_of(rules: HouseRules) -> HouseRules:
    """These rules, with every knob that is not about what hands are worth at its default.

    Games see no other knobs when they rank hands. So houses that differ only in these share what is cached.
    """
    fields = type(rules).model_fields
    others = (knob.name for knob in knobs_of(rules.game) if knob.about is not About.WORTH)
    return rules.model_copy(update={name: fields[name].default for name in others})
