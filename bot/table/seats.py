"""Who is at a table and what they have there: seats, the bank, side bets, client seeds.

A *party* stands for a member: a random number, so that nothing at a table says who it is.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.rules.house_rules import MOST_COMPUTERS
from bot.rules.pieces import Piece

NOBODY: Final = 0
"""No member's party: it is at no table, and has no chips."""
THE_HOUSE: Final = 9_000_000_000_000_000_000
"""The party of the house, which can bank at any table of any server (B07); no member ever has it."""
COMPUTERS: Final = tuple(THE_HOUSE + number for number in range(1, MOST_COMPUTERS + 1))
"""The parties of the computer players, of any table of any server (B07); no member ever has one."""
DICE: Final = 2
"""How many dice each member rolls for the bank (T03)."""
HandPieces = tuple[Piece, ...]
"""The pieces of a hand."""


def is_computer(party: int) -> bool:
    """Whether a party is a computer player, and no member."""
    return party in COMPUTERS


def computer_number(party: int) -> int:
    """The number of a computer player, from 1 on: it is always the same."""
    return party - THE_HOUSE


class LeaveReason(StrEnum):
    """Why somebody left a table, or a table closed."""

    ASKED = "asked"
    """The member asked for it, or somebody who may."""
    IDLE = "idle"
    """The member did nothing for some rounds."""
    CANNOT_COVER = "cannot_cover"
    """The banker's chips no longer cover the lowest bet."""
    HOUSE_BANKS = "house_banks"
    """The house always banks from now on (B07)."""
    NO_SUCCESSOR = "no_successor"
    """The bank was to pass on, and no player could take it (B05)."""
    DESERTED = "deserted"
    """The table was empty for too long (B06)."""
    GONE = "gone"
    """The member, the channel or the server is gone (B06)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's seat.

    Attributes:
        stake: the bet of this round, in chips; None before it.
        rounds_missed: rounds in a row in which the player did nothing.
        last_stake: the amount of the player's previous bet here, in chips; None before the first.
        declared_ox: the places, from 0, of the three pieces that the player declared as the ox; None for the
            strongest hand (B04).
    """

    number: int
    party: int
    stake: int | None = None
    sitting_out: bool = False
    rounds_missed: int = 0
    last_stake: int | None = None
    pieces: HandPieces = ()
    revealed: bool = False
    leaves_after_round: bool = False
    leave_reason: LeaveReason = LeaveReason.ASKED
    declared_ox: tuple[int, ...] | None = None

    @property
    def undecided(self) -> bool:
        """Whether a member has neither bet in this round nor sits it out."""
        return self.stake is None and not self.sitting_out and not is_computer(self.party)


@dataclass(frozen=True, slots=True)
class Bank:
    """The banker's place.

    Attributes:
        rounds_missed: rounds in a row in which the banker did nothing and the table dealt.
        last_stake: the banker's previous bet in a seat here, in chips; for when they have a seat again.
    """

    party: int
    lowest: int
    highest: int
    rounds_missed: int = 0
    pieces: HandPieces = ()
    revealed: bool = False
    leaves_after_round: bool = False
    leave_reason: LeaveReason = LeaveReason.ASKED
    declared_ox: tuple[int, ...] | None = None
    last_stake: int | None = None


@dataclass(frozen=True, slots=True)
class SideBet:
    """A bet on a player's hand, by a member who does not sit at the table (B01)."""

    party: int
    backed: int
    stake: int


@dataclass(frozen=True, slots=True)
class MemberSeed:
    """A member's client seed for the next shuffle or roll.

    Attributes:
        text: the code of the member's own words, or the id of the interaction by which they last bet, sat
            down or took the bank.
        chosen: whether these are words for the next shuffle; no interaction's id replaces them then.
    """

    party: int
    text: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """What a member rolled for the bank (T03)."""

    party: int
    dice: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return sum(self.dice)


@dataclass(frozen=True, slots=True)
class Departure:
    """A member who left the table without asking to."""

    party: int
    leave_reason: LeaveReason
    was_banker: bool
