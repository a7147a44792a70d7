"""Turns codes and facts into sentences, in the reader's locale."""

from bot.words.hands import hand_name, hand_words, name_against, why_no_ox_words, why_words
from bot.words.house_rules import rules_name, rules_text
from bot.words.locale import DEFAULT_LOCALE, closest_locale, reader_locale, set_reader_locale, speaking
from bot.words.odds import Chances, comparison_words, odds_words
from bot.words.privacy import StoredFacts, not_erasable_words, stored_words
from bot.words.proofs import (
    mixed_words,
    opened_words,
    own_seal_words,
    own_words,
    receipt_words,
    rolled_words,
    verdict_words,
)
from bot.words.refusals import held_elsewhere_words, no_gift_words, refusal, wrong_rule
from bot.words.rule_names import game_title, preset_title, setting_words
from bot.words.table_events import bank_passed_words, departure_words
from bot.words.translation import (
    chips,
    either,
    english,
    percent,
    plain_name,
    signed,
    signed_points,
    translate,
    translated,
    translations,
)
from bot.words.wallet import bankroll_words, entry_words, given_words, reason_words

__all__ = [
    "DEFAULT_LOCALE",
    "Chances",
    "StoredFacts",
    "bank_passed_words",
    "bankroll_words",
    "chips",
    "closest_locale",
    "comparison_words",
    "departure_words",
    "either",
    "english",
    "entry_words",
    "game_title",
    "given_words",
    "hand_name",
    "hand_words",
    "held_elsewhere_words",
    "mixed_words",
    "name_against",
    "no_gift_words",
    "not_erasable_words",
    "odds_words",
    "opened_words",
    "own_seal_words",
    "own_words",
    "percent",
    "plain_name",
    "preset_title",
    "reader_locale",
    "reason_words",
    "receipt_words",
    "refusal",
    "rolled_words",
    "rules_name",
    "rules_text",
    "set_reader_locale",
    "setting_words",
    "signed",
    "signed_points",
    "speaking",
    "stored_words",
    "translate",
    "translated",
    "translations",
    "verdict_words",
    "why_no_ox_words",
    "why_words",
    "wrong_rule",
]
