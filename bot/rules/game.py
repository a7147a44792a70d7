"""What a game is, said once: its pieces, what makes an ox of three, what the two left over are worth.

All games here are of one family. Everybody gets five pieces, and plays against a banker. Three of the five
that make an ox leave two over, and these decide; some hands need no ox. What differs between the games stands
in the `Game` that each one's module makes; what is the same stands in `hands` and `settle`.
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
    """What a hand is, weakest first; each game has its own."""


_STEP: Final = 16
"""Room for every value of one class in `strength`: the doubles of Gnau need 13."""


def _strength(hand_class: HandClass, value: int) -> int:
    return hand_class * _STEP + value


@dataclass(frozen=True, slots=True)
class Worth:
    """What pieces are called, and what that wins.

    Attributes:
        hand_class: the class.
        value: the value within the class; 0 where it has none.
        multiple: what it wins, in stakes; 0 where it never wins.
        nenku: whether the power cards are an ace other than the ace of spades, and a duke (G11).
    """

    hand_class: HandClass
    value: int = 0
    multiple: int = 0
    nenku: bool = False

    @property
    def strength(self) -> int:
        """Orders hands under one rule set: the higher beats the lower, equals tie (G16, T08)."""
        return _strength(self.hand_class, self.value)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it is arranged and scored.

    Attributes:
        pieces: the five pieces, as they were dealt.
        hand_class: what it is.
        value: the value within the class: 1 to 10 for a Single-Ox, 1 (ace) to 13 (king) for a Double-Ox, 0 to
            9 for a score of Tau Ngau, else 0.
        ox: the three pieces of the ox, which Tau Ngau calls the discard; empty where there is none.
        power: the two pieces left over; empty where `ox` is.
        multiple: what it wins, in stakes (G18, T09); 0 where it never wins.
        nenku: whether the power cards are an ace other than the ace of spades, and a duke (G11).
        suited: whether it pays double, because the pieces that the house names are of one suit (G21).
        game: of which game it is.
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
        """Orders hands under one rule set: the higher beats the lower, equals tie (G16, T08)."""
        return _strength(self.hand_class, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[P]):
    """What a game is.

    Attributes:
        name: what it is called in settings.
        no_ox: the class of a hand without an ox, which never wins.
        pushed_when_tied: the classes that are a draw against themselves even where the banker wins ties.
        fewest_players: so many players must bet before the pieces are dealt, the banker not counted.
        most_players: so many players may sit at a table, the banker not counted.
        rolls_for_bank: whether dice pick the first banker; else a player volunteers.
        pack: the pieces that so many hands are dealt from, the banker's included, in order.
        pack_size: how many pieces one deck, or the woodpile, has.
        piece_word: what one piece is called.
        ox_word: what three pieces are called that leave two over to decide.
        parse: reads one piece; raises ValueError with a sentence.
        text: a piece as it is written.
        shown: a piece as it is shown.
        face: the piece that stands for all those which the rules cannot tell from this one, suits set apart.
        suit: the suit of a piece; None where the game knows no suits.
        points: what a piece may count, each a choice of its own.
        is_ox: whether three pieces are an ox.
        power: what the two pieces are worth that an ox leaves over.
        without_ox: what pieces are worth that need no ox, each of them being of a certain sort.
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
    power: Callable[[P, P, HouseRules], Worth]
    without_ox: Callable[[Sequence[P], HouseRules], tuple[Worth, ...]]
