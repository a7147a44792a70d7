"""Turns codes and facts into sentences, in the reader's locale."""

from bot.words.guide import (
    banker_words,
    knob_list_words,
    overview_words,
    payout_words,
    ranking_words,
    terms_words,
)
from bot.words.handouts import daily_words, nothing_yet_words, relief_words
from bot.words.hands import (
    hand_name,
    hand_words,
    my_hand,
    name_against,
    rank_name,
    row_of,
    why_no_ox_words,
    why_words,
)
from bot.words.house_rules import rules_name
from bot.words.locale import (
    DEFAULT_LOCALE,
    chosen_locale,
    closest_locale,
    plain_locale,
)
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
from bot.words.reader import Reader, reader, set_reader, speaking_to
from bot.words.refusals import held_elsewhere_words, no_gift_words, refusal, wrong_rule
from bot.words.rule_names import game_title, preset_title, setting_words
from bot.words.table_events import bank_passed_words, departure_words
from bot.words.translation import (
    chips,
    either,
    english,
    listed,
    percent,
    plain_name,
    sentences,
    signed,
    signed_points,
    translate,
    translated,
    translations,
)
from bot.words.typed_commands import typed_command
from bot.words.wallet import bankroll_words, entry_words, given_words, reason_words

__all__ = [
    "DEFAULT_LOCALE",
    "Chances",
    "Reader",
    "StoredFacts",
    "bank_passed_words",
    "banker_words",
    "bankroll_words",
    "chips",
    "chosen_locale",
    "closest_locale",
    "comparison_words",
    "daily_words",
    "departure_words",
    "either",
    "english",
    "entry_words",
    "game_title",
    "given_words",
    "hand_name",
    "hand_words",
    "held_elsewhere_words",
    "knob_list_words",
    "listed",
    "mixed_words",
    "my_hand",
    "name_against",
    "no_gift_words",
    "not_erasable_words",
    "nothing_yet_words",
    "odds_words",
    "opened_words",
    "overview_words",
    "own_seal_words",
    "own_words",
    "payout_words",
    "percent",
    "plain_locale",
    "plain_name",
    "preset_title",
    "rank_name",
    "ranking_words",
    "reader",
    "reason_words",
    "receipt_words",
    "refusal",
    "relief_words",
    "rolled_words",
    "row_of",
    "rules_name",
    "sentences",
    "set_reader",
    "setting_words",
    "signed",
    "signed_points",
    "speaking_to",
    "stored_words",
    "terms_words",
    "translate",
    "translated",
    "translations",
    "typed_command",
    "verdict_words",
    "why_no_ox_words",
    "why_words",
    "wrong_rule",
]
