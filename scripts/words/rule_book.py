"""The rule book, docs/RULES.md: how hands rank, the presets and every knob, from their declarations.

`python -m scripts.words.rule_book > docs/RULES.md` renews it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.games.contract import Game, RankedHands
from bot.games.house import UNCHANGED, scores_of
from bot.games.knobs import KNOBS, PRESETS, knob_of, knob_text
from bot.games.register import GAMES
from bot.games.settle import ranked_hands
from bot.odds.odds import Odds, odds_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName, Knob
from bot.words.hands import row_of, why_words
from bot.words.rules import game_title, play_words
from bot.words.translation import translate, translated

COMMAND: Final = "python -m scripts.words.rule_book > docs/RULES.md"
_FINE_POINTS: Final = ("declared", "suited", "tonku", "stuck", "niu", "house", "computers")


def rule_book() -> str:
    """The whole book, as Markdown that ends with a line break."""
    return "\n\n".join(_blocks()) + "\n"


def _blocks() -> Iterator[str]:
    yield translate("book.title")
    yield translate("book.origin", command=COMMAND)
    yield translate("book.clauses")
    for game in GAMES.values():
        yield from _game(game)
    yield translate("book.fine_points")
    yield "\n".join(translate(f"book.fine.{point}") for point in _FINE_POINTS)
    yield translate("book.presets")
    yield translate("book.presets_intro")
    yield _presets()
    yield translate("book.knobs")
    yield translate("book.knobs_intro")
    for about in (About.WORTH, About.ROUND, About.HOSTING, About.SERVER, About.TABLE):
        yield translate(f"book.about.{about}")
        yield translate(f"book.about_intro.{about}")
        yield _knobs(about)


def _game(game: Game[Any, Any]) -> Iterator[str]:
    """How a game goes, how its hands rank, and an example."""
    standard = PRESETS[game.default_preset]
    pieces = tuple(game.example)
    yield translate("book.game", game=game_title(game.name))
    yield translate("book.default_preset", preset=game.default_preset)
    yield play_words(standard)
    yield translate("book.ranks")
    odds = odds_of(standard)
    pack = translate(f"book.pack.{game.pieces.name}")
    yield translate("book.ranks_intro", hands=odds.hands, pack=pack, preset=game.default_preset)
    yield _ranks({name: PRESETS[name] for name in game.presets}, odds)
    if scores_of(game.name):
        yield translate("book.points", preset=game.scoring_preset)
    yield translate("book.example")
    yield translate("book.example_intro", pieces=row_of(pieces, game.name), preset=game.default_preset)
    yield why_words(pieces, standard)


def _ranks(presets: Mapping[str, HouseRules], odds: Odds) -> str:
    """One row for each class of hands; names the presets that define it differently from the first."""
    what: dict[str, dict[str, str]] = {}
    wins: dict[str, dict[str, int]] = {}
    hands: dict[str, str] = {}
    for preset, rules in presets.items():
        for row in ranked_hands(rules):
            name = translated(row.title)
            what.setdefault(name, {}).setdefault(translated(row.takes), preset)
            wins.setdefault(name, {})[preset] = row.multiple
            hands.setdefault(name, translate("book.count", hands=_count(row, odds)))
    head = [translate("book.hand"), translate("book.takes"), translate("book.hands"), *map(_code, presets)]
    rows = (
        [name, _takes(what[name]), hands[name], *(_won(wins[name].get(preset)) for preset in presets)]
        for name in what
    )
    return _table(head, rows)


def _count(row: RankedHands, odds: Odds) -> int:
    """How many hands a row is about."""
    return sum(
        one.hands for one in odds.classes if one.hand_class is row.hand_class and one.value in row.values
    )


def _takes(wordings: Mapping[str, str]) -> str:
    """What a hand takes, each text with the first preset that has it."""
    standard, *others = wordings
    named = (translate("book.takes_otherwise", preset=wordings[other], what=other) for other in others)
    return " ".join([standard, *named])


def _won(multiple: int | None) -> str:
    if multiple is None:
        return translate("book.not_played")
    return str(multiple) if multiple else translate("book.nothing")


def _presets() -> str:
    head = [
        translate("book.knob"),
        *(
            translate("book.preset_column", preset=name, game=game_title(rules.game))
            for name, rules in PRESETS.items()
        ),
    ]
    rows = (
        [_code(knob.name), *(_in_preset(knob, rules) for rules in PRESETS.values())]
        for knob in KNOBS.values()
        if knob.about in (About.WORTH, About.ROUND)
    )
    return _table(head, rows)


def _in_preset(knob: Knob, rules: HouseRules) -> str:
    if rules.game not in knob.games:
        return translate("book.not_played")
    return knob_text(getattr(rules, knob.name), knob.empty)


def _knobs(about: About) -> str:
    """A row for each knob; several if games declare it differently."""
    head = [
        translate(f"book.{column}") for column in ("knob", "games", "clause", "default", "bounds", "what")
    ]
    rows: dict[tuple[str, ...], list[GameName]] = {}
    for knob in KNOBS.values():
        for game in knob.games if knob.about is about else ():
            own = knob_of(knob.name, game)
            default = knob_text(getattr(UNCHANGED.defaults(own, game), knob.name), own.empty)
            row = _code(own.name), own.clause, _code(default), _bounds(own), own.description
            rows.setdefault(row, []).append(game)
    return _table(
        head, ([name, ", ".join(map(game_title, games)), *cells] for (name, *cells), games in rows.items())
    )


def _bounds(knob: Knob) -> str:
    if knob.least is not None and knob.most is not None:
        return translate("book.numbers", least=knob.least, most=knob.most)
    if knob.kind == "text":
        return translate("book.text", empty=knob.empty)
    if knob.kind == "channels":
        return translate("book.channels", most=knob.most or 0, empty=knob.empty)
    return ", ".join(map(_code, knob.choices or (knob_text(True), knob_text(False))))


def _code(text: str) -> str:
    return translate("book.code", text=text)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(rule_book())
