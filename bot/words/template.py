"""The template for translators: every message, with its code as context and notes on its placeholders.

`python -m bot.words.template > gnau.pot` makes it. `pybabel init -i gnau.pot -l de -o
bot/words/locales/de/gnau.po` begins a translation, and `pybabel update` with the same options renews one.
"""

import sys
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final

from babel.messages import Catalog
from babel.messages.pofile import write_po

from bot.words.catalogue import MESSAGES, Message

_DOCUMENT: Final = "book."
"""Codes that begin so belong to docs/RULES.md, which is English."""

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


def template() -> Catalog:
    """The catalogue that translations are made from."""
    catalogue = Catalog(
        project="gnau", domain="gnau", charset="utf-8", header_comment="# The messages of gnau."
    )
    for code, message in MESSAGES.items():
        if not code.startswith(_DOCUMENT):
            catalogue.add(message.ids, context=code, auto_comments=_notes(message))
    return catalogue


def template_text() -> str:
    """The template as a .pot file."""
    written = BytesIO()
    write_po(written, template(), width=110)
    return written.getvalue().decode()


def _notes(message: Message) -> Iterator[str]:
    """A line on each placeholder, and on what decides between singular and plural."""
    for name, way in message.placeholders.items():
        placeholder = f"{{{name}:{way}}}" if way else f"{{{name}}}"
        yield f"{placeholder} {_NOTES[way].replace('NAME', name)}."
    if message.counted:
        yield f"{message.counted} decides which plural form is used."


if __name__ == "__main__":
    sys.stdout.write(template_text())
