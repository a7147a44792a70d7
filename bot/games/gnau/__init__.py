"""Gnau: five cards each, from French decks (G01 to G24)."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import MOST_PLAYERS, Display, Game, Phrase, phrase
from bot.games.gnau.rules import (
    NENKU,
    PRESETS,
    GnauClass,
    GnauRules,
    face_of,
    is_ox,
    points_of,
    power_of,
    ranking,
    tie,
    whole_hands,
)
from bot.rules.cards import CARDS, RANKS, Card, parse_cards
from bot.rules.house_rules import MOST_DECKS, decks_for
from bot.rules.pieces import HandRank


def hand_name(rank: HandRank) -> Phrase:
    """The name of a rank: Five Dukes, Double-Ox K, Ox of 10, Nenku."""
    match rank.hand_class:
        case GnauClass.DOUBLE_OX:
            return phrase("hand.double_ox", rank=RANKS[rank.value - 1])
        case GnauClass.SINGLE_OX:
            code = "hand.nenku" if rank.alias == NENKU else "hand.single_ox"
            return phrase(code, points=rank.value)
        case other:
            return phrase(f"hand.{other.name.lower()}")


def how_to_play(rules: GnauRules) -> Iterator[Phrase]:
    """How hands are made, and what they win."""
    yield phrase("rules.play.cards")
    yield phrase("rules.points_of_cards_flex" if rules.flex_3_6 else "rules.points_of_cards")
    yield phrase("rules.better")


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
    # An ox, a double, and a 3 that counts 6.
    first_hands=(
        parse_cards("10S 8D 2C 5H 9C"),
        parse_cards("KS 9D AC 8H 8S"),
        parse_cards("QD 4S 3H 8C AD"),
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
    digit=lambda rank: rank.value % 10 if rank.hand_class is GnauClass.SINGLE_OX else None,
    whole_hands=whole_hands,
    no_ox=HandRank(GnauClass.NO_OX),
    ranking=ranking,
    tie=tie,
    suited_bonus=lambda rules: rules.suited_bonus,
    display=Display(
        emoji="🐂",
        hand_name=hand_name,
        goal=phrase("guide.goal.gnau"),
        what_is_ox=lambda rules: phrase("rules.ox_triple" if rules.triple_ox else "rules.ox"),
        how_to_play=how_to_play,
        ties=lambda rules: phrase(f"rules.ties.gnau.{rules.ties}"),
        also_ox=lambda rules: "learn.also.gnau" if rules.triple_ox else None,
        tips=lambda rules: ["learn.tips.gnau.flex"] if rules.flex_3_6 else [],
        why_no_ox=lambda rules: "why.wrong_rank" if rules.triple_ox else "why.wrong",
    ),
)
