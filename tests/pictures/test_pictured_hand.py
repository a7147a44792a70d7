from collections.abc import Callable, Sequence

import pytest

from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.pictures.pictured_hand import PicturedHand
from bot.rules.cards import parse_cards
from bot.rules.pieces import Hand, Piece
from bot.rules.tiles import parse_tiles
from tests.games.presets import WIKIPEDIA

TAU_NGAU = PRESETS["tau-ngau"]


@pytest.mark.parametrize(
    ("hand", "ox", "power", "rest"),
    [
        (evaluate(parse_cards("3S 6D 8H 4C 8D"), WIKIPEDIA), "3S 6D 4C", "8H 8D", ""),
        (evaluate(parse_cards("JS QD KC KH JD"), WIKIPEDIA), "", "JS QD KC KH JD", ""),
        (evaluate(parse_cards("AS 2D 3C 4H 3D"), WIKIPEDIA), "", "AS 2D 3C 4H 3D", ""),
        (evaluate(parse_cards("4S 4D 3C 8H 5D"), WIKIPEDIA), "", "", "4S 4D 3C 8H 5D"),
        (evaluate(parse_tiles("6-5 6-6 5-3 6-1 5-5"), TAU_NGAU), "6-6 5-3 5-5", "6-5 6-1", ""),
        (evaluate(parse_tiles("6-6 6-6 6-6 1-1 1-1"), TAU_NGAU), "", "", "6-6 6-6 6-6 1-1 1-1"),
    ],
    ids=["an ox", "Five Dukes", "Five Small", "no ox", "a discard", "no discard"],
)
def test_g08_g09_g15_g23_t05_t06_t11_a_hand_is_the_groups_that_count_or_one_that_does_not(
    hand: Hand, ox: str, power: str, rest: str
) -> None:
    shown = PicturedHand.face_up(hand)
    parse: Callable[[str], Sequence[Piece]] = parse_tiles if hand.game == "tau-ngau" else parse_cards

    groups = [sorted(parse(pieces)) if pieces else [] for pieces in (ox, power, rest)]
    assert [sorted(group) for group in (shown.ox, shown.power, shown.rest)] == groups
    assert shown.game == hand.game


def test_the_pieces_of_a_hand_are_in_their_order_on_the_table() -> None:
    shown = PicturedHand(ox=parse_cards("3S 6D AC"), power=parse_cards("8H 8D"))

    assert shown.pieces == parse_cards("3S 6D AC 8H 8D")
