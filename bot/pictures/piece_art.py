"""How pieces look: sizes and renderers. A set of pieces needs an entry here to be in pictures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from PIL import Image

from bot.games.register import GAMES
from bot.pictures import cards, tiles
from bot.pictures.emojis import card_emoji, tile_emoji
from bot.pictures.layout import PieceSize
from bot.rules.cards import CARDS, card_name
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.rules.tiles import TILES, WILD, tile_text

P = TypeVar("P", bound=Piece)
C = TypeVar("C", bound=PieceSize)


@dataclass(frozen=True, eq=False, kw_only=True)
class PieceArt(Generic[P, C]):
    """How one set of pieces looks, in pictures and in their alternative texts.

    Attributes:
        large: the size for a picture of one hand, or of two.
        wide: the size for a picture of a few hands, one below the other.
        flat: the size for some hands more.
        small: the size for a picture of many hands.
        face: makes a piece face up, with what it counts printed on it unless that is None.
        emoji: makes a piece as an emoji in texts, a PNG.
        wild: the pieces that the picture marks as wild.
    """

    large: C
    wide: C
    flat: C
    small: C
    face: Callable[[P, C, int | None], Image.Image]
    back: Callable[[C], Image.Image]
    name: Callable[[P], str]
    emoji: Callable[[P], bytes]
    wild: frozenset[P] = frozenset()


PIECE_ART: Final[Mapping[str, PieceArt[Any, Any]]] = MappingProxyType(
    {
        CARDS.name: PieceArt(
            large=cards.LARGE,
            wide=cards.WIDE,
            flat=cards.FLAT,
            small=cards.SMALL,
            face=cards.card_face,
            back=cards.card_back,
            name=card_name,
            emoji=card_emoji,
        ),
        TILES.name: PieceArt(
            large=tiles.LARGE,
            wide=tiles.WIDE,
            flat=tiles.FLAT,
            small=tiles.SMALL,
            face=tiles.tile_face,
            back=tiles.tile_back,
            name=tile_text,
            emoji=tile_emoji,
            wild=WILD,
        ),
    }
)
"""The entry of each set of pieces, by its name."""


def art_of(game: GameName) -> PieceArt[Any, Any]:
    """How the pieces of a game look."""
    return PIECE_ART[GAMES[game].pieces.name]
