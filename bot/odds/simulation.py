"""Whole rounds played by chance, in batches, and what came of them beside the exact odds.

The rounds go another way than the exact counts do: packs are shuffled and dealt as at a table, and every
player is settled against the banker. So the two prove one another.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.evaluator import Evaluator, evaluator_of
from bot.odds.odds import odds_of
from bot.rules.game import HAND_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import HouseRules

Pieces = NDArray[np.uint8]
Units = NDArray[np.int64]

_PIECES_A_BATCH: Final = 1 << 20
"""So many pieces are shuffled at once: a few megabytes, whatever the pack."""
_SEED_BITS: Final = 32
_COUNTED: Final = 4
_WON, _LOST, _PUSHED, _BANKED = range(_COUNTED)
"""What is counted of each round, summed over its players."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One quantity as it came out, beside what it is exactly.

    Attributes:
        mean: what came out, per player and round.
        standard_error: of `mean`, estimated from the rounds: players of one round share a banker's
            hand, and so tell less than as many strangers would. None for a single round.
        exact: what it is exactly.
    """

    mean: float
    standard_error: float | None
    exact: Fraction

    @property
    def standard_errors_off(self) -> float | None:
        """How many standard errors too large `mean` is; None where there is no error to measure by."""
        if not self.standard_error:
            return None
        return (self.mean - float(self.exact)) / self.standard_error


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of rounds in which every player staked one chip.

    Attributes:
        rounds: how many were played.
        seats: how many players there were, the banker not counted.
        decks: how many decks, or woodpiles, were in play.
        seed: which rounds they were.
        win: the part of the bets that the players won.
        lose: the part that they lost.
        push: the part in which nothing moved.
        bank_edge: what the bank gained for each chip staked.
    """

    rounds: int
    seats: int
    decks: int
    seed: int
    win: Estimate
    lose: Estimate
    push: Estimate
    bank_edge: Estimate


def some_seed() -> int:
    """A seed that nobody chose."""
    return secrets.randbits(_SEED_BITS)


def check_seats(rules: HouseRules, seats: int) -> None:
    """Sees to it that so many players can play.

    Raises:
        ValueError: where the game is not for so many.
    """
    game = game_of(rules)
    if not game.fewest_players <= seats <= game.most_players:
        raise ValueError(
            f"{game.name} is played with {game.fewest_players} to {game.most_players} seats "
            f"besides the banker's, not {seats}"
        )


def simulate_rounds(
    rules: HouseRules, rounds: int, seats: int, seed: int, played: Callable[[int], None] = lambda _: None
) -> Simulation:
    """Plays rounds, each from a fresh shuffle, dealt one piece at a time and to the banker last (G03).

    Args:
        rules: the rules; more decks than they name come in as seats need them (G02).
        rounds: how many, at least 1.
        seats: how many players, the banker not counted.
        seed: at least 0; the same seed gives the same rounds, as long as NumPy's generator is the same.
        played: called with the number of rounds played since the last call.

    Raises:
        ValueError: where the game is not for so many players, or its exact odds are not known for the decks.
    """
    check_seats(rules, seats)
    game = game_of(rules)
    pack = np.array(game.pack(seats + 1, rules), dtype=np.uint8)
    decks = len(pack) // game.pack_size
    odds = odds_of(rules, decks)
    evaluator = evaluator_of(rules)
    tally = _Tally(rounds, seats)
    for hands in _dealt(pack, rounds, seats + 1, np.random.default_rng(seed)):
        tally.add(_units(hands, evaluator))
        played(hands.shape[-1])
    return Simulation(
        rounds=rounds,
        seats=seats,
        decks=decks,
        seed=seed,
        win=tally.estimate(_WON, odds.win),
        lose=tally.estimate(_LOST, odds.lose),
        push=tally.estimate(_PUSHED, odds.push),
        bank_edge=tally.estimate(_BANKED, odds.bank_edge),
    )


class _Tally:
    """Sums over rounds of what is counted in each, and of its square: whole numbers, never rounded."""

    def __init__(self, rounds: int, seats: int) -> None:
        self._rounds = rounds
        self._seats = seats
        self._sums = [0] * _COUNTED
        self._squares = [0] * _COUNTED

    def add(self, units: Units) -> None:
        """Counts rounds; `units` is what each player gains for each chip staked, a row a player.

        Whoever wins has an ox, or needs none, and so is paid: the sign tells the outcome.
        """
        of_rounds = {_WON: units > 0, _LOST: units < 0, _PUSHED: units == 0, _BANKED: -units}
        for counted, of_players in of_rounds.items():
            of_round = of_players.sum(axis=0, dtype=np.int64)
            self._sums[counted] += int(of_round.sum())
            self._squares[counted] += int((of_round**2).sum())

    def estimate(self, counted: int, exact: Fraction) -> Estimate:
        """The mean per player, with the error that the rounds' own scatter gives it."""
        rounds, total, squares = self._rounds, self._sums[counted], self._squares[counted]
        error = None
        if rounds > 1:
            variance = Fraction(rounds * squares - total**2, rounds * (rounds - 1))
            error = sqrt(variance / rounds) / self._seats
        return Estimate(total / (rounds * self._seats), error, exact)


def _dealt(pack: Pieces, rounds: int, hands: int, chance: np.random.Generator) -> Iterator[Pieces]:
    """Deals rounds, in batches.

    Returns:
        Arrays of shape (5, hands, rounds of the batch): one piece goes to each hand, five times round.
    """
    in_batch = max(1, _PIECES_A_BATCH // len(pack))
    for first in range(0, rounds, in_batch):
        drawn = _drawn(pack, HAND_SIZE * hands, min(in_batch, rounds - first), chance)
        yield drawn.reshape(HAND_SIZE, hands, -1)


def _drawn(pack: Pieces, pieces: int, packs: int, chance: np.random.Generator) -> Pieces:
    """The first pieces of shuffled packs, a column a pack.

    This is Fisher and Yates's shuffle of all packs at once, which ends when as many are drawn as are dealt:
    what remains is put aside in any order.
    """
    shuffled = np.tile(pack[:, np.newaxis], (1, packs))
    every = np.arange(packs)
    for place in range(pieces):
        other = chance.integers(place, len(pack), size=packs)
        shuffled[place], shuffled[other, every] = shuffled[other, every], shuffled[place].copy()
    return shuffled[:pieces]


def _units(hands: Pieces, evaluator: Evaluator) -> Units:
    """What each player gains for each chip staked, a row a player, a column a round."""
    *_, seats, rounds = hands.shape
    places = evaluator.places(hands.reshape(HAND_SIZE, seats * rounds).T).reshape(seats, rounds)
    units: Units = evaluator.units[places[:-1], places[-1]]
    return units
