from itertools import combinations, pairwise

import pytest

from bot.pictures.cuts import Cut
from bot.pictures.kinds import KINDS
from bot.pictures.layout import Place, groups, hand_width, showdown, tray_height
from bot.rules.knobs import GameName

from .draws import EACH_GAME

Box = tuple[int, int, int, int]


def box_of(place: Place) -> Box:
    """Left, top, right and bottom of a hand with its badge."""
    right = place.hand_left + hand_width(place.cut)
    return place.left, place.top, right, place.top + tray_height(place.cut)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("cut", [cut for kind in KINDS.values() for cut in (kind.large, kind.small)])
@pytest.mark.parametrize("sizes", [(3, 2), (5,)])
def test_groups_lie_in_the_middle_of_their_room_and_pieces_within_their_trays(
    sizes: tuple[int, ...], cut: Cut
) -> None:
    laid = groups(sizes, cut)

    assert [len(group.pieces) for group in laid] == list(sizes)
    assert abs(laid[0].left - (hand_width(cut) - laid[-1].left - laid[-1].width)) <= 1
    for group in laid:
        assert group.pieces[0] - group.left == cut.padding
        assert group.left + group.width - (group.pieces[-1] + cut.width) == cut.padding
    lefts = [left for group in laid for left in group.pieces]
    assert all(after - before >= cut.width + cut.gap for before, after in pairwise(lefts))


@EACH_GAME
@pytest.mark.parametrize("bank", [True, False])
@pytest.mark.parametrize("players", range(1, 20))
def test_no_hand_lies_on_another_or_over_the_edge(players: int, bank: bool, game: GameName) -> None:
    plan = showdown(KINDS[game].large, KINDS[game].small, bank=bank, players=players)
    boxes = [box_of(place) for place in plan.places]

    assert len(boxes) == players + bank
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    for left, top, right, bottom in boxes:
        assert 0 < left < right < plan.width
        assert 0 < top < bottom < plan.height


@EACH_GAME
def test_the_banker_alone_is_large_where_players_are_many(game: GameName) -> None:
    large, small = KINDS[game].large, KINDS[game].small
    plan = showdown(large, small, bank=True, players=7)

    assert [place.cut for place in plan.places] == [large] + [small] * 7
    assert all(place.top > plan.places[0].top for place in plan.places[1:])
    assert len({place.left for place in plan.places[1:]}) == 2


@EACH_GAME
def test_a_few_players_are_as_large_as_the_banker_in_one_column(game: GameName) -> None:
    large = KINDS[game].large
    plan = showdown(large, KINDS[game].small, bank=True, players=2)

    assert [place.cut for place in plan.places] == [large] * 3
    assert len({place.left for place in plan.places}) == 1
