"""The places at a table and who has them, as frozen values: seats, the bank, and who has gone."""

from dataclasses import dataclass

from bot.rules.pieces import Piece
from bot.table.leave_reason import LeaveReason

HandPieces = tuple[Piece, ...]
"""The pieces of a hand."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody at a table: Discord's id of the user, and the name to show where no mention can stand."""

    member_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place.

    Attributes:
        number: from 1 on.
        member: who sits there.
        stake: chips bet in this round; None before a bet.
        out: whether the player sits this round out.
        missed: rounds in a row that went by without a word of the player.
        last_stake: the stake of the player's last bet here, for "the same again"; None before the first.
        pieces: the hand in the phase `dealt`, else empty.
        revealed: whether the hand is turned up.
        leaving: whether the player gets up when the round is over.
        leave_reason: why, where the player does.
        three: the places, from 0, of the three pieces that the player declared as the ox; None where the hand
            is arranged for him (B04).
    """

    number: int
    member: Member
    stake: int | None = None
    out: bool = False
    missed: int = 0
    last_stake: int | None = None
    pieces: HandPieces = ()
    revealed: bool = False
    leaving: bool = False
    leave_reason: LeaveReason = LeaveReason.ASKED
    three: tuple[int, ...] | None = None

    @property
    def undecided(self) -> bool:
        """Whether the player has neither bet in this round nor sits it out."""
        return self.stake is None and not self.out


@dataclass(frozen=True, slots=True)
class Bank:
    """The banker's place.

    Attributes:
        member: who holds the bank.
        lowest: the smallest stake taken, in chips.
        highest: the largest stake taken, in chips.
        missed: rounds in a row that went by without a word of the banker, the table dealing by itself.
        pieces: the hand in the phase `dealt`, else empty.
        revealed: whether the hand is turned up.
        leaving: whether the bank is given up when the round is over.
        leave_reason: why, where it is.
        three: the places, from 0, of the three pieces that the banker declared as the ox; None where the hand
            is arranged for him (B04).
        last_stake: the stake of the banker's last bet in a seat here, for when he has one again.
    """

    member: Member
    lowest: int
    highest: int
    missed: int = 0
    pieces: HandPieces = ()
    revealed: bool = False
    leaving: bool = False
    leave_reason: LeaveReason = LeaveReason.ASKED
    three: tuple[int, ...] | None = None
    last_stake: int | None = None


@dataclass(frozen=True, slots=True)
class SideBet:
    """A bet on the hand of a player, by somebody who does not sit at the table (B01).

    Attributes:
        member: who backs the player.
        backed: Discord's id of the player.
        stake: chips bet.
    """

    member: Member
    backed: int
    stake: int


@dataclass(frozen=True, slots=True)
class Said:
    """What a member mixes into the next shuffle.

    Attributes:
        member_id: who.
        text: the id of the interaction by which he bet or sat down, or words of his own.
        own: whether the words are his own: then no interaction takes their place.
    """

    member_id: int
    text: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """What somebody threw for the bank (T03).

    Attributes:
        member_id: who threw.
        dice: what the dice show, each 1 to 6.
    """

    member_id: int
    dice: tuple[int, ...]

    @property
    def total(self) -> int:
        """What the dice total."""
        return sum(self.dice)


@dataclass(frozen=True, slots=True)
class Departure:
    """Somebody who is no longer at the table, and did not ask to go.

    Attributes:
        member: who.
        why: the reason, never `LeaveReason.ASKED`.
        was_banker: whether it was the bank that was left, and not a seat.
    """

    member: Member
    why: LeaveReason
    was_banker: bool
