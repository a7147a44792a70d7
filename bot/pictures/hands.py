"""What a picture is made from: one hand, as a value."""

from dataclasses import dataclass
from typing import Final, Self

from bot.rules.cards import Card
from bot.rules.gnau import HAND_SIZE, Hand, HandClass
from bot.rules.settle import Outcome

BANK: Final = None
"""The seat of the banker, who has no number."""


@dataclass(frozen=True, slots=True)
class PicturedHand:
    """A hand as it lies on the table: in groups, or face down.

    A hand that is face down has no cards here at all, so that no picture, text or cache can give them away.

    Attributes:
        ox: the three cards of the ox.
        power: the cards that make the hand's rank: the two beside an ox, or all five of Five Dukes and
            Five Small.
        rest: the five cards of a hand that makes nothing.
        seat: the number of the player's seat; None for the banker.
        outcome: who won this hand, once that is known; None for the banker.

    Raises:
        ValueError: where the cards are neither five nor none.
    """

    ox: tuple[Card, ...] = ()
    power: tuple[Card, ...] = ()
    rest: tuple[Card, ...] = ()
    seat: int | None = BANK
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        count = len(self.ox) + len(self.power) + len(self.rest)
        if count not in (0, HAND_SIZE):
            raise ValueError(f"a hand shows {HAND_SIZE} cards or none, not {count}")

    @classmethod
    def face_up(cls, hand: Hand, *, seat: int | None = BANK, outcome: Outcome | None = None) -> Self:
        """The hand turned up, as the rules arranged it."""
        if hand.ox:
            return cls(ox=hand.ox, power=hand.power, seat=seat, outcome=outcome)
        if hand.hand_class is not HandClass.NO_OX:
            return cls(power=hand.cards, seat=seat, outcome=outcome)
        return cls(rest=hand.cards, seat=seat, outcome=outcome)

    @classmethod
    def face_down(cls, *, seat: int | None = BANK) -> Self:
        """A hand that nobody has seen yet."""
        return cls(seat=seat)

    @property
    def is_face_down(self) -> bool:
        """Whether the cards are hidden."""
        return not (self.ox or self.power or self.rest)
