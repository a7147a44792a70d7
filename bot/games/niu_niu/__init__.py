"""Niu Niu, "Bull Bull": five cards each, from French decks (N01 to N10)."""

from typing import Final

from bot.games.contract import MOST_PLAYERS, Game
from bot.games.decks import decks_for
from bot.games.niu_niu.display import DISPLAY
from bot.games.niu_niu.hands import (
    NiuNiuClass,
    card_order,
    face_of,
    is_niu,
    number_of,
    points_of,
    ranking,
    tie,
    whole_hands,
)
from bot.games.niu_niu.rules import PRESETS, NiuNiuRules, NiuTies
from bot.rules.cards import CARDS, Card, parse_cards
from bot.rules.hand import HandRank
from bot.rules.house_rules import MOST_DECKS

NIU_NIU: Final[Game[Card, NiuNiuRules]] = Game(
    rules=NiuNiuRules,
    presets=PRESETS,
    scoring_preset="niu-niu",
    # Several threes are a niu, and all give the same number (N03).
    example=parse_cards("5S 5D KC 10H 9D"),
    examples=(
        parse_cards("AH 2S 2D 4C AD"),
        parse_cards("8S 8H 8D 8C 5H"),
        parse_cards("KS QH JD JC QC"),
        parse_cards("2D 8S KH 3S 7D"),
        parse_cards("10S JH QD 4S 5H"),
        parse_cards("5C 6H 9H AD 7C"),
        parse_cards("4D 7C 9H 2S 5D"),
        parse_cards("3H 7S JC 4D AC"),
        parse_cards("2C 5H 7D 9S KD"),
    ),
    pieces=CARDS,
    sets=decks_for,
    most_sets=MOST_DECKS,
    fewest_players=1,
    most_players=MOST_PLAYERS,
    face=face_of,
    points=points_of,
    is_ox=is_niu,
    power=number_of,
    whole_hands=whole_hands,
    no_ox=HandRank(NiuNiuClass.NO_NIU),
    ranking=ranking,
    tie=tie,
    tie_order=card_order,
    breaks_ties=lambda rules: rules.niu_ties is NiuTies.CARDS,
    display=DISPLAY,
)
