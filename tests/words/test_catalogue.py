"""Messages show their facts in known ways, tell translators where they stand, and fit there."""

import re

import pytest

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message, placeholders
from scripts.words.template import template_text
from scripts.words.translator_notes import LONGEST, MEANT, PLACES, longest_of, notes_of
from scripts.words.verifier_page import to_translate

WAYS_TO_SHOW = {"", "chips", "signed", "number", "percent", "exactly", "name", "either"}


def test_every_placeholder_has_a_name_and_a_known_way_to_be_shown() -> None:
    for code in MESSAGES:
        message = MESSAGES[code]

        for text in (message.text, message.plural or ""):
            named = placeholders(text)
            assert all(name.isidentifier() for name in named)
            assert set(named.values()) <= WAYS_TO_SHOW


def test_a_plural_has_the_count_and_every_placeholder_of_the_singular() -> None:
    for code in [code for code, message in MESSAGES.items() if message.plural]:
        message = MESSAGES[code]
        assert message.plural is not None
        plural = placeholders(message.plural)

        assert message.counted in plural
        assert placeholders(message.text).items() <= plural.items()


@pytest.mark.parametrize("half", [{"plural": "{n} geese"}, {"counted": "n"}])
def test_a_plural_without_a_count_or_a_count_without_a_plural_is_refused(half: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="1 goose"):
        Message("1 goose", **half)


def test_every_message_says_where_it_stands() -> None:
    assert [code for code in MESSAGES if not list(notes_of(code))] == []


def test_every_note_belongs_to_a_message() -> None:
    for beginning in sorted({*PLACES, *LONGEST}):
        assert any(code.startswith(beginning) for code in MESSAGES)


def test_what_is_meant_is_said_of_messages_that_there_are() -> None:
    assert MEANT.keys() <= to_translate().keys()


def test_notes_come_with_the_template() -> None:
    assert (
        "#. A button: one to three words. Where other texts name it, they have the same words.\n"
        "#. Hands out the cards or tiles.\n"
        "#. At most 30 characters.\n"
        'msgctxt "button.deal"\n'
    ) in template_text()


def test_english_is_no_longer_than_a_translation_may_be() -> None:
    for code in MESSAGES:
        longest, message = longest_of(code), MESSAGES[code]

        for text in (message.text, message.plural or ""):
            assert longest is None or len(re.sub(r"{[^}]*}", "", text)) <= longest
