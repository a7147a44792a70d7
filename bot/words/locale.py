"""The reader's locale: the language and the number format that the current task writes in."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale

from bot.words.po_files import DEFAULT_LOCALE, locales

__all__ = ["DEFAULT_LOCALE", "closest_locale", "reader_locale", "set_reader_locale", "speaking"]

_READER: Final[ContextVar[str]] = ContextVar("reader_locale", default=DEFAULT_LOCALE)


def reader_locale() -> str:
    """The locale that the current task writes in."""
    return _READER.get()


def set_reader_locale(locale: str) -> None:
    """Sets the locale of the current task, and of tasks that it starts from now on.

    Args:
        locale: one that `closest_locale` returned; any other is English.
    """
    _READER.set(locale)


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Sets the locale inside a `with` block, and restores the one before.

    Args:
        locale: one that `closest_locale` returned; any other is English.
    """
    token = _READER.set(locale)
    try:
        yield
    finally:
        _READER.reset(token)


def closest_locale(discord_locale: str | None) -> str:
    """The translated locale that suits a reader best; the default if none has their language and script.

    Args:
        discord_locale: a locale as Discord writes it, such as `de`, `en-GB`, `zh-CN`; None if unknown.
    """
    return _closest(discord_locale or DEFAULT_LOCALE, locales())


@lru_cache(maxsize=256)
def _closest(discord_locale: str, translated: tuple[str, ...]) -> str:
    try:
        wanted = Locale.parse(discord_locale, sep="-")
    except (ValueError, UnknownLocaleError):
        return DEFAULT_LOCALE
    same_language = {
        name: locale
        for name, locale in ((name, Locale.parse(name)) for name in translated)
        if (locale.language, _script(locale)) == (wanted.language, _script(wanted))
    }
    return min(
        same_language,
        key=lambda name: (same_language[name] != wanted, same_language[name].territory is not None, name),
        default=DEFAULT_LOCALE,
    )


def _script(locale: Locale) -> str | None:
    """The script a locale is written in, such as Hans; the likely one of its language if it names none."""
    if locale.script:
        return locale.script
    likely = get_global("likely_subtags").get(locale.language)
    return parse_locale(likely)[2] if likely else None
