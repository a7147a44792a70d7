"""Sentences about the rules in force, made from the declarations of the game and its knobs."""

from collections.abc import Iterator

from bot.games.knob_list import knobs_of
from bot.games.multiples import largest_multiple, ranked_hands
from bot.games.presets import preset_of
from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.words.rule_names import knob_words, preset_title, setting_words
from bot.words.translation import translate, translated


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that equals these rules; `House rules` if none does."""
    return preset_title(preset_of(rules))


def rules_text(rules: HouseRules) -> str:
    """How the game goes, the hands in order with their multiples, and every knob that is played by.

    Returns:
        Discord markdown, at most 3,500 characters.
    """
    return "\n".join(
        [
            translate("rules.title", preset=rules_name(rules)),
            play_words(rules),
            translate("rules.order"),
            *_order(rules),
            translate("rules.knobs"),
            *_knobs(rules),
        ]
    )


def play_words(rules: HouseRules) -> str:
    """How a round goes under these rules, in sentences on one line."""
    return " ".join(_play(rules))


def _play(rules: HouseRules) -> Iterator[str]:
    yield from map(translated, game_of(rules).display.how_to_play(rules))
    yield translate(f"rules.arrange.{rules.game}.{rules.arrange}")
    yield translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
    if rules.play is Play.POINTS:
        yield translate("rules.points")
    else:
        yield translate("rules.held", most=largest_multiple(rules))


def _order(rules: HouseRules) -> Iterator[str]:
    """One line for each class of hands, strongest first."""
    worth = "rules.hand_points" if rules.play is Play.POINTS else "rules.hand"
    for place, row in enumerate(ranked_hands(rules), start=1):
        line = worth if row.multiple else "rules.loses"
        yield translate(
            line, place=place, name=translated(row.title), multiple=row.multiple, what=translated(row.takes)
        )


def _knobs(rules: HouseRules) -> Iterator[str]:
    for knob in knobs_of(rules.game):
        # Multiples are listed with their hands; nobody plays by which channel has what.
        if knob.kind != "channels" and not (knob.pays and knob.kind == "number"):
            yield translate(
                "rules.knob", setting=setting_words(rules, knob.name), what=knob_words(knob, rules.game)
            )
