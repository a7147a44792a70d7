"""What a game declares: its pieces, which three are an ox, and how the two left over rank.

All games here are of one family. Everybody gets five pieces and plays against a banker. Three of the five
make an ox, and the two left over decide; some hands need no ox. Each game's package declares in a `Game` what
differs. What follows from that for every game is beside this file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.rules.hand import HandClass, HandRank
from bot.rules.knobs import GameName, HouseRules
from bot.rules.pieces import Piece

P = TypeVar("P", bound=Piece)


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
