"""Sentences about the rules in force: names, values, odds, and the pages of *How to play*."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias
from unicodedata import normalize

from bot.games.house import Values
from bot.games.knobs import KNOBS, PRESETS, knobs_of, parse_knob, preset_of, settable
from bot.games.lesson import example_hands
from bot.games.register import game_of
from bot.games.settle import largest_multiple, multiples_of, ranked_hands, ranks_of
from bot.odds.odds import Odds
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import (
    MOST_CHIPS,
    GameName,
    HouseBank,
    Knob,
    Play,
    SuitedBonus,
    WrongRule,
    WrongRuleError,
)
from bot.words.catalogue import MESSAGES
from bot.words.hands import rank_name, worth_suffix
from bot.words.translation import NO_BREAK, Reader, listed, sentences, speaking_to, translate, translated

_LIMITS: Final = frozenset({"lowest_stake", "highest_stake", "house_highest"})
"""Knobs that together say what may be bet."""
_PAYS_TOLD: Final = 3
"""How many hands the board names that pay otherwise than usual; the rules have the others."""
_BEST_TOLD: Final = 3
"""How many of the hands that win most the end of a lesson names."""
_CEILINGS: Final = frozenset({"gifts_per_day", "highest_stake", "house_highest"})
"""Knobs whose highest value is no limit at all."""

Setting: TypeAlias = bool | int | str | Sequence[int]


def game_title(game: GameName) -> str:
    """The name of a game: `Gnau`, `Tau Ngau`."""
    return translate(f"game.{game}")


def preset_title(preset: str | None) -> str:
    """The name of a preset: `Wikipedia`; `House rules` for None."""
    return translate(f"preset.{preset or 'none'}")


def knob_title(name: str) -> str:
    """What a knob is called; as it is written if this version does not know it."""
    code = f"title.{name}"
    return translate(code) if code in MESSAGES else name


def knob_words(knob: Knob, game: GameName) -> str:
    """What a knob does in a game, in one sentence."""
    code = f"knob.{knob.name}"
    of_game = f"{code}.{game}"
    return translate(of_game if of_game in MESSAGES else code)


def setting_words(rules: Values, knob: str) -> str:
    """The value of a knob or a setting as members read it: `on`, `2,500`, `after every round`, `<#1234>`."""
    return _words(KNOBS[knob], getattr(rules, knob), rules.game if isinstance(rules, HouseRules) else None)


def text_words(knob: str, text: str, game: str | None = None) -> str:
    """What `knob_text` wrote, as `setting_words`; as it is if this version does not know it."""
    try:
        name, value = parse_knob(knob, text)
    except WrongRuleError:
        return text
    return _words(KNOBS[name], value, game)


def knob_meant(typed: str, readers: Iterable[Reader]) -> str:
    """The name of the knob whose title was typed as one of these readers reads it; else what was typed."""
    wanted = _plain(typed)
    for one in readers:
        with speaking_to(one):
            for knob in settable():
                if _plain(knob_title(knob.name)) == wanted:
                    return knob.name
    return typed


def value_meant(name: str, typed: str, game: GameName | None, readers: Iterable[Reader]) -> str:
    """The value that was typed in the words of one of these readers, as text; else what was typed.

    Args:
        name: the knob's name.
        game: the only game that is meant, if any.
    """
    knob, wanted = KNOBS.get(name), _plain(typed)
    values = knob.choices or ("on", "off") if knob else ()
    if knob is None or wanted in map(_plain, values):
        return typed
    if knob.kind in ("number", "channels", "text"):
        # A number may be grouped as this reader groups it: 1,000 or 1.000.
        digits = "".join(filter(str.isdecimal, wanted)) if knob.kind == "number" else ""
        values = tuple(filter(None, (knob.empty, str(MOST_CHIPS) if name in _CEILINGS else "", digits)))
    for one in readers:
        with speaking_to(one):
            for value in values:
                for of in (game,) if game else knob.games:
                    if _plain(text_words(name, value, of)) == wanted:
                        return value
    return typed


def _plain(text: str) -> str:
    """A text without what people type differently: blanks, bold, capitals, wide letters."""
    return "".join(normalize("NFKC", text).replace("*", "").casefold().split())


def _words(knob: Knob, value: Setting, game: str | None) -> str:
    if isinstance(value, bool):
        return translate("setting.on" if value else "setting.off")
    if knob.choices:
        code = f"setting.{knob.name}.{value}"
        of_game = f"{code}.{game}"
        return translate(of_game if of_game in MESSAGES else code)
    if isinstance(value, str):
        return value or translate(f"setting.text_{knob.empty}")
    if isinstance(value, Sequence):
        named = " ".join(translate("setting.channel", channel=channel) for channel in value)
        return named or translate(f"setting.channels_{knob.empty}")
    if value == MOST_CHIPS and knob.name in _CEILINGS:
        return translate("setting.banker_decides" if knob.name == "highest_stake" else "setting.no_limit")
    if not value and knob.empty:
        return translate(f"setting.number_{knob.empty}")
    return translate("setting.number", setting=value)


def wrong_rule(error: WrongRuleError, *, with_titles: bool = True) -> str:
    """What is wrong with house rules and what works, in a line without markdown.

    Args:
        with_titles: whether a knob is called by its title; else by the name that is typed in a terminal.
    """
    facts = dict(error.facts)
    if "game" in facts:
        facts["game"] = game_title(str(facts["game"]))
    if with_titles and "knob" in facts:
        facts["knob"] = knob_title(str(facts["knob"]))
    if with_titles and "close" in facts:
        facts["close"] = knob_title(str(facts["close"]))
    if with_titles and error.code is WrongRule.UNKNOWN_KNOB:
        return translate("house.unknown_knob", **facts)
    return translate(f"wrong_rule.{error.code}", **facts)


def rules_name(rules: HouseRules) -> str:
    """The name of the preset that equals these rules; `House rules` if none does."""
    return preset_title(preset_of(rules))


def own_rules_words(rules: HouseRules) -> str:
    """That a house has rules of its own, and which hands pay otherwise than usual: `House rules: Bomb ×8`."""
    own, usual = multiples_of(rules), multiples_of(PRESETS[game_of(rules).default_preset])
    pays = [
        translate("board.pays", hand=translated(row.title), multiple=row.multiple)
        for row in ranked_hands(rules)
        if any(own[rank.strength] != usual.get(rank.strength) for rank in ranks_of(row))
    ]
    if not pays or rules.play is not Play.CHIPS:
        return rules_name(rules)
    told = listed(pays[:_PAYS_TOLD])
    told = told if len(pays) <= _PAYS_TOLD else translate("board.more_pays", pays=told)
    return translate("board.house_rules", rules=rules_name(rules), pays=told)


def rank_lines(rules: HouseRules) -> Iterator[str]:
    """One line for each class of hands, strongest first, with what it takes and wins."""
    worth = f"rules.hand{worth_suffix(rules)}"
    for place, row in enumerate(ranked_hands(rules), start=1):
        line = worth if row.multiple else "rules.loses"
        yield translate(
            line, place=place, name=translated(row.title), multiple=row.multiple, what=translated(row.takes)
        )


def bets_words(rules: HouseRules) -> str:
    """What may be bet: against the house, and against a member who banks."""
    lowest, highest = rules.lowest_stake, rules.highest_stake
    limits = {"house": max(lowest, min(highest, rules.house_highest)), "member": highest}
    banks = {HouseBank.OFF: ("member",), HouseBank.ONLY: ("house",)}.get(rules.house_bank, limits)
    return sentences(
        translate(
            f"rules.bets_{bank}_any" if limits[bank] == MOST_CHIPS else f"rules.bets_{bank}",
            lowest=lowest,
            highest=limits[bank],
        )
        for bank in banks
    )


def knob_lines(rules: HouseRules) -> Iterator[str]:
    """One line for each knob that is played by, with its value; what may be bet is one for all."""
    if rules.play is not Play.POINTS:
        yield f"- {bets_words(rules)}"
    for knob in knobs_of(rules.game):
        # Multiples are listed with their hands; nobody plays by which channel has what.
        is_told = knob.name in _LIMITS or knob.kind == "channels" or (knob.pays and knob.kind == "number")
        if not is_told:
            yield _knob_line(rules, knob)


def _knob_line(rules: HouseRules, knob: Knob) -> str:
    """The value of a knob, and what it does."""
    return translate("rules.knob", setting=setting_words(rules, knob.name), what=knob_words(knob, rules.game))


_PARTS: Final = ("bank_edge", "win", "lose", "push")


def odds_words(odds: Odds | None) -> str:
    """The bank's edge, and how often a player wins, loses and pushes; one sentence if odds are unknown."""
    if odds is None:
        return translate("odds.unknown")
    edge = odds.bank_edge
    if edge > 0:
        kept = translate("odds.edge", edge=edge)
    else:
        kept = translate("odds.against_bank", edge=-edge) if edge else translate("odds.fair")
    return sentences([kept, translate("odds.chances", win=odds.win, lose=odds.lose, push=odds.push)])


def comparison_words(before: Odds | None, after: Odds | None) -> str:
    """How odds change, a line each: the bank's edge, how often a player wins, loses and pushes."""
    return "\n".join(filter(None, (_compared(part, before, after) for part in _PARTS)))


def _compared(part: str, before: Odds | None, after: Odds | None) -> str:
    """The line of one figure; empty if it stays. Figures that differ by less than is shown are told too."""
    old, new = (None if odds is None else getattr(odds, part) for odds in (before, after))
    shown = {
        name: translate("odds.not_known") if figure is None else translate("odds.part", part=figure)
        for name, figure in (("old", old), ("new", new))
    }
    if old == new and old is not None:
        return ""
    code = "odds.nearly_as_before" if old is not None and shown["old"] == shown["new"] else "odds.was_and_is"
    return translate(code, what=translate(f"odds.{part}"), **shown)


def goal_words(rules: HouseRules) -> str:
    """What wins in a game, in two sentences for who has never played it."""
    return translated(game_of(rules).display.goal)


def overview_words(rules: HouseRules) -> tuple[str, str]:
    """How a game goes, above and below the picture of its example hands."""
    title = "\n".join([translate("guide.title", game=game_title(rules.game)), goal_words(rules)])
    examples = translate("guide.between").join(_examples(rules))
    said = [*map(translated, game_of(rules).display.how_to_play(rules)), _at_stake(rules)]
    return title, "\n".join([examples, *(f"- {line}" for line in said)])


def ranking_words(rules: HouseRules) -> str:
    """Every hand, strongest first, with what it takes and what it wins."""
    return "\n".join([translate("guide.ranking", game=game_title(rules.game)), *rank_lines(rules)])


def payout_words(rules: HouseRules, odds: Odds | None) -> str:
    """What a bet can win and lose, and how often."""
    lines = [translate("guide.odds", game=game_title(rules.game))]
    if rules.play is not Play.POINTS:
        even = largest_multiple(rules) == 1
        lines += [bets_words(rules), translate("guide.even_money" if even else "guide.winner_pays")]
    lines += [_at_stake(rules), translated(game_of(rules).display.ties(rules)), odds_words(odds)]
    return "\n".join(lines)


def banker_words(rules: HouseRules) -> str:
    """Who banks, what that takes, and when the bank passes on."""
    lines, fewest = ["guide.banker.plays"], game_of(rules).fewest_players + 1
    if rules.house_bank is not HouseBank.ONLY:
        lines.append("guide.banker.dice" if game_of(rules).rolls_for_bank else "guide.banker.volunteer")
    if rules.play is not Play.POINTS:
        lines += ["guide.banker.covers"] if rules.house_bank is not HouseBank.ONLY else []
        lines.append(f"guide.banker.{rules.house_bank}")
    said = [
        translate("guide.banker", game=game_title(rules.game)),
        *(translate(line, fewest=fewest) for line in lines),
    ]
    if rules.house_bank is not HouseBank.ONLY:
        passes = translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
        said.append(translate("guide.banker.passes", passes=passes))
    if rules.computer_players:
        said.append(translate("guide.computers"))
    return "\n".join(said)


def terms_words(rules: HouseRules) -> str:
    """What words mean here, also the names of hands that no number explains, as a headline has them."""
    game = game_of(rules)
    named = (
        translate("guide.words.hand", name=translated(row.title), what=translated(row.takes))
        for row in ranked_hands(rules)
        if row.hand_class != game.no_ox.hand_class and game.digit(next(ranks_of(row))) is None
    )
    also = game.display.also_ox(rules)
    return "\n".join(
        [
            translate("guide.words", game=game_title(rules.game)),
            translate(f"guide.words.{rules.game}"),
            *([f"- {translate(f'{also}.short')}"] if also is not None else []),
            *named,
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
    for place, hand in enumerate(example_hands(rules), start=1):
        yield _with_worth(place, rank_name(hand.rank, hand.game), hand.multiple, rules)


def _with_worth(place: int, name: str, multiple: int, rules: HouseRules) -> str:
    """A hand with its place in a list and what it wins, all on one line."""
    code = f"guide.example{worth_suffix(rules) if multiple else '_even'}"
    return translate(code, place=place, name=name, multiple=multiple).replace(" ", NO_BREAK)


def stakes_lines(rules: HouseRules) -> Iterator[str]:
    """What wins most, what a loss costs and who wins a tie, a line each, for who is about to play."""
    most = largest_multiple(rules)
    if most == 1 and rules.play is Play.CHIPS:
        yield f"- {translate('guide.even_money')}"
    else:
        best = sorted(ranked_hands(rules), key=lambda row: -row.multiple)[:_BEST_TOLD]
        hands = (
            _with_worth(place, translated(row.title), row.multiple, rules)
            for place, row in enumerate(best, start=1)
        )
        yield translate("learn.best_hands", hands=translate("guide.between").join(hands))
        if game_of(rules).bonus(rules) is not SuitedBonus.OFF:
            # With it, a loss can cost more than the best hand of the list.
            yield _knob_line(rules, KNOBS["suited_bonus"])
        yield translate("learn.loss_points" if rules.play is Play.POINTS else "learn.loss", most=most)
    yield f"- {translated(game_of(rules).display.ties(rules))}"


def _at_stake(rules: HouseRules) -> str:
    """The most that a bet can lose, or that no chips are bet (G22)."""
    if rules.play is Play.POINTS:
        return translate("rules.points")
    return translate("rules.held", most=largest_multiple(rules))
