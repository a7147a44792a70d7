"""Sentences of what the domain says in codes and facts; the one place where it becomes prose."""

from bot.words.departures import departure_words
from bot.words.hands import hand_name, hand_words
from bot.words.house_rules import rules_name, rules_text
from bot.words.refusals import refusal
from bot.words.speech import chips, say, signed
from bot.words.transfers import reason_words

__all__ = [
    "chips",
    "departure_words",
    "hand_name",
    "hand_words",
    "reason_words",
    "refusal",
    "rules_name",
    "rules_text",
    "say",
    "signed",
]
