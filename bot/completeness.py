"""What a registered game needs beside its package: words, pictures of its pieces, odds that can be counted.

A game that lacks something would fail in the middle of a round, so the bot does not start with one.
"""

import logging
from collections.abc import Iterator
from typing import Any, Final

from bot.games.contract import Game
from bot.games.declared_knobs import with_each_choice
from bot.games.knob_list import knobs_of
from bot.games.multiples import ranking_of
from bot.games.presets import PRESETS
from bot.games.register import GAMES
from bot.odds.ranking import ranking_of as odds_ranking_of
from bot.pictures.piece_art import PIECE_ART
from bot.rules.hand import HandRank
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange, BankPasses
from bot.rules.phrase import Phrase, phrase
from bot.words import DEFAULT_LOCALE, translated
from bot.words.catalogue import MESSAGES
from bot.words.po_files import locales, translation_of

log = logging.getLogger(__name__)

_NAMES: Final = ("game.{game}", "panel.arrange.{game}", "panel.choose_three.{game}")
_ALT_TEXTS: Final = ("alt.ox.{game}", "alt.power.{game}", "alt.rest.{game}")
_OF_PIECES: Final = (
    "piece.{pieces}",
    "panel.hand_below.{pieces}",
    "board.dealt.{pieces}",
    "board.dealt.{pieces}_until",
)


class IncompleteGameError(ValueError):
    """A registered game lacks something; the text names everything that is missing."""


def check_games() -> None:
    """Checks every registered game, and warns of messages that a language lacks: they are shown in English.

    Raises:
        IncompleteGameError: if a game lacks something.
    """
    lacking = [f"{game.name} lacks {what}" for game in GAMES.values() for what in what_lacks(game)]
    if lacking:
        raise IncompleteGameError("; ".join(lacking))
    for locale in locales():
        for game in GAMES.values():
            if locale != DEFAULT_LOCALE and (codes := codes_of(game) - translation_of(locale).codes):
                log.warning("%s lacks words in %s: %s", game.name, locale, ", ".join(sorted(codes)))


def what_lacks(game: Game[Any, Any]) -> Iterator[str]:
    """Everything that a game lacks, each in a few words."""
    yield from (f"the message {code}" for code in sorted(codes_of(game) - MESSAGES.keys()))
    for said in _phrases(game):
        if said.code in MESSAGES:
            try:
                translated(said)
            except KeyError as missing:
                yield f"the fact {missing} of the message {said.code}"
    art = PIECE_ART.get(game.pieces.name)
    if art is None:
        yield f"pictures of its pieces ({game.pieces.name})"
    for preset in game.presets:
        try:
            odds_ranking_of(PRESETS[preset])
        except KeyError:
            yield f"a row in the ranking of {preset} for a hand that it evaluates"


def codes_of(game: Game[Any, Any]) -> set[str]:
    """The codes of all messages that a game needs, whatever a house has set."""
    named = {code.format(game=game.name) for code in (*_NAMES, *_ALT_TEXTS)}
    named |= {code.format(pieces=game.pieces.name) for code in _OF_PIECES}
    named |= {f"rules.arrange.{game.name}.{way}" for way in Arrange}
    named |= {f"rules.bank.{game.name}.{when}" for when in BankPasses}
    named |= {code for preset in game.presets for code in (f"preset.{preset}", f"choice.preset.{preset}")}
    for knob in knobs_of(game.name):
        named |= {f"knob.{knob.name}", *(f"setting.{knob.name}.{choice}" for choice in knob.choices)}
    for said in _phrases(game):
        named |= _codes_in(said)
    return named


def _codes_in(said: Phrase) -> set[str]:
    nested = (_codes_in(fact) for fact in said.facts.values() if isinstance(fact, Phrase))
    return {said.code}.union(*nested)


def _phrases(game: Game[Any, Any]) -> Iterator[Phrase]:
    """What the game says, as each house may play it."""
    display = game.display
    for rules in _houses(game):
        yield from display.how_to_play(rules)
        yield from display.prices(rules)
        yield phrase(display.no_ox(rules), three="", totals="")
        for row in ranking_of(rules):
            yield row.title
            yield row.takes
            yield from (display.hand_name(HandRank(row.hand_class, value)) for value in row.values)
    for rank in {rank for preset in game.presets for rank in _with_aliases(game, PRESETS[preset])}:
        yield display.hand_name(rank)


def _houses(game: Game[Any, Any]) -> Iterator[HouseRules]:
    """The rules of each preset, with each choice of each knob; for chips and for points too."""
    for preset in game.presets:
        yield from with_each_choice(PRESETS[preset])


def _with_aliases(game: Game[Any, Any], rules: HouseRules) -> Iterator[HandRank]:
    """The ranks of all power pieces, since two of them may have another name for the same rank."""
    faces = {game.face(piece) for piece in game.pack(1, rules)}
    yield from (game.power(one, other, rules) for one in faces for other in faces)
