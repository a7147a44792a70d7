"""How people read Gnau."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import Display
from bot.games.gnau.hands import NENKU, GnauClass
from bot.games.gnau.rules import GnauRules
from bot.rules.cards import RANKS
from bot.rules.hand import HandRank
from bot.rules.phrase import Phrase, phrase


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
    yield phrase("rules.play.gnau")
    yield phrase("rules.ox_triple" if rules.triple_ox else "rules.ox")
    yield phrase("rules.points_of_cards_flex" if rules.flex_3_6 else "rules.points_of_cards")
    yield phrase("rules.better")


def ties(rules: GnauRules) -> Phrase:
    """Who wins between equal hands."""
    return phrase(f"rules.ties.gnau.{rules.ties}")


def why_no_ox(rules: GnauRules) -> str:
    """Why three cards are no ox: a code."""
    return "why.wrong_rank" if rules.triple_ox else "why.wrong"


DISPLAY: Final = Display(
    emoji="🐂", hand_name=hand_name, how_to_play=how_to_play, ties=ties, why_no_ox=why_no_ox
)
