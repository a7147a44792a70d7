"""What the rules can tell apart among the pieces of a game: their faces, and beside these their suits."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bot.odds.kinds import Numbers
from bot.rules.game import Game
from bot.rules.games import GAMES
from bot.rules.knobs import GameName, HouseRules
from bot.rules.pieces import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The pieces of a game, sorted by what its rules see of them.

    Attributes:
        game: the game.
        pack: every piece of one deck or woodpile; equal ones as often as they are there.
        faces: a piece of each face, ascending; a face is counted from 0 by its place here.
        of_piece: for each piece, which is a number from 0 up, the face it shows.
        suit_of_piece: for each piece its suit, counted from 0; all 0 where the game knows none.
        suits: how many suits there are; 1 where the game knows none.
    """

    game: Game[Any]
    pack: tuple[Piece, ...]
    faces: tuple[Piece, ...]
    of_piece: Numbers
    suit_of_piece: Numbers
    suits: int

    def copies_by_suit(self, pieces: Iterable[Piece]) -> Numbers:
        """How many of these pieces show each face (rows) in each suit (columns)."""
        counts = np.zeros((len(self.faces), self.suits), dtype=np.int64)
        held = np.fromiter(pieces, dtype=np.int64)
        np.add.at(counts, (self.of_piece[held], self.suit_of_piece[held]), 1)
        return counts

    def copies(self, pieces: Iterable[Piece]) -> tuple[int, ...]:
        """How many of these pieces show each face, in the order of `faces`."""
        return tuple(self.copies_by_suit(pieces).sum(axis=1).tolist())


@cache
def faces_of(name: GameName) -> Faces:
    """The faces of the pieces that this game is dealt from."""
    game = GAMES[name]
    pack = game.pack(1, HouseRules(game=name))
    pieces = sorted(set(pack))
    faces = sorted({game.face(piece) for piece in pieces})
    suits = [0 if game.suit is None else game.suit(piece) for piece in pieces]
    return Faces(
        game=game,
        pack=pack,
        faces=tuple(faces),
        of_piece=np.array([faces.index(game.face(piece)) for piece in pieces]),
        suit_of_piece=np.array(suits),
        suits=max(suits) + 1,
    )
