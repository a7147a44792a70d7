"""Evaluates hands of Niu Niu from text, for tests of its clauses."""

from collections.abc import Sequence
from typing import Any

from bot.games.hands import evaluate, totals
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.settle import Duel, settle
from bot.rules.cards import Card, card_text, parse_cards
from bot.rules.pieces import Hand, HandClass
from tests.games.presets import NIU_NIU_PRESET

from .plain_niu_niu import ORDER, Verdict


def hand(text: str, **knobs: Any) -> Hand:
    """The hand that five cards make, under `niu-niu` with these knobs changed."""
    return evaluate(parse_cards(text), NiuNiuRules(**knobs))


def class_and_value(text: str, **knobs: Any) -> tuple[HandClass, int]:
    """The class and the value of five cards, under `niu-niu` with these knobs changed."""
    best = hand(text, **knobs)
    return best.hand_class, best.value


def duel(player: str, banker: str, **knobs: Any) -> Duel:
    """The result of five cards against five, under `niu-niu` with these knobs changed."""
    return settle(hand(player, **knobs), hand(banker, **knobs), NiuNiuRules(**knobs))


def points(text: str) -> list[tuple[int, ...]]:
    """The points of each card."""
    return [totals([card], NIU_NIU_PRESET) for card in parse_cards(text)]


def words(cards: Sequence[Card]) -> tuple[str, ...]:
    """The cards as the plain evaluator takes them."""
    return tuple(card_text(card) for card in cards)


def verdict(made: Hand) -> Verdict:
    """The class and the value of a hand, as the plain evaluator names them."""
    return Verdict(ORDER[made.hand_class], made.value)


def outcome(result: Duel) -> tuple[str, int]:
    """The result of a duel, as the plain evaluator returns it."""
    return result.outcome.value, result.units
