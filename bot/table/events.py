"""What happened at a table: frozen events, from which every round can be replayed."""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from bot.games.register import AnyHouseRules
from bot.rules.house_rules import PassedOver
from bot.table.state import HandPieces, Heat, LeaveReason, Opening, RoundResult, Throw


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table opened."""

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: int
    rules: AnyHouseRules
    heat: Heat | None = None
    kind: Literal["table_opened"] = "table_opened"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A member took a seat."""

    number: int
    party: int
    kind: Literal["seat_taken"] = "seat_taken"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left a seat, without a bet in this round."""

    party: int
    leave_reason: LeaveReason
    kind: Literal["seat_left"] = "seat_left"


@dataclass(frozen=True, slots=True)
class BankTaken:
    """A member became banker (G03), with these limits of a bet, in chips."""

    party: int
    lowest: int
    highest: int
    kind: Literal["bank_taken"] = "bank_taken"


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice were rolled for the bank, in this order; ties were rolled again (T03)."""

    throws: tuple[Throw, ...]
    opening: Opening
    kind: Literal["dice_rolled"] = "dice_rolled"


@dataclass(frozen=True, slots=True)
class SecretCommitted:
    """The table committed to a secret for the next shuffle, which stays hidden until then."""

    secret: str = field(repr=False)
    kind: Literal["secret_committed"] = "secret_committed"


@dataclass(frozen=True, slots=True)
class ClientSeedSet:
    """A member's client seed for the next shuffle: an interaction's id, or the code of their words."""

    party: int
    text: str
    chosen: bool = False
    kind: Literal["client_seed_set"] = "client_seed_set"


@dataclass(frozen=True, slots=True)
class LimitsSet:
    """The limits of a bet changed, in chips: by the banker (T03), or by new house rules."""

    lowest: int
    highest: int
    kind: Literal["limits_set"] = "limits_set"


@dataclass(frozen=True, slots=True)
class BankPassed:
    """The bank passed from the banker to this player, and the banker took a seat (B05, T10).

    Nobody moves: the seats are numbered again, clockwise from the new banker's left, without gaps. If the
    bank passes to the neighbour on the right, the old banker has seat 1, and every other number goes up by
    one.
    """

    party: int
    kind: Literal["bank_passed"] = "bank_passed"


@dataclass(frozen=True, slots=True)
class BankGivenUp:
    """The banker left, and no bet is open."""

    party: int
    leave_reason: LeaveReason
    kind: Literal["bank_given_up"] = "bank_given_up"


@dataclass(frozen=True, slots=True)
class LeaveRequested:
    """A player or the banker leaves when the round is over."""

    party: int
    leave_reason: LeaveReason
    kind: Literal["leave_requested"] = "leave_requested"


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Betting opened, and the rules of the round are fixed (B03)."""

    round_number: int
    rules: AnyHouseRules
    kind: Literal["round_opened"] = "round_opened"


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """A player bet, in place of an earlier bet of this round."""

    party: int
    stake: int
    kind: Literal["bet_placed"] = "bet_placed"


@dataclass(frozen=True, slots=True)
class LowestBet:
    """The table bet the lowest for a player of a tournament who had not bet in time, in chips."""

    party: int
    stake: int
    kind: Literal["lowest_bet"] = "lowest_bet"


@dataclass(frozen=True, slots=True)
class BetWithdrawn:
    """A player took the bet back."""

    party: int
    kind: Literal["bet_withdrawn"] = "bet_withdrawn"


@dataclass(frozen=True, slots=True)
class SideBetPlaced:
    """A spectator bet on a player's hand, in place of an earlier side bet on it (B01)."""

    party: int
    backed: int
    stake: int
    kind: Literal["side_bet_placed"] = "side_bet_placed"


@dataclass(frozen=True, slots=True)
class SideBetWithdrawn:
    """A side bet was returned: taken back, or with the player's bet, or at sitting down (B01)."""

    party: int
    backed: int
    kind: Literal["side_bet_withdrawn"] = "side_bet_withdrawn"


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player without a bet sits this round out."""

    party: int
    kind: Literal["sat_out"] = "sat_out"


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """The table acts at this time (seconds since the epoch, UTC); None if it waits for members."""

    at: float | None
    kind: Literal["deadline_set"] = "deadline_set"


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The pieces that a member was dealt."""

    party: int
    pieces: HandPieces


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """Everybody with a bet was dealt a hand, in this order, the banker last (G03).

    `asked_by` is the banker who asked for it; None if the table dealt because time was up. `sheet` is what
    the shuffle was mixed with. `present` are those who did nothing in the round, but pressed something.
    """

    hands: tuple[DealtHand, ...]
    asked_by: int | None
    sheet: str
    present: tuple[int, ...] = ()
    kind: Literal["hands_dealt"] = "hands_dealt"


@dataclass(frozen=True, slots=True)
class HandArranged:
    """A member declared which three pieces, by their places from 0, are the ox (B04).

    None is the strongest hand, as before any declaration.
    """

    party: int
    declared_ox: tuple[int, ...] | None
    kind: Literal["hand_arranged"] = "hand_arranged"


@dataclass(frozen=True, slots=True)
class HandRevealed:
    """A member revealed a hand."""

    party: int
    kind: Literal["hand_revealed"] = "hand_revealed"


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Each player was settled against the banker (G17)."""

    result: RoundResult
    kind: Literal["round_settled"] = "round_settled"


@dataclass(frozen=True, slots=True)
class RoundCalledOff:
    """The round ended without a result, and every bet was returned."""

    kind: Literal["round_called_off"] = "round_called_off"


@dataclass(frozen=True, slots=True)
class ClosingSet:
    """Whether the table closes when the round is over; `by_admin` if one asked who may only as that."""

    closes: bool
    by_admin: bool = False
    kind: Literal["closing_set"] = "closing_set"


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table closed, and everybody left."""

    leave_reason: LeaveReason
    kind: Literal["table_closed"] = "table_closed"


Event = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | BankTaken
    | DiceRolled
    | SecretCommitted
    | ClientSeedSet
    | LimitsSet
    | BankPassed
    | BankGivenUp
    | LeaveRequested
    | RoundOpened
    | BetPlaced
    | LowestBet
    | BetWithdrawn
    | SideBetPlaced
    | SideBetWithdrawn
    | SatOut
    | DeadlineSet
    | HandsDealt
    | HandArranged
    | HandRevealed
    | RoundSettled
    | RoundCalledOff
    | ClosingSet
    | TableClosed
)

_ADAPTER: Final[TypeAdapter[Event]] = TypeAdapter(
    Annotated[Event, Field(discriminator="kind")],
    # Errors hide their input: it may be a hand or a secret.
    config=ConfigDict(title="event of a table", hide_input_in_errors=True),
)


def event_json(event: Event) -> str:
    """The event as stored JSON."""
    return _ADAPTER.dump_json(event).decode()


def parse_event(text: str, passed_over: PassedOver | None = None) -> Event:
    """Reads a stored event."""
    return _ADAPTER.validate_json(text, context=passed_over or PassedOver())
