"""How people read Tau Ngau."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import Display
from bot.games.tau_ngau.hands import TauNgauClass
from bot.games.tau_ngau.rules import FEWEST_PLAYERS, MOST_PLAYERS, TauNgauRules
from bot.rules.hand import HandRank
from bot.rules.knobs import HouseBank
from bot.rules.phrase import Phrase, phrase
from bot.rules.tiles import WOODPILE_SIZE


def hand_name(rank: HandRank) -> Phrase:
    """The name of a rank: Score 8, No discard."""
    if rank.hand_class is TauNgauClass.STUCK:
        return phrase("hand.stuck")
    return phrase("hand.score", points=rank.value)


def how_to_play(rules: TauNgauRules) -> Iterator[Phrase]:
    """How hands are made, and what they win."""
    yield phrase("rules.play.tau-ngau", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS, pack=WOODPILE_SIZE)
    if rules.house_bank is not HouseBank.ONLY:
        yield phrase("rules.first_banker.tau-ngau")
    yield phrase("rules.wild.on" if rules.wild_in_score else "rules.wild.off")


def ties(rules: TauNgauRules) -> Phrase:
    """Who wins between equal hands."""
    return phrase(f"rules.ties.tau-ngau.{rules.ties}")


DISPLAY: Final = Display(
    emoji="🀄",
    hand_name=hand_name,
    how_to_play=how_to_play,
    ties=ties,
    why_no_ox=lambda _rules: "why.wrong",
)
