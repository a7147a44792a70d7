"""Houses for tests that only know rules."""

from typing import Any, Final

from bot.games.house import House
from bot.games.knobs import PRESETS, knobs_of
from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import OF_ALL_GAMES, About

_LONG_EMOJI: Final = f"<a:{'W' * 32}:{2**63}>"
TEXTS: Final = {
    "week_role": ("", "<@&123456789012345678>"),
    "rounds_role": ("", "<@&12345678901234567890>"),
    "open_role": ("", "<@&123456789012345678>"),
    "bank_role": ("", "<@&12345678901234567890>"),
    "currency_name": ("", "gold", "à la carte", "W" * 24),
    "currency_emoji": ("", "🥚", _LONG_EMOJI),
}
"""Some values of each knob that is a text, the longest last."""


def value_of(rules: HouseRules, knob: str) -> Any:
    """The value of a knob that only the rules of some game have."""
    return getattr(rules, knob)


def house_with(rules: HouseRules, **settings: object) -> House:
    """A house whose game has exactly these rules, and whose server has these settings."""
    usual = PRESETS[GAMES[rules.game].default_preset]

    def values(*about: About) -> dict[str, object]:
        return {knob.name: getattr(rules, knob.name) for knob in knobs_of(rules.game, *about)}

    own = values(About.WORTH, About.ROUND)
    differs = any(value != getattr(usual, name) for name, value in own.items())
    return House(overrides={rules.game: own} if differs else {}, hosting=values(*OF_ALL_GAMES) | settings)
