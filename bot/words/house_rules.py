"""Sentences about the rules in force, made from the declarations of the game and its knobs."""

from collections.abc import Iterator

from bot.games.knob_list import knobs_of
from bot.games.multiples import largest_multiple, ranked_hands
from bot.games.presets import preset_of
from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.words.rule_names import knob_words, preset_title, setting_words
from bot.words.translation import sentences, translate, translated


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that equals these rules; `House rules` if none does."""
    return preset_title(preset_of(rules))


def play_words(rules: HouseRules) -> str:
    """How a round goes under these rules, in sentences on one line."""
    return sentences(_play(rules))


def _play(rules: HouseRules) -> Iterator[str]:
    display = game_of(rules).display
    yield from map(translated, display.how_to_play(rules))
    yield translated(display.ties(rules))
    yield translate(f"rules.arrange.{rules.game}.{rules.arrange}")
    yield translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
    if rules.play is Play.POINTS:
        yield translate("rules.points")
    else:
        yield translate("rules.held", most=largest_multiple(rules))


def rank_lines(rules: HouseRules) -> Iterator[str]:
    """One line for each class of hands, strongest first, with what it takes and wins."""
    worth = "rules.hand_points" if rules.play is Play.POINTS else "rules.hand"
    for place, row in enumerate(ranked_hands(rules), start=1):
        line = worth if row.multiple else "rules.loses"
        yield translate(
            line, place=place, name=translated(row.title), multiple=row.multiple, what=translated(row.takes)
        )


def knob_lines(rules: HouseRules) -> Iterator[str]:
    """One line for each knob that is played by, with its value."""
    for knob in knobs_of(rules.game):
        # Multiples are listed with their hands; nobody plays by which channel has what.
        if knob.kind != "channels" and not (knob.pays and knob.kind == "number"):
            yield translate(
                "rules.knob", setting=setting_words(rules, knob.name), what=knob_words(knob, rules.game)
            )
