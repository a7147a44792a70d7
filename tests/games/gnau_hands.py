"""Evaluates hands of Gnau from text, for tests of its clauses."""

from typing import Any

from bot.games.gnau.rules import GnauRules
from bot.games.hands import arrangements, evaluate
from bot.rules.cards import parse_cards
from bot.rules.pieces import Hand, HandClass


def hand(text: str, **knobs: Any) -> Hand:
    """The strongest hand of five cards, under `wikipedia` with these knobs changed."""
    return evaluate(parse_cards(text), GnauRules(**knobs))


def class_and_value(text: str, **knobs: Any) -> tuple[HandClass, int]:
    """The class and the value of five cards, under `wikipedia` with these knobs changed."""
    best = hand(text, **knobs)
    return best.hand_class, best.value


def every_class_and_value(text: str, **knobs: Any) -> set[tuple[HandClass, int]]:
    """The class and the value of every arrangement of five cards."""
    return {(one.hand_class, one.value) for one in arrangements(parse_cards(text), GnauRules(**knobs))}
