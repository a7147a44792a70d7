"""Locales and their translations: one gettext file each, each message checked before it is used.

`locales/<locale>/gnau.po` has the translations of a locale; `python -m scripts.words.template` begins it.
The code of a message is its context, the English text its id. A message that is missing, fuzzy, out of date
or faulty is left out, and read in English instead.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message, placeholders

if TYPE_CHECKING:
    from babel.messages import Catalog

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


TextParts = tuple[tuple[str, str | None, str], ...]
"""A text as literals, each with the placeholder behind it and the way to show that."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The messages of one locale.

    Attributes:
        locale: the name of the locale that numbers are written in.
        messages: looks messages up by code and English text; returns the English text if there is none.
        codes: the codes of the messages that are translated.
        parts: texts in parts, by code, each with the message that it is of; filled as they are used.
    """

    locale: str
    messages: NullTranslations
    codes: frozenset[str]
    parts: dict[str, tuple[Message, TextParts]] = field(default_factory=dict, compare=False, repr=False)


ENGLISH: Final = Translation(DEFAULT_LOCALE, NullTranslations(), frozenset())


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


def faults_in(catalogue: "Catalog", messages: Mapping[str, Message] = MESSAGES) -> dict[str, list[str]]:
    """What is wrong with each faulty translation of a catalogue, by code; nothing if it can be used whole."""
    faults = {}
    for code, texts in _current(catalogue, messages):
        if found := list(faults_of(messages[code], texts, catalogue.num_plurals)):
            faults[code] = found
    return faults


def translated_codes(catalogue: "Catalog", messages: Mapping[str, Message] = MESSAGES) -> frozenset[str]:
    """The codes of the messages that are translated from the English of today, faulty ones included."""
    return frozenset(code for code, _ in _current(catalogue, messages))


def read_catalogue(file: Path) -> "Catalog":
    """A catalogue from the file of a locale.

    Raises:
        ValueError: the file is not in the format of gettext.
        OSError: it cannot be read.
    """
    from babel.messages.pofile import PoFileError, read_po

    try:
        with file.open("rb") as opened:
            return read_po(opened, locale=file.parent.name, abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"{file}: {error}") from error


@cache
def _locales_in(folder: Path) -> tuple[str, ...]:
    names = sorted(file.parent.name for file in folder.glob(f"*/{FILE}"))
    return tuple(name for name in names if name != DEFAULT_LOCALE and _is_locale(name))


def _is_locale(name: str) -> bool:
    from babel import Locale, UnknownLocaleError

    try:
        Locale.parse(name)
    except (ValueError, UnknownLocaleError):
        _LOG.warning("no locale is called %s: its translations are left out", name)
        return False
    return True


@cache
def _read(folder: Path, locale: str) -> Translation:
    """The usable messages of a locale; English for all if its file cannot be read."""
    from babel.messages.mofile import write_mo
    from babel.support import Translations

    try:
        catalogue = read_catalogue(folder / locale / FILE)
        faults = faults_in(catalogue)
        for code, found in faults.items():
            _LOG.warning("the translation of %s to %s is left out: it %s", code, locale, "; ".join(found))
        usable = translated_codes(catalogue) - faults.keys()
        for message in list(catalogue):
            if message.id and message.context not in usable:
                catalogue.delete(message.id, message.context)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        return Translation(locale, Translations(compiled), usable)
    except (OSError, ValueError):
        _LOG.warning("the translations to %s cannot be read: its readers get English", locale, exc_info=True)
        return ENGLISH


def _current(catalogue: "Catalog", messages: Mapping[str, Message]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The code and the texts of each message that is translated from the English of today."""
    for entry in catalogue:
        message = messages.get(entry.context or "")
        texts = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        if message is not None and entry.id == message.ids and any(texts) and not entry.fuzzy:
            yield entry.context or "", texts


if TYPE_CHECKING:
    from babel import Locale

_WITHOUT_SPACES: Final = frozenset({"Hans", "Hant", "Jpan"})
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
    from babel import Locale, UnknownLocaleError

    try:
        wanted = Locale.parse(discord_locale, sep="-")
    except (ValueError, UnknownLocaleError):
        return None
    same_language = {
        name: locale
        for name, locale in ((name, Locale.parse(name)) for name in translated)
        if (locale.language, _script_of(locale)) == (wanted.language, _script_of(wanted))
    }
    return min(
        same_language,
        key=lambda name: (same_language[name] != wanted, same_language[name].territory is not None, name),
        default=None,
    )


def has_no_spaces(locale: str) -> bool:
    """Whether the script of a locale has no spaces between words and sentences."""
    from babel import Locale

    return _script_of(Locale.parse(locale)) in _WITHOUT_SPACES


def _script_of(locale: "Locale") -> str | None:
    """The script a locale is written in, such as Hans; the likely one of its language if it names none."""
    from babel.core import get_global, parse_locale

    if locale.script:
        return locale.script
    likely = get_global("likely_subtags").get(locale.language)
    return parse_locale(likely)[2] if likely else None
