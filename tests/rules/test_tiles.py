from collections import Counter

import pytest

from bot.rules.tiles import (
    CIVIL,
    FACES,
    MILITARY,
    WILD,
    ends_of,
    parse_tile,
    parse_tiles,
    pips_of,
    tile_name,
    tile_text,
    woodpile,
)

EVERY_FACE = [parse_tile(f"{larger}-{smaller}") for larger, smaller in FACES]


def test_t01_the_woodpile_is_eleven_civil_tiles_twice_and_ten_military_once() -> None:
    counts = Counter(tile_text(tile) for tile in woodpile())

    assert counts.total() == 32
    assert {face for face, times in counts.items() if times == 2} == {
        *("6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1")
    }
    assert {face for face, times in counts.items() if times == 1} == {
        *("6-3", "5-4", "6-2", "5-3", "5-2", "4-3", "4-1", "3-2", "4-2", "2-1")
    }


def test_t01_every_domino_without_a_blank_is_there() -> None:
    assert {*CIVIL, *MILITARY} == {(high, low) for high in range(1, 7) for low in range(1, high + 1)}


def test_t05_the_wild_tiles_are_4_2_and_2_1() -> None:
    assert {tile_text(tile) for tile in WILD} == {"4-2", "2-1"}


@pytest.mark.parametrize("tile", EVERY_FACE)
def test_a_tile_can_be_written_in_several_ways(tile: int) -> None:
    again = parse_tile(tile_text(EVERY_FACE[tile]))
    larger, smaller = ends_of(again)
    sign = chr(0x1F063 + 7 * smaller + larger)

    assert again == tile
    assert pips_of(again) == larger + smaller
    assert {
        parse_tile(form)
        for form in (
            tile_name(again),
            f"{smaller}-{larger}",
            f"{larger}{smaller}",
            f" {larger}-{smaller} ",
            sign,
        )
    } == {tile}


def test_the_text_of_tiles_reads_back_in_order() -> None:
    assert " ".join(map(tile_text, parse_tiles("6-5 1-6 4-2"))) == "6-5 6-1 4-2"


@pytest.mark.parametrize("text", ["", "6", "6-", "-6", "7-1", "0-0", "6-0", "6-5-4", "AS", "६-५", "6–5", "🀰"])
def test_text_that_is_not_a_tile_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile") as refused:
        parse_tile(text)
    assert f'"{text}"' in str(refused.value)
    assert "6-5" in str(refused.value)
