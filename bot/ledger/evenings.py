"""What an evening of play has brought each member so far, in memory.

An evening is all that a member plays in a server, at any tables, with no break of six hours in it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from operator import methodcaller
from typing import Final

from bot.ledger.memory import Memory
from bot.ledger.stacks import Place

BREAK_SECONDS: Final = 6 * 3600
"""After this long without a gain or a loss, another evening begins."""
GAINS_AT_FIRST: Final = 50
"""How many gains and losses are read first: most evenings have fewer."""
GAINS_AT_ONCE: Final = 5_000
"""How many are read at a time then; a banker has one for each player and round."""
GAINS_ENOUGH: Final = 20_000
"""No more are read after this many: about 20 hours of banking at a full table. A longer evening counts from
there."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a member won or lost against one other.

    Attributes:
        place: the server's id, and the party.
        chips: how many they gained; negative if they lost.
        at: when, in seconds since the epoch, UTC.
    """

    place: Place
    chips: int
    at: float


@dataclass(frozen=True, slots=True)
class Evening:
    """A member's evening.

    Attributes:
        chips: what they gained in it; negative if they lost.
        last: when they last gained or lost, in seconds since the epoch, UTC; minus infinity for never.
    """

    chips: int = 0
    last: float = -inf

    def with_gain(self, gain: Gain) -> "Evening":
        """The evening with what came next; another one if that came after a break."""
        return Evening(gain.chips if self.is_over(gain.at) else self.chips + gain.chips, gain.at)

    def is_over(self, now: float) -> bool:
        """Whether what they play at this time, in seconds since the epoch, UTC, is another evening."""
        return now - self.last > BREAK_SECONDS


class Evenings(Memory[Place, Evening]):
    """The evenings of members as they are on disk."""

    def committed(self, gains: Iterable[Gain]) -> None:
        """Takes the gains and losses that were just committed, in order."""
        for gain in gains:
            self.change(gain.place, methodcaller("with_gain", gain))


def has_break(gains: Sequence[Gain]) -> bool:
    """Whether an evening begins among these, the newest first."""
    return any(newer.at - older.at > BREAK_SECONDS for newer, older in pairwise(gains))


def evening_of(gains: Iterable[Gain]) -> Evening:
    """The evening that some gains and losses of one member end with, the oldest first."""
    evening = Evening()
    for gain in gains:
        evening = evening.with_gain(gain)
    return evening
