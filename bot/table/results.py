"""What a round brought each player and the bank, as frozen values."""

from dataclasses import dataclass

from bot.rules.knobs import HouseRules
from bot.rules.settle import Outcome
from bot.rules.shuffle import ClientSeed
from bot.table.places import HandPieces, Member


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a round brought one player.

    Attributes:
        seat: the number of the seat.
        member: who played.
        stake: chips bet.
        pieces: the hand.
        outcome: who won.
        chips: what the player gained; below zero where the banker did. Points, where these are played for.
        three: the places of the ox among the pieces that the player declared; None where it was arranged.
    """

    seat: int
    member: Member
    stake: int
    pieces: HandPieces
    outcome: Outcome
    chips: int
    three: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SideResult:
    """What a round brought somebody who backed a player (B01).

    Attributes:
        member: who backed him.
        backed: Discord's id of the player.
        stake: chips bet.
        outcome: who won, the player or the banker.
        chips: what the backer gained; below zero where the banker did.
    """

    member: Member
    backed: int
    stake: int
    outcome: Outcome
    chips: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What hands or dice were drawn from, once that is revealed: whoever has it can draw them again.

    Attributes:
        secret: the secret that was sealed, in hexadecimal.
        contributions: what members mixed into it, by their ids.
    """

    secret: str
    contributions: tuple[ClientSeed, ...]


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought everybody.

    Attributes:
        round_number: which round of the table.
        rules: the rules it was played under.
        banker: who held the bank.
        pieces: the banker's hand.
        players: each who bet, in the order of the seats.
        side_bets: each side bet, in the order in which they were placed.
        three: the places of the ox among the pieces that the banker declared; None where it was arranged.
        opening: what the hands were drawn from; None for a round of before shuffles were sealed.
    """

    round_number: int
    rules: HouseRules
    banker: Member
    pieces: HandPieces
    players: tuple[PlayerResult, ...]
    side_bets: tuple[SideResult, ...] = ()
    three: tuple[int, ...] | None = None
    opening: Opening | None = None

    def has(self, member_id: int) -> bool:
        """Whether the member held the bank, played, or backed a player."""
        others: list[PlayerResult | SideResult] = [*self.players, *self.side_bets]
        return member_id in (self.banker.member_id, *(other.member.member_id for other in others))

    @property
    def bank_chips(self) -> int:
        """What the banker gained, of side bets too; below zero where the others did."""
        return -sum(player.chips for player in self.players) - sum(side.chips for side in self.side_bets)
