"""Pieces and outcomes as emojis: what can be read of them where a line of text is 22 pixels high."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.games.settle import Outcome
from bot.pictures.badges import OUTCOME_MARKS
from bot.pictures.canvas import Canvas, text_width
from bot.pictures.png import EDGE, HEART, PAPER, SPADE, SUIT_COLOURS, TABLE, Colour
from bot.pictures.shapes import SUIT_SHAPES
from bot.pictures.tiles import RED_ENDS
from bot.rules.cards import RANKS, Card, rank_of, suit_of
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
_OVERSIZE: Final = 4


def card_emoji(card: Card) -> bytes:
    """A card's rank and suit, as a PNG with a transparent ground."""
    canvas, colour = _blank(), SUIT_COLOURS[suit_of(card)]
    _write(canvas, RANKS[rank_of(card)], _FIRST, colour)
    canvas.shape(SUIT_SHAPES[suit_of(card)], (_WIDTH / 2, _SECOND + _TALL / 2 - 1), _TALL, colour)
    return _png(canvas)


def tile_emoji(tile: Tile) -> bytes:
    """The numbers of a tile's two ends, as a PNG with a transparent ground."""
    canvas = _blank()
    for end, top in zip(ends_of(tile), (_FIRST, _SECOND - 1), strict=True):
        _write(canvas, str(end), top, HEART if end in RED_ENDS else SPADE)
    canvas.panel(_MARGIN, SIZE / 2 - 1, _WIDTH - _MARGIN, SIZE / 2 + 1, 0, EDGE)
    return _png(canvas)


def mark_emoji(outcome: Outcome) -> bytes:
    """The mark of an outcome on a piece of the pictures' cloth, as a PNG with a transparent ground."""
    canvas, (shape, colour) = Canvas(_WIDTH, SIZE, TABLE), OUTCOME_MARKS[outcome]
    canvas.shape(shape, (_WIDTH / 2, SIZE / 2), _WIDTH * 0.8, colour)
    return _png(canvas)


def _blank() -> Canvas:
    canvas = Canvas(_WIDTH, SIZE, EDGE)
    canvas.panel(_LINE, _LINE, _WIDTH - _LINE, SIZE - _LINE, _RADIUS - _LINE, PAPER)
    return canvas


def _png(canvas: Canvas) -> bytes:
    emoji = Image.new("RGBA", (SIZE, SIZE))
    emoji.paste(canvas.finished().convert("RGB"), (_MARGIN, 0), _outline())
    buffer = BytesIO()
    emoji.save(buffer, "PNG")
    return buffer.getvalue()


def _write(canvas: Canvas, text: str, top: float, colour: Colour) -> None:
    width = min(text_width(text, _TALL), _WIDEST)
    canvas.text(text, (_WIDTH - width) / 2, top, _TALL, _WIDEST, colour)


def _outline() -> Image.Image:
    mask = Image.new("L", (_WIDTH * _OVERSIZE, SIZE * _OVERSIZE))
    corners = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(corners, _RADIUS * _OVERSIZE, fill=255)
    return mask.reduce(_OVERSIZE)
