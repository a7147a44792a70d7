"""Hypothesis strategies and sample hands for the pictures, and how to read a PNG."""

from io import BytesIO
from typing import Any

import pytest
from hypothesis import strategies as st
from PIL import Image

from bot.games.register import GAMES
from bot.games.settle import Outcome
from bot.pictures.layout import PieceSize
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.piece_art import PIECE_ART, PieceArt
from bot.rules.cards import CARDS, deck, parse_cards
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.rules.tiles import TILES, parse_tiles, woodpile

MOST_HANDS = 1 + max(game.most_players for game in GAMES.values())
FACES: dict[str, tuple[Piece, ...]] = {
    CARDS.name: deck(),
    TILES.name: tuple(sorted(set(woodpile()))),
}
"""One of each piece, by set of pieces."""
EACH_GAME = pytest.mark.parametrize("game", list(GAMES))
ART_AND_SIZES = pytest.mark.parametrize(
    ("pieces", "art", "size"),
    [
        pytest.param(pieces, art, size, id=f"{pieces}, {name}")
        for pieces, art in PIECE_ART.items()
        for name, size in (("large", art.large), ("wide", art.wide), ("small", art.small))
    ],
)


def faces(pieces: str, art: PieceArt[Any, Any], size: PieceSize) -> list[Image.Image]:
    """Every piece of a set, face up."""
    return [art.face(piece, size, None) for piece in FACES[pieces]]


def _grouped(pieces: tuple[Piece, ...], way: str) -> dict[str, Any]:
    ways = {
        "ox": {"ox": pieces[:3], "power": pieces[3:]},
        "power": {"power": pieces},
        "rest": {"rest": pieces},
    }
    return ways[way]


def hands(seat: int | None, game: GameName) -> st.SearchStrategy[PicturedHand]:
    """A hand of this game at this seat, in any grouping, with any outcome."""
    return st.builds(
        lambda pieces, way, outcome: PicturedHand(
            **_grouped(pieces, way), seat=seat, outcome=outcome, game=game
        ),
        st.lists(st.sampled_from(FACES[GAMES[game].pieces.name]), min_size=5, max_size=5).map(tuple),
        st.sampled_from(["ox", "power", "rest"]),
        st.none() if seat is None else st.sampled_from([None, *Outcome]),
    )


def any_hand() -> st.SearchStrategy[PicturedHand]:
    """A banker's hand of any game."""
    return st.sampled_from(sorted(GAMES)).flatmap(lambda game: hands(None, game))


def rounds() -> st.SearchStrategy[tuple[PicturedHand, ...]]:
    """The banker's hand and up to 19 players', of any game."""
    return st.tuples(st.sampled_from(sorted(GAMES)), st.integers(0, MOST_HANDS - 1)).flatmap(
        lambda drawn: st.tuples(
            hands(None, drawn[0]), *(hands(seat, drawn[0]) for seat in range(1, drawn[1] + 1))
        )
    )


def arranged(ox: str, power: str, seat: int | None = None, outcome: Outcome | None = None) -> PicturedHand:
    """A hand of Gnau with an ox, its cards given as text."""
    return PicturedHand(ox=parse_cards(ox), power=parse_cards(power), seat=seat, outcome=outcome)


def discarded(three: str, left: str, seat: int | None = None, outcome: Outcome | None = None) -> PicturedHand:
    """A hand of Tau Ngau with a discard, its tiles given as text."""
    return PicturedHand(
        ox=parse_tiles(three), power=parse_tiles(left), seat=seat, outcome=outcome, game="tau-ngau"
    )


def full_round(count: int = MOST_HANDS, game: GameName = "gnau") -> tuple[PicturedHand, ...]:
    """A round of `count` hands, the banker's first, all with an ox and an outcome; no card appears twice."""
    outcomes = tuple(Outcome)
    pieces = FACES[GAMES[game].pieces.name]

    def piece(number: int, place: int) -> Piece:
        return pieces[(5 * number + place) % len(pieces)]

    return tuple(
        PicturedHand(
            ox=tuple(piece(number, place) for place in range(3)),
            power=tuple(piece(number, place) for place in (3, 4)),
            seat=number or None,
            outcome=outcomes[number % 3] if number else None,
            game=game,
        )
        for number in range(count)
    )


def decoded(png: bytes) -> Image.Image:
    """The picture that a PNG holds."""
    image = Image.open(BytesIO(png), formats=["PNG"])
    image.load()
    return image
