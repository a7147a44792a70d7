"""What a picture shows, in text: for those who hear it, and where no picture is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.pictures.hands import BANK, PicturedHand
from bot.pictures.kinds import KINDS
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.rules.settle import Outcome

LONGEST: Final = 1024
"""The most characters that Discord takes for the description of a picture."""
_SIGNS: Final = {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
"""The marks of the pictures, where words would be too long."""
_WILD_SIGN: Final = "★"


@dataclass(frozen=True, slots=True)
class AltWords:
    """The words of an alternative text, those of Gnau in English unless others are given.

    Attributes:
        bank: what the banker's hand is called.
        seat: what a player's hand is called; `{seat}` stands for the number.
        ox: goes before the pieces of the ox.
        power: goes before the pieces that make the rank.
        rest: goes before the pieces of a hand that makes nothing.
        wild: goes after a piece that is wild.
        face_down: says that a hand is hidden.
        won: says that a player has won.
        lost: says that a player has lost.
        push: says that neither has.
    """

    bank: str = "Bank"
    seat: str = "Seat {seat}"
    ox: str = "ox"
    power: str = "power"
    rest: str = "no ox"
    wild: str = "wild"
    face_down: str = "face down"
    won: str = "won"
    lost: str = "lost"
    push: str = "push"


ENGLISH: Final[Mapping[GameName, AltWords]] = MappingProxyType(
    {
        GameName.GNAU: AltWords(),
        GameName.TAU_NGAU: AltWords(ox="discard", power="left", rest="no discard"),
    }
)
"""The words of each game, where no others are given."""


def hand_alt_text(hand: PicturedHand, words: AltWords | None = None) -> str:
    """What `hand_picture` shows: "ox 3♠ 6♦ A♣, power 8♥ 8♦"; at most `LONGEST` characters.

    Tiles are written by their ends: "discard 6-5 4-2 (wild) 2-1 (wild), left 6-5 6-1".

    Args:
        hand: what the picture shows.
        words: the words to use; `ENGLISH` where there are none.
    """
    return _fitting((_pieces(hand, words or ENGLISH[hand.game]), _bare_pieces(hand)))


def showdown_alt_text(hands: Sequence[PicturedHand], words: AltWords | None = None) -> str:
    """What `showdown_picture` shows, a line a hand: "Seat 3: ox 3♠ 6♦ A♣, power 8♥ 8♦, won".

    Where that is longer than `LONGEST` characters, signs stand for words ("3: 3♠ 6♦ A♣ + 8♥ 8♦ ▲").

    Args:
        hands: what the picture shows.
        words: the words to use; `ENGLISH` where there are none.
    """
    in_order = sorted(hands, key=lambda hand: hand.seat is not BANK)
    full = "\n".join(_full_line(hand, words or ENGLISH[hand.game]) for hand in in_order)
    short = "\n".join(_short_line(hand) for hand in in_order)
    return _fitting((full, short))


def _fitting(texts: Sequence[str]) -> str:
    """The first text that is short enough; the last one is, as it has no words that others gave."""
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])


def _full_line(hand: PicturedHand, words: AltWords) -> str:
    fates = {Outcome.PLAYER: words.won, Outcome.BANKER: words.lost, Outcome.PUSH: words.push}
    whose = words.bank if hand.seat is BANK else words.seat.format(seat=hand.seat)
    fate = "" if hand.outcome is None else f", {fates[hand.outcome]}"
    return f"{whose}: {_pieces(hand, words)}{fate}"


def _pieces(hand: PicturedHand, words: AltWords) -> str:
    if hand.is_face_down:
        return words.face_down
    groups = ((words.ox, hand.ox), (words.power, hand.power), (words.rest, hand.rest))
    return ", ".join(f"{word} {_names(hand, part, f' ({words.wild})')}" for word, part in groups if part)


def _short_line(hand: PicturedHand) -> str:
    whose = "♔" if hand.seat is BANK else str(hand.seat)
    sign = "" if hand.outcome is None else f" {_SIGNS[hand.outcome]}"
    return f"{whose}: {_bare_pieces(hand)}{sign}"


def _bare_pieces(hand: PicturedHand) -> str:
    return (
        " + ".join(_names(hand, part, _WILD_SIGN) for part in (hand.ox, hand.power, hand.rest) if part) or "?"
    )


def _names(hand: PicturedHand, pieces: Sequence[Piece], after_wild: str) -> str:
    kind = KINDS[hand.game]
    return " ".join(kind.name(piece) + (after_wild if piece in kind.wild else "") for piece in pieces)
