from itertools import combinations, pairwise

import pytest

from bot.pictures.layout import PieceSize, Place, groups, hand_width, showdown, tray_height
from bot.pictures.piece_art import PIECE_ART, art_of
from bot.rules.knobs import GameName

from .strategies import EACH_GAME

Box = tuple[int, int, int, int]


def box_of(place: Place) -> Box:
    """Left, top, right and bottom of a hand with its badge."""
    right = place.hand_left + hand_width(place.size)
    return place.left, place.top, right, place.top + tray_height(place.size)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("size", [size for art in PIECE_ART.values() for size in (art.large, art.small)])
@pytest.mark.parametrize("counts", [(3, 2), (5,)])
def test_groups_are_centred_and_pieces_are_within_their_trays(
    counts: tuple[int, ...], size: PieceSize
) -> None:
    laid = groups(counts, size)

    assert [len(group.pieces) for group in laid] == list(counts)
    assert abs(laid[0].left - (hand_width(size) - laid[-1].left - laid[-1].width)) <= 1
    for group in laid:
        assert group.pieces[0] - group.left == size.padding
        assert group.left + group.width - (group.pieces[-1] + size.width) == size.padding
    lefts = [left for group in laid for left in group.pieces]
    assert all(after - before >= size.width + size.gap for before, after in pairwise(lefts))


@EACH_GAME
@pytest.mark.parametrize("bank", [True, False])
@pytest.mark.parametrize("players", range(1, 20))
def test_hands_do_not_overlap_or_cross_the_edge(players: int, bank: bool, game: GameName) -> None:
    plan = showdown(art_of(game).large, art_of(game).small, bank=bank, players=players)
    boxes = [box_of(place) for place in plan.places]

    assert len(boxes) == players + bank
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    for left, top, right, bottom in boxes:
        assert 0 < left < right < plan.width
        assert 0 < top < bottom < plan.height


@EACH_GAME
def test_only_the_banker_is_large_if_there_are_many_players(game: GameName) -> None:
    large, small = art_of(game).large, art_of(game).small
    plan = showdown(large, small, bank=True, players=7)

    assert [place.size for place in plan.places] == [large] + [small] * 7
    assert all(place.top > plan.places[0].top for place in plan.places[1:])
    assert len({place.left for place in plan.places[1:]}) == 2


@EACH_GAME
def test_a_few_players_are_as_large_as_the_banker_in_one_column(game: GameName) -> None:
    large = art_of(game).large
    plan = showdown(large, art_of(game).small, bank=True, players=2)

    assert [place.size for place in plan.places] == [large] * 3
    assert len({place.left for place in plan.places}) == 1
