"""How fast a practice player acts, and how often it makes optional moves."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Pace:
    """Delays in seconds from when a move becomes possible, and chances of optional moves from 0 to 1.

    The defaults are a person's pace: a few seconds for each move, and the countdown on the board for humans.

    Attributes:
        join: before taking a seat.
        bank: before taking a free bank; long enough for a human to take it.
        roll: before rolling the dice for the bank; long enough for a human to sit down.
        bet: before betting.
        bet_among_practice_players: before betting if only practice players sit at the table and one has
            bet; long enough for a human to back that one.
        back: before backing a player, as a spectator.
        deal: before dealing, as the banker.
        deals_early: whether a banker deals although somebody at the table has not bet; if not, the
            countdown deals.
        arrange: before arranging the hand.
        reveal: before revealing the hand.
        give_up_bank: before giving up a bank that nobody bets against.
        give_up_bank_on_humans: the same while a human at the table has not bet.
        spread: how much each delay varies at random, as a share of it.
        chance_to_back: how often a spectator backs somebody.
        chance_of_own_three: how often a player picks three pieces; otherwise the bot arranges the hand.
    """

    join: float = 2.0
    bank: float = 8.0
    roll: float = 10.0
    bet: float = 3.0
    bet_among_practice_players: float = 25.0
    back: float = 3.0
    deal: float = 2.0
    deals_early: bool = False
    arrange: float = 4.0
    reveal: float = 4.0
    give_up_bank: float = 60.0
    give_up_bank_on_humans: float = 180.0
    spread: float = 0.5
    chance_to_back: float = 0.5
    chance_of_own_three: float = 0.4


FAST: Final = Pace(
    join=0.7,
    bank=3,
    roll=5,
    bet=1.2,
    bet_among_practice_players=8,
    back=0.5,
    deal=10,
    deals_early=True,
    arrange=0.8,
    reveal=1,
    give_up_bank_on_humans=60,
    spread=0.3,
)
"""For humans who know the game: the banker deals after ten seconds."""

AT_ONCE: Final = Pace(
    join=0,
    bank=0,
    roll=0,
    bet=0,
    bet_among_practice_players=0,
    back=0,
    deal=1,
    deals_early=True,
    arrange=0,
    reveal=0,
    give_up_bank=2,
    give_up_bank_on_humans=2,
    spread=0,
    chance_to_back=1,
)
"""For tests and rounds without humans. The banker still gives the others time to bet."""
