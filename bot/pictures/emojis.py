"""Pieces as emojis: what can be read of a card or a tile where a line of text is 22 pixels high."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.canvas import Canvas, text_width
from bot.pictures.png import EDGE, HEART, PAPER, SPADE, SUIT_COLOURS, Colour
from bot.pictures.shapes import SUIT_SHAPES
from bot.rules.cards import CARDS, RANKS, Card, rank_of, suit_of
from bot.rules.pieces import Piece, PieceSet
from bot.rules.tiles import Tile, ends_of

SIZE: Final = 128
"""Discord's size of an emoji, in pixels."""
_WIDTH: Final = 104
_MARGIN: Final = (SIZE - _WIDTH) // 2
_RADIUS: Final = 16
_LINE: Final = 4
_TALL: Final = 54
"""How tall a rank or a number is."""
_WIDEST: Final = 84
_FIRST: Final = 10
_SECOND: Final = 68
"""Where the upper and the lower half begin."""
_RED_ENDS: Final = (1, 4)
_OVERSIZE: Final = 4


def piece_emoji(kind: PieceSet[Piece], piece: Piece) -> bytes:
    """A piece as a PNG with a transparent ground: a card's rank and suit, or the numbers of a tile's ends."""
    canvas = Canvas(_WIDTH, SIZE, EDGE)
    canvas.panel(_LINE, _LINE, _WIDTH - _LINE, SIZE - _LINE, _RADIUS - _LINE, PAPER)
    if kind is CARDS:
        suit = suit_of(Card(piece))
        _write(canvas, RANKS[rank_of(Card(piece))], _FIRST, SUIT_COLOURS[suit])
        canvas.shape(SUIT_SHAPES[suit], (_WIDTH / 2, _SECOND + _TALL / 2 - 1), _TALL, SUIT_COLOURS[suit])
    else:
        for end, top in zip(ends_of(Tile(piece)), (_FIRST, _SECOND - 1), strict=True):
            _write(canvas, str(end), top, HEART if end in _RED_ENDS else SPADE)
        canvas.panel(_MARGIN, SIZE / 2 - 1, _WIDTH - _MARGIN, SIZE / 2 + 1, 0, EDGE)
    emoji = Image.new("RGBA", (SIZE, SIZE))
    emoji.paste(canvas.finished().convert("RGB"), (_MARGIN, 0), _outline())
    buffer = BytesIO()
    emoji.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _write(canvas: Canvas, text: str, top: float, colour: Colour) -> None:
    width = min(text_width(text, _TALL), _WIDEST)
    canvas.text(text, (_WIDTH - width) / 2, top, _TALL, _WIDEST, colour)


def _outline() -> Image.Image:
    mask = Image.new("L", (_WIDTH * _OVERSIZE, SIZE * _OVERSIZE))
    corners = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(corners, _RADIUS * _OVERSIZE, fill=255)
    return mask.reduce(_OVERSIZE)
