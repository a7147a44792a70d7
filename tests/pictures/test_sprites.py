from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Barrier
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import cards, tiles
from bot.pictures.cards import CardCut, card_face
from bot.pictures.cuts import Cut
from bot.pictures.kinds import Kind
from bot.pictures.marks import crown_badge, outcome_mark, seat_badge, tray
from bot.pictures.palette import COLOURS, GOLD, HEART, PAPER, SPADE, TRAY, indexed
from bot.pictures.sprites import sprite
from bot.pictures.tiles import TileCut, tile_face
from bot.rules.cards import JACK, RANKS, card_of, deck
from bot.rules.knobs import GameName
from bot.rules.settle import Outcome
from bot.rules.tiles import WILD, Tile, ends_of, parse_tile, woodpile

from .draws import KINDS_AND_CUTS, faces

CUTS = pytest.mark.parametrize("cut", [cards.LARGE, cards.SMALL], ids=["large", "small"])
TILE_CUTS = pytest.mark.parametrize("cut", [tiles.LARGE, tiles.SMALL], ids=["large", "small"])
TELLING = 1.0
"""Mean difference of two pictures, in 255ths of grey, from which on an eye can tell them apart."""


def grey_difference(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ in brightness on average, from 0 to 255."""
    return float(ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0])


@KINDS_AND_CUTS
def test_all_pieces_and_the_back_differ_even_in_grey(game: GameName, kind: Kind[Any, Any], cut: Cut) -> None:
    drawn = [*faces(game, kind, cut), kind.back(cut)]

    assert len({face.tobytes() for face in drawn}) == {GameName.GNAU: 53, GameName.TAU_NGAU: 22}[game]
    for one, other in combinations(drawn, 2):
        assert one.size == other.size
        assert grey_difference(one, other) > TELLING


@KINDS_AND_CUTS
def test_all_pieces_differ_at_a_third_of_their_size_as_on_a_phone(
    game: GameName, kind: Kind[Any, Any], cut: Cut
) -> None:
    small = [face.convert("L").reduce(3) for face in faces(game, kind, cut)]

    for one, other in combinations(small, 2):
        assert grey_difference(one, other) > TELLING


@CUTS
@pytest.mark.parametrize("rank", range(len(RANKS)))
def test_suits_differ_by_shape_and_not_by_shade_alone(cut: CardCut, rank: int) -> None:
    inked = [
        card_face(card_of(rank, suit), cut).convert("L").point(lambda shade: 255 if shade > 150 else 0)
        for suit in range(4)
    ]

    for one, other in combinations(inked, 2):
        assert grey_difference(one, other) > TELLING


@KINDS_AND_CUTS
def test_nothing_is_drawn_over_the_edge_of_a_piece(
    game: GameName, kind: Kind[Any, Any], cut: CardCut | TileCut
) -> None:
    paper = COLOURS.index(PAPER)

    for face in faces(game, kind, cut):
        inside = (
            [(3, y) for y in range(cut.radius, cut.height - cut.radius)]
            + [(cut.width - 4, y) for y in range(cut.radius, cut.height - cut.radius)]
            + [(x, 3) for x in range(cut.radius, cut.width - cut.radius)]
            + [(x, cut.height - 4) for x in range(cut.radius, cut.width - cut.radius)]
        )
        assert {face.getpixel(point) for point in inside} == {paper}


@CUTS
def test_dukes_and_no_others_wear_gold(cut: CardCut) -> None:
    for card in deck():
        gold = card_face(card, cut).histogram()[COLOURS.index(GOLD)]
        assert (gold > 50) == (card >= card_of(JACK, 0))


def pips(face: Image.Image, cut: TileCut, colours: tuple[tuple[int, int, int], ...]) -> list[int]:
    """How many spots of these colours the upper and the lower half of a tile show."""
    wanted = {COLOURS.index(colour) for colour in colours}
    halves = []
    for top in (0, cut.height // 2):
        inked = {
            (x, y)
            for x in range(cut.width)
            for y in range(top, top + cut.height // 2)
            if face.getpixel((x, y)) in wanted
        }
        spots = 0
        while inked:
            spots += 1
            reached = [inked.pop()]
            while reached:
                x, y = reached.pop()
                beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & inked
                inked -= beside
                reached.extend(beside)
        halves.append(spots)
    return halves


@TILE_CUTS
def test_t01_a_tile_shows_its_pips_the_ones_and_fours_red_and_half_of_a_double_six(cut: TileCut) -> None:
    for tile in sorted(set(woodpile())):
        face, ends = tile_face(tile, cut), ends_of(tile)
        red = [3, 3] if ends == (6, 6) else [end if end in (1, 4) else 0 for end in ends]

        assert pips(face, cut, (HEART,)) == red
        assert pips(face, cut, (SPADE,)) == [end - ours for end, ours in zip(ends, red, strict=True)]


@TILE_CUTS
@pytest.mark.parametrize("tile", [tile for tile in sorted(set(woodpile())) if len(set(ends_of(tile))) == 1])
def test_a_double_looks_the_same_when_it_is_turned_around(tile: Tile, cut: TileCut) -> None:
    inner = tile_face(tile, cut).crop((4, 4, cut.width - 4, cut.height - 4)).convert("RGB")

    assert grey_difference(inner, inner.rotate(180)) < TELLING


@TILE_CUTS
def test_the_pips_of_a_two_lie_side_by_side_at_the_edge_of_the_tile(cut: TileCut) -> None:
    face = tile_face(parse_tile("2-2"), cut)
    ink = COLOURS.index(SPADE)
    inked = [y for y in range(cut.height) if any(face.getpixel((x, y)) == ink for x in range(cut.width))]

    upper, lower = [y for y in inked if y < cut.height // 2], [y for y in inked if y >= cut.height // 2]
    assert max(upper) < cut.height / 4
    assert min(lower) > cut.height * 3 / 4


@TILE_CUTS
def test_t05_wild_tiles_and_no_others_bear_a_golden_star(cut: TileCut) -> None:
    for tile in woodpile():
        star = tile_face(tile, cut).crop((0, 0, cut.width, cut.height))
        assert (star.histogram()[COLOURS.index(GOLD)] > 50) == (tile in WILD)


@TILE_CUTS
def test_the_two_numbers_below_a_tile_fill_their_room_and_no_more(cut: TileCut) -> None:
    numbers = [
        tile_face(parse_tile(text), cut).crop((0, cut.height, cut.width, cut.height + cut.below))
        for text in ("6-5", "5-1")
    ]
    paper = COLOURS.index(PAPER)

    for written in numbers:
        spots = [written.getpixel((x, y)) == paper for y in (cut.below - 3,) for x in range(cut.width)]
        assert any(spots)
        assert not any(spots[:4] + spots[-4:])
    assert grey_difference(*numbers) > TELLING


def test_badges_and_marks_are_pairwise_distinct_in_grey() -> None:
    size = cards.SMALL.badge
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
