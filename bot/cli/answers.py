"""What the commands answer in JSON: the values, as programs read them."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bot.rules.game import Hand
from bot.rules.games import GAMES
from bot.rules.settle import Duel
from bot.words.hands import hand_name

if TYPE_CHECKING:
    # NumPy, which these stand on, takes longer to import than a hand to answer for.
    from bot.odds.odds import Odds
    from bot.odds.simulation import Estimate, Simulation

Answer = dict[str, Any]


def hand_answer(hand: Hand) -> Answer:
    """A hand: what it is, its ox and its power as they are written, what it wins in stakes, its strength.

    `strength` orders hands under one rule set, and is equal for a tie (G16, T08).
    """
    text = GAMES[hand.game].text
    return {
        "class": hand.hand_class.name.lower(),
        "value": hand.value,
        "name": hand_name(hand),
        "ox": [text(piece) for piece in hand.ox],
        "power": [text(piece) for piece in hand.power],
        "multiple": hand.multiple,
        "suited": hand.suited,
        "strength": hand.strength,
    }


def duel_answer(duel: Duel) -> Answer:
    """A duel: who won, and what the player gains for each chip staked; below zero where he loses."""
    return {"outcome": duel.outcome.value, "units": duel.units}


def odds_answer(odds: "Odds") -> Answer:
    """The odds of one player against the banker; see `Odds`. The edge is the bank's gain per chip staked."""
    return {
        "hands": odds.hands,
        "classes": [
            {"class": count.hand_class.name.lower(), "value": count.value, "hands": count.hands}
            for count in odds.classes
        ],
        "pairs": odds.pairs,
        "win": _fraction(odds.win),
        "lose": _fraction(odds.lose),
        "push": _fraction(odds.push),
        "bank_edge": _fraction(odds.bank_edge),
        "standard_deviation": {"decimal": odds.standard_deviation},
    }


def simulation_answer(simulation: "Simulation") -> Answer:
    """What came of a simulation, beside the exact odds; see `Simulation`."""
    return {
        "rounds": simulation.rounds,
        "seats": simulation.seats,
        "decks": simulation.decks,
        "seed": simulation.seed,
        "win": _estimate(simulation.win),
        "lose": _estimate(simulation.lose),
        "push": _estimate(simulation.push),
        "bank_edge": _estimate(simulation.bank_edge),
    }


def _fraction(fraction: Fraction) -> Answer:
    return {"exact": str(fraction), "decimal": float(fraction)}


def _estimate(estimate: "Estimate") -> Answer:
    return {
        "simulated": estimate.mean,
        "standard_error": estimate.standard_error,
        **_fraction(estimate.exact),
        "standard_errors_off": estimate.standard_errors_off,
    }
