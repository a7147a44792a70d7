from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from bot.games.register import GAMES
from bot.games.settle import Outcome
from bot.pictures.badges import FRAME
from bot.pictures.compose import FEW_HANDS, FLAT_HANDS, hand_picture, showdown_picture
from bot.pictures.layout import HAND_MARGIN, hand_width, row
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.piece_art import art_of
from bot.pictures.png import BRIGHT_GOLD, COLOURS, GOLD, TRAY
from bot.rules.cards import parse_cards
from bot.rules.knobs import GameName
from bot.rules.tiles import parse_tiles
from tests.sizes import examples

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


@EACH_GAME
def test_a_player_alone_and_the_banker_are_one_below_the_other(game: GameName) -> None:
    both, size = decoded(showdown_picture(full_round(2, game))), art_of(game).large
    assert both.height > 2 * size.height
    assert both.width < 2 * hand_width(size)


@EACH_GAME
def test_hands_are_one_below_the_other_and_wide_as_far_as_a_board_has_room(game: GameName) -> None:
    art, counts = art_of(game), (FEW_HANDS, FEW_HANDS + 1, FLAT_HANDS, FLAT_HANDS + 1)
    few, one_more, most, many = (decoded(showdown_picture(full_round(count, game))) for count in counts)
    sizes = art.wide, art.flat, art.flat
    for picture, size, count in zip((few, one_more, most), sizes, counts[:3], strict=True):
        assert picture.height > count * size.height
        assert 285 * size.width / picture.width > 45, "on a phone, a piece is 45 pixels wide"
    assert one_more.height <= few.height, "a board has no more room"
    assert 285 * most.height / most.width < 210, "on a phone, the bank and six players have 210 pixels"
    assert many.width > 2 * hand_width(art.small)


@examples(8, 25)
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
    edge, tray = ((HAND_MARGIN[0] + across, framed.height // 2) for across in (2 - FRAME, 4))
    assert framed.getpixel(edge) != plain.getpixel(edge)
    assert plain.getpixel(tray) == COLOURS.index(TRAY)
    assert framed.getpixel(tray) in {COLOURS.index(GOLD), COLOURS.index(BRIGHT_GOLD)}


def test_seat_and_outcome_show_in_a_round() -> None:
    bank, first, second = SMALL_ROUND
    others = [
        PicturedHand(ox=first.ox, power=first.power, seat=seat, outcome=outcome)
        for seat in (1, 3, 13)
        for outcome in (None, *Outcome)
    ]
    pictures = {showdown_picture([bank, other, second]) for other in others}

    assert len(pictures) == len(others)
