"""What a round brought each player and the banker, as frozen values."""

from dataclasses import dataclass, field

from bot.games.register import AnyHouseRules
from bot.games.settle import Outcome
from bot.table.seats import HandPieces


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a round brought a player.

    Attributes:
        seat: the number of the seat.
        party: the player.
        stake: the bet, in chips.
        pieces: the hand.
        outcome: who won.
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
    """What a round brought a backer (B01).

    Attributes:
        party: the backer.
        backed: the player.
        stake: the side bet, in chips.
        outcome: who won, the player or the banker.
        chips: what the backer gained; below zero for a loss.
    """

    party: int
    backed: int
    stake: int
    outcome: Outcome
    chips: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What hands or dice came from: everybody can make them again from it.

    Attributes:
        secret: the secret that the table was committed to, in hexadecimal.
        sheet: everything that was fixed before, as canonical text; `sheets` says what is in it.
    """

    secret: str = field(repr=False)
    sheet: str


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought everybody.

    Attributes:
        round_number: which round of the table.
        rules: the rules of the round.
        banker: the banker.
        pieces: the banker's hand.
        players: everybody with a bet, by seat.
        side_bets: the side bets, in the order in which they were placed.
        declared_ox: the places of the ox that the banker declared; None for the strongest hand.
        opening: what the hands were shuffled from; None at a table without a secret.
        receipt: the code of the round's whole record; None at a table without a secret.
    """

    round_number: int
    rules: AnyHouseRules
    banker: int
    pieces: HandPieces
    players: tuple[PlayerResult, ...]
    side_bets: tuple[SideResult, ...] = ()
    declared_ox: tuple[int, ...] | None = None
    opening: Opening | None = None
    receipt: str | None = None

    @property
    def parties(self) -> frozenset[int]:
        """The banker, the players and the backers."""
        others: list[PlayerResult | SideResult] = [*self.players, *self.side_bets]
        return frozenset([self.banker, *(other.party for other in others)])

    @property
    def bank_chips(self) -> int:
        """What the banker gained, side bets included; below zero for a loss."""
        return -sum(player.chips for player in self.players) - sum(side.chips for side in self.side_bets)
