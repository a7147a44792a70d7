"""Tau Ngau, "Bull Fighting": five tiles each, from the woodpile of Chinese dominoes (T01 to T11)."""

from collections.abc import Sequence
from typing import Final

from bot.games.contract import Game
from bot.rules.hand import HandClass, HandRank
from bot.rules.knobs import EVEN_MONEY, GameName, HouseRules
from bot.rules.pieces import last_digits
from bot.rules.tiles import WILD, WOODPILE_SIZE, Tile, parse_tile, pips_of, tile_name, tile_text, woodpile

WILD_POINTS: Final = (3, 6)
"""The pips that a wild tile may count (T05)."""


class TauNgauClass(HandClass):
    """The classes of hands, weakest first: without a discard (T06), and with a score (T08)."""

    STUCK = 0
    SCORE = 1


def points_of(tile: Tile, rules: HouseRules) -> tuple[int, ...]:
    """The pips that a tile may count in a discard, one or several (T05)."""
    return WILD_POINTS if tile in WILD else (pips_of(tile),)


def is_discard(three: Sequence[Tile], rules: HouseRules) -> bool:
    """Whether three tiles are a discard: their total is a multiple of ten (T05)."""
    return 0 in last_digits(points_of(tile, rules) for tile in three)


def score_of(one: Tile, other: Tile, rules: HouseRules) -> HandRank:
    """The score of the two tiles left: 0 is the lowest, 9 the highest; it wins even money (T08, T09)."""
    if rules.wild_in_score:
        value = max(last_digits(points_of(tile, rules) for tile in (one, other)))
    else:
        value = (pips_of(one) + pips_of(other)) % 10
    return HandRank(TauNgauClass.SCORE, value, EVEN_MONEY)


TAU_NGAU: Final[Game[Tile]] = Game(
    name=GameName.TAU_NGAU,
    no_ox=TauNgauClass.STUCK,
    # If the banker has no discard either, players without one take their bets back (T07).
    pushed_when_tied=frozenset({TauNgauClass.STUCK}),
    # Three to six, the banker among them (T02).
    fewest_players=2,
    most_players=5,
    rolls_for_bank=True,
    pack=lambda _hands, _rules: woodpile(),
    pack_size=WOODPILE_SIZE,
    piece_word="tile",
    ox_word="discard",
    parse=parse_tile,
    text=tile_text,
    shown=tile_name,
    face=lambda tile: tile,
    suit=None,
    points=points_of,
    is_ox=is_discard,
    power=score_of,
    without_ox=lambda _tiles, _rules: (),
)
