"""Gnau: five cards each, from French decks (G01 to G24)."""

from typing import Final

from bot.games.contract import MOST_PLAYERS, Game
from bot.games.decks import decks_for
from bot.games.gnau.display import DISPLAY
from bot.games.gnau.hands import GnauClass, face_of, is_ox, points_of, power_of, ranking, tie, whole_hands
from bot.games.gnau.rules import PRESETS, GnauRules
from bot.rules.cards import CARDS, Card, parse_cards
from bot.rules.hand import HandRank
from bot.rules.house_rules import MOST_DECKS

GNAU: Final[Game[Card, GnauRules]] = Game(
    rules=GnauRules,
    presets=PRESETS,
    scoring_preset="points",
    # The worked example of G23.
    example=parse_cards("3S 6D 8C 4H 8D"),
    examples=(
        parse_cards("KS QH JD JC QC"),
        parse_cards("AH 2S 2D 4C 3H"),
        parse_cards("4D 7C 9H AS KS"),
        parse_cards("2D 8S KH 9S 9D"),
        parse_cards("5C 7H 8H AD 9C"),
        parse_cards("10S JH QD 4S 5H"),
        parse_cards("2C 5H 7D 9S KD"),
    ),
    pieces=CARDS,
    sets=decks_for,
    most_sets=MOST_DECKS,
    fewest_players=1,
    most_players=MOST_PLAYERS,
    face=face_of,
    points=points_of,
    is_ox=is_ox,
    power=power_of,
    whole_hands=whole_hands,
    no_ox=HandRank(GnauClass.NO_OX),
    ranking=ranking,
    tie=tie,
    suited_bonus=lambda rules: rules.suited_bonus,
    display=DISPLAY,
)
