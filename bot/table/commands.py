"""The commands of a table: frozen requests, from a member or from the table itself.

Time and wallets are passed beside a command (see `decide`). Shuffled pieces, dice and new house rules come
with the command, so that deciding needs nothing but its arguments. `round_number` is the round that the
member meant; None if that is not known.
"""

from dataclasses import dataclass, field

from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece
from bot.table.state import Heat, LeaveReason


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table in a channel; that of a tournament seats its players, and begins."""

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: int
    rules: HouseRules
    heat: Heat | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat."""

    party: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat or the bank; after the round, if the member has a hand in it.

    Attributes:
        round_number: the round before whose deal this must be; None if they want to leave in any case.
    """

    party: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class TakeBank:
    """Become banker, for bets from `lowest` to `highest` chips, under the current house rules."""

    party: int
    lowest: int
    highest: int
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class PlayHouse:
    """Have the house bank (B07), under the current house rules."""

    party: int
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class RollForBank:
    """Roll dice for the bank (T03).

    Attributes:
        dice: fresh dice, 1 to 6 each, at least `bank.dice_needed` of them.
        client_seed: what the member adds to the roll, unless they chose words; empty for nothing.
        unfit: who may not bank in this server.
    """

    party: int
    dice: tuple[int, ...]
    rules: HouseRules
    client_seed: str = ""
    unfit: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Take bets from `lowest` to `highest` chips from now on; only the banker may (T03)."""

    party: int
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class GiveUpBank:
    """Leave the bank, which returns every bet, for a seat; once it is dealt, the table after the round."""

    party: int


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Bet `stake` chips, in place of an earlier bet of this round.

    A member without a seat takes one, unless `takes_seat` is False: a bet from a direct message may come from
    a member who has left the server. With `or_less`, the largest bet that is possible is placed if that is
    less than `stake`.
    """

    party: int
    stake: int
    round_number: int | None = None
    takes_seat: bool = True
    or_less: bool = False


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """Take the bet back."""

    party: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceSideBet:
    """Bet `stake` chips on a player's hand, in place of an earlier side bet on it (B01).

    `backed` is the player.
    """

    party: int
    backed: int
    stake: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawSideBet:
    """Take back the side bet on that player's hand."""

    party: int
    backed: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class SetClientSeed:
    """Use these words as the member's client seed, in place of an interaction's id.

    The table keeps only the code of the words and a random `salt`, so that the words can be erased.
    """

    party: int
    words: str
    salt: str = ""


@dataclass(frozen=True, slots=True)
class SitOut:
    """Sit this round out, which returns the member's bet."""

    party: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal these shuffled pieces.

    Attributes:
        party: the banker; None if the table deals because time is up.
        client_seed: what the banker adds to the shuffle, unless they chose words; empty for nothing.
        present: who has pressed something here since the last deal, even if it was refused.
    """

    party: int | None
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    round_number: int | None = None
    client_seed: str = ""
    present: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrange:
    """Declare three pieces as the ox, by their places from 0; None for the strongest hand (B04)."""

    party: int
    declared_ox: tuple[int, ...] | None
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class RevealHand:
    """Reveal the member's own hand."""

    party: int
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """Settle the round; the table asks when it is due.

    Attributes:
        rules: for the next round (B03).
        present: who has pressed something here since the deal, even if it was refused.
        limited: who has more chips than they may lose, by a limit of their own.
        unfit: who may not bank in this server.
    """

    rules: HouseRules
    present: frozenset[int] = frozenset()
    limited: frozenset[int] = frozenset()
    unfit: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ShortenWait:
    """Wait no longer than the rules say; the table asks when its clock was set back."""


@dataclass(frozen=True, slots=True)
class BetLowest:
    """Bet the lowest for those players of a tournament who have not bet in time."""


@dataclass(frozen=True, slots=True)
class FreeBank:
    """Take the bank from this banker, who is away, and return every bet; the table asks for it."""

    party: int


@dataclass(frozen=True, slots=True)
class WaitAgain:
    """Let the whole time run again; the table asks when its members could not press."""


@dataclass(frozen=True, slots=True)
class WaitForBackers:
    """Do not deal before a spectator had time to choose a side bet; the table asks when they begin."""


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table; after the round, once it is dealt.

    Attributes:
        manages: whether the member manages the server.
        with_bets: whether also if bets are down, which are returned.
    """

    party: int
    manages: bool
    with_bets: bool = True


@dataclass(frozen=True, slots=True)
class KeepOpen:
    """Take back that the table closes after this round; `manages` as in `CloseTable`."""

    party: int
    manages: bool


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A member is no longer in the server (B06), or is removed from the table; after the round, if dealt."""

    party: int
    leave_reason: LeaveReason = LeaveReason.GONE


@dataclass(frozen=True, slots=True)
class WindUp:
    """Close the table in any phase, and return every bet (B06)."""

    leave_reason: LeaveReason


MemberCommand = (
    Join
    | Leave
    | TakeBank
    | PlayHouse
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
    | CloseTable
    | KeepOpen
)
"""What a member asks for; `party` is who asks."""

Command = (
    OpenTable
    | MemberCommand
    | Showdown
    | ShortenWait
    | WaitAgain
    | WaitForBackers
    | BetLowest
    | FreeBank
    | MemberLeft
    | WindUp
)
