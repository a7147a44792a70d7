"""Evaluating fast: what a rule set makes of any hand, from tables that are built once and kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.odds.columns import Small
from bot.odds.standings import Standings, standings_of, worth_alone
from bot.odds.tables import Hands, Tables
from bot.odds.walk import walk_of
from bot.rules.game import Hand
from bot.rules.knobs import HouseRules
from bot.rules.settle import Outcome, settle

_RULES_KEPT: Final = 16
"""Of the rule sets last asked for: each takes some megabytes."""
_SIGNS: Final = {Outcome.PLAYER: 1, Outcome.PUSH: 0, Outcome.BANKER: -1}


@dataclass(frozen=True, slots=True, eq=False)
class Evaluator:
    """What a rule set makes of hands. Pieces are the whole numbers that `bot.rules` has for them.

    Attributes:
        strength: from five pieces in any order, as any sequence, to the strength that `evaluate` gives them.
            For speed it checks nothing: what is not five pieces of the game has no certain answer.
        strengths: from many hands to the strength of each; see `Tables.strengths`.
        places: from many hands to the place of each in `calls`; see `Tables.places`.
        calls: whatever a hand can be called, without its pieces; where suits matter, what pays double stands
            behind all that does not (G21).
        units: what a player gains for each chip he stakes, whose hand is the call of the row, against a
            banker whose hand is that of the column; of shape (calls, calls).
        outcomes: who wins then: 1 the player, -1 the banker, 0 nobody; of the same shape.
    """

    strength: Callable[[Sequence[int]], int]
    strengths: Callable[[Hands], Small]
    places: Callable[[Hands], Small]
    calls: tuple[Hand, ...]
    units: NDArray[np.int64]
    outcomes: NDArray[np.int8]


def evaluator_of(rules: HouseRules) -> Evaluator:
    """The evaluator of these rules; remembered. The first asking takes some hundredths of a second."""
    return _remembered(worth_alone(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _remembered(rules: HouseRules) -> Evaluator:
    standings = standings_of(rules)
    tables = Tables(standings)
    calls = _told_apart(standings)
    duels = [[settle(player, banker, rules) for banker in calls] for player in calls]
    return Evaluator(
        strength=walk_of(standings),
        strengths=tables.strengths,
        places=tables.places,
        calls=calls,
        units=np.array([[duel.units for duel in row] for row in duels], dtype=np.int64),
        outcomes=np.array([[_SIGNS[duel.outcome] for duel in row] for row in duels], dtype=np.int8),
    )


def _told_apart(standings: Standings) -> tuple[Hand, ...]:
    return standings.calls + standings.doubled if standings.suits_matter else standings.calls
