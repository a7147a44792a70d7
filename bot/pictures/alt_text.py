"""What a picture shows, in text: for those who hear it, and where no picture is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.pictures.hands import BANK, PicturedHand
from bot.rules.cards import Card, card_name
from bot.rules.settle import Outcome

LONGEST: Final = 1024
"""The most characters that Discord takes for the description of a picture."""
_SIGNS: Final = {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.DRAW: "▬"}
"""The marks of the pictures, where words would be too long."""


@dataclass(frozen=True, slots=True)
class AltWords:
    """The words of an alternative text, English unless others are given.

    Attributes:
        bank: what the banker's hand is called.
        seat: what a player's hand is called; `{seat}` stands for the number.
        ox: goes before the cards of the ox.
        power: goes before the cards that make the rank.
        rest: goes before the cards of a hand that makes nothing.
        face_down: says that a hand is hidden.
        won: says that a player has won.
        lost: says that a player has lost.
        draw: says that neither has.
    """

    bank: str = "Bank"
    seat: str = "Seat {seat}"
    ox: str = "ox"
    power: str = "power"
    rest: str = "no ox"
    face_down: str = "face down"
    won: str = "won"
    lost: str = "lost"
    draw: str = "draw"


ENGLISH: Final = AltWords()


def hand_alt_text(hand: PicturedHand, words: AltWords = ENGLISH) -> str:
    """What `hand_picture` shows: "ox 3♠ 6♦ A♣, power 8♥ 8♦"; at most `LONGEST` characters."""
    return _fitting((_cards(hand, words), _bare_cards(hand)))


def showdown_alt_text(hands: Sequence[PicturedHand], words: AltWords = ENGLISH) -> str:
    """What `showdown_picture` shows, a line a hand: "Seat 3: ox 3♠ 6♦ A♣, power 8♥ 8♦, won".

    Where that is longer than `LONGEST` characters, signs stand for words ("3: 3♠ 6♦ A♣ + 8♥ 8♦ ▲").
    """
    in_order = sorted(hands, key=lambda hand: hand.seat is not BANK)
    full = "\n".join(f"{_whose(hand, words)}: {_line(hand, words)}" for hand in in_order)
    short = "\n".join(_short_line(hand) for hand in in_order)
    return _fitting((full, short))


def _fitting(texts: Sequence[str]) -> str:
    """The first text that is short enough; the last one is, as it has no words that others gave."""
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])


def _whose(hand: PicturedHand, words: AltWords) -> str:
    return words.bank if hand.seat is BANK else words.seat.format(seat=hand.seat)


def _line(hand: PicturedHand, words: AltWords) -> str:
    fates = {Outcome.PLAYER: words.won, Outcome.BANKER: words.lost, Outcome.DRAW: words.draw}
    cards = _cards(hand, words)
    return cards if hand.outcome is None else f"{cards}, {fates[hand.outcome]}"


def _cards(hand: PicturedHand, words: AltWords) -> str:
    if hand.is_face_down:
        return words.face_down
    groups = ((words.ox, hand.ox), (words.power, hand.power), (words.rest, hand.rest))
    return ", ".join(f"{word} {_names(cards)}" for word, cards in groups if cards)


def _short_line(hand: PicturedHand) -> str:
    whose = "♔" if hand.seat is BANK else str(hand.seat)
    sign = "" if hand.outcome is None else f" {_SIGNS[hand.outcome]}"
    return f"{whose}: {_bare_cards(hand)}{sign}"


def _bare_cards(hand: PicturedHand) -> str:
    return " + ".join(_names(cards) for cards in (hand.ox, hand.power, hand.rest) if cards) or "?"


def _names(cards: Sequence[Card]) -> str:
    return " ".join(card_name(card) for card in cards)
