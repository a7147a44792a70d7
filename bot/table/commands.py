"""What can be asked of a table: frozen requests, each from a member or from the table's own clock.

Time and wallets stand beside a command (see `decide`); pieces that are drawn and rules that come into force
come in with it, so that deciding needs nothing but its arguments.
"""

from dataclasses import dataclass, field

from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece
from bot.table.leave_reason import LeaveReason
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
    """Sit down."""

    member: Member


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up from a seat, with the bet if it is not dealt yet; after the round if it is."""

    member_id: int


@dataclass(frozen=True, slots=True)
class TakeBank:
    """Volunteer as banker, for stakes from `lowest` to `highest` chips; `rules` are the house's now."""

    member: Member
    lowest: int
    highest: int
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class RollForBank:
    """Have dice say who is banker (T03).

    `dice` are fresh throws, 1 to 6 each, at least as many as `rolling.dice_needed` says; `rules` are the
    house's now; `contribution` is what the member adds by asking, see `sealing.roll_opening`.
    """

    member_id: int
    dice: tuple[int, ...]
    rules: HouseRules
    contribution: str = ""


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Take stakes from `lowest` to `highest` chips from now on: the banker's to say (T03)."""

    member_id: int
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class GiveUpBank:
    """Get up from the bank: bets go back; after the round if the cards are out."""

    member_id: int


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Bet so many chips, in place of an earlier bet of this round.

    `round_number` is the round that the member meant, where that is known. Who has no seat sits down, unless
    `takes_seat` forbids it: a bet from a direct message may come from somebody who has left the server.
    """

    member: Member
    stake: int
    round_number: int | None = None
    takes_seat: bool = True


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """Take the bet back; `round_number` is the round that the member meant, where that is known."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceSideBet:
    """Bet so many chips on a player's hand, in place of an earlier side bet on it (B01).

    `backed` is Discord's id of the player, `round_number` the round that was meant, where that is known.
    """

    member: Member
    backed: int
    stake: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawSideBet:
    """Take the side bet on that player's hand back; `round_number` as for placing it."""

    member_id: int
    backed: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Contribute:
    """Mix these words into the next shuffle: a bettor's own, in place of the id of his interaction."""

    member_id: int
    text: str


@dataclass(frozen=True, slots=True)
class SitOut:
    """Sit this round out; a bet goes back. `round_number` is the round that was meant, where it is known."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal these shuffled pieces: the banker asks for it, or the table itself (None) when it is due."""

    member_id: int | None
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Declare which three of one's pieces are the ox, by their places from 0; None: the strongest (B04)."""

    member_id: int
    three: tuple[int, ...] | None
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class RevealHand:
    """Turn up one's hand."""

    member_id: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """Turn up what is not, and settle: asked by the table itself when it is due; `rules` come next (B03)."""

    rules: HouseRules


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table; `manages` says whether the member may close what others opened."""

    member_id: int
    manages: bool


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A member is no longer in the server (B06)."""

    member_id: int


@dataclass(frozen=True, slots=True)
class WindUp:
    """End the table wherever it stands: what was held goes back (B06)."""

    why: LeaveReason


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
    | Contribute
    | SitOut
    | Deal
    | Arrange
    | RevealHand
    | Showdown
    | CloseTable
    | MemberLeft
    | WindUp
)
