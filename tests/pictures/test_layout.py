from itertools import combinations

from bot.pictures.compose import showdown_plan
from bot.pictures.layout import Place, hand_width, tray_height
from bot.rules.knobs import GameName

from .strategies import EACH_GAME

Box = tuple[int, int, int, int]


def box_of(place: Place) -> Box:
    """Left, top, right and bottom of a hand with its badge."""
    right = place.hand_left + hand_width(place.size)
    return place.left, place.top, right, place.top + tray_height(place.size)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@EACH_GAME
def test_hands_do_not_overlap_or_cross_the_edge(game: GameName) -> None:
    for hands in range(1, 21):
        plan = showdown_plan(game, hands)
        boxes = [box_of(place) for place in plan.places]

        assert len(boxes) == hands
        assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
        for left, top, right, bottom in boxes:
            assert 0 < left < right < plan.width
            assert 0 < top < bottom < plan.height
