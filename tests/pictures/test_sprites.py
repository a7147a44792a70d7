from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Barrier

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.cuts import LARGE, SMALL, Cut
from bot.pictures.faces import card_back, card_face, crown_badge, outcome_mark, seat_badge, tray
from bot.pictures.palette import COLOURS, GOLD, TRAY, indexed
from bot.pictures.sprites import sprite
from bot.rules.cards import JACK, RANKS, card_of, deck
from bot.rules.settle import Outcome

CUTS = pytest.mark.parametrize("cut", [LARGE, SMALL], ids=["large", "small"])
TELLING = 1.0
"""Mean difference of two pictures, in 255ths of grey, from which on an eye can tell them apart."""


def grey_difference(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ in brightness on average, from 0 to 255."""
    return float(ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0])


@CUTS
def test_all_cards_and_the_back_differ_even_in_grey(cut: Cut) -> None:
    faces = [card_face(card, cut) for card in deck()] + [card_back(cut)]

    assert len({face.tobytes() for face in faces}) == 53
    for one, other in combinations(faces, 2):
        assert grey_difference(one, other) > TELLING


@CUTS
def test_all_cards_differ_at_a_third_of_their_size_as_on_a_phone(cut: Cut) -> None:
    small = [card_face(card, cut).convert("L").reduce(3) for card in deck()]

    for one, other in combinations(small, 2):
        assert grey_difference(one, other) > TELLING


@CUTS
@pytest.mark.parametrize("rank", range(len(RANKS)))
def test_suits_differ_by_shape_and_not_by_shade_alone(cut: Cut, rank: int) -> None:
    inked = [
        card_face(card_of(rank, suit), cut).convert("L").point(lambda shade: 255 if shade > 150 else 0)
        for suit in range(4)
    ]

    for one, other in combinations(inked, 2):
        assert grey_difference(one, other) > TELLING


@CUTS
def test_nothing_is_drawn_over_the_edge_of_a_card(cut: Cut) -> None:
    paper = card_face(card_of(0, 0), cut).getpixel((cut.width // 2, 3))

    for card in deck():
        face = card_face(card, cut)
        inside = (
            [(3, y) for y in range(cut.radius, cut.height - cut.radius)]
            + [(cut.width - 4, y) for y in range(cut.radius, cut.height - cut.radius)]
            + [(x, 3) for x in range(cut.radius, cut.width - cut.radius)]
            + [(x, cut.height - 4) for x in range(cut.radius, cut.width - cut.radius)]
        )
        assert {face.getpixel(point) for point in inside} == {paper}


@CUTS
def test_dukes_and_no_others_wear_gold(cut: Cut) -> None:
    for card in deck():
        gold = card_face(card, cut).histogram()[COLOURS.index(GOLD)]
        assert (gold > 50) == (card >= card_of(JACK, 0))


def test_badges_and_marks_are_pairwise_distinct_in_grey() -> None:
    size = SMALL.badge
    drawn = [
        *(seat_badge(seat, size) for seat in range(1, 20)),
        *(outcome_mark(outcome, size) for outcome in Outcome),
        crown_badge(size),
    ]

    for one, other in combinations(drawn, 2):
        assert grey_difference(one, other) > TELLING


def test_the_colours_are_64_and_survive_being_indexed() -> None:
    assert len(set(COLOURS)) == 64
    for number, colour in enumerate(COLOURS):
        assert indexed(Image.new("RGB", (1, 1), colour)).getpixel((0, 0)) == number


def test_a_sprite_is_drawn_once_however_many_threads_ask() -> None:
    drawn = []
    threads = 8
    together = Barrier(threads)

    def draw(width: int) -> Image.Image:
        drawn.append(width)
        return tray(width, 30, 5, TRAY)

    def ask(_: int) -> Image.Image:
        together.wait(timeout=20)
        return sprite(draw, 40)

    with ThreadPoolExecutor(threads) as pool:
        images = list(pool.map(ask, range(threads)))

    assert drawn == [40]
    assert all(image is images[0] for image in images)
    assert sprite(draw, 41).width == 41
