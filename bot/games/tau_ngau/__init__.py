"""Tau Ngau, "Bull Fighting": five tiles each, from the woodpile of Chinese dominoes (T01 to T12)."""

from collections.abc import Iterator
from typing import Final

from bot.games.contract import Display, Game, Phrase, phrase
from bot.games.tau_ngau.rules import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PRESETS,
    TauNgauClass,
    TauNgauRules,
    is_discard,
    points_of,
    ranking,
    score_of,
    tie,
)
from bot.rules.knobs import HouseBank
from bot.rules.pieces import HandRank
from bot.rules.tiles import TILES, WOODPILE_SIZE, Tile, parse_tiles


def hand_name(rank: HandRank) -> Phrase:
    """The name of a rank: Score 8, No discard."""
    if rank.hand_class is TauNgauClass.STUCK:
        return phrase("hand.stuck")
    return phrase("hand.score", points=rank.value)


def how_to_play(rules: TauNgauRules) -> Iterator[Phrase]:
    """How hands are made, and what they win."""
    yield phrase("rules.play.tau-ngau", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS, pack=WOODPILE_SIZE)
    for code in ("score_of_hand", "higher_score", "no_discard", "no_discard_bank"):
        yield phrase(f"rules.{code}")
    if rules.house_bank is not HouseBank.ONLY:
        yield phrase("rules.first_banker.tau-ngau")
    yield phrase("rules.wild.on" if rules.wild_in_score else "rules.wild.off")


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
    # A discard, a wild tile that counts 6, and none.
    first_hands=(
        parse_tiles("6-4 5-3 1-1 5-4 4-1"),
        parse_tiles("2-1 5-5 2-2 5-4 5-3"),
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
    digit=lambda rank: rank.value,
    no_ox=HandRank(TauNgauClass.STUCK),
    ranking=ranking,
    tie=tie,
    display=Display(
        emoji="🀄",
        hand_name=hand_name,
        goal=phrase("guide.goal.tau-ngau"),
        what_is_ox=lambda _rules: phrase("rules.discard"),
        how_to_play=how_to_play,
        ties=lambda rules: phrase(f"rules.ties.tau-ngau.{rules.ties}"),
    ),
)
