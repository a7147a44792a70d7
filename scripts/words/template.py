"""The template for translators: every message, with its code as context and notes for the translator.

`python -m scripts.words.template` prints it as a .pot file. `python -m scripts.words.template de` begins
`locales/de/gnau.po`, or brings it up to date, and names what is missing in it or wrong. With it comes a
glossary to fill in, `GLOSSARY.md`.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog
from babel.messages.pofile import write_po

from bot.words import po_files
from bot.words.catalogue.message import Message
from bot.words.po_files import PoFile, current_texts, faults_in
from scripts.words.language_check import entries_of, language_faults, read_catalogue, staying_english
from scripts.words.translator_notes import notes_of
from scripts.words.verifier_page import to_translate

GLOSSARY: Final = "GLOSSARY.md"
"""The file in the folder of a locale with its terms, and why they are those."""
_WIDTH: Final = 110
_BEGUN: Final = datetime(2026, 11, 1, tzinfo=UTC)

_NOTES: Final[Mapping[str, str]] = {
    "chips": "becomes an amount of chips, such as “1,000 chips”; {NAME:number} is the bare number",
    "signed": "becomes a gain or a loss, such as “+150”",
    "number": "becomes a number, such as “1,000”",
    "percent": "becomes a percentage, such as “5.19 %”",
    "exactly": "becomes a percentage with four digits, such as “5.1932 %”",
    "name": "becomes a name or words that a member wrote",
    "either": "becomes alternatives, such as “8, 11 or 14”",
    "": "is put in as it is",
}


TERMS: Final = {
    "Gnau": "the card game: the Hokkien name of 牛, ox",
    "Tau Ngau": "the tile game: 鬥牛, bull fighting",
    "Niu Niu": "the card game: 牛牛; also its best hand with a bull",
    "ox": "three pieces that total a multiple of 10, in Gnau",
    "niu": "the same in Niu Niu: a bull",
    "discard": "the same in Tau Ngau: the three tiles that are laid aside",
    "power cards": "the two cards that an ox leaves, in Gnau",
    "number": "the last digit of the two cards that a niu leaves",
    "score": "the last digit of the two tiles that a discard leaves",
    "No Ox, No Niu, No discard": "a hand without three that total a multiple of 10",
    "Ox of 8": "a hand with an ox, whose power cards make 8",
    "Double-Ox": "an ox with two power cards of one rank",
    "Ngau Tonku": "an ox with the ace of spades and a J, Q or K: 牛冬菇",
    "Five Dukes": "five of J, Q and K: 五公",
    "Five Small": "five of A to 4",
    "Five Flowers": "five of J, Q and K, in Niu Niu: 五花牛",
    "Bomb": "four cards of one rank, in Niu Niu",
    "Nenku": "an ox with an ace and a J, Q or K: an Ox of 1",
    "suited": "of one suit",
    "wild": "a tile, or a 3 or 6, that counts 3 or 6",
    "woodpile": "the 32 tiles of Tau Ngau, Chinese dominoes",
    "card, tile, deck": "what is played with",
    "chips": "play money",
    "points": "what is won where no chips are bet; a score",
    "bet": "chips on one's own hand",
    "side bet, to back": "chips on another player's hand",
    "held": "set aside until the round is settled",
    "free": "chips that are not held",
    "banker, bank": "the one whom all others play against; to bank",
    "house": "the server as banker; house rules are its rules",
    "bankroll": "the chips with which the house banks",
    "computer player": "who keeps members company at a table, with chips of the house",
    "table": "what is opened in a channel",
    "round, deal, showdown": "bets, hands, results",
    "hand": "five cards or tiles of one player",
    "reveal": "to show one's own hand to everybody",
    "push": "a tie that returns the bet",
    "multiple": "how many times the bet a hand wins",
    "limits": "the lowest and the highest bet",
    "edge": "what the bank wins on average of what is bet",
    "seat": "a player's place at a table",
    "sit out": "to keep a seat without playing a round",
    "panel": "a private message with one's own hand, bet and buttons",
    "seal, receipt": "codes by which everybody can check a shuffle, shown before and after",
    "seed, words for the shuffle": "what a player adds to the shuffle",
    "preset": "a named set of house rules",
    "books, ledger": "the record of all chips; one's own lines of it",
    "tournament": "a contest of many at several tables, for a pot",
    "entry, pot, prize": "what it costs to enter; all entries; what the first get",
    "stage, final": "some rounds, after which the lower half is out; the last",
    "to go on, to be out": "to play the next stage, or no more",
}
"""Terms in English, with what they mean."""


def new_glossary(language: str) -> str:
    """A glossary without translations yet, as Markdown.

    Args:
        language: the English name of the language.
    """
    rows = [f"| {term} | {meaning} | | |" for term, meaning in TERMS.items()]
    return "\n".join(
        [
            f"# Glossary: {language}",
            "",
            "One term for one thing, as players of this language say it; say where each was found.",
            "",
            "| English | what it is | here | source, and why |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def template() -> Catalog:
    """The catalogue that translations are made from."""
    catalogue = _empty(None)
    for code, message in to_translate().items():
        catalogue.add(message.ids, context=code, auto_comments=_notes(code, message))
    return catalogue


def template_text() -> str:
    """The template as a .pot file."""
    return written(template())


def renewed(locale: str) -> tuple[Catalog, list[str]]:
    """The catalogue of a locale with every message of today.

    Translations are kept; one of an English text that has changed is marked as fuzzy, and not used until
    somebody has looked at it.

    Args:
        locale: the name of the locale, such as `de` or `zh_TW`.

    Returns:
        The catalogue, and the codes of the messages that still need a translation.

    Raises:
        ValueError: the file of the locale is not in the format of gettext.
        UnknownLocaleError: there is no such locale.
    """
    file, language = _file_of(locale), Locale.parse(locale)
    known = {entry.context: entry for entry in read_catalogue(file)} if file.exists() else {}
    catalogue = _empty(language)
    messages = [entry for entry in template() if entry.id]
    for entry in messages:
        added = catalogue.add(entry.id, context=entry.context, auto_comments=entry.auto_comments)
        before = known.get(entry.context)
        if before is not None and isinstance(before.id, str) == isinstance(entry.id, str):
            added.string = before.string
            added.flags |= before.flags if before.id == entry.id else {*before.flags, "fuzzy"}
    usable = current_texts(entries_of(catalogue), to_translate()).keys() - _faults_in(catalogue).keys()
    return catalogue, [entry.context or "" for entry in messages if entry.context not in usable]


def _faults_in(catalogue: Catalog) -> dict[str, list[str]]:
    file = PoFile(catalogue.num_plurals, int, list(entries_of(catalogue)))
    return faults_in(file, to_translate())


def _file_of(locale: str) -> Path:
    return po_files.LOCALES / locale / po_files.FILE


def _empty(language: Locale | None) -> Catalog:
    """A catalogue without messages. Its dates are fixed, so that renewing a file changes only messages."""
    name = "gnau" if language is None else f"gnau in {language.english_name}"
    return Catalog(
        language,
        project="gnau",
        version="1",
        msgid_bugs_address="see CONTRIBUTING.md",
        last_translator="see the history of this file",
        language_team="gnau",
        header_comment=f"# The messages of {name}.",
        charset="utf-8",
        creation_date=_BEGUN,
        revision_date=_BEGUN,
        fuzzy=False,
    )


def written(catalogue: Catalog) -> str:
    """A catalogue as a file in the format of gettext, without the version of what wrote it."""
    written = BytesIO()
    write_po(written, catalogue, width=_WIDTH)
    return re.sub(r'"Generated-By:.*\n', "", written.getvalue().decode(), count=1)


def _notes(code: str, message: Message) -> Iterator[str]:
    """What is to know about a message, then a line on each placeholder and on what decides the plural."""
    yield from notes_of(code)
    for name, way in message.placeholders.items():
        placeholder = f"{{{name}:{way}}}" if way else f"{{{name}}}"
        yield f"{placeholder} {_NOTES[way].replace('NAME', name)}."
    if message.counted:
        yield f"{message.counted} decides which plural form is used."


def renew(locale: str) -> int:
    """Writes the file of a locale, and says what is missing or wrong; returns the status of the program."""
    try:
        catalogue, missing = renewed(locale)
    except (UnknownLocaleError, ValueError) as failed:
        sys.stderr.write(f"{failed}\n")
        return 2
    file = _file_of(locale)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written(catalogue), encoding="utf-8")
    glossary = file.with_name(GLOSSARY)
    if not glossary.exists():
        glossary.write_text(new_glossary(str(Locale.parse(locale).english_name)), encoding="utf-8")
    stays = staying_english(file.parent)
    for found in (_faults_in(catalogue), language_faults(locale, catalogue, stays)):
        for code, faults in found.items():
            sys.stdout.write(f"{code or locale}: it {'; '.join(faults)}\n")
    named = "".join(f"\n  {code}" for code in missing)
    sys.stdout.write(f"{file}: {len(missing)} of {len(catalogue)} messages need a translation{named}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(renew(sys.argv[1]))
    sys.stdout.write(template_text())
