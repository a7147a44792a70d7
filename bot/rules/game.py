"""What a game declares: its pieces, which three are an ox, and how the two left over rank.

All games here are of one family. Everybody gets five pieces and plays against a banker. Three of the five
make an ox, and the two left over decide; some hands need no ox. Each game's module declares what differs in a
`Game`. What all games share is in `hands` and `settle`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, TypeVar

from bot.rules.knobs import GameName, HouseRules
from bot.rules.pieces import Piece

HAND_SIZE: Final = 5
OX_SIZE: Final = 3
POWER_SIZE: Final = HAND_SIZE - OX_SIZE

P = TypeVar("P", bound=Piece)


class HandClass(IntEnum):
    """The classes of hands, weakest first. Each game has its own."""


_STEP: Final = 16
"""Room for all values of one class in `strength`: the doubles of Gnau need 13."""


def _strength(hand_class: HandClass, value: int) -> int:
    return hand_class * _STEP + value


@dataclass(frozen=True, slots=True)
class HandRank:
    """How pieces rank, and the multiple that this rank wins.

    Attributes:
        hand_class: the class.
        value: the value within the class; 0 if the class has only one.
        multiple: what it wins, in stakes; 0 if it never wins.
        nenku: whether the power cards are a duke and an ace, but not the ace of spades (G11).
    """

    hand_class: HandClass
    value: int = 0
    multiple: int = 0
    nenku: bool = False

    @property
    def strength(self) -> int:
        """A number that orders hands under one rule set: the higher wins, equal is a tie (G16, T08)."""
        return _strength(self.hand_class, self.value)


@dataclass(frozen=True, slots=True)
class Hand:
    """Five pieces, arranged and ranked.

    Attributes:
        pieces: the five pieces, in the order dealt.
        hand_class: the class.
        value: the value within the class: 1 to 10 for a Single-Ox, 1 (ace) to 13 (king) for a Double-Ox, 0 to
            9 for a score of Tau Ngau, else 0.
        ox: the three pieces of the ox, which Tau Ngau calls the discard; empty without an ox.
        power: the two pieces left over; empty without an ox.
        multiple: what it wins, in stakes (G18, T09); 0 if it never wins.
        nenku: whether the power cards are a duke and an ace, but not the ace of spades (G11).
        suited: whether it pays double because the pieces that the house chose are of one suit (G21).
        game: the game.
    """

    pieces: tuple[Piece, ...]
    hand_class: HandClass
    value: int = 0
    ox: tuple[Piece, ...] = ()
    power: tuple[Piece, ...] = ()
    multiple: int = 0
    nenku: bool = False
    suited: bool = False
    game: GameName = GameName.GNAU

    @property
    def strength(self) -> int:
        """As `HandRank.strength`."""
        return _strength(self.hand_class, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[P]):
    """The declaration of one game.

    Attributes:
        name: its name in settings.
        no_ox: the class of a hand without an ox, which never wins.
        pushed_when_tied: the classes whose ties are a push even if the banker wins ties.
        fewest_players: how many must bet before the deal, not counting the banker.
        most_players: how many may sit at a table, not counting the banker.
        rolls_for_bank: whether dice choose the first banker; otherwise a player volunteers.
        pack: the pieces for a number of hands (the banker's included), in order.
        pack_size: how many pieces one deck, or the woodpile, has.
        piece_word: the word for one piece: "card" or "tile".
        ox_word: the word for the three pieces that leave two over: "ox" or "discard".
        parse: reads one piece; raises ValueError with a sentence.
        text: a piece as people type it.
        shown: a piece as people read it.
        face: the piece that stands for all pieces that count the same, whatever their suits.
        suit: the suit of a piece; None if the game has no suits.
        points: the points that a piece may count, one or several.
        is_ox: whether three pieces are an ox.
        power: the rank of the two pieces that an ox leaves over.
        without_ox: the ranks that pieces reach without an ox, since each piece is of a certain kind.
    """

    name: GameName
    no_ox: HandClass
    pushed_when_tied: frozenset[HandClass]
    fewest_players: int
    most_players: int
    rolls_for_bank: bool
    pack: Callable[[int, HouseRules], tuple[P, ...]]
    pack_size: int
    piece_word: str
    ox_word: str
    parse: Callable[[str], P]
    text: Callable[[P], str]
    shown: Callable[[P], str]
    face: Callable[[P], P]
    suit: Callable[[P], int] | None
    points: Callable[[P, HouseRules], tuple[int, ...]]
    is_ox: Callable[[Sequence[P], HouseRules], bool]
    power: Callable[[P, P, HouseRules], HandRank]
    without_ox: Callable[[Sequence[P], HouseRules], tuple[HandRank, ...]]
