"""The Chinese dominoes that Tau Ngau is dealt from, and their text form (T01).

A tile is the index of its face in `FACES`. So the two tiles of a civil pair are equal: no rule tells them
apart.
"""

from typing import Final, NewType

from bot.rules.pieces import Piece, PieceSet
from bot.rules.typed_text import quote

Tile = NewType("Tile", Piece)

CIVIL: Final = (
    (6, 6), (1, 1), (4, 4), (3, 1), (5, 5), (3, 3), (2, 2), (6, 5), (6, 4), (6, 1), (5, 1),
)  # fmt: skip
"""The faces that the woodpile has twice, by their ends, in the traditional order."""
MILITARY: Final = (
    (6, 3), (5, 4), (6, 2), (5, 3), (5, 2), (4, 3), (4, 1), (3, 2), (4, 2), (2, 1),
)  # fmt: skip
"""The faces that the woodpile has once, by their ends."""
FACES: Final = CIVIL + MILITARY
WOODPILE_SIZE: Final = 2 * len(CIVIL) + len(MILITARY)

WILD: Final = frozenset(Tile(Piece(FACES.index(ends))) for ends in ((4, 2), (2, 1)))
"""The wild tiles: each counts 3 or 6 (T05)."""

_SIGN_OF_NONE: Final = 0x1F063
"""The upright domino with two blank ends in Unicode. The others follow, seven for each upper end."""
_ROW: Final = 7
_NO_BREAK: Final = "\u2011"
"""The hyphen at which no line breaks."""


def ends_of(tile: Tile) -> tuple[int, int]:
    """The pips on the two ends of a tile, the larger first."""
    return FACES[tile]


def pips_of(tile: Tile) -> int:
    """The number of pips on a tile."""
    return sum(FACES[tile])


def woodpile() -> tuple[Tile, ...]:
    """All 32 tiles, in order (T01)."""
    civil = range(len(CIVIL))
    every = (*civil, *civil, *range(len(CIVIL), len(FACES)))
    return tuple(Tile(Piece(face)) for face in sorted(every))


def tile_text(tile: Tile) -> str:
    """The tile as people type it: the pips of its two ends, `6-5`."""
    larger, smaller = FACES[tile]
    return f"{larger}-{smaller}"


def tile_name(tile: Tile) -> str:
    """The tile as people read it: `[6-5]`, with a hyphen at which no line breaks."""
    return f"[{tile_text(tile)}]".replace("-", _NO_BREAK)


def parse_tile(text: str) -> Tile:
    """Reads one tile: `6-5`, `5-6`, `65`, `[6-5]` with either hyphen, or its sign in Unicode.

    Raises:
        ValueError: if the text is not a tile of the woodpile; the message quotes the text.
    """
    word = text.strip().strip("[]").replace(_NO_BREAK, "-")
    if len(word) == 1 and _SIGN_OF_NONE <= ord(word) < _SIGN_OF_NONE + _ROW * _ROW:
        ends = divmod(ord(word) - _SIGN_OF_NONE, _ROW)
    else:
        halves = word.split("-") if "-" in word else list(word)
        if len(halves) != 2 or not all(half in ("1", "2", "3", "4", "5", "6") for half in halves):
            raise ValueError(f'"{quote(text)}" is not a tile; a tile is two numbers of pips, such as 6-5')
        ends = (int(halves[0]), int(halves[1]))
    face = (max(ends), min(ends))
    if face not in FACES:
        raise ValueError(f'"{quote(text)}" is not a tile of the woodpile, such as 6-5 or 2-1')
    return Tile(Piece(FACES.index(face)))


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Reads tiles separated by spaces."""
    return tuple(parse_tile(word) for word in text.split())


# Clients often show a Chinese domino as an empty box, so the sign is that of another tile.
TILES: Final[PieceSet[Tile]] = PieceSet(
    name="tile", pieces=woodpile(), emoji="🀄", parse=parse_tile, text=tile_text, shown=tile_name
)
"""The Chinese dominoes."""
