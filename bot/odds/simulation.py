"""Random rounds, played in batches, and their results beside the exact odds.

The rounds are shuffled, dealt and settled as at a table. The exact counts work in another way, so the two
check each other.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.games.hands import decks_in_play
from bot.games.register import game_of
from bot.odds.evaluator import Evaluator, evaluator_of
from bot.odds.odds import odds_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE

Pieces = NDArray[np.uint8]
Units = NDArray[np.int64]

PIECES_A_BATCH: Final = 1 << 20
"""Pieces that are shuffled at once: a few megabytes for any pack."""
_SEED_BITS: Final = 32
_COUNTED: Final = 4
WON, LOST, PUSHED, BANKED = range(_COUNTED)
"""What a tally counts in each round, summed over the players."""


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
        seed: at least 0. The same seed gives the same rounds, as long as NumPy's generator stays the same.
        played: called after each batch, with the number of rounds in it.
    """
    check_seats(rules, seats)
    game = game_of(rules)
    pack = np.array(game.pack(seats + 1, rules), dtype=np.uint8)
    decks = decks_in_play(rules, seats + 1)
    odds = odds_of(rules, decks)
    evaluator = evaluator_of(rules)
    tally = Tally(rounds, seats)
    for hands in dealt_rounds(pack, rounds, seats + 1, np.random.default_rng(seed)):
        tally.add(gains_of(hands, evaluator))
        played(hands.shape[-1])
    return Simulation(
        rounds=rounds,
        seats=seats,
        decks=decks,
        seed=seed,
        win=tally.estimate(WON, odds.win),
        lose=tally.estimate(LOST, odds.lose),
        push=tally.estimate(PUSHED, odds.push),
        bank_edge=tally.estimate(BANKED, odds.bank_edge),
    )


class Tally:
    """Exact sums over all rounds: of each count, and of its square."""

    def __init__(self, rounds: int, seats: int) -> None:
        self._rounds = rounds
        self._seats = seats
        self._sums = [0] * _COUNTED
        self._squares = [0] * _COUNTED

    def add(self, units: Units) -> None:
        """Adds rounds.

        Args:
            units: each player's gain for each chip staked, a row for each player. Its sign tells the outcome,
                because every hand that wins has a multiple of at least 1.
        """
        of_rounds = {WON: units > 0, LOST: units < 0, PUSHED: units == 0, BANKED: -units}
        for counted, of_players in of_rounds.items():
            of_round = of_players.sum(axis=0, dtype=np.int64)
            self._sums[counted] += int(of_round.sum())
            self._squares[counted] += int((of_round**2).sum())

    def estimate(self, counted: int, exact: Fraction) -> Estimate:
        """The mean per player, with the standard error from the variance between rounds."""
        rounds, total, squares = self._rounds, self._sums[counted], self._squares[counted]
        error = None
        if rounds > 1:
            variance = Fraction(rounds * squares - total**2, rounds * (rounds - 1))
            error = sqrt(variance / rounds) / self._seats
        return Estimate(total / (rounds * self._seats), error, exact)


def dealt_rounds(pack: Pieces, rounds: int, hands: int, chance: np.random.Generator) -> Iterator[Pieces]:
    """Deals rounds, in batches.

    Returns:
        Arrays of shape (5, hands, rounds of the batch): one piece to each hand, five times round.
    """
    in_batch = max(1, PIECES_A_BATCH // len(pack))
    for first in range(0, rounds, in_batch):
        dealt = shuffled_packs(pack, HAND_SIZE * hands, min(in_batch, rounds - first), chance)
        yield dealt.reshape(HAND_SIZE, hands, -1)


def shuffled_packs(pack: Pieces, pieces: int, packs: int, chance: np.random.Generator) -> Pieces:
    """The first pieces of shuffled packs, a column for each pack.

    This is Fisher and Yates's shuffle of all packs at once. It stops after the pieces that are dealt: the
    order of the others does not matter.
    """
    packs_in_columns = np.tile(pack[:, np.newaxis], (1, packs))
    every = np.arange(packs)
    for place in range(pieces):
        other = chance.integers(place, len(pack), size=packs)
        mine, theirs = packs_in_columns[place].copy(), packs_in_columns[other, every]
        packs_in_columns[place], packs_in_columns[other, every] = theirs, mine
    return packs_in_columns[:pieces]


def gains_of(hands: Pieces, evaluator: Evaluator) -> Units:
    """Each player's gain for each chip staked: a row for each player, a column for each round."""
    *_, seats, rounds = hands.shape
    players = hands[:, :-1].reshape(HAND_SIZE, -1).T
    bankers = np.tile(hands[:, -1], seats - 1).T
    return evaluator.settled(players, bankers).reshape(seats - 1, rounds)
