"""The state of a table, as a frozen value: its phase, its bank, its seats, its last round.

A *party* stands for a member: a random number, so that nothing at a table says who it is.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from pydantic import ConfigDict, RootModel, TypeAdapter

from bot.games.contract import Game
from bot.games.hands import hand_of
from bot.games.register import AnyHouseRules, game_of
from bot.games.settle import Outcome, largest_multiple
from bot.rules.house_rules import MOST_COMPUTERS, PassedOver
from bot.rules.knobs import HouseBank, Play
from bot.rules.pieces import Hand, Piece
from bot.rules.shuffle import Use, seal_of

NOBODY: Final = 0
"""No member's party: it is at no table, and has no chips."""
THE_HOUSE: Final = 9_000_000_000_000_000_000
"""The party of the house, which can bank at any table of any server (B07); no member ever has it."""
COMPUTERS: Final = tuple(THE_HOUSE + number for number in range(1, MOST_COMPUTERS + 1))
"""The parties of the computer players, of any table of any server (B07); no member ever has one."""
STAKES_KEPT: Final = 40
"""Of how many members a table remembers what they bet last: it is stored with every change."""
DICE: Final = 2
"""How many dice each member rolls for the bank (T03)."""
HandPieces = tuple[Piece, ...]
"""The pieces of a hand."""


def is_computer(party: int) -> bool:
    """Whether a party is a computer player, and no member."""
    return party in COMPUTERS


def is_member(party: int) -> bool:
    """Whether a party is a member, and neither the house nor a computer player."""
    return party != THE_HOUSE and not is_computer(party)


def computer_number(party: int) -> int:
    """The number of a computer player, from 1 on: it is always the same."""
    return party - THE_HOUSE


class LeaveReason(StrEnum):
    """Why somebody left a table, or a table closed."""

    ASKED = "asked"
    """The member asked for it, or somebody who may."""
    BANK_GIVEN_UP = "bank_given_up"
    """The banker asked, after the deal, to give up the bank: they stay as a player, if a seat is free."""
    IDLE = "idle"
    """The member did nothing for some rounds."""
    CANNOT_COVER = "cannot_cover"
    """The chips of the banker, or of a player in a tournament, no longer cover the lowest bet."""
    HOUSE_BANKS = "house_banks"
    """The house always banks from now on (B07)."""
    NO_SUCCESSOR = "no_successor"
    """The bank was to pass on, and no player could take it (B05)."""
    DESERTED = "deserted"
    """The table was empty for too long (B06)."""
    GONE = "gone"
    """The member, the channel or the server is gone (B06)."""
    REMOVED = "removed"
    """An admin removed the member from the table."""
    AWAY = "away"
    """A player of a tournament did nothing for some rounds; or the bank came to who pressed nothing."""
    HEAT_OVER = "heat_over"
    """The table's part of a tournament is over."""
    HEAT_CANCELLED = "heat_cancelled"
    """The tournament that the table is part of was cancelled."""
    BY_ADMIN = "by_admin"
    """A server manager closed the table, which was not their own."""
    OWN_LIMIT = "own_limit"
    """The banker may lose too little more today: told to them alone. Events say that they asked for it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's seat.

    Attributes:
        stake: the bet of this round, in chips; None before it.
        rounds_missed: rounds in a row in which the player did nothing.
        declared_ox: the places, from 0, of the three pieces that the player declared as the ox; None for the
            strongest hand (B04).
    """

    number: int
    party: int
    stake: int | None = None
    sitting_out: bool = False
    rounds_missed: int = 0
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


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a round brought a player.

    Attributes:
        chips: what the player gained; below zero for a loss. Points, if the table plays for points.
        declared_ox: the places of the ox that the player declared; None for the strongest hand.
    """

    seat: int
    party: int
    stake: int
    pieces: HandPieces
    outcome: Outcome
    chips: int
    declared_ox: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SideResult:
    """What a round brought a backer (B01)."""

    party: int
    backed: int
    stake: int
    outcome: Outcome
    chips: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What hands or dice came from: everybody can make them again from it.

    Attributes:
        sheet: everything that was fixed before, as canonical text; `round_record` says what is in it.
    """

    secret: str = field(repr=False)
    sheet: str


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought everybody.

    Attributes:
        opening: what the hands were shuffled from.
        receipt: the code of the round's whole record.
    """

    round_number: int
    rules: AnyHouseRules
    banker: int
    pieces: HandPieces
    players: tuple[PlayerResult, ...]
    side_bets: tuple[SideResult, ...] = ()
    declared_ox: tuple[int, ...] | None = None
    opening: Opening = field(kw_only=True)
    receipt: str = ""

    @property
    def parties(self) -> frozenset[int]:
        """The banker, the players and the backers."""
        return frozenset(party for party, _ in self.gains)

    @property
    def gains(self) -> tuple[tuple[int, int], ...]:
        """Parties and what each bet brought them, in chips or points; a backer can have several."""
        others: list[PlayerResult | SideResult] = [*self.players, *self.side_bets]
        return ((self.banker, self.bank_chips), *((other.party, other.chips) for other in others))

    @property
    def bank_chips(self) -> int:
        """What the banker gained, side bets included; below zero for a loss."""
        return -sum(player.chips for player in self.players) - sum(side.chips for side in self.side_bets)


def hand_in(result: RoundResult, of: PlayerResult | RoundResult) -> Hand:
    """A player's hand, or the banker's, as it was played."""
    return hand_of(of.pieces, of.declared_ox, result.rules)


ROUNDS_MISSED_IN_A_ROW: Final = 3
"""Missed rounds in a row after which a player loses the seat, and the banker the bank."""
ROUNDS_AWAY: Final = 2
"""Rounds in a row after which a player of a tournament who does nothing is out."""
EMPTY_TABLE_SECONDS: Final = 600
"""An empty table closes after this time (B06)."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player at a table of a tournament, and the chips that they have there, which are no wallet's."""

    party: int
    chips: int


@dataclass(frozen=True, slots=True)
class Heat:
    """The part of a tournament that one table plays.

    Attributes:
        stage: from 1 on.
        number: of the table in this stage, from 1 on.
        rounds: how many the table plays.
        going_on: how many of all tables go on after this stage; 0 in the final.
        contenders: its players, in the order in which they entered, but for those who gave up.
        is_over: whether it was played to its end; not if its table closed for any other reason.
    """

    tournament_id: int
    stage: int
    number: int
    rounds: int
    going_on: int
    contenders: tuple[Contender, ...]
    is_over: bool = False

    @property
    def is_final(self) -> bool:
        """Whether it is the only table, whose first three win."""
        return not self.going_on

    def chips_of(self, party: int) -> int:
        """The chips of a player, those of a bet included; 0 for anybody else."""
        return next((one.chips for one in self.contenders if one.party == party), 0)


class Phase(StrEnum):
    """The phase of a table's round."""

    OPEN = "open"
    """There is no banker."""
    BETTING = "betting"
    """There is a banker, and bets are open."""
    DEALT = "dealt"
    """Hands are dealt, and can be arranged and revealed."""
    CLOSED = "closed"
    """The table is closed for good."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at one moment.

    Attributes:
        rules: the rules of the round, fixed when betting opens (B03).
        round_number: the current or last round; 0 before the first.
        deadline: when the table acts, in seconds since the epoch, UTC; None if it waits for members.
        last_stakes: what the last `STAKES_KEPT` members bet here before this round, in chips, by party; kept
            over rounds that they miss, and when they leave their seat. States that an earlier version stored
            lack it, and are no other states for that.
        gave_up: who gave up the bank since the last deal; dice bring it back only if they ask to roll.
            States that an earlier version stored lack it, as above.
        departures: who left without asking since the last deal, and is not back.
        throws: the dice that were rolled for the bank, in order, until the deal or the bank is free (T03).
        dice: what they came from; None without dice.
        client_seeds: what members mix into the next shuffle, one text each.
        secret: the secret of the next shuffle, in hexadecimal, never shown before it is used.
        sheet: what the hands that are dealt were mixed with; None before the deal.
        closes_after_round: whether somebody who may asked, after the deal, to close the table.
        closed_by_admin: whether who asked for that, or closed the table, could only as a server manager.
        heat: the part of a tournament that it plays; None for any other table.
    """

    table_id: int
    server_id: int
    channel_id: int
    number: int
    opener: int
    rules: AnyHouseRules
    phase: Phase = Phase.OPEN
    round_number: int = 0
    seats: tuple[Seat, ...] = ()
    bank: Bank | None = None
    deadline: float | None = None
    last: RoundResult | None = None
    side_bets: tuple[SideBet, ...] = ()
    last_stakes: Mapping[int, int] = field(default_factory=dict, compare=False)
    gave_up: tuple[int, ...] = field(default=(), compare=False)
    departures: tuple[Departure, ...] = ()
    throws: tuple[Throw, ...] = ()
    dice: Opening | None = None
    client_seeds: tuple[MemberSeed, ...] = ()
    secret: str = field(default="", repr=False)
    sheet: str | None = None
    closes_after_round: bool = False
    closed_by_admin: bool = False
    heat: Heat | None = None
    sequence: int = 0

    @property
    def round_to_deal(self) -> int:
        """The round whose hands, or dice for its bank, come next; once they are dealt, this round."""
        return self.round_number + (self.phase in (Phase.OPEN, Phase.CLOSED))

    @property
    def next_use(self) -> Use:
        """What the secret is for: the hands of `round_to_deal`, or first the dice for its bank."""
        return Use.DICE if self.phase is Phase.OPEN and self.game.rolls_for_bank else Use.DEAL

    @property
    def seal(self) -> str:
        """The commitment to the secret, which everybody may see."""
        return seal_of(self.secret, self.next_use, self.table_id, self.round_to_deal)

    @property
    def game(self) -> Game[Any, Any]:
        """The game of this table."""
        return game_of(self.rules)

    def seat_of(self, party: int) -> Seat | None:
        """The member's seat; None if they have none."""
        # Asked dozens of times for each press: a generator takes three times as long.
        for seat in self.seats:
            if seat.party == party:
                return seat
        return None

    def usual_stake(self, party: int) -> int | None:
        """What the member has bet in this round, else what they bet last here, in chips; None for nothing."""
        seat = self.seat_of(party)
        return self.last_stakes.get(party) if seat is None or seat.stake is None else seat.stake

    def is_banker(self, party: int) -> bool:
        """Whether the member is the banker."""
        return self.bank is not None and self.bank.party == party

    def belongs_to(self, party: int) -> bool:
        """Whether the member opened the table or banks there, so that they may close it."""
        return party == self.opener or self.is_banker(party)

    @property
    def house_banks(self) -> bool:
        """Whether the house is the banker (B07)."""
        return self.is_banker(THE_HOUSE)

    def has(self, party: int) -> bool:
        """Whether the member sits at the table, in a seat or at the bank."""
        return self.is_banker(party) or self.seat_of(party) is not None

    def concerns(self, party: int) -> bool:
        """Whether the member sits at the table, or backs a player."""
        return self.has(party) or bool(self.side_bets_of(party))

    def place_of(self, party: int) -> Seat | Bank | None:
        """The member's seat or bank; None if they have neither."""
        return self.bank if self.is_banker(party) else self.seat_of(party)

    def pieces_of(self, party: int) -> tuple[Piece, ...]:
        """The member's hand; empty if they have none."""
        place = self.place_of(party)
        return place.pieces if place else ()

    @property
    def members(self) -> tuple[Seat, ...]:
        """The seats of members, in order."""
        return tuple(seat for seat in self.seats if not is_computer(seat.party))

    @property
    def computers(self) -> tuple[Seat, ...]:
        """The seats of computer players, by their number (B07)."""
        seats = (seat for seat in self.seats if is_computer(seat.party))
        return tuple(sorted(seats, key=lambda seat: seat.party))

    @property
    def bets(self) -> tuple[Seat, ...]:
        """The seats with a bet, in order."""
        return tuple(seat for seat in self.seats if seat.stake is not None)

    @property
    def undecided(self) -> tuple[Seat, ...]:
        """The seats of members who have neither bet nor sat out, in order."""
        return tuple(seat for seat in self.seats if seat.undecided)

    @property
    def staked(self) -> int:
        """The sum of the players' bets in this round, in chips, without side bets."""
        return sum(seat.stake or 0 for seat in self.seats)

    @property
    def staked_in_all(self) -> int:
        """The sum of the players' bets and the side bets in this round, in chips."""
        return self.staked + sum(side.stake for side in self.side_bets)

    @property
    def for_chips(self) -> bool:
        """Whether the table plays for what members have in their wallets."""
        return self.rules.play is Play.CHIPS

    @property
    def for_points(self) -> bool:
        """Whether the table plays for points, and not chips (G22)."""
        return self.rules.play is Play.POINTS

    def side_bet_of(self, party: int, backed: int) -> SideBet | None:
        """The side bet of this member on that player; None if there is none."""
        return next((side for side in self.side_bets_on(backed) if side.party == party), None)

    def side_bets_of(self, party: int) -> tuple[SideBet, ...]:
        """The side bets of this member."""
        return tuple(side for side in self.side_bets if side.party == party)

    def side_bets_on(self, backed: int) -> tuple[SideBet, ...]:
        """The side bets on this player."""
        return tuple(side for side in self.side_bets if side.backed == backed)

    @property
    def fewest_players(self) -> int:
        """How many players must bet before a deal (T02): with the house as banker, one will do (B07)."""
        return 1 if self.house_banks else self.game.fewest_players

    @property
    def can_be_dealt(self) -> bool:
        """Whether enough players have bet for a deal."""
        return len(self.bets) >= self.fewest_players

    @property
    def most_seats(self) -> int:
        """How many players may sit here, by house rules and game, without the banker (G02, T02).

        Never fewer than the game needs. One more until the dice pick a banker, who sits among the players.
        """
        players = max(self.game.fewest_players, min(self.rules.seats, self.game.most_players))
        dice_to_come = self.game.rolls_for_bank and self.rules.house_bank is not HouseBank.ONLY
        return players + (dice_to_come and self.bank is None)

    @property
    def free_seat(self) -> int | None:
        """The lowest number of a free seat; None if the table is full.

        Players are counted, not numbers: nobody moves when a house lowers `seats`, so higher numbers can be
        taken.
        """
        if len(self.seats) >= self.most_seats:
            return None
        taken = {seat.number for seat in self.seats}
        return next((number for number in range(1, self.most_seats + 1) if number not in taken), None)

    @property
    def is_cancelled(self) -> bool:
        """Whether it closed before its part of a tournament was over, which cancels the tournament."""
        return self.phase is Phase.CLOSED and self.heat is not None and not self.heat.is_over

    @property
    def parties(self) -> frozenset[int]:
        """Everybody whom the table can still name, also those who left."""
        places: list[Seat | Bank] = [*self.seats, *([self.bank] if self.bank else [])]
        named: list[Seat | Bank | SideBet | Departure | Throw | MemberSeed] = [
            *places,
            *self.side_bets,
            *self.departures,
            *self.throws,
            *self.client_seeds,
        ]
        last = frozenset() if self.last is None else self.last.parties
        if self.heat is not None:
            last |= {one.party for one in self.heat.contenders}
        return last | {self.opener, *(one.party for one in named)}

    @property
    def empty(self) -> bool:
        """Whether no member is here: the house and computer players do not count."""
        return not self.members and (self.bank is None or self.house_banks)

    @property
    def held(self) -> dict[int, int]:
        """Each member's exposure in this round, in chips: the most they can lose (B02).

        A backer may lose every side bet, and the banker against every bet. Nothing is held for points (G22),
        nor for a tournament.
        """
        if not self.for_chips or self.bank is None:
            return {}
        stakes = Counter({seat.party: seat.stake or 0 for seat in self.bets})
        for side in self.side_bets:
            stakes[side.party] += side.stake
        if stakes:
            stakes[self.bank.party] = stakes.total()
        multiple = largest_multiple(self.rules)
        return {party: stake * multiple for party, stake in stakes.items()}


_ADAPTER: Final = TypeAdapter(TableState)


class _StoredState(RootModel[TableState]):
    """A stored state. Errors hide their input: it has hands and the secret."""

    model_config = ConfigDict(title="state of a table", hide_input_in_errors=True)


def state_json(state: TableState) -> str:
    """The state as stored JSON."""
    return _ADAPTER.dump_json(state).decode()


def parse_state(text: str, passed_over: PassedOver | None = None) -> TableState:
    """Reads a stored state."""
    return _StoredState.model_validate_json(text, context=passed_over or PassedOver()).root
