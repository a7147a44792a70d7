"""The translations in `docs/verify.html`, the page that checks a round without the bot and without a network.

`python -m scripts.words.verifier_page` writes them into the page. There each text is found by its English,
in which `{a}`, `{b}` and so on stand for what is put in; the rules of a round by their names in a record.
The texts of its own stand in the page alone. To translators their code is that English: `verify.Chips: {a}`.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel import Locale

from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.words import po_files
from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message
from bot.words.po_files import current_texts, locales, read_file, translation_of

PAGE: Final = Path(__file__).parents[2] / "docs" / "verify.html"

OWN: Final = "verify."
"""Codes that begin so are of the page. It also has the names of hands and games."""
_SHARED: Final = ("hand.", "game.", "setting.on", "setting.off", f"{OWN}place.")
"""Codes of the bot's messages that the page has too begin so."""
_WORDS: Final = re.compile(r'(?<=<script type="application/json" id="words">\n).*(?=\n</script>)')
_RULES: Final = re.compile(r'(?<=<script type="application/json" id="rules">\n).*(?=\n</script>)')
_SAID: Final = re.compile(r"\bsay`([^`]*)`")
_PUT_IN: Final = re.compile(r"\$\{[^}]*\}")
_FIXED: Final = re.compile(r"<(\w+)[^>]* data-say>(.*?)</\1>", re.DOTALL)
_LETTERS: Final = "abcdefghij"


def keys_in(page: str) -> set[str]:
    """The English of every text that the page looks up where it stands."""
    said = (_lettered(_PUT_IN.split(text)) for text in _SAID.findall(page))
    fixed = (" ".join(text.split()) for _, text in _FIXED.findall(page))
    return {*said, *fixed}


def key_of(text: str) -> str:
    """The English of a text as the page looks it up."""
    return _relabelled(text, dict(zip(_names(text), _LETTERS, strict=False)))


@cache
def to_translate() -> dict[str, Message]:
    """Every text that has translations: the messages of the bot, and the texts that only the page has."""
    named = {key_of(message.text) for code, message in MESSAGES.items() if code.startswith(_SHARED)}
    own = sorted(keys_in(PAGE.read_text(encoding="utf-8")) - named)
    texts = [*MESSAGES.items()]
    first = next(at for at, (code, _) in enumerate(texts) if code.startswith(OWN))
    # What belongs together stands together in the files of translators.
    texts[first:first] = [(f"{OWN}{key}", Message(key)) for key in own]
    return dict(texts)


def with_words(page: str) -> str:
    """The page with the translations of today."""
    wanted = keys_in(page)
    codes = {
        key_of(message.text): code
        for code, message in to_translate().items()
        if code.startswith(OWN) or (code.startswith(_SHARED) and key_of(message.text) in wanted)
    }
    words = {locale.replace("_", "-"): dict(sorted(_translated(locale, codes))) for locale in locales()[1:]}
    rules = {locale.replace("_", "-"): _rule_names(locale) for locale in locales()}
    page = _WORDS.sub(lambda _: _written(words), page)
    return _RULES.sub(lambda _: _written(rules), page)


def _written(block: object) -> str:
    # So that no text can end the block.
    return json.dumps(block, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _rule_names(locale: str) -> dict[str, dict[str, str]]:
    """What a locale calls the rules of a record: each one's title, under an empty name, and its choices."""
    translation = translation_of(locale)
    named: dict[str, dict[str, str]] = {}
    for knob in (knob for game in GAMES for knob in knobs_of(game) if knob.decides):
        codes = {"": f"title.{knob.name}"} | {one: f"setting.{knob.name}.{one}" for one in knob.choices}
        named[knob.name] = {name: translation.text(code) for name, code in codes.items()}
    return named


def _translated(locale: str, codes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each text that a locale translates, by its English; and the language's own name, by `English`."""
    file, messages = read_file(po_files.LOCALES / locale / po_files.FILE), to_translate()
    translated = current_texts(file.entries, messages)
    yield "English", _own_name(locale)
    for key, code in codes.items():
        if code in translated:
            letters = dict(zip(_names(messages[code].text), _LETTERS, strict=False))
            yield key, _relabelled(translated[code][0], letters)


def _own_name(locale: str) -> str:
    """A language's name for itself, as members choose it."""
    named = MESSAGES.get(f"setting.language.{locale.replace('_', '-').lower()}")
    return str(Locale.parse(locale).display_name) if named is None else named.text


def _relabelled(text: str, letters: dict[str, str]) -> str:
    """A text with a letter for each placeholder."""
    return "".join(
        literal if name is None else f"{literal}{{{letters[name]}}}" for literal, name in _parts(text)
    )


def _parts(text: str) -> list[tuple[str, str | None]]:
    return [(literal, name) for literal, name, *_ in Formatter().parse(text)]


def _names(text: str) -> list[str]:
    return [name for _, name in _parts(text) if name is not None]


def _lettered(literals: list[str]) -> str:
    """Literals with `{a}`, `{b}` and so on between them."""
    return "".join(f"{literal}{{{_LETTERS[at]}}}" for at, literal in enumerate(literals[:-1])) + literals[-1]


if __name__ == "__main__":
    PAGE.write_text(with_words(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: {', '.join(locales()[1:]) or 'English only'}\n")
