"""What happened at a table: frozen records, from which any round can be told again."""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from bot.rules.knobs import HouseRules, PassedOver
from bot.table.leave_reason import LeaveReason as LeaveReason
from bot.table.state import HandPieces, Member, Opening, RoundResult, Throw


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table came to be."""

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: Member
    rules: HouseRules
    kind: Literal["table_opened"] = "table_opened"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    number: int
    member: Member
    kind: Literal["seat_taken"] = "seat_taken"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up; he had no bet any more."""

    member_id: int
    why: LeaveReason
    kind: Literal["seat_left"] = "seat_left"


@dataclass(frozen=True, slots=True)
class BankTaken:
    """Somebody volunteered as banker (G03), and set the limits of a stake, in chips."""

    member: Member
    lowest: int
    highest: int
    kind: Literal["bank_taken"] = "bank_taken"


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice were thrown for the bank, in this order; who tied threw again (T03)."""

    throws: tuple[Throw, ...]
    opening: Opening | None = None
    kind: Literal["dice_rolled"] = "dice_rolled"


@dataclass(frozen=True, slots=True)
class ShuffleSealed:
    """A secret was drawn for the next shuffle; its seal alone may be shown until then."""

    secret: str = field(repr=False)
    kind: Literal["shuffle_sealed"] = "shuffle_sealed"


@dataclass(frozen=True, slots=True)
class Contributed:
    """A member mixed something into the next shuffle: the id of an interaction, or `own` words."""

    member_id: int
    text: str
    own: bool = False
    kind: Literal["contributed"] = "contributed"


@dataclass(frozen=True, slots=True)
class LimitsSet:
    """The limits of a stake, in chips, became these: the banker's choice (T03), or what the house allows."""

    lowest: int
    highest: int
    kind: Literal["limits_set"] = "limits_set"


@dataclass(frozen=True, slots=True)
class BankPassed:
    """The bank passed from the banker to this player, and the banker took a seat (B05, T10).

    Seats go round clockwise from the banker's left. Everybody keeps his place at the table; the seats are
    numbered anew, from the new banker's left on, without gaps. So where the bank passes to the banker's right
    hand neighbour, the old banker has seat 1, and everybody else moves up one.
    """

    member_id: int
    kind: Literal["bank_passed"] = "bank_passed"


@dataclass(frozen=True, slots=True)
class BankGivenUp:
    """The banker got up; no bet stood against him any more."""

    member_id: int
    why: LeaveReason
    kind: Literal["bank_given_up"] = "bank_given_up"


@dataclass(frozen=True, slots=True)
class LeaveRequested:
    """A player or the banker gets up as soon as the round is over."""

    member_id: int
    why: LeaveReason = LeaveReason.ASKED
    kind: Literal["leave_requested"] = "leave_requested"


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Betting opened, and the rules are pinned (B03)."""

    round_number: int
    rules: HouseRules
    kind: Literal["round_opened"] = "round_opened"


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """A stake was bet, in place of what the player had bet before in this round, if anything."""

    member_id: int
    stake: int
    kind: Literal["bet_placed"] = "bet_placed"


@dataclass(frozen=True, slots=True)
class BetWithdrawn:
    """A player took the bet back."""

    member_id: int
    kind: Literal["bet_withdrawn"] = "bet_withdrawn"


@dataclass(frozen=True, slots=True)
class SideBetPlaced:
    """An on-looker bet on a player's hand, in place of his earlier bet on it, if there was one (B01)."""

    member: Member
    backed: int
    stake: int
    kind: Literal["side_bet_placed"] = "side_bet_placed"


@dataclass(frozen=True, slots=True)
class SideBetWithdrawn:
    """A side bet went back: it was taken back, the player's own bet was, or the backer sat down (B01)."""

    member_id: int
    backed: int
    kind: Literal["side_bet_withdrawn"] = "side_bet_withdrawn"


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player without a bet sits this round out."""

    member_id: int
    kind: Literal["sat_out"] = "sat_out"


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The table goes on by itself at this time (seconds since the epoch, UTC), or waits (None)."""

    at: float | None
    kind: Literal["clock_set"] = "clock_set"


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The pieces that one member was dealt."""

    member_id: int
    pieces: HandPieces


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """Everybody with a bet got his pieces, in this order, the banker last (G03).

    `by` is the banker who asked for it, None where the table dealt by itself.
    """

    hands: tuple[DealtHand, ...]
    by: int | None = None
    kind: Literal["hands_dealt"] = "hands_dealt"


@dataclass(frozen=True, slots=True)
class HandArranged:
    """Somebody declared which three of his pieces, by their places from 0, are his ox (B04).

    None leaves it to the table, as before he ever said anything.
    """

    member_id: int
    three: tuple[int, ...] | None
    kind: Literal["hand_arranged"] = "hand_arranged"


@dataclass(frozen=True, slots=True)
class HandRevealed:
    """Somebody turned up his hand."""

    member_id: int
    kind: Literal["hand_revealed"] = "hand_revealed"


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Each player was settled against the banker (G17)."""

    result: RoundResult
    kind: Literal["round_settled"] = "round_settled"


@dataclass(frozen=True, slots=True)
class RoundCalledOff:
    """The round ended without a result: every bet went back."""

    kind: Literal["round_called_off"] = "round_called_off"


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is closed for good; everybody got up."""

    why: LeaveReason
    kind: Literal["table_closed"] = "table_closed"


Event = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | BankTaken
    | DiceRolled
    | ShuffleSealed
    | Contributed
    | LimitsSet
    | BankPassed
    | BankGivenUp
    | LeaveRequested
    | RoundOpened
    | BetPlaced
    | BetWithdrawn
    | SideBetPlaced
    | SideBetWithdrawn
    | SatOut
    | ClockSet
    | HandsDealt
    | HandArranged
    | HandRevealed
    | RoundSettled
    | RoundCalledOff
    | TableClosed
)

_ADAPTER: Final[TypeAdapter[Event]] = TypeAdapter(
    Annotated[Event, Field(discriminator="kind")],
    # What is wrong with an event is told without what is in it, such as hands and secrets.
    config=ConfigDict(title="event of a table", hide_input_in_errors=True),
)


def event_json(event: Event) -> str:
    """The event as it is stored."""
    return _ADAPTER.dump_json(event).decode()


def parse_event(text: str, passed_over: PassedOver | None = None) -> Event:
    """Reads a stored event.

    Args:
        text: what `event_json` made of it, now or in an earlier version.
        passed_over: is told what the rules in it have that the knobs do not (any more), which is no error.

    Raises:
        pydantic.ValidationError: where the text is no event; it says nothing of what the text has in it.
    """
    return _ADAPTER.validate_json(text, context=passed_over or PassedOver())
