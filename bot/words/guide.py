"""The pages of *How to play*: each is a screen of its own, about one game under the rules in force."""

from collections.abc import Iterator

from bot.games.lesson import example_hands
from bot.games.multiples import largest_multiple
from bot.games.register import game_of
from bot.rules.hand import Hand
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.words.hands import rank_name
from bot.words.house_rules import knob_lines, rank_lines, rules_name
from bot.words.odds import Chances, odds_words
from bot.words.rule_names import game_title
from bot.words.translation import sentences, translate, translated


def overview_words(rules: HouseRules) -> tuple[str, str]:
    """How a game goes, above and below the picture of its example hands."""
    title = translate("guide.title", game=game_title(rules.game))
    goal = sentences(map(translated, game_of(rules).display.how_to_play(rules)))
    examples = translate("guide.between").join(_examples(rules))
    return f"{title}\n{goal}", f"{examples}\n{_at_stake(rules)}"


def ranking_words(rules: HouseRules) -> str:
    """Every hand, strongest first, with what it takes and what it wins."""
    return "\n".join([translate("guide.ranking", game=game_title(rules.game)), *rank_lines(rules)])


def payout_words(rules: HouseRules, odds: Chances | None) -> str:
    """What a bet can win and lose, and how often.

    Args:
        rules: the rules.
        odds: their odds; None if they are not known.
    """
    lines = [translate("guide.odds", game=game_title(rules.game))]
    if rules.play is not Play.POINTS:
        even = largest_multiple(rules) == 1
        lines.append(translate("guide.even_money" if even else "guide.winner_pays"))
    lines += [_at_stake(rules), translated(game_of(rules).display.ties(rules)), odds_words(odds)]
    return "\n".join(lines)


def banker_words(rules: HouseRules) -> str:
    """Who banks, what that takes, and when the bank passes on."""
    lines = ["guide.banker.plays"]
    if rules.house_bank is not HouseBank.ONLY:
        lines.append("guide.banker.dice" if game_of(rules).rolls_for_bank else "guide.banker.volunteer")
    if rules.play is not Play.POINTS:
        lines += ["guide.banker.covers"] if rules.house_bank is not HouseBank.ONLY else []
        lines.append(f"guide.banker.{rules.house_bank}")
    said = [translate("guide.banker", game=game_title(rules.game)), *map(translate, lines)]
    if rules.house_bank is not HouseBank.ONLY:
        passes = translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
        said.append(translate("guide.banker.passes", passes=passes))
    if rules.computer_players:
        said.append(translate("guide.computers"))
    return "\n".join(said)


def terms_words(rules: HouseRules) -> str:
    """What words mean here."""
    return "\n".join(
        [
            translate("guide.words", game=game_title(rules.game)),
            translate(f"guide.words.{rules.game}"),
            translate("guide.words.table"),
        ]
    )


def knob_list_words(rules: HouseRules) -> str:
    """Every rule that this house has chosen or could have."""
    title = translate("guide.knobs", game=game_title(rules.game), preset=rules_name(rules))
    arrange = translate(f"rules.arrange.{rules.game}.{rules.arrange}")
    return "\n".join([title, arrange, *knob_lines(rules)])


def _examples(rules: HouseRules) -> Iterator[str]:
    """The hands of the picture, each with its number there and what it wins."""
    worth = "guide.example_points" if rules.play is Play.POINTS else "guide.example"
    for place, hand in enumerate(example_hands(rules), start=1):
        code = worth if hand.multiple else "guide.example_nothing"
        yield translate(code, place=place, name=_name(hand), multiple=hand.multiple)


def _name(hand: Hand) -> str:
    return rank_name(hand.rank, hand.game)


def _at_stake(rules: HouseRules) -> str:
    """The most that a bet can lose, or that no chips are bet (G22)."""
    if rules.play is Play.POINTS:
        return translate("rules.points")
    return translate("rules.held", most=largest_multiple(rules))
