"""Every message tells its translators where it stands, and English keeps to the lengths it names."""

import re

from bot.words.catalogue import MESSAGES
from scripts.words.template import template_text
from scripts.words.translator_notes import LONGEST, MEANT, PLACES, longest_of, notes_of

TRANSLATED = [code for code in MESSAGES if not code.startswith("book.")]


def test_every_message_says_where_it_stands() -> None:
    assert [code for code in TRANSLATED if not list(notes_of(code))] == []


def test_every_note_belongs_to_a_message() -> None:
    for beginning in sorted({*PLACES, *LONGEST}):
        assert any(code.startswith(beginning) for code in MESSAGES)


def test_what_is_meant_is_said_of_messages_that_there_are() -> None:
    assert MEANT.keys() <= MESSAGES.keys()


def test_notes_come_with_the_template() -> None:
    assert (
        "#. A button: one to three words. Where other texts name it, they have the same words.\n"
        "#. Hands out the cards or tiles.\n"
        "#. At most 30 characters.\n"
        'msgctxt "button.deal"\n'
    ) in template_text()


def test_english_is_no_longer_than_a_translation_may_be() -> None:
    for code in TRANSLATED:
        longest, message = longest_of(code), MESSAGES[code]

        for text in (message.text, message.plural or ""):
            assert longest is None or len(re.sub(r"{[^}]*}", "", text)) <= longest
