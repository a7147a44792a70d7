"""Locales and their translations: one gettext file each, each message checked before it is used.

`locales/<locale>/gnau.po` has the translations of a locale; `python -m scripts.words.template` begins it.
The code of a message is its context, the English text its id. A message that is missing, fuzzy, out of date
or faulty is left out, and read in English instead.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path
from typing import Final

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message, placeholders

_LOG = logging.getLogger(__name__)

DEFAULT_LOCALE: Final = "en"
"""English, which the messages are written in and which needs no file."""

LOCALES: Final = Path(__file__).parent / "locales"
"""The folder with a folder for each translated locale."""
FILE: Final = "gnau.po"

_ALIKE: Final[Mapping[str, str]] = {
    way: ways[0] for ways in (("number", "chips", "signed"), ("percent", "exactly")) for way in ways
}
"""Ways to show a fact that a translation may exchange for one another."""

_PLURALS: Final = re.compile(r"^Plural-Forms: *nplurals=(\d+); *plural=([^;]+)", re.MULTILINE)
_LINE: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}


TextParts = tuple[tuple[str, str | None, str], ...]
"""A text as literals, each with the placeholder behind it and the way to show that."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message as a file has it.

    Attributes:
        ids: the English text that was translated, and its plural if it has one.
        texts: the translation; if there is a plural, a text for each form of the language.
        fuzzy: whether somebody still has to look at it.
    """

    code: str
    ids: str | tuple[str, str]
    texts: tuple[str, ...]
    fuzzy: bool


@dataclass(frozen=True, slots=True)
class PoFile:
    """The file of a locale.

    Attributes:
        forms: how many plural forms the language has.
        form_of: the form for a number.
    """

    forms: int
    form_of: Callable[[int], int]
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Translation:
    """The messages of one locale.

    Attributes:
        texts: the usable translations by code, each with a text for each plural form.
        form_of: the plural form for a number.
        parts: texts in parts, by code, each with the message that it is of; filled as they are used.
    """

    locale: str
    texts: Mapping[str, Sequence[str]]
    form_of: Callable[[int], int]
    parts: dict[str, tuple[Message, TextParts]] = field(default_factory=dict, compare=False, repr=False)

    def text(self, code: str, count: int = 1) -> str:
        """The text of a message, for a number of what it counts; in English if it is not translated."""
        message, texts = MESSAGES[code], self.texts.get(code)
        if texts is None:
            return message.text if message.plural is None or count == 1 else message.plural
        return texts[0 if message.plural is None else self.form_of(count)]


ENGLISH: Final = Translation(DEFAULT_LOCALE, {}, int)


def locales() -> tuple[str, ...]:
    """Every locale there is: the default, then those with a file."""
    return (DEFAULT_LOCALE, *_locales_in(LOCALES))


def translation_of(locale: str) -> Translation:
    """The messages of a locale, read once; English if it has no file."""
    if locale == DEFAULT_LOCALE or locale not in _locales_in(LOCALES):
        return ENGLISH
    return _read(LOCALES, locale)


def faults_of(message: Message, texts: Sequence[str], forms: int) -> Iterator[str]:
    """What is wrong with the translation of a message.

    Args:
        texts: its translation; if the message has a plural, one text for each form of the language.
        forms: how many plural forms the language has.
    """
    expected = 1 if message.plural is None else forms
    if len(texts) != expected or not all(texts):
        yield f"needs {expected} texts"
        return
    try:
        found = [placeholders(text) for text in texts]
    except ValueError as error:
        yield str(error)
        return
    known = message.placeholders
    for form, used in enumerate(found):
        may_omit = known.keys() - placeholders(message.text).keys() if form == 0 and forms > 1 else set()
        yield from (f"lacks {{{name}}}" for name in sorted(known.keys() - used.keys() - may_omit))
        for name, way in used.items():
            if name not in known:
                yield f"has {{{name}}}, which English has not"
            elif _ALIKE.get(way, way) != _ALIKE.get(known[name], known[name]):
                yield f"shows {{{name}}} as {way or 'it is'}, and English as {known[name] or 'it is'}"


def faults_in(file: PoFile, messages: Mapping[str, Message] = MESSAGES) -> dict[str, list[str]]:
    """What is wrong with each faulty translation in a file, by code; nothing if it can be used whole."""
    faults = {}
    for code, texts in current_texts(file.entries, messages).items():
        if found := list(faults_of(messages[code], texts, file.forms)):
            faults[code] = found
    return faults


def current_texts(
    entries: Iterable[Entry], messages: Mapping[str, Message] = MESSAGES
) -> dict[str, tuple[str, ...]]:
    """What is translated from the English of today, by code; faulty translations included."""
    return {
        entry.code: entry.texts
        for entry in entries
        if (message := messages.get(entry.code)) is not None
        and entry.ids == message.ids
        and any(entry.texts)
        and not entry.fuzzy
    }


def read_file(file: Path) -> PoFile:
    """The file of a locale.

    Raises:
        ValueError: it is not in the format of gettext.
        OSError: it cannot be read.
    """
    entries = [
        Entry(
            block.get("msgctxt", ""),
            block["msgid"] if "msgid_plural" not in block else (block["msgid"], block["msgid_plural"]),
            tuple(text for keyword, text in block.items() if keyword.startswith("msgstr")),
            "fuzzy" in block.get("#,", ""),
        )
        for block in _blocks(file)
        if "msgid" in block
    ]
    header = next((entry.texts[0] for entry in entries if entry.ids == "" and entry.texts), "")
    plurals = _PLURALS.search(header)
    if plurals is None:
        raise ValueError(f"{file}: no Plural-Forms in its header")
    forms, form_of = int(plurals[1]), c2py(plurals[2])
    if not all(0 <= form_of(number) < forms for number in range(1000)):
        raise ValueError(f"{file}: its plural has more than {forms} forms")
    return PoFile(forms, form_of, entries)


def _blocks(file: Path) -> Iterator[dict[str, str]]:
    """What stands behind each keyword of a message; its flags stand behind `#,`."""
    block: dict[str, str] = {}
    before = ""
    for number, line in enumerate(map(str.strip, file.read_text(encoding="utf-8").split("\n")), 1):
        if not line or (line.startswith("#") and not line.startswith("#,")):
            continue
        if line.startswith("#,"):
            keyword, text = "#,", line
        elif found := _LINE.fullmatch(line):
            keyword = found[1] or before
            text = _ESCAPED.sub(lambda sign: _CONTROLS.get(sign[1], sign[1]), found[2])
        else:
            raise ValueError(f"{file}: line {number} is not in the format of gettext")
        if before.startswith("msgstr") and not keyword.startswith("msgstr"):
            yield block
            block = {}
        block[keyword] = block.get(keyword, "") + text
        before = keyword
    yield block


@cache
def _locales_in(folder: Path) -> tuple[str, ...]:
    names = sorted(file.parent.name for file in folder.glob(f"*/{FILE}"))
    for name in names:
        if _locale_parts(name) is None:
            _LOG.warning("no locale is called %s: its translations are left out", name)
    return tuple(name for name in names if name != DEFAULT_LOCALE and _locale_parts(name))


@cache
def _read(folder: Path, locale: str) -> Translation:
    """The usable messages of a locale; English for all if its file cannot be read."""
    try:
        file = read_file(folder / locale / FILE)
    except (OSError, ValueError):
        _LOG.warning("the translations to %s cannot be read: its readers get English", locale, exc_info=True)
        return ENGLISH
    texts = current_texts(file.entries)
    for code, found in faults_in(file).items():
        _LOG.warning("the translation of %s to %s is left out: it %s", code, locale, "; ".join(found))
        del texts[code]
    return Translation(locale, texts, file.form_of)


def _locale_parts(name: str) -> tuple[str, str, str] | None:
    """Language, script and territory of a locale such as `de`, `en-GB` or `es_419`; None if it is none."""
    if (found := _LOCALE.fullmatch(name)) is None:
        return None
    language, script, territory = (part.casefold() for part in found.groups(""))
    if language == "zh" and not script:
        script = "hant" if territory in _TRADITIONAL else "hans"
    return language, script, territory


_LOCALE: Final = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?", re.ASCII | re.IGNORECASE
)
_TRADITIONAL: Final = frozenset({"tw", "hk", "mo"})
"""Where Chinese is written in traditional characters."""
_WITHOUT_SPACES: Final = frozenset({"zh", "ja"})
_CHOSEN: Final = "-x-chosen"
"""Ends a stored locale that a member chose: a private-use subtag (RFC 5646, 2.2.7)."""


def closest_locale(*wanted: str | None) -> str:
    """The translated locale that suits a reader best; the default if none has their language and script.

    Args:
        *wanted: locales as Discord writes them, such as `de`, `en-GB`, `zh-CN`, or as they are stored: the
            first with a translation counts. None if unknown.
    """
    translated = locales()
    for locale in wanted:
        if locale and (closest := _closest(plain_locale(locale), translated)) is not None:
            return closest
    return DEFAULT_LOCALE


def chosen_locale(language: str) -> str:
    """The locale that is stored of a member who chose a language: `ms-x-chosen`."""
    return f"{language}{_CHOSEN}"


def plain_locale(locale: str) -> str:
    """A stored locale without the mark that says its member chose it."""
    return locale.removesuffix(_CHOSEN)


@lru_cache(maxsize=256)
def _closest(discord_locale: str, translated: tuple[str, ...]) -> str | None:
    wanted = _locale_parts(discord_locale)
    parts = {name: found for name in translated if (found := _locale_parts(name))}
    return min(
        (name for name, found in parts.items() if wanted and found[:2] == wanted[:2]),
        key=lambda name: (parts[name] != wanted, parts[name][2] != "", name),
        default=None,
    )


def has_no_spaces(locale: str) -> bool:
    """Whether a language has no spaces between words and sentences."""
    return re.split("[-_]", locale)[0] in _WITHOUT_SPACES
