from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Barrier
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.games.settle import Outcome
from bot.pictures import cards, tiles
from bot.pictures.badges import crown_badge, outcome_mark, seat_badge, tray
from bot.pictures.cards import CardSize
from bot.pictures.compose import sprite
from bot.pictures.layout import PieceSize
from bot.pictures.piece_art import PieceArt
from bot.pictures.png import COLOURS, EDGE, GOLD, HEART, PAPER, SPADE, TRAY, blend
from bot.pictures.tiles import TileSize, tile_face
from bot.rules.tiles import WILD, ends_of, parse_tile, woodpile
from tests.sizes import sample

from .strategies import ART_AND_SIZES, faces

TILE_SIZES = pytest.mark.parametrize("size", sample([tiles.LARGE, tiles.SMALL], ids=["large", "small"]))
ALL_TILE_SIZES = pytest.mark.parametrize("size", [tiles.LARGE, tiles.WIDE, tiles.FLAT, tiles.SMALL])
TELLING = 1.0
"""The mean difference in grey, from 0 to 255, at which an eye can tell two pictures apart."""


def grey_difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference in brightness of two pictures, from 0 to 255."""
    return float(ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0])


@pytest.mark.thorough
@ART_AND_SIZES
def test_all_pieces_and_the_back_differ_even_in_grey_and_on_a_phone(
    pieces: str, art: PieceArt[Any, Any], size: PieceSize
) -> None:
    rendered = [*faces(pieces, art, size), art.back(size)]

    assert len({face.tobytes() for face in rendered}) == {"card": 53, "tile": 22}[pieces]
    assert len({face.size for face in rendered}) == 1
    for reduced in (1, 3):
        for one, other in combinations([face.convert("L").reduce(reduced) for face in rendered], 2):
            assert grey_difference(one, other) > TELLING


@pytest.mark.thorough
@ART_AND_SIZES
def test_nothing_is_rendered_over_the_edge_of_a_piece(
    pieces: str, art: PieceArt[Any, Any], size: CardSize | TileSize
) -> None:
    paper = COLOURS.index(PAPER)

    for face in faces(pieces, art, size):
        inside = (
            [(3, y) for y in range(size.radius, size.height - size.radius)]
            + [(size.width - 4, y) for y in range(size.radius, size.height - size.radius)]
            + [(x, 3) for x in range(size.radius, size.width - size.radius)]
            + [(x, size.height - 4) for x in range(size.radius, size.width - size.radius)]
        )
        assert {face.getpixel(point) for point in inside} == {paper}


def pips(face: Image.Image, size: TileSize, colours: tuple[tuple[int, int, int], ...]) -> list[int]:
    """The number of spots of these colours in the upper, or left, and the other half of a tile."""
    wanted = {COLOURS.index(colour) for colour in colours}
    halves = []
    wide, high = (size.width // 2, size.height) if size.lies else (size.width, size.height // 2)
    for left, top in ((0, 0), (size.width - wide, size.height - high)):
        inked = {
            (x, y)
            for x in range(left, left + wide)
            for y in range(top, top + high)
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


@pytest.mark.thorough
@ALL_TILE_SIZES
def test_t01_ones_fours_and_half_of_a_double_six_are_red(size: TileSize) -> None:
    for tile in sorted(set(woodpile())):
        face, ends = tile_face(tile, size), ends_of(tile)
        red = [3, 3] if ends == (6, 6) else [end if end in (1, 4) else 0 for end in ends]

        assert pips(face, size, (HEART,)) == red
        assert pips(face, size, (SPADE,)) == [end - ours for end, ours in zip(ends, red, strict=True)]


@TILE_SIZES
def test_the_pips_of_a_two_are_side_by_side_at_the_edge_of_the_tile(size: TileSize) -> None:
    face = tile_face(parse_tile("2-2"), size)
    ink = COLOURS.index(SPADE)
    inked = [y for y in range(size.height) if any(face.getpixel((x, y)) == ink for x in range(size.width))]

    upper, lower = [y for y in inked if y < size.height // 2], [y for y in inked if y >= size.height // 2]
    assert max(upper) < size.height / 4
    assert min(lower) > size.height * 3 / 4


@ALL_TILE_SIZES
def test_t05_only_wild_tiles_have_a_golden_star(size: TileSize) -> None:
    for tile in woodpile():
        star = tile_face(tile, size).crop((0, 0, size.width, size.height))
        assert (star.histogram()[COLOURS.index(GOLD)] > 50) == (tile in WILD)


@ALL_TILE_SIZES
def test_what_a_tile_counts_stands_clear_of_its_pips_its_star_and_its_numbers(size: TileSize) -> None:
    """A learner counts the pips."""
    groove = EDGE, blend(PAPER, EDGE, 1 / 2), blend(PAPER, TRAY, 1 / 4)
    bare = {COLOURS.index(colour) for colour in (PAPER, *groove)}
    for tile in sorted(set(woodpile())):
        plain, counted = tile_face(tile, size), tile_face(tile, size, 10)
        covered = {
            plain.getpixel((x, y))
            for x in range(plain.width)
            for y in range(plain.height)
            if plain.getpixel((x, y)) != counted.getpixel((x, y))
        }
        assert covered
        assert covered <= bare


@TILE_SIZES
def test_the_two_numbers_below_a_tile_are_not_cut_off(size: TileSize) -> None:
    numbers = [
        tile_face(parse_tile(text), size).crop((0, size.height, size.width, size.height + size.below))
        for text in ("6-5", "5-1")
    ]
    paper = COLOURS.index(PAPER)

    for written in numbers:
        spots = [written.getpixel((x, y)) == paper for y in (size.below - 3,) for x in range(size.width)]
        assert any(spots)
        assert not any(spots[:4] + spots[-4:])
    assert grey_difference(*numbers) > TELLING


def test_badges_and_marks_are_pairwise_distinct_in_grey() -> None:
    size = cards.SMALL.badge
    rendered = [
        *(seat_badge(seat, size) for seat in range(1, 20)),
        *(outcome_mark(outcome, size) for outcome in Outcome),
        crown_badge(size),
    ]

    for one, other in combinations(rendered, 2):
        assert grey_difference(one, other) > TELLING


def test_a_sprite_is_rendered_once_for_all_threads() -> None:
    rendered = []
    threads = 8
    together = Barrier(threads)

    def render(width: int) -> Image.Image:
        rendered.append(width)
        return tray(width, 30, 5, TRAY)

    def ask(_: int) -> Image.Image:
        together.wait(timeout=60)
        return sprite(render, 40)

    with ThreadPoolExecutor(threads) as pool:
        images = list(pool.map(ask, range(threads)))

    assert rendered == [40]
    assert all(image is images[0] for image in images)
    assert sprite(render, 41).width == 41
