from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from threading import Barrier

import pytest
from hypothesis import given, settings

from bot.games.register import GAMES
from bot.games.settle import Outcome
from bot.pictures.badges import FRAME
from bot.pictures.compose import SPRITES, hand_picture, showdown_picture
from bot.pictures.layout import HAND_MARGIN, row
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.piece_art import art_of
from bot.pictures.png import COLOURS
from bot.rules.cards import parse_cards
from bot.rules.knobs import GameName
from bot.rules.tiles import parse_tiles
from tests.sizes import sized

from .strategies import EACH_GAME, arranged, decoded, discarded, full_round, rounds

LONGEST_SIDE = 2400
"""Pixels: a full round is at most 1,200 wide, and at most twice as tall."""

HAND = arranged("3S 6D AC", "8H 8D")
TILES = discarded("6-6 5-3 4-2", "6-5 6-1")
SMALL_ROUND = (
    arranged("3S 6D AC", "8H 8D"),
    arranged("10S 4D 6C", "9H KD", seat=1, outcome=Outcome.BANKER),
    arranged("2S 7D AC", "AS KH", seat=2, outcome=Outcome.PLAYER),
)


def test_a_hand_is_a_small_indexed_picture_and_tiles_are_higher() -> None:
    written, tiles = hand_picture(HAND), hand_picture(TILES)
    image, higher = decoded(written), decoded(tiles)

    assert max(len(written), len(tiles)) < 30_000
    assert (image.size, image.mode, higher.mode) == ((900, 260), "P", "P")
    assert 1.5 < higher.width / higher.height < 900 / 260
    assert len(image.getcolors() or ()) > 20
    palette = image.getpalette() or []
    assert [tuple(palette[at : at + 3]) for at in range(0, len(palette), 3)][: len(COLOURS)] == list(COLOURS)
    assert len(palette) == 3 * len(COLOURS) == 3 * 64
    assert higher.getpalette() == palette


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "count"),
    [(name, count) for name, game in GAMES.items() for count in range(1, game.most_players + 2)],
)
def test_a_round_of_any_size_is_small_enough_for_a_phone(game: GameName, count: int) -> None:
    written = showdown_picture(full_round(count, game))
    image = decoded(written)

    assert image.mode == "P"
    assert max(image.size) <= LONGEST_SIDE
    assert image.width <= 1200
    assert len(written) < 500_000


@settings(max_examples=sized(8, 25))
@given(rounds())
def test_any_round_can_be_rendered_and_equal_rounds_are_equal_bytes(hands: tuple[PicturedHand, ...]) -> None:
    written = showdown_picture(hands)

    assert decoded(written).mode == "P"
    assert showdown_picture(hands) == written


DIFFERENT = {
    "another suit": arranged("3S 6D AC", "8H 8C"),
    "another ox": arranged("3S 6D AH", "8H 8D"),
    "another order": arranged("6D 3S AC", "8H 8D"),
    "five that count": PicturedHand(power=parse_cards("3S 6D AC 8H 8D")),
    "no ox": PicturedHand(rest=parse_cards("3S 6D AC 8H 8D")),
    "tiles": TILES,
    "another wild one": discarded("6-6 5-3 2-1", "6-5 6-1"),
    "another order of tiles": discarded("6-6 5-3 4-2", "6-1 6-5"),
    "no discard": PicturedHand(rest=parse_tiles("6-6 5-3 4-2 6-5 6-1"), game="tau-ngau"),
    "the tiles' numbers as cards": PicturedHand(ox=TILES.ox, power=TILES.power),
}


def test_different_hands_are_different_pictures() -> None:
    pictures = {what: hand_picture(hand) for what, hand in DIFFERENT.items()} | {"cards": hand_picture(HAND)}
    assert len(set(pictures.values())) == len(pictures)


@pytest.mark.parametrize(
    ("apart", "together"),
    [
        (HAND, PicturedHand(rest=parse_cards("4S 4D 3C 8H 5D"))),
        (TILES, PicturedHand(rest=parse_tiles("6-6 5-3 4-2 6-5 6-1"), game="tau-ngau")),
    ],
    ids=["cards", "tiles"],
)
def test_a_gap_separates_the_ox_from_the_other_two(apart: PicturedHand, together: PicturedHand) -> None:
    def bare_columns(hand: PicturedHand) -> int:
        """Columns in the picture's inner part where nothing but the table shows."""
        image = decoded(hand_picture(hand))
        table = image.getpixel((0, 0))
        return sum(
            all(image.getpixel((x, y)) == table for y in range(0, image.height, 13))
            for x in range(60, image.width - 60)
        )

    assert bare_columns(apart) >= 20
    assert bare_columns(together) == 0


@pytest.mark.parametrize("game", ["gnau", "tau-ngau"])
@pytest.mark.parametrize("how", ["dealt", "without an ox", "needs no ox"])
def test_a_hand_without_an_ox_is_five_pieces_side_by_side(game: GameName, how: str) -> None:
    """Drawn as three and two, it would look as if the three made an ox."""
    pieces = (TILES if game == "tau-ngau" else HAND).pieces
    hand = {
        "dealt": PicturedHand.dealt(pieces, game),
        "without an ox": PicturedHand(rest=pieces, game=game),
        "needs no ox": PicturedHand(power=pieces, game=game),
    }[how]
    image, size = decoded(hand_picture(hand)), art_of(game).large
    left, _ = HAND_MARGIN
    lefts = [left + piece for piece in row(size).pieces]
    for before, after in pairwise(lefts):
        middle = (before + size.width + after) // 2
        assert image.getpixel((middle, image.height // 2)) == image.getpixel((left + 5, image.height // 2))


@pytest.mark.parametrize("hand", [HAND, TILES], ids=["cards", "tiles"])
def test_a_hand_alone_is_framed_in_gold_if_it_is_celebrated(hand: PicturedHand) -> None:
    plain, framed = (decoded(hand_picture(replace(hand, framed=framed))) for framed in (False, True))
    assert plain.size == framed.size
    edge = HAND_MARGIN[0] - FRAME + 2, framed.height // 2
    assert framed.getpixel(edge) != plain.getpixel(edge)


@pytest.mark.parametrize("hand", [HAND, TILES], ids=["cards", "tiles"])
def test_a_hand_alone_shows_neither_seat_nor_outcome(hand: PicturedHand) -> None:
    assert hand_picture(replace(hand, seat=7, outcome=Outcome.BANKER)) == hand_picture(hand)


def test_seat_and_outcome_show_in_a_round() -> None:
    bank, first, second = SMALL_ROUND
    others = [
        PicturedHand(ox=first.ox, power=first.power, seat=seat, outcome=outcome)
        for seat in (1, 3, 13)
        for outcome in (None, *Outcome)
    ]
    pictures = {showdown_picture([bank, other, second]) for other in others}

    assert len(pictures) == len(others)


def test_a_banker_does_not_look_like_a_player() -> None:
    bank, *players = SMALL_ROUND
    seated = PicturedHand(ox=bank.ox, power=bank.power, seat=8)

    assert showdown_picture([bank]) != showdown_picture([seated])
    assert showdown_picture([seated, *players]) != showdown_picture(SMALL_ROUND)


@pytest.mark.thorough
@EACH_GAME
def test_threads_that_start_together_render_the_same_pictures(game: GameName) -> None:
    hands = full_round(game=game)
    expected = [showdown_picture(hands), *(hand_picture(hand) for hand in hands)]
    threads = 8
    together = Barrier(threads)
    SPRITES.clear()

    def render(_: int) -> list[bytes]:
        together.wait(timeout=20)
        return [showdown_picture(hands), *(hand_picture(hand) for hand in hands)]

    with ThreadPoolExecutor(threads) as pool:
        rendered = list(pool.map(render, range(threads)))

    assert rendered[0] == expected
    assert all(one == other for one, other in pairwise(rendered))
