"""Turns a code and its facts into a sentence in the reader's locale, and writes the amounts in it."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from string import Formatter
from typing import Any, Final

from bot.rules.phrase import Phrase
from bot.words.catalogue import MESSAGES
from bot.words.locale import reader_locale
from bot.words.numbers import number, percentage
from bot.words.po_files import locales, translation_of

_MARKDOWN: Final = re.compile(r"[\\*_~`|<>\[\]]")


def translate(code: str, **facts: int | str | Fraction) -> str:
    """The message of this code in the current locale, with these facts in it.

    Args:
        code: a key of `MESSAGES`.
        **facts: what the placeholders of the message stand for; more than it uses may be given.

    Raises:
        KeyError: there is no such message, or a fact is missing that it uses.
    """
    message = MESSAGES[code]
    messages = translation_of(reader_locale()).messages
    if message.plural is None or message.counted is None:
        text = messages.pgettext(code, message.text)
    else:
        text = messages.npgettext(code, message.text, message.plural, int(facts[message.counted]))
    return "".join(
        literal if name is None else f"{literal}{_SHOWN[way](facts[name])}"
        for literal, name, way in _parsed(text)
    )


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
    """An amount of chips: `1,000 chips`, `1 chip`."""
    return translate("amount.chips", amount=amount)


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
    comma = translate("amount.comma")
    return translate("amount.either", some=comma.join(some), last=last) if some else last


def _name(name: str) -> str:
    """A member's name with markdown and mentions escaped."""
    return _MARKDOWN.sub(r"\\\g<0>", name)


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "chips": chips,
    "signed": signed,
    "number": number,
    "percent": percent,
    "exactly": lambda part: percent(part, 4),
    "name": _name,
    "either": lambda totals: either(str(totals).split(", ")),
    "": str,
}


@lru_cache(maxsize=2048)
def _parsed(text: str) -> tuple[tuple[str, str | None, str], ...]:
    """A text as literals, each with the placeholder behind it and the way to show that."""
    return tuple((literal, name, way or "") for literal, name, way, _ in Formatter().parse(text))
