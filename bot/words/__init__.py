"""Sentences of what the domain says in codes and facts; the one place where it becomes prose."""

from bot.words.departures import departure_words
from bot.words.hands import hand_name, hand_words
from bot.words.house_rules import edge_text, rules_name, rules_text
from bot.words.refusals import refusal
from bot.words.settings import game_title, preset_title, setting_words
from bot.words.speech import chips, percent, say, signed
from bot.words.transfers import reason_words

__all__ = [
    "chips",
    "departure_words",
    "edge_text",
    "game_title",
    "hand_name",
    "hand_words",
    "percent",
    "preset_title",
    "reason_words",
    "refusal",
    "rules_name",
    "rules_text",
    "say",
    "setting_words",
    "signed",
]
