"""How people read Niu Niu."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import Display
from bot.games.niu_niu.hands import HIGHEST_NUMBER, NiuNiuClass
from bot.games.niu_niu.rules import NiuNiuRules
from bot.rules.cards import RANKS
from bot.rules.hand import HandRank
from bot.rules.phrase import Phrase, phrase


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
    yield phrase("rules.play.niu-niu")
    yield phrase("rules.points_of_cards")
    yield phrase("rules.better")


def ties(rules: NiuNiuRules) -> Phrase:
    """Who wins between equal hands."""
    return phrase(f"rules.niu_ties.{rules.niu_ties}")


DISPLAY: Final = Display(
    emoji="🐮",
    hand_name=hand_name,
    how_to_play=how_to_play,
    ties=ties,
    why_no_ox=lambda _rules: "why.wrong",
)
