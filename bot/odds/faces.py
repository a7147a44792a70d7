"""The faces of a game's pieces (what its rules see of them), and their suits."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bot.games.contract import Game
from bot.games.register import GAMES
from bot.odds.combinatorics import Numbers
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The pieces of a game, grouped by face. Pieces with the same face count the same.

    Attributes:
        game: the game.
        pack: every piece of one deck or woodpile; equal pieces repeat.
        faces: one piece of each face, ascending. A face's number is its index here.
        of_piece: the number of the face of each piece, by piece.
        suit_of_piece: the suit of each piece, from 0, by piece; all 0 if the game has no suits.
        suits: the number of suits; 1 if the game has no suits.
    """

    game: Game[Any, Any]
    pack: tuple[Piece, ...]
    faces: tuple[Piece, ...]
    of_piece: Numbers
    suit_of_piece: Numbers
    suits: int

    def copies_by_suit(self, pieces: Iterable[Piece]) -> Numbers:
        """How many of these pieces have each face (rows) in each suit (columns)."""
        counts = np.zeros((len(self.faces), self.suits), dtype=np.int64)
        held = np.fromiter(pieces, dtype=np.int64)
        np.add.at(counts, (self.of_piece[held], self.suit_of_piece[held]), 1)
        return counts

    def copies(self, pieces: Iterable[Piece]) -> tuple[int, ...]:
        """How many of these pieces have each face, in the order of `faces`."""
        return tuple(self.copies_by_suit(pieces).sum(axis=1).tolist())


@cache
def faces_of(name: GameName) -> Faces:
    """The faces of a game's pieces."""
    game = GAMES[name]
    pack, faces = game.pieces.pieces, game.faces
    pieces, suit = sorted(set(pack)), game.pieces.suit
    suits = [0 if suit is None else suit(piece) for piece in pieces]
    return Faces(
        game=game,
        pack=pack,
        faces=faces,
        of_piece=np.array([faces.index(game.face(piece)) for piece in pieces]),
        suit_of_piece=np.array(suits),
        suits=max(suits) + 1,
    )
