"""The rules of Tau Ngau: its knobs and presets, how hands rank, and what they win (T01 to T12)."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

from bot.games.contract import RankedHands, phrase
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, BankPasses, Ties, knob, worth
from bot.rules.pieces import HandClass, HandRank, last_digits
from bot.rules.tiles import WILD, Tile, pips_of

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 5
"""Three to six play, the banker among them (T02)."""


class TauNgauRules(HouseRules):
    """The house rules of Tau Ngau. The defaults are the preset `tau-ngau`."""

    game: Literal["tau-ngau"] = "tau-ngau"
    game_version: Literal[1] = 1

    wild_in_score: bool = worth(True, "T08", "4‑2 and 2‑1 count as 3 or 6 in the score too.")
    ties: Ties = worth(Ties.PUSH, "T09", "Who wins a tie: the banker, or nobody (a push).")

    bank_passes: BankPasses = knob(
        BankPasses.AFTER_OX, "T10", "When the bank passes to the player on the banker's right.", About.ROUND
    )


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"tau-ngau": {}})
"""The rules of PAGAT."""


WILD_POINTS: Final = (3, 6)
"""The pips that a wild tile may count (T05)."""
EVEN_MONEY: Final = 1
"""The multiple of every hand that wins (T09)."""


class TauNgauClass(HandClass):
    """The classes of hands, weakest first: without a discard (T06), and with a score (T08)."""

    STUCK = 0
    SCORE = 1


def points_of(tile: Tile, rules: TauNgauRules) -> tuple[int, ...]:
    """The pips that a tile may count in a discard, its own first (T05)."""
    own = pips_of(tile)
    return tuple(sorted(WILD_POINTS, key=lambda pips: pips != own)) if tile in WILD else (own,)


def is_discard(three: Sequence[Tile], rules: TauNgauRules) -> bool:
    """Whether three tiles are a discard: their total is a multiple of ten (T05)."""
    return 0 in last_digits(points_of(tile, rules) for tile in three)


def score_of(one: Tile, other: Tile, rules: TauNgauRules) -> HandRank:
    """The score of the two tiles left: 0 is the lowest, 9 the highest (T08)."""
    if rules.wild_in_score:
        value = max(last_digits(points_of(tile, rules) for tile in (one, other)))
    else:
        value = (pips_of(one) + pips_of(other)) % 10
    return HandRank(TauNgauClass.SCORE, value)


def tie(hand_class: HandClass, rules: TauNgauRules) -> Ties:
    """Who wins a tie; if the banker has no discard, players without one take their bets back (T07, T09)."""
    return Ties.PUSH if hand_class is TauNgauClass.STUCK else rules.ties


def ranking(_rules: TauNgauRules) -> Iterator[RankedHands]:
    """The ranks, strongest first, with what each wins (T08, T09)."""
    yield RankedHands(
        TauNgauClass.SCORE, EVEN_MONEY, phrase("rules.score_name"), phrase("rules.score"), values=range(10)
    )
    yield RankedHands(TauNgauClass.STUCK, 0, phrase("hand.stuck"), phrase("rules.stuck"))
