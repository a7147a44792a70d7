"""Turns a code and its facts into a sentence in the reader's locale, and writes the amounts in it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from string import Formatter
from typing import Any, Final

from babel import Locale

from bot.rules.clean_text import clean
from bot.rules.phrase import Phrase
from bot.words.catalogue import MESSAGES, Message
from bot.words.locale import WITHOUT_SPACES, script_of
from bot.words.numbers import number, percentage
from bot.words.po_files import TextParts, Translation, locales, translation_of
from bot.words.reader import reader

_MARKDOWN: Final = re.compile(r"[\\*_~`|<>\[\]]")
_LONGEST_WORDS: Final = 500
"""The most characters of a member's words in a message. Escaped, they may be twice as long."""


def translate(code: str, **facts: int | str | Fraction) -> str:
    """The message of this code in the current locale, with these facts in it.

    Args:
        code: a key of `MESSAGES`.
        **facts: what the placeholders of the message stand for; more than it uses may be given.

    Raises:
        KeyError: there is no such message, or a fact is missing that it uses.
    """
    message, translation = MESSAGES[code], translation_of(reader().locale)
    known = translation.parts.get(code)
    parts = (
        known[1] if known is not None and known[0] is message else _parts(message, code, translation, facts)
    )
    if len(parts) == 1 and parts[0][1] is None:
        return parts[0][0]
    return "".join(
        [literal if name is None else f"{literal}{_SHOWN[way](facts[name])}" for literal, name, way in parts]
    )


def _parts(message: Message, code: str, translation: Translation, facts: Mapping[str, Any]) -> TextParts:
    """A message in parts; kept for the next time, unless its text depends on a count."""
    messages = translation.messages
    if message.plural is not None and message.counted is not None:
        return _parsed(messages.npgettext(code, message.text, message.plural, int(facts[message.counted])))
    parts = _parsed(messages.pgettext(code, message.text))
    translation.parts[code] = message, parts
    return parts


def translated(phrase: Phrase) -> str:
    """The message of a phrase in the current locale.

    Raises:
        KeyError: there is no such message, or a fact is missing that it uses.
    """
    facts = phrase.facts.items()
    return translate(
        phrase.code, **{name: translated(fact) if isinstance(fact, Phrase) else fact for name, fact in facts}
    )


def english(code: str) -> str:
    """The English text of a message without facts, such as the name of a command.

    Raises:
        KeyError: there is no such message.
    """
    return MESSAGES[code].text


def translations(code: str) -> dict[str, str]:
    """The text of a message without facts in every locale that translates it; English is left out.

    Reads the files of all locales, so that a bot that calls it at start reads none later.

    Raises:
        KeyError: there is no such message.
    """
    text = english(code)
    read = {locale: translation_of(locale) for locale in locales()}
    return {
        locale: translation.messages.pgettext(code, text)
        for locale, translation in read.items()
        if code in translation.codes
    }


def chips(amount: int) -> str:
    """An amount of chips: `1,000 chips`, `1 chip`; `🥚 1,000 eggs` where a server calls them so."""
    currency = reader().currency
    if not currency.name:
        shown = translate("amount.chips", amount=amount)
    else:
        shown = translate("amount.currency", amount=amount, currency=currency.name)
    return f"{currency.emoji} {shown}" if currency.emoji else shown


def signed(amount: int) -> str:
    """A gain or a loss in chips: `+150`, `−30` (with a true minus sign), `±0`."""
    if amount == 0:
        return translate("amount.even")
    return translate("amount.gain" if amount > 0 else "amount.loss", amount=abs(amount))


def signed_points(amount: int) -> str:
    """A gain or a loss in points: `+3 points`, `−1 point`, `±0 points`."""
    if amount == 0:
        return translate("amount.points_even")
    return translate("amount.points_gain" if amount > 0 else "amount.points_loss", amount=abs(amount))


def percent(part: Fraction, digits: int = 2) -> str:
    """A part of the whole as a percentage: `5.19 %`, `−0.40 %`.

    Args:
        part: the part, 1 for the whole.
        digits: how many digits after the point.
    """
    return translate("amount.percent", amount=percentage(part, digits))


def either(words: Sequence[str]) -> str:
    """One or another of these: `18`, `18 or 21`, `15, 18 or 21`.

    Raises:
        ValueError: there are none.
    """
    *some, last = words
    return translate("amount.either", some=listed(some), last=last) if some else last


def listed(words: Iterable[str]) -> str:
    """Several things beside each other: `1, 2, 3`."""
    return translate("amount.comma").join(words)


def sentences(texts: Iterable[str]) -> str:
    """Sentences on one line, without those that are empty."""
    return _between_sentences(translation_of(reader().locale).locale).join(filter(None, texts))


@lru_cache
def _between_sentences(locale: str) -> str:
    """What stands between two sentences: nothing in Chinese and Japanese."""
    return "" if script_of(Locale.parse(locale)) in WITHOUT_SPACES else " "


def plain_name(name: str) -> str:
    """A name, or words that a member wrote: clean, and with markdown and mentions escaped."""
    return _MARKDOWN.sub(r"\\\g<0>", clean(name, _LONGEST_WORDS))


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "chips": chips,
    "signed": signed,
    "number": number,
    "percent": percent,
    "exactly": lambda part: percent(part, 4),
    "name": plain_name,
    "either": lambda totals: either(str(totals).split(", ")),
    "": str,
}


@lru_cache(maxsize=2048)
def _parsed(text: str) -> TextParts:
    """A text as literals, each with the placeholder behind it and the way to show that."""
    return tuple((literal, name, way or "") for literal, name, way, _ in Formatter().parse(text))
