"""Tau Ngau, "Bull Fighting": five tiles each, from the woodpile of Chinese dominoes (T01 to T12)."""

from typing import Final

from bot.games.contract import Game
from bot.games.tau_ngau.display import DISPLAY
from bot.games.tau_ngau.hands import TauNgauClass, is_discard, points_of, ranking, score_of, tie
from bot.games.tau_ngau.rules import FEWEST_PLAYERS, MOST_PLAYERS, PRESETS, TauNgauRules
from bot.rules.hand import HandRank
from bot.rules.tiles import TILES, Tile, parse_tiles

TAU_NGAU: Final[Game[Tile, TauNgauRules]] = Game(
    rules=TauNgauRules,
    presets=PRESETS,
    scoring_preset="tau-ngau",
    # It has both wild tiles.
    example=parse_tiles("4-2 2-1 5-3 6-5 3-1"),
    examples=(
        parse_tiles("6-4 5-3 1-1 6-5 6-2"),
        parse_tiles("5-4 2-2 5-2 6-4 5-5"),
        parse_tiles("6-5 4-3 5-4 4-1 6-1"),
    ),
    pieces=TILES,
    sets=lambda _hands, _rules: 1,
    most_sets=1,
    fewest_players=FEWEST_PLAYERS,
    most_players=MOST_PLAYERS,
    rolls_for_bank=True,
    face=lambda tile: tile,
    points=points_of,
    is_ox=is_discard,
    power=score_of,
    no_ox=HandRank(TauNgauClass.STUCK),
    ranking=ranking,
    tie=tie,
    display=DISPLAY,
)
