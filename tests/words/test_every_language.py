"""Each language in the repository is complete, and each of its texts right."""

import pytest

from bot.words.po_files import FILE, LOCALES, faults_in, locales, read_file
from bot.words.translation import Reader, speaking_to, translate
from scripts.words.language_check import (
    STAYS_ENGLISH,
    entries_of,
    language_faults,
    read_catalogue,
    staying_english,
)
from scripts.words.template import GLOSSARY, renewed, written
from scripts.words.verifier_page import to_translate

TRANSLATED = sorted(file.parent.name for file in LOCALES.glob(f"*/{FILE}"))


def test_nothing_else_stands_among_the_languages() -> None:
    files = list(LOCALES.glob("*/*"))
    assert {file.name for file in files} <= {FILE, GLOSSARY, STAYS_ENGLISH}
    assert {file.parent.name for file in files} == {*TRANSLATED}


@pytest.mark.parametrize("locale", TRANSLATED)
def test_a_language_is_complete_and_its_file_as_the_command_writes_it(locale: str) -> None:
    assert locale in locales()
    catalogue, missing = renewed(locale)
    assert missing == [], (
        f"run `python -m scripts.words.template {locale}`, and translate these in its {FILE}"
    )
    assert (LOCALES / locale / FILE).read_text(encoding="utf-8") == written(catalogue), (
        f"run `python -m scripts.words.template {locale}`"
    )


@pytest.mark.parametrize("locale", TRANSLATED)
def test_each_text_of_a_language_is_right(locale: str) -> None:
    file, catalogue = read_file(LOCALES / locale / FILE), read_catalogue(LOCALES / locale / FILE)
    assert list(file.entries)[1:] == list(entries_of(catalogue))[1:], "the bot reads what Babel reads"
    assert faults_in(file, to_translate()) == {}
    assert language_faults(locale, catalogue, staying_english(LOCALES / locale)) == {}


@pytest.mark.parametrize("locale", TRANSLATED)
def test_a_language_has_a_glossary_that_is_filled_in(locale: str) -> None:
    glossary = (LOCALES / locale / GLOSSARY).read_text(encoding="utf-8")
    rows = [line.strip("| ").split("|") for line in glossary.splitlines() if line.startswith("| ")]
    assert [row[0].strip() for row in rows[2:] if len(row) > 2 and not row[2].strip()] == []


@pytest.mark.parametrize("locale", locales())
def test_the_same_bet_and_a_new_look_are_told_apart(locale: str) -> None:
    with speaking_to(Reader(locale)):
        bet, look = (translate(f"button.{code}").casefold() for code in ("again", "look_again"))
    assert bet not in look
    assert look not in bet
