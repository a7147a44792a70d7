"""Random rounds, and their results beside the exact odds.

The rounds are dealt, evaluated and settled as at a table. The exact counts work in another way, so the two
check each other.
"""

import random
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from bot.games.hands import decks_in_play, evaluate
from bot.games.register import game_of
from bot.games.settle import settle
from bot.odds.odds import odds_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Piece

_SEED_BITS: Final = 32
_TOLD: Final = 1_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """One simulated quantity, beside its exact value.

    Attributes:
        standard_error: the standard error of `mean`, estimated from whole rounds, because the players of one
            round share a banker's hand. None for a single round.
    """

    mean: float
    standard_error: float | None
    exact: Fraction

    @property
    def standard_errors_off(self) -> float | None:
        """How far `mean` is above the exact value, in standard errors; None without a standard error."""
        if not self.standard_error:
            return None
        return (self.mean - float(self.exact)) / self.standard_error


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of rounds in which every player staked one chip."""

    rounds: int
    seats: int
    decks: int
    seed: int
    win: Estimate
    lose: Estimate
    push: Estimate
    bank_edge: Estimate


def some_seed() -> int:
    """A random seed."""
    return secrets.randbits(_SEED_BITS)


def check_seats(rules: HouseRules, seats: int) -> None:
    """Checks the number of players."""
    game = game_of(rules)
    if not game.fewest_players <= seats <= game.most_players:
        raise ValueError(
            f"{game.name} has {game.fewest_players} to {game.most_players} seats besides the banker's, "
            f"not {seats}"
        )


def simulate_rounds(
    rules: HouseRules, rounds: int, seats: int, seed: int, played: Callable[[int], None] = lambda _: None
) -> Simulation:
    """Plays rounds, each from a fresh shuffle, dealt one piece at a time, the banker last (G03).

    Args:
        rules: the rules; more decks come in if the seats need them (G02).
        seed: at least 0. The same seed gives the same rounds.
        played: called now and then, with the number of rounds since the last call.
    """
    check_seats(rules, seats)
    pack = game_of(rules).pack(seats + 1, rules)
    decks = decks_in_play(rules, seats + 1)
    chance = random.Random(seed)
    # How many rounds had each number of players who won, lost and pushed, and each gain of the bank.
    won, lost, pushed, banked = (Counter[int]() for _ in range(4))
    for number in range(1, rounds + 1):
        units = gains_of(dealt_hands(pack, seats + 1, chance), rules)
        winners, pushes = sum([gain > 0 for gain in units]), units.count(0)
        won[winners] += 1
        lost[seats - winners - pushes] += 1
        pushed[pushes] += 1
        banked[-sum(units)] += 1
        if number % _TOLD == 0:
            played(_TOLD)
    odds = odds_of(rules, decks)
    return Simulation(
        rounds=rounds,
        seats=seats,
        decks=decks,
        seed=seed,
        win=_estimate(won, seats, odds.win),
        lose=_estimate(lost, seats, odds.lose),
        push=_estimate(pushed, seats, odds.push),
        bank_edge=_estimate(banked, seats, odds.bank_edge),
    )


def dealt_hands(pack: Sequence[Piece], hands: int, chance: random.Random) -> list[list[Piece]]:
    """Hands from a shuffled pack: one piece to each, five times round."""
    dealt = chance.sample(pack, HAND_SIZE * hands)
    return [dealt[hand::hands] for hand in range(hands)]


def gains_of(hands: Sequence[Sequence[Piece]], rules: HouseRules) -> list[int]:
    """Each player's gain for each chip staked; the last hand is the banker's."""
    *players, banker = [evaluate(hand, rules) for hand in hands]
    return [settle(player, banker, rules).units for player in players]


def _estimate(of_rounds: Counter[int], seats: int, exact: Fraction) -> Estimate:
    """The mean per player, with the standard error from the variance between rounds.

    Args:
        of_rounds: how many rounds had each sum over their players.
    """
    rounds, error = of_rounds.total(), None
    total = sum(value * times for value, times in of_rounds.items())
    if rounds > 1:
        squares = sum(value**2 * times for value, times in of_rounds.items())
        variance = Fraction(rounds * squares - total**2, rounds * (rounds - 1))
        error = sqrt(variance / rounds) / seats
    return Estimate(total / (rounds * seats), error, exact)
