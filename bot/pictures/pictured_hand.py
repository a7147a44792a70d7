"""The value that pictures are made from: one hand, in groups, or without pieces if it is face down."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Self

from bot.games.register import DEFAULT_GAME, GAMES
from bot.games.settle import Outcome
from bot.rules.knobs import GameName
from bot.rules.pieces import Hand, Piece

BANK: Final = None
"""The seat of the banker, who has no number."""


@dataclass(frozen=True, slots=True)
class PicturedHand:
    """A hand on the table.

    Attributes:
        ox: the three pieces of the ox, which Tau Ngau calls the discard.
        power: the pieces that make the rank: the two beside an ox, or all five if they need no ox.
        rest: the five pieces of a hand without an ox, or one that is not arranged.
        seat: the number of the player's seat; None for the banker.
        outcome: who won this hand; None for the banker, and before the reveal.
        framed: whether it is celebrated.
        counts: what each piece counts, printed on it, in the order of `pieces`; None where nothing is.
        last_hidden: whether the last piece is face down. Then it is not among `pieces`, so no picture, text
            or cache can give it away.
    """

    ox: tuple[Piece, ...] = ()
    power: tuple[Piece, ...] = ()
    rest: tuple[Piece, ...] = ()
    seat: int | None = BANK
    outcome: Outcome | None = None
    game: GameName = DEFAULT_GAME
    framed: bool = False
    counts: tuple[int | None, ...] = ()
    last_hidden: bool = False

    @classmethod
    def face_up(cls, hand: Hand, *, counts: tuple[int | None, ...] = ()) -> Self:
        """The hand face up, as the rules of its game arrange it; of a hand that wins whole nothing counts."""
        if hand.ox:
            return cls(ox=hand.ox, power=hand.power, game=hand.game, counts=counts)
        if hand.rank != GAMES[hand.game].no_ox:
            return cls(power=hand.pieces, game=hand.game)
        return cls(rest=hand.pieces, game=hand.game, counts=counts)

    @classmethod
    def dealt(cls, pieces: tuple[Piece, ...], game: GameName, *, last_hidden: bool = False) -> Self:
        """A hand that its player still has to arrange, or see: its picture gives nothing away."""
        rest = pieces[:-1] if last_hidden else pieces
        return cls(rest=rest, game=game, last_hidden=last_hidden)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces that the hand shows, in their order on the table."""
        return self.ox + self.power + self.rest

    @property
    def counted_pieces(self) -> tuple[tuple[Piece, int | None], ...]:
        """All pieces, each with what is printed on it."""
        return tuple(zip_longest(self.pieces, self.counts))
