"""The commands of a table: frozen requests, from a member or from the table itself.

Time and wallets are passed beside a command (see `decide`). Shuffled pieces, dice and new house rules come
with the command, so that deciding needs nothing but its arguments. `round_number` is the round that the
member meant; None if that is not known.
"""

from dataclasses import dataclass, field

from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece
from bot.table.seats import LeaveReason
from bot.table.state import Member


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table in a channel."""

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: Member
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat."""

    member: Member


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat or the bank; after the round, if the member has a hand in it."""

    member_id: int


@dataclass(frozen=True, slots=True)
class TakeBank:
    """Become banker, for bets from `lowest` to `highest` chips, under the current house rules."""

    member: Member
    lowest: int
    highest: int
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class RollForBank:
    """Roll dice for the bank (T03).

    Attributes:
        member_id: the member who asks.
        dice: fresh dice, 1 to 6 each, at least `dice_roll.dice_needed` of them.
        rules: the current house rules.
        client_seed: what the member adds to the roll, see `commitment.roll_opening`.
    """

    member_id: int
    dice: tuple[int, ...]
    rules: HouseRules
    client_seed: str = ""


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Take bets from `lowest` to `highest` chips from now on; only the banker may (T03)."""

    member_id: int
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class GiveUpBank:
    """Leave the bank, which returns every bet; after the round, once it is dealt."""

    member_id: int


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Bet `stake` chips, in place of an earlier bet of this round.

    A member without a seat takes one, unless `takes_seat` is False: a bet from a direct message may come from
    a member who has left the server.
    """

    member: Member
    stake: int
    round_number: int | None = None
    takes_seat: bool = True


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """Take the bet back."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceSideBet:
    """Bet `stake` chips on a player's hand, in place of an earlier side bet on it (B01).

    `backed` is Discord's id of the player.
    """

    member: Member
    backed: int
    stake: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawSideBet:
    """Take back the side bet on that player's hand."""

    member_id: int
    backed: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class SetClientSeed:
    """Use these words as the member's client seed, in place of an interaction's id."""

    member_id: int
    text: str


@dataclass(frozen=True, slots=True)
class SitOut:
    """Sit this round out, which returns the member's bet."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal these shuffled pieces; `member_id` is None if the table deals because time is up."""

    member_id: int | None
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Declare three pieces as the ox, by their places from 0; None for the strongest hand (B04)."""

    member_id: int
    declared_ox: tuple[int, ...] | None
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class RevealHand:
    """Reveal the member's own hand."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """Settle the round; the table asks when it is due. `rules` are for the next round (B03)."""

    rules: HouseRules


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table; `manages` says whether the member manages the server."""

    member_id: int
    manages: bool


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A member is no longer in the server (B06)."""

    member_id: int


@dataclass(frozen=True, slots=True)
class WindUp:
    """Close the table in any phase, and return every bet (B06)."""

    leave_reason: LeaveReason


Command = (
    OpenTable
    | Join
    | Leave
    | TakeBank
    | RollForBank
    | SetLimits
    | GiveUpBank
    | PlaceBet
    | WithdrawBet
    | PlaceSideBet
    | WithdrawSideBet
    | SetClientSeed
    | SitOut
    | Deal
    | Arrange
    | RevealHand
    | Showdown
    | CloseTable
    | MemberLeft
    | WindUp
)
