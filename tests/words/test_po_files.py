import logging
import re
from fractions import Fraction

import pytest

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message
from bot.words.po_files import current_texts, faults_in, faults_of, locales, read_file, translation_of
from bot.words.translation import (
    Reader,
    chips,
    either,
    english,
    listed,
    percent,
    sentences,
    signed,
    signed_points,
    speaking_to,
    translate,
    translations,
)
from scripts.words.language_check import entries_of, read_catalogue
from scripts.words.template import GLOSSARY, renew, renewed, template, template_text, written
from scripts.words.verifier_page import to_translate
from tests.words.conftest import WriteLocale

BANKER = MESSAGES["refusal.not_banker"]


def entry(code: str, *texts: str, fuzzy: bool = False) -> str:
    """The translation of a message as it stands in a file."""
    message = to_translate()[code]
    lines = ["#, fuzzy"] if fuzzy else []
    lines += [f'msgctxt "{code}"', f'msgid "{quoted(message.text)}"']
    if message.plural is None:
        lines.append(f'msgstr "{quoted(texts[0])}"')
    else:
        lines.append(f'msgid_plural "{quoted(message.plural)}"')
        lines += [f'msgstr[{form}] "{quoted(text)}"' for form, text in enumerate(texts)]
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


CHIPS = entry("amount.chips", "{amount:number} Chip", "{amount:number} Chips")


def test_a_message_is_translated_and_another_stays_english(write_locale: WriteLocale) -> None:
    write_locale("de", entry("refusal.not_banker", "Das darf nur {banker:name}."))

    with speaking_to(Reader("de")):
        assert translate("refusal.not_banker", banker="M_i") == r"Das darf nur M\_i."
        assert translate("house.confirm") == english("house.confirm")
    assert translate("refusal.not_banker", banker="Mei") != "Das darf nur Mei."


def test_plurals_and_numbers_follow_the_locale(write_locale: WriteLocale) -> None:
    polish = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    forms = (f"{{amount:number}} {word}" for word in ("żeton", "żetony", "żetonów"))
    digits = entry("amount.digits", "1\N{NO-BREAK SPACE}234,5")
    write_locale("pl", entry("amount.chips", *forms), digits, plurals=polish)

    with speaking_to(Reader("pl")):
        assert [chips(amount) for amount in (1, 3, 5, 22, 12_000)] == [
            "1 żeton",
            "3 żetony",
            "5 żetonów",
            "22 żetony",
            "12\N{NO-BREAK SPACE}000 żetonów",
        ]


def test_amounts_follow_the_locale_even_where_the_sentence_is_english(write_locale: WriteLocale) -> None:
    digits = entry("amount.digits", "1.234,5")
    write_locale("de", entry("amount.either", "{some} oder {last}"), digits, CHIPS)

    with speaking_to(Reader("de")):
        assert chips(-1_234_567) == "\N{MINUS SIGN}1.234.567 Chips"
        assert signed(1500) == "+1.500"
        assert signed_points(-1500) == "\N{MINUS SIGN}1.500 points"
        assert percent(Fraction(-1234567, 10**5)) == "\N{MINUS SIGN}1.234,57%"
        assert translate("odds.part", part=Fraction(1, 3)) == "33,3333%"
        assert either(["1", "2", "3"]) == "1, 2 oder 3"


def test_lists_and_sentences_are_joined_as_the_language_does(write_locale: WriteLocale) -> None:
    write_locale("zh_CN", entry("amount.comma", "、"), plurals="nplurals=1; plural=0;")

    assert listed(["1", "2"]) == "1, 2"
    assert sentences(["One.", "", "Two."]) == "One. Two."
    with speaking_to(Reader("zh_CN")):
        assert listed(["1", "2"]) == "1、2"
        assert sentences(["一。", "", "二。"]) == "一。二。"


@pytest.mark.parametrize("locale", ["fr", "no such locale", "", "../de"])
def test_a_locale_without_translations_reads_english(locale: str, write_locale: WriteLocale) -> None:
    write_locale("de", CHIPS)

    with speaking_to(Reader(locale)):
        assert chips(1000) == "1,000 chips"


@pytest.mark.parametrize(
    "unusable",
    [
        entry("house.confirm", "Ja", fuzzy=True),
        entry("house.confirm", "Ja").replace(f'"{english("house.confirm")}"', '"What English said before"'),
        entry("house.confirm", "Ja").replace("house.confirm", "house.gone"),
        entry("house.confirm", ""),
    ],
    ids=["fuzzy", "out of date", "without such a code", "empty"],
)
def test_what_is_not_translated_yet_is_read_in_english(unusable: str, write_locale: WriteLocale) -> None:
    write_locale("de", unusable, CHIPS)

    with speaking_to(Reader("de")):
        assert translate("house.confirm") == english("house.confirm")
        assert chips(1) == "1 Chip"


@pytest.mark.parametrize(
    "text",
    [
        "Nur die Bank.",
        "Nur {bank:name}.",
        "Nur {banker}.",
        "Nur {banker:chips}.",
        "Nur {banker:shouted}.",
        "Nur {banker!r:name}.",
        "Nur {banker.__class__:name}.",
        "Nur {banker:name} {0}.",
        "Nur {banker:name} {",
    ],
)
def test_a_translation_with_other_placeholders_than_english_is_found_and_never_used(
    text: str, write_locale: WriteLocale, caplog: pytest.LogCaptureFixture
) -> None:
    file = write_locale("de", entry("refusal.not_banker", text), CHIPS)

    assert list(faults_in(read_file(file))) == ["refusal.not_banker"]
    with speaking_to(Reader("de")), caplog.at_level(logging.WARNING):
        assert translate("refusal.not_banker", banker="Mei") == BANKER.text.replace("{banker:name}", "Mei")
        assert chips(1) == "1 Chip"
    assert "refusal.not_banker to de is left out" in caplog.text


SEATS = Message("The only seat", "All {seats:number} seats of {who}", "seats")


@pytest.mark.parametrize(
    ("texts", "forms", "faults"),
    [
        (["Der Platz von {who}", "Die {seats:number} von {who}"], 2, []),
        (["{who} {seats:chips}", "{seats:number} {who}"], 2, []),
        (["Der Platz", "Die {seats:number}"], 2, ["lacks {who}"]),
        (["Der Platz", "Die Plätze von {who}"], 2, ["lacks {seats}"]),
        (["{who}"], 1, ["lacks {seats}"]),
        (["{who}"], 2, ["needs 2 texts"]),
        (["{who}", ""], 2, ["needs 2 texts"]),
        (["{who}", "{seats:name} {who}"], 2, ["shows {seats} as name, and English as number"]),
        (["{who}", "{seats:number} {who:name}"], 2, ["shows {who} as name, and English as it is"]),
    ],
)
def test_each_plural_form_needs_its_placeholders(texts: list[str], forms: int, faults: list[str]) -> None:
    message = Message("The only seat of {who}", SEATS.plural, "seats") if "{who}" in texts[0] else SEATS

    assert list(faults_of(message, texts, forms)) == faults


@pytest.mark.parametrize("broken", ['msgid "half', "nonsense", "\udcff"])
def test_a_file_that_cannot_be_read_leaves_its_readers_english(
    broken: str, write_locale: WriteLocale, caplog: pytest.LogCaptureFixture
) -> None:
    write_locale("de").write_bytes(broken.encode(errors="surrogateescape"))

    with speaking_to(Reader("de")), caplog.at_level(logging.WARNING):
        assert chips(1000) == "1,000 chips"
    assert "translations to de cannot be read" in caplog.text


def test_a_file_is_read_as_any_editor_may_write_it(write_locale: WriteLocale) -> None:
    crowded = [
        "#. A note, and what it said before.",
        '#| msgid "Was"',
        "#, fuzzy, python-brace-format",
        *entry("house.left", "Nein").splitlines(),
        "#, python-brace-format",
        'msgctxt   "house.confirm"',
        'msgid ""',
        f'"{english("house.confirm")}"',
        'msgstr "Ja, "',
        r'  "\"so\"\n"',
        r'"\tist\\es"',
        '#~ msgid "gone"',
        '#~ msgstr "fort"',
        *CHIPS.splitlines(),
    ]
    file = write_locale("de", "\r\n".join(crowded))

    entries = read_file(file).entries
    assert list(entries)[1:] == list(entries_of(read_catalogue(file)))[1:]
    assert current_texts(entries) == {
        "house.confirm": ('Ja, "so"\n\tist\\es',),
        "amount.chips": ("{amount:number} Chip", "{amount:number} Chips"),
    }


@pytest.mark.parametrize("plural", ["nplurals=2; plural=open('x');", "nplurals=1; plural=(n != 1);", ""])
def test_a_plural_rule_that_cannot_be_used_leaves_its_readers_english(
    plural: str, write_locale: WriteLocale
) -> None:
    write_locale("de", CHIPS, plurals=plural)

    with speaking_to(Reader("de")):
        assert chips(1000) == "1,000 chips"


def test_a_folder_whose_name_is_no_locale_is_ignored(
    write_locale: WriteLocale, caplog: pytest.LogCaptureFixture
) -> None:
    write_locale("de", CHIPS)
    write_locale("klingonese", CHIPS)

    assert locales() == ("en", "de")
    assert "klingonese" in caplog.text


def test_the_text_of_a_command_comes_in_every_locale_that_translates_it(write_locale: WriteLocale) -> None:
    write_locale("de", entry("house.confirm", "Bestätigen"))
    write_locale("fr", entry("house.confirm", "Confirmer"))
    write_locale("nl", CHIPS)

    assert translations("house.confirm") == {"de": "Bestätigen", "fr": "Confirmer"}
    with pytest.raises(KeyError):
        translations("house.no_such")


def pseudo(text: str) -> str:
    """A text that reads as a translation: its letters accented, its placeholders as they are."""
    parts = re.split(r"({[^}]*})", text)
    return "".join(p if p.startswith("{") else p.translate(str.maketrans("aeiou", "åëïøü")) for p in parts)


def test_the_template_can_be_translated_whole_and_then_every_message_is(write_locale: WriteLocale) -> None:
    entries = [
        entry(
            message.context or "", *map(pseudo, [message.id] if isinstance(message.id, str) else message.id)
        )
        for message in template()
        if message.id
    ]
    file = write_locale("de", *entries)

    assert faults_in(read_file(file), to_translate()) == {}
    assert translation_of("de").texts.keys() == MESSAGES.keys()
    with speaking_to(Reader("de")):
        assert translate("house.confirm") == pseudo(english("house.confirm"))


def test_the_template_explains_code_placeholders_and_plural() -> None:
    text = template_text()

    assert (
        "#. An amount, put into other texts.\n"
        "#. {amount:number} becomes a number, such as “1,000”.\n"
        "#. amount decides which plural form is used.\n"
        "#, python-brace-format\n"
        'msgctxt "amount.chips"\n'
        'msgid "{amount:number} chip"\n'
        'msgid_plural "{amount:number} chips"\n'
    ) in text
    assert "{banker:name} becomes a name or words that a member wrote." in text


def test_every_placeholder_has_a_note_for_translators() -> None:
    assert all(message.auto_comments for message in template() if message.id and "{" in str(message.id))


@pytest.mark.thorough
@pytest.mark.parametrize(("locale", "forms"), [("de", 2), ("ja", 1), ("zh_TW", 1)])
def test_a_file_begins_with_every_message_and_is_renewed_without_loss(
    write_locale: WriteLocale, locale: str, forms: int
) -> None:
    begun, missing = renewed(locale)
    assert missing == [message.context for message in template() if message.id]
    assert begun.num_plurals == forms

    chips = [f"{{amount:number}} {form}" for form in range(forms)]
    outdated = entry("house.confirm", "Ja").replace(english("house.confirm"), "what it was")
    guess = entry("house.left", "Nein", fuzzy=True)
    gone = 'msgctxt "gone"\nmsgid "gone"\nmsgstr "fort"\n'
    plurals = f"nplurals={forms}; plural={'(n != 1)' if forms == 2 else '0'};"
    file = write_locale(locale, entry("amount.chips", *chips), outdated, guess, gone, plurals=plurals)

    after, missing = renewed(locale)
    assert {"house.confirm", "house.left"} <= set(missing)
    assert "amount.chips" not in missing
    file.write_text(written(after), encoding="utf-8")
    kept = {message.context: message for message in read_catalogue(file)}
    assert kept["house.confirm"].string == "Ja"
    assert kept["house.confirm"].fuzzy, "its English text has changed"
    assert kept["house.left"].fuzzy, "nobody has looked at it"
    assert "gone" not in kept
    with speaking_to(Reader(locale)):
        assert translate("amount.chips", amount=1) == "1 0"
        assert translate("house.confirm") == english("house.confirm")


def test_the_command_names_what_is_missing_or_wrong(
    write_locale: WriteLocale, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_locale("de", entry("amount.gain", "mehr"))
    assert renew("de") == 1
    said = capsys.readouterr().out
    assert "amount.gain: it lacks {amount}\n" in said
    assert "\n  house.confirm\n" in said
    assert 'msgctxt "house.confirm"' in file.read_text(encoding="utf-8")
    glossary = file.with_name(GLOSSARY)
    assert glossary.read_text(encoding="utf-8").startswith("# Glossary: German\n")
    glossary.write_text("our terms", encoding="utf-8")
    renew("de")
    assert glossary.read_text(encoding="utf-8") == "our terms", "what a translator wrote stays"

    assert renew("xx") == 2
    assert capsys.readouterr().err == "unknown locale 'xx'\n"
