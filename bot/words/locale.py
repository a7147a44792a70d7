"""Which of the translated locales suits a reader."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bot.words.po_files import DEFAULT_LOCALE, locales

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
