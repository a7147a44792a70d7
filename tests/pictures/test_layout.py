from itertools import combinations, pairwise

import pytest

from bot.pictures.layout import PieceSize, Place, groups, hand_width, row, showdown, tray_height
from bot.pictures.piece_art import PIECE_ART, art_of
from bot.rules.knobs import GameName

from .strategies import EACH_GAME

EACH_SIZE = pytest.mark.parametrize(
    "size", [size for art in PIECE_ART.values() for size in (art.large, art.small)]
)
Box = tuple[int, int, int, int]


def box_of(place: Place) -> Box:
    """Left, top, right and bottom of a hand with its badge."""
    right = place.hand_left + hand_width(place.size)
    return place.left, place.top, right, place.top + tray_height(place.size)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@EACH_SIZE
def test_the_pieces_of_an_ox_and_the_two_left_over_are_within_their_trays(size: PieceSize) -> None:
    laid = groups(size)

    assert [len(group.pieces) for group in laid] == [3, 2]
    assert laid[0].left == 0
    assert laid[-1].left + laid[-1].width == hand_width(size)
    for group in laid:
        assert group.pieces[0] - group.left == size.padding
        assert group.left + group.width - (group.pieces[-1] + size.width) == size.padding
    lefts = [left for group in laid for left in group.pieces]
    assert all(after - before >= size.width + size.gap for before, after in pairwise(lefts))


@EACH_SIZE
def test_the_pieces_of_a_hand_without_an_ox_are_evenly_spaced(size: PieceSize) -> None:
    laid = row(size)
    steps = {after - before for before, after in pairwise(laid.pieces)}
    assert max(steps) - min(steps) <= 1
    assert min(steps) >= size.width + size.gap
    assert laid.pieces[0] == laid.width - (laid.pieces[-1] + size.width) == size.padding
    assert laid.width == hand_width(size)


@EACH_GAME
def test_hands_do_not_overlap_or_cross_the_edge(game: GameName) -> None:
    for hands in range(1, 21):
        plan = showdown(art_of(game).small, hands)
        boxes = [box_of(place) for place in plan.places]

        assert len(boxes) == hands
        assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
        for left, top, right, bottom in boxes:
            assert 0 < left < right < plan.width
            assert 0 < top < bottom < plan.height


@EACH_GAME
def test_whoever_plays_a_picture_is_as_wide_and_its_pieces_as_large(game: GameName) -> None:
    plans = [showdown(art_of(game).small, hands) for hands in range(1, 21)]
    assert len({plan.width for plan in plans}) == 1
    assert {place.size for plan in plans for place in plan.places} == {art_of(game).small}
    assert all(len({place.left for place in plan.places}) <= 2 for plan in plans)
