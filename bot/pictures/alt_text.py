"""Alternative texts of pictures: for screen readers, and when a picture does not load."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.games.settle import Outcome
from bot.pictures.pictured_hand import BANK, PicturedHand
from bot.pictures.piece_art import art_of

LONGEST: Final = 1024
"""The most characters that Discord allows in the description of a picture."""
_SIGNS: Final = {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
"""The marks in the pictures, for when words are too long."""
_WILD_SIGN: Final = "★"


@dataclass(frozen=True, slots=True)
class AltWords:
    """The words of an alternative text; the defaults are English, for a game with an ox.

    Attributes:
        seat: the name of a player's hand; `{seat}` stands for the number.
        ox: comes before the pieces of the ox.
        power: comes before the two pieces that an ox leaves; five that are a hand by themselves have no word.
        rest: comes before the pieces of a hand without an ox.
        wild: comes after a wild piece.
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


ENGLISH: Final = AltWords()


def hand_alt_text(hand: PicturedHand, words: AltWords = ENGLISH) -> str:
    """What `hand_picture` shows: "ox 3♠ 6♦ A♣, power 8♥ 8♦"; at most `LONGEST` characters.

    Tiles are named by their ends: "discard 6-5 4-2 (wild) 2-1 (wild), left 6-5 6-1".
    """
    return _fitting((_pieces(hand, words), _bare_pieces(hand)))


def showdown_alt_text(hands: Sequence[PicturedHand], words: AltWords = ENGLISH) -> str:
    """What `showdown_picture` shows, one line per hand: "Seat 3: ox 3♠ 6♦ A♣, power 8♥ 8♦, won".

    If that is longer than `LONGEST` characters, signs replace the words ("3: 3♠ 6♦ A♣ + 8♥ 8♦ ▲").
    """
    full = "\n".join(_full_line(hand, words) for hand in hands)
    short = "\n".join(map(_short_line, hands))
    return _fitting((full, short))


def _fitting(texts: Sequence[str]) -> str:
    """The first text that is short enough. The last one always is, since it has no translated words."""
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])


def _full_line(hand: PicturedHand, words: AltWords) -> str:
    outcomes = {Outcome.PLAYER: words.won, Outcome.BANKER: words.lost, Outcome.PUSH: words.push}
    name = words.bank if hand.seat is BANK else words.seat.format(seat=hand.seat)
    outcome = "" if hand.outcome is None else f", {outcomes[hand.outcome]}"
    return f"{name}: {_pieces(hand, words)}{outcome}"


def _pieces(hand: PicturedHand, words: AltWords) -> str:
    names = iter(_names(hand, f" ({words.wild})"))
    groups = (
        (words.ox, hand.ox),
        (words.power if hand.ox else "", hand.power),
        (words.rest, hand.rest),
    )
    told = [f"{word} {' '.join(islice(names, len(part)))}".lstrip() for word, part in groups if part]
    return ", ".join([*told, *([words.face_down] if hand.last_hidden or not told else [])])


def _short_line(hand: PicturedHand) -> str:
    name = "♔" if hand.seat is BANK else str(hand.seat)
    sign = "" if hand.outcome is None else f" {_SIGNS[hand.outcome]}"
    return f"{name}: {_bare_pieces(hand)}{sign}"


def _bare_pieces(hand: PicturedHand) -> str:
    names = iter(_names(hand, _WILD_SIGN))
    groups = (hand.ox, hand.power, hand.rest)
    return " + ".join(" ".join(islice(names, len(part))) for part in groups if part)


def _names(hand: PicturedHand, after_wild: str) -> list[str]:
    """The name of each piece, and what is printed on it: `3♠(6)`."""
    art = art_of(hand.game)
    return [
        art.name(piece) + ("" if count is None else f"({count})") + (after_wild if piece in art.wild else "")
        for piece, count in hand.counted_pieces
    ]
