"""What all games are dealt from: pieces, be they cards or tiles."""

from typing import NewType

Piece = NewType("Piece", int)
"""A card or a tile as a small integer; what it means, the game says that deals it."""
