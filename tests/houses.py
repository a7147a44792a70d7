"""Houses for tests that only know rules."""

from bot.games.house import House
from bot.games.knob_list import knobs_of
from bot.games.presets import DEFAULT_PRESETS, PRESETS
from bot.rules.knobs import About, HouseRules


def house_with(rules: HouseRules) -> House:
    """A house whose game has exactly these rules."""
    usual = PRESETS[DEFAULT_PRESETS[rules.game]]

    def values(*about: About) -> dict[str, object]:
        return {knob.name: getattr(rules, knob.name) for knob in knobs_of(rules.game, *about)}

    own = values(About.WORTH, About.ROUND)
    differs = any(value != getattr(usual, name) for name, value in own.items())
    return House(overrides={rules.game: own} if differs else {}, hosting=values(About.HOSTING))
