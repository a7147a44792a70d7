"""The rule book, docs/RULES.md: how hands rank, the presets and every knob, from their declarations.

`python -m bot.words.rule_book > docs/RULES.md` renews it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.games.knob_list import KNOBS, Knob
from bot.games.knob_text import EVERY_CHANNEL, knob_text
from bot.games.presets import DEFAULT_PRESETS, PRESETS
from bot.rules.cards import parse_cards
from bot.rules.knobs import MOST_CHANNELS, About, GameName, HouseRules
from bot.rules.pieces import Piece
from bot.rules.tiles import parse_tiles
from bot.words.hands import row_of, why_words
from bot.words.house_rules import hand_ranking, play_words
from bot.words.rule_names import game_title
from bot.words.translation import translate

COMMAND: Final = "python -m bot.words.rule_book > docs/RULES.md"

_EXAMPLES: Final[Mapping[GameName, Sequence[Piece]]] = MappingProxyType(
    {
        GameName.GNAU: parse_cards("3S 6D 8C 4H 8D"),
        GameName.TAU_NGAU: parse_tiles("4-2 2-1 5-3 6-5 3-1"),
    }
)
"""A hand of each game with several arrangements: that of G23, and one with both wild tiles."""


def rule_book() -> str:
    """The whole book, as Markdown that ends with a line break."""
    return "\n\n".join(_blocks()) + "\n"


def _blocks() -> Iterator[str]:
    yield translate("book.title")
    yield translate("book.origin", command=COMMAND)
    yield translate("book.clauses")
    for game in GameName:
        yield from _game(game)
    yield translate("book.presets")
    yield translate("book.presets_intro")
    yield _presets()
    yield translate("book.knobs")
    yield translate("book.knobs_intro")
    for about in (About.WORTH, About.ROUND, About.HOSTING, About.TABLE):
        yield translate(f"book.about.{about}")
        yield translate(f"book.about_intro.{about}")
        yield _knobs(knob for knob in KNOBS.values() if knob.about is about)


def _game(game: GameName) -> Iterator[str]:
    """How a game goes, how its hands rank, and an example."""
    standard = PRESETS[DEFAULT_PRESETS[game]]
    pieces = _EXAMPLES[game]
    yield translate("book.game", game=game_title(game))
    yield translate("book.default_preset", preset=DEFAULT_PRESETS[game])
    yield play_words(standard)
    yield translate("book.ranks")
    yield translate("book.ranks_intro")
    yield _ranks({name: rules for name, rules in PRESETS.items() if rules.game is game})
    yield translate("book.example")
    yield translate("book.example_intro", pieces=row_of(tuple(pieces), game), preset=DEFAULT_PRESETS[game])
    yield why_words(pieces, standard)


def _ranks(presets: Mapping[str, HouseRules]) -> str:
    """One row for each class of hands; names the presets that define it differently from the first."""
    what: dict[str, dict[str, str]] = {}
    wins: dict[str, dict[str, int]] = {}
    for preset, rules in presets.items():
        for ranked in hand_ranking(rules):
            what.setdefault(ranked.name, {}).setdefault(ranked.what, preset)
            wins.setdefault(ranked.name, {})[preset] = ranked.multiple
    head = [translate("book.hand"), translate("book.takes"), *map(_code, presets)]
    rows = (
        [name, _takes(what[name]), *(_won(wins[name].get(preset)) for preset in presets)] for name in what
    )
    return _table(head, rows)


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
    return knob_text(getattr(rules, knob.name))


def _knobs(knobs: Iterable[Knob]) -> str:
    head = [
        translate(f"book.{column}") for column in ("knob", "games", "clause", "default", "bounds", "what")
    ]
    rows = (
        [
            _code(knob.name),
            ", ".join(map(game_title, knob.games)),
            knob.clause,
            _code(knob_text(HouseRules.model_fields[knob.name].default)),
            _bounds(knob),
            knob.description,
        ]
        for knob in knobs
    )
    return _table(head, rows)


def _bounds(knob: Knob) -> str:
    if knob.least is not None and knob.most is not None:
        return translate("book.numbers", least=knob.least, most=knob.most)
    if knob.kind == "channels":
        return translate("book.channels", most=MOST_CHANNELS, all=EVERY_CHANNEL)
    return ", ".join(map(_code, knob.choices or (knob_text(True), knob_text(False))))


def _code(text: str) -> str:
    return translate("book.code", text=text)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(rule_book())
