"""What a table is at one moment, as a frozen value: its phase, its bank, its seats, its last round."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from pydantic import ConfigDict, RootModel, TypeAdapter

from bot.rules.game import Game
from bot.rules.games import game_of
from bot.rules.knobs import HouseRules, PassedOver, Play
from bot.rules.pieces import Piece
from bot.rules.shuffle import seal_of
from bot.table.places import Bank as Bank
from bot.table.places import Departure as Departure
from bot.table.places import HandPieces as HandPieces
from bot.table.places import Member as Member
from bot.table.places import Said as Said
from bot.table.places import Seat as Seat
from bot.table.places import SideBet as SideBet
from bot.table.places import Throw as Throw
from bot.table.results import Opening as Opening
from bot.table.results import PlayerResult as PlayerResult
from bot.table.results import RoundResult as RoundResult
from bot.table.results import SideResult as SideResult

ROUNDS_MISSED_IN_A_ROW: Final = 3
"""Who lets so many rounds go by without a word loses the seat, and the banker the bank."""
EMPTY_TABLE_SECONDS: Final = 600
"""A table where nobody sits is wound up after so long (B06)."""


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
        side_bets: the side bets of the round that is on, in the order in which they were placed.
        departures: who went without having asked to since the cards were last dealt, and has not come back.
        throws: the dice that were thrown for the bank, in order, until the next deal (T03).
        contributed: what members mix into the next shuffle, one text each.
        secret: what the next shuffle is drawn from, in hexadecimal: shown to nobody before that is done; None
            at a table of before shuffles were sealed.
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
    side_bets: tuple[SideBet, ...] = ()
    departures: tuple[Departure, ...] = ()
    throws: tuple[Throw, ...] = ()
    contributed: tuple[Said, ...] = ()
    secret: str | None = field(default=None, repr=False)
    sequence: int = 0

    @property
    def seal(self) -> str | None:
        """The seal of the secret, which everybody may see; None where there is no secret."""
        return None if self.secret is None else seal_of(self.secret)

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return game_of(self.rules)

    def seat_of(self, member_id: int) -> Seat | None:
        """The member's seat, if he has one."""
        return next((seat for seat in self.seats if seat.member.member_id == member_id), None)

    def is_banker(self, member_id: int) -> bool:
        """Whether the member holds the bank."""
        return self.bank is not None and self.bank.member.member_id == member_id

    def has(self, member_id: int) -> bool:
        """Whether the member sits at the table, in a seat or at the bank."""
        return self.is_banker(member_id) or self.seat_of(member_id) is not None

    def place_of(self, member_id: int) -> Seat | Bank | None:
        """The member's seat, or the bank where he holds it; None where he has neither."""
        return self.bank if self.is_banker(member_id) else self.seat_of(member_id)

    def pieces_of(self, member_id: int) -> tuple[Piece, ...]:
        """The member's hand; empty where none is dealt to him."""
        place = self.place_of(member_id)
        return place.pieces if place else ()

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
        """All stakes of the players in this round together, in chips; side bets are not among them."""
        return sum(seat.stake or 0 for seat in self.seats)

    @property
    def for_points(self) -> bool:
        """Whether points are played for, and not chips (G22)."""
        return self.rules.play is Play.POINTS

    def side_bet_of(self, member_id: int, backed: int) -> SideBet | None:
        """The bet of this member on the hand of that player, if there is one."""
        return next((side for side in self.side_bets_on(backed) if side.member.member_id == member_id), None)

    def side_bets_of(self, member_id: int) -> tuple[SideBet, ...]:
        """What this member has bet on the hands of players."""
        return tuple(side for side in self.side_bets if side.member.member_id == member_id)

    def side_bets_on(self, backed: int) -> tuple[SideBet, ...]:
        """What others have bet on the hand of this player."""
        return tuple(side for side in self.side_bets if side.backed == backed)

    @property
    def can_be_dealt(self) -> bool:
        """Whether as many have bet as the game needs (T02)."""
        return len(self.bets) >= self.game.fewest_players

    @property
    def most_seats(self) -> int:
        """How many players may sit here, the banker not counted: as house and game allow (G02, T02).

        Never fewer than the game needs; and where dice are to pick the banker, he sits among them until then.
        """
        players = max(self.game.fewest_players, min(self.rules.seats, self.game.most_players))
        return players + (self.game.rolls_for_bank and self.bank is None)

    @property
    def free_seat(self) -> int | None:
        """The lowest number of a seat that nobody has; None where as many sit here as may.

        Players are counted, not numbers: a house that lowers `seats` moves nobody, so numbers above it
        can still be taken.
        """
        if len(self.seats) >= self.most_seats:
            return None
        taken = {seat.number for seat in self.seats}
        return next((number for number in range(1, self.most_seats + 1) if number not in taken), None)

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return not self.seats and self.bank is None

    @property
    def held(self) -> dict[int, int]:
        """What is held of each member's chips: the most he can lose in this round (B02).

        Who backs several players may lose all of his side bets, and the banker every bet that stands. Where
        points are played for, nothing is held (G22).
        """
        if self.for_points or self.bank is None:
            return {}
        stakes = Counter({seat.member.member_id: seat.stake or 0 for seat in self.bets})
        for side in self.side_bets:
            stakes[side.member.member_id] += side.stake
        if stakes:
            stakes[self.bank.member.member_id] = stakes.total()
        multiple = self.rules.largest_multiple
        return {member_id: stake * multiple for member_id, stake in stakes.items()}


_ADAPTER: Final = TypeAdapter(TableState)


class _StoredState(RootModel[TableState]):
    """A stored state; what is wrong with one is told without what is in it, such as hands and the secret."""

    model_config = ConfigDict(title="state of a table", hide_input_in_errors=True)


def state_json(state: TableState) -> str:
    """The state as it is stored."""
    return _ADAPTER.dump_json(state).decode()


def parse_state(text: str, passed_over: PassedOver | None = None) -> TableState:
    """Reads a stored state.

    Args:
        text: what `state_json` made of it, now or in an earlier version.
        passed_over: is told what the rules in it have that the knobs do not (any more), which is no error.

    Raises:
        pydantic.ValidationError: where the text is no state; it says nothing of what the text has in it.
    """
    return _StoredState.model_validate_json(text, context=passed_over or PassedOver()).root
