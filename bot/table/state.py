"""What a table is at one moment, as frozen values: its phase, its bank, its seats, its last round."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from pydantic import AliasChoices, Field, TypeAdapter

from bot.rules.knobs import HouseRules, PassedOver
from bot.rules.pieces import Piece
from bot.rules.settle import Outcome
from bot.table.farewell import Farewell

ROUNDS_MISSED_IN_A_ROW: Final = 3
"""Who lets so many rounds go by without a word loses the seat, and the banker the bank."""
EMPTY_TABLE_SECONDS: Final = 600
"""A table where nobody sits is wound up after so long (B06)."""

StoredPieces = Annotated[tuple[Piece, ...], Field(validation_alias=AliasChoices("pieces", "cards"))]
"""The pieces of a hand; records that were stored when there were cards alone call them so."""


class Phase(StrEnum):
    """Where a table stands in a round."""

    OPEN = "open"
    """Nobody holds the bank."""
    BETTING = "betting"
    """The bank is held, and bets are taken."""
    DEALT = "dealt"
    """The cards are out, and hands are looked at and turned up."""
    CLOSED = "closed"
    """For good."""


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
        usual: the stake of the player's last bet here, for "the same again"; None before the first.
        pieces: the hand in the phase `dealt`, else empty.
        shown: whether the hand is turned up.
        leaving: whether the player gets up when the round is over.
        farewell: why, where the player does.
    """

    number: int
    member: Member
    stake: int | None = None
    out: bool = False
    missed: int = 0
    usual: int | None = None
    pieces: StoredPieces = ()
    shown: bool = False
    leaving: bool = False
    farewell: Farewell = Farewell.ASKED

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
        shown: whether the hand is turned up.
        leaving: whether the bank is given up when the round is over.
        farewell: why, where it is.
    """

    member: Member
    lowest: int
    highest: int
    missed: int = 0
    pieces: StoredPieces = ()
    shown: bool = False
    leaving: bool = False
    farewell: Farewell = Farewell.ASKED


@dataclass(frozen=True, slots=True)
class Departure:
    """Somebody who is no longer at the table, and did not ask to go.

    Attributes:
        member: who.
        why: the reason, never `Farewell.ASKED`.
        was_banker: whether it was the bank that was left, and not a seat.
    """

    member: Member
    why: Farewell
    was_banker: bool


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a round brought one player.

    Attributes:
        seat: the number of the seat.
        member: who played.
        stake: chips bet.
        pieces: the hand.
        outcome: who won.
        chips: what the player gained; below zero where the banker did.
    """

    seat: int
    member: Member
    stake: int
    pieces: StoredPieces
    outcome: Outcome
    chips: int


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought everybody.

    Attributes:
        round_number: which round of the table.
        rules: the rules it was played under.
        banker: who held the bank.
        pieces: the banker's hand.
        players: each who bet, in the order of the seats.
    """

    round_number: int
    rules: HouseRules
    banker: Member
    pieces: StoredPieces
    players: tuple[PlayerResult, ...]

    @property
    def bank_chips(self) -> int:
        """What the banker gained; below zero where the players did."""
        return -sum(player.chips for player in self.players)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at one moment.

    Attributes:
        table_id: its identity for good.
        server_id: Discord's id of the server.
        channel_id: Discord's id of the channel or thread where its board stands.
        number: what members call it by: counted up in its server.
        opener: who opened it.
        rules: the rules in force; pinned when betting opens (B03).
        phase: where it stands.
        round_number: the round that is on, or was last; 0 before the first.
        seats: the places taken, in order.
        bank: the bank, if somebody holds it.
        deadline: when the table goes on by itself, in seconds since the epoch, UTC; None where it waits.
        last: what the last round brought.
        departures: who went without having asked to since the cards were last dealt, and has not come back.
        sequence: how many events made it.
    """

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: Member
    rules: HouseRules
    phase: Phase = Phase.OPEN
    round_number: int = 0
    seats: tuple[Seat, ...] = ()
    bank: Bank | None = None
    deadline: float | None = None
    last: RoundResult | None = None
    departures: tuple[Departure, ...] = ()
    sequence: int = 0

    def seat_of(self, member_id: int) -> Seat | None:
        """The member's seat, if he has one."""
        return next((seat for seat in self.seats if seat.member.member_id == member_id), None)

    def is_banker(self, member_id: int) -> bool:
        """Whether the member holds the bank."""
        return self.bank is not None and self.bank.member.member_id == member_id

    def has(self, member_id: int) -> bool:
        """Whether the member sits at the table, in a seat or at the bank."""
        return self.is_banker(member_id) or self.seat_of(member_id) is not None

    def pieces_of(self, member_id: int) -> tuple[Piece, ...]:
        """The member's hand; empty where none is dealt to him."""
        if self.bank is not None and self.is_banker(member_id):
            return self.bank.pieces
        seat = self.seat_of(member_id)
        return seat.pieces if seat else ()

    @property
    def bets(self) -> tuple[Seat, ...]:
        """The seats with a bet, in order."""
        return tuple(seat for seat in self.seats if seat.stake is not None)

    @property
    def undecided(self) -> tuple[Seat, ...]:
        """The seats of which nothing was heard in this round, in order."""
        return tuple(seat for seat in self.seats if seat.undecided)

    @property
    def staked(self) -> int:
        """All stakes of the round together, in chips."""
        return sum(seat.stake or 0 for seat in self.seats)

    @property
    def free_seat(self) -> int | None:
        """The lowest number of a seat that nobody has; None where as many sit here as may.

        Players are counted, not numbers: a house that lowers `seats` moves nobody, so numbers above it
        can still be taken.
        """
        if len(self.seats) >= self.rules.seats:
            return None
        taken = {seat.number for seat in self.seats}
        return next((number for number in range(1, self.rules.seats + 1) if number not in taken), None)

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return not self.seats and self.bank is None

    @property
    def held(self) -> dict[int, int]:
        """What is held of each member's chips: the most he can lose in this round (B02)."""
        most = self.rules.largest_multiple
        chips = {seat.member.member_id: (seat.stake or 0) * most for seat in self.bets}
        if self.bank is not None and self.staked:
            chips[self.bank.member.member_id] = self.staked * most
        return chips


_ADAPTER: Final = TypeAdapter(TableState)


def state_json(state: TableState) -> str:
    """The state as it is stored."""
    return _ADAPTER.dump_json(state).decode()


def parse_state(text: str, passed_over: PassedOver | None = None) -> TableState:
    """Reads a stored state.

    Args:
        text: what `state_json` made of it, now or in an earlier version.
        passed_over: is told what the rules in it have that the knobs do not (any more), which is no error.

    Raises:
        pydantic.ValidationError: where the text is no state.
    """
    return _ADAPTER.validate_json(text, context=passed_over or PassedOver())
