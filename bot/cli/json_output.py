"""The answers of commands in JSON, for programs."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from bot.games.register import GAMES
from bot.games.settle import Duel
from bot.rules.pieces import Hand
from bot.words.hands import hand_name

if TYPE_CHECKING:
    # They import NumPy, which is slow: a question about a hand must not wait for it.
    from bot.odds.odds import Odds
    from bot.odds.simulation import Estimate, Simulation

JsonObject = dict[str, Any]
_FIGURES: Final = ("win", "lose", "push", "bank_edge")


def hand_json(hand: Hand) -> JsonObject:
    """A hand. `multiple` is in stakes. `strength`, then `tie_break`, order hands under one rule set."""
    text = GAMES[hand.game].pieces.text
    return {
        "class": hand.hand_class.name.lower(),
        "value": hand.value,
        "name": hand_name(hand),
        "ox": [text(piece) for piece in hand.ox],
        "power": [text(piece) for piece in hand.power],
        "multiple": hand.multiple,
        "suited": hand.suited,
        "strength": hand.strength,
        "high": None if hand.high is None else text(hand.high),
        "tie_break": hand.tie_break,
    }


def duel_json(duel: Duel) -> JsonObject:
    """A duel. `units` is the player's gain for each chip bet; negative if they lose."""
    return {"outcome": duel.outcome.value, "units": duel.units}


def odds_json(odds: "Odds") -> JsonObject:
    """The odds of one player against the banker; see `Odds`."""
    return {
        "hands": odds.hands,
        "classes": [
            {"class": count.hand_class.name.lower(), "value": count.value, "hands": count.hands}
            for count in odds.classes
        ],
        "pairs": odds.pairs,
        **{name: _fraction(getattr(odds, name)) for name in _FIGURES},
        "standard_deviation": {"decimal": odds.standard_deviation},
    }


def simulation_json(simulation: "Simulation") -> JsonObject:
    """The results of a simulation, beside the exact odds; see `Simulation`."""
    return {
        "rounds": simulation.rounds,
        "seats": simulation.seats,
        "decks": simulation.decks,
        "seed": simulation.seed,
        **{name: _estimate(getattr(simulation, name)) for name in _FIGURES},
    }


def _fraction(fraction: Fraction) -> JsonObject:
    return {"exact": str(fraction), "decimal": float(fraction)}


def _estimate(estimate: "Estimate") -> JsonObject:
    return {
        "simulated": estimate.mean,
        "standard_error": estimate.standard_error,
        **_fraction(estimate.exact),
        "standard_errors_off": estimate.standard_errors_off,
    }
