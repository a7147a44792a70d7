"""How fast a computer player is, and how often he does what he need not do."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a player thinks before he does something, in seconds since he could first do it.

    Attributes:
        join: before he sits down.
        bank: before he takes a bank that nobody holds; long enough for a human to take it.
        roll: before he has the dice thrown for it; long enough for a human to sit down.
        bet: before he bets.
        among: before he bets where computers alone sit and one has bet: long enough for a human who watches
            to back that one.
        back: before he backs a player as an on-looker.
        deal: before he deals as the banker; long enough for a human to bet.
        arrange: before he arranges his hand.
        show: before he turns up his hand.
        give_up: how long he keeps a bank against which nobody bets.
        spread: by how much of it a time differs from one occasion to the next, from 0 to 1.
        backs: in how many rounds of all an on-looker backs somebody, from 0 to 1.
        own_three: how many hands of all he tries to arrange himself, from 0 to 1; the others are arranged for
            him.
    """

    join: float = 0.7
    bank: float = 3.0
    roll: float = 5.0
    bet: float = 1.2
    among: float = 8.0
    back: float = 0.5
    deal: float = 10.0
    arrange: float = 0.8
    show: float = 1.0
    give_up: float = 60.0
    spread: float = 0.3
    backs: float = 0.5
    own_three: float = 0.4


AT_ONCE: Final = Pace(
    join=0,
    bank=0,
    roll=0,
    bet=0,
    among=0,
    back=0,
    deal=1,
    arrange=0,
    show=0,
    give_up=2,
    spread=0,
    backs=1,
)
"""For tests, and where no human plays along. The banker still leaves the others the time to bet."""
