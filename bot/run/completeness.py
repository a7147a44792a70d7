"""What a registered game needs beside its package: words, and pictures of its pieces.

A game that lacks something would fail in the middle of a round, so the bot does not start with one.
"""

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from bot.games.contract import Game, Phrase, phrase
from bot.games.knobs import PRESETS, knobs_of
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.games.settle import ranked_as, ranked_hands
from bot.pictures.piece_art import PIECE_ART
from bot.rules.house_rules import HouseRules, with_each_choice
from bot.rules.knobs import Arrange, BankPasses
from bot.rules.pieces import HandRank
from bot.words.catalogue import MESSAGES
from bot.words.po_files import DEFAULT_LOCALE, locales, translation_of

log = logging.getLogger(__name__)

_NAMED: Final = (
    *("game.{game}", "panel.arrange.{game}"),
    *("button.find_ox.{game}", "button.show_ox.{game}"),
    *("guide.words.{game}", "learn.first.{game}", "learn.find.{game}", "learn.tips.{game}"),
    *("alt.ox.{game}", "alt.power.{game}", "alt.rest.{game}"),
    *("piece.{pieces}", "learn.discs.{pieces}", "panel.squeezed.{pieces}"),
    *("button.see_last.{pieces}", "panel.squeeze_offer.{pieces}"),
)
"""The messages that every game has, or every set of pieces."""
_OF_PRESETS: Final = ("preset.{preset}", "about_preset.{preset}", "choice.preset.{preset}")


class IncompleteGameError(ValueError):
    """A registered game lacks something; the text names everything that is missing."""


def check_games() -> None:
    """Checks every registered game; a message that a language lacks is one line of the log."""
    lacking = [f"{game.name} lacks {what}" for game in GAMES.values() for what in what_lacks(game)]
    if lacking:
        raise IncompleteGameError("; ".join(lacking))
    for locale in locales():
        for game in GAMES.values():
            if locale != DEFAULT_LOCALE and (
                codes := messages_of(game).keys() - translation_of(locale).texts.keys()
            ):
                log.warning("%s lacks words in %s: %s", game.name, locale, ", ".join(sorted(codes)))


def what_lacks(game: Game[Any, Any]) -> Iterator[str]:
    """Everything that a game lacks, each in a few words."""
    for code, facts in sorted(messages_of(game).items()):
        if code not in MESSAGES:
            yield f"the message {code}"
        else:
            missing = sorted(MESSAGES[code].placeholders.keys() - facts)
            yield from (f"the fact {fact} of the message {code}" for fact in missing)
    for title in _without_example(game):
        yield f"an example of {title}"
    if game.pieces.name not in PIECE_ART:
        yield f"pictures of its pieces ({game.pieces.name})"


@cache
def messages_of(game: Game[Any, Any]) -> Mapping[str, frozenset[str]]:
    """The codes of all messages that a game needs, each with the facts it is given in every house."""
    codes = [code.format(game=game.name, pieces=game.pieces.name) for code in _NAMED]
    codes += [f"rules.arrange.{game.name}.{way}" for way in Arrange]
    codes += [f"rules.bank.{game.name}.{when}" for when in BankPasses]
    codes += [code.format(preset=preset) for preset in game.presets for code in _OF_PRESETS]
    for knob in knobs_of(game.name):
        codes += [
            f"title.{knob.name}",
            f"knob.{knob.name}",
            *(f"setting.{knob.name}.{choice}" for choice in knob.choices),
        ]
    needed = dict.fromkeys(codes, frozenset[str]())
    needed[f"learn.ox.{game.name}"] = frozenset({"sum"})
    needed[f"learn.odd.{game.pieces.name}"] = frozenset({"piece", "count"})
    for message in _phrases(game):
        for part in _with_parts(message):
            facts = frozenset(part.facts)
            needed[part.code] = needed.get(part.code, facts) & facts
    return needed


def _without_example(game: Game[Any, Any]) -> list[str]:
    """The titles of rows of the ranking that have no example in some house."""
    lacking: dict[str, None] = {}
    for rules in _rule_sets(game):
        shown = {ranked_as(hand.rank, rules).title.code for hand in example_hands(rules)}
        rows = (row.title.code for row in ranked_hands(rules))
        lacking |= dict.fromkeys(code for code in rows if code not in shown)
    return list(lacking)


def _with_parts(message: Phrase) -> Iterator[Phrase]:
    yield message
    for fact in message.facts.values():
        if isinstance(fact, Phrase):
            yield from _with_parts(fact)


def _phrases(game: Game[Any, Any]) -> Iterator[Phrase]:
    """What the game says, as each house may play it."""
    display = game.display
    yield display.goal
    for rules in _rule_sets(game):
        yield display.what_is_ox(rules)
        yield from display.how_to_play(rules)
        yield display.ties(rules)
        if also := display.also_ox(rules):
            yield phrase(f"{also}.short")
            yield phrase(also)
        yield from map(phrase, display.tips(rules))
        yield phrase(display.why_no_ox(rules), three="", totals="")
        for row in ranked_hands(rules):
            yield row.title
            yield row.takes
            yield from (display.hand_name(HandRank(row.hand_class, value)) for value in row.values)
        yield from map(display.hand_name, game.power_ranks(rules))


def _rule_sets(game: Game[Any, Any]) -> Iterator[HouseRules]:
    """The rules of each preset, with each choice of each knob; for chips and for points too."""
    for preset in game.presets:
        yield from with_each_choice(PRESETS[preset])
