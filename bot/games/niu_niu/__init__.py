"""Niu Niu, "Bull Bull": five cards each, from French decks (N01 to N10)."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import MOST_PLAYERS, Display, Game, Phrase, phrase
from bot.games.niu_niu.rules import (
    HIGHEST_NUMBER,
    PRESETS,
    NiuNiuClass,
    NiuNiuRules,
    NiuTies,
    card_order,
    face_of,
    is_niu,
    number_of,
    points_of,
    ranking,
    tie,
    whole_hands,
)
from bot.rules.cards import CARDS, RANKS, Card, parse_cards
from bot.rules.house_rules import MOST_DECKS, decks_for
from bot.rules.pieces import HandRank


def hand_name(rank: HandRank) -> Phrase:
    """The name of a rank: Five Small, Bomb K, Niu Niu, Niu 7, No Niu."""
    match rank.hand_class:
        case NiuNiuClass.NIU if rank.value == HIGHEST_NUMBER:
            return phrase("hand.niu_niu")
        case NiuNiuClass.NIU:
            return phrase("hand.niu", number=rank.value)
        case NiuNiuClass.BOMB:
            return phrase("hand.bomb", rank=RANKS[rank.value - 1])
        case other:
            return phrase(f"hand.{other.name.lower()}")


def how_to_play(rules: NiuNiuRules) -> Iterator[Phrase]:
    """How hands are made, and what they win."""
    yield phrase("rules.play.cards")
    yield phrase("rules.number")
    yield phrase("rules.points_of_cards")
    yield phrase("rules.better")


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
    # A niu, Niu Niu, and four of a rank.
    first_hands=(
        parse_cards("10S 8D 2C 4H 3C"),
        parse_cards("9D 8C 3S 6H 4S"),
        parse_cards("8S 8H 8D 8C 5H"),
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
    digit=lambda rank: rank.value % 10 if rank.hand_class is NiuNiuClass.NIU else None,
    whole_hands=whole_hands,
    no_ox=HandRank(NiuNiuClass.NO_NIU),
    ranking=ranking,
    tie=tie,
    tie_order=card_order,
    breaks_ties=lambda rules: rules.niu_ties is NiuTies.CARDS,
    display=Display(
        emoji="🐮",
        hand_name=hand_name,
        goal=phrase("guide.goal.niu-niu"),
        what_is_ox=lambda _rules: phrase("rules.niu"),
        how_to_play=how_to_play,
        ties=lambda rules: phrase(f"rules.niu_ties.{rules.niu_ties}"),
    ),
)
