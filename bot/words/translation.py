"""Turns a code and its facts into a sentence in the reader's locale, with the amounts and commands in it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil
from string import Formatter
from typing import Any, Final

from bot.games.contract import Phrase
from bot.rules.server_settings import CHIPS, Currency
from bot.rules.typed_text import clean
from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message
from bot.words.po_files import DEFAULT_LOCALE, TextParts, Translation, has_no_spaces, locales, translation_of


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads, or everybody in a channel.

    Attributes:
        locale: their language and number format, as `closest_locale` returned it; any other is English.
        currency: what their server calls its chips.
    """

    locale: str = DEFAULT_LOCALE
    currency: Currency = CHIPS


_READER: Final[ContextVar[Reader]] = ContextVar("reader", default=Reader())  # noqa: B039 - it is frozen


def reader() -> Reader:
    """Who reads what the current task writes."""
    return _READER.get()


def set_reader(one: Reader) -> None:
    """Sets the reader of the current task, and of tasks that it starts from now on."""
    _READER.set(one)


@contextmanager
def speaking_to(one: Reader) -> Iterator[None]:
    """Sets the reader inside a `with` block, and restores the one before."""
    token = _READER.set(one)
    try:
        yield
    finally:
        _READER.reset(token)


_MARKDOWN: Final = re.compile(r"[\\*_~`|<>\[\]]|:(?=//)")
TIMES: Final = "\N{MULTIPLICATION SIGN}"
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_IN_A_ROW: Final = re.compile(r"(?<=\d) (?=\d)")
_LONGEST_WORDS: Final = 500
"""The most characters of a member's words in a message. Escaped, they may be twice as long."""


def number(amount: int) -> str:
    """A whole number: `1,000`, `−30`."""
    return _written(amount, 0, translation_of(reader().locale).text("amount.digits"))


def percentage(part: Fraction, digits: int, least: int = 0) -> str:
    """A part of the whole in hundredths, without a sign for them: `5.19`, `−0.4`, `1,200`.

    It is rounded once, from the exact fraction. What rounds to 0 has no minus sign.

    Args:
        digits: the most decimals.
        least: the fewest, unless the number is whole.
    """
    rounded = Decimal(round(part * 10 ** (digits + 2))).scaleb(-digits)
    return _written(rounded, digits, translation_of(reader().locale).text("amount.digits"), least)


@lru_cache(maxsize=4096)
def _written(amount: int | Decimal, digits: int, example: str, least: int = 0) -> str:
    """A number with the signs of an example, `1,234.5`, and a true minus sign."""
    written = f"{amount:,.{digits}f}"
    if digits:
        whole, _, decimals = written.partition(".")
        decimals = decimals.rstrip("0")
        written = f"{whole}.{decimals.ljust(least, '0')}" if decimals else whole
    return written.translate(str.maketrans(",.-", f"{example[1]}{example[-2]}\N{MINUS SIGN}"))


def translate(code: str, **facts: int | str | Fraction) -> str:
    """The message of this code in the current locale, with these facts in it.

    Args:
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
    if message.counted is not None:
        return _parsed(translation.text(code, int(facts[message.counted])))
    parts = _parsed(translation.text(code))
    translation.parts[code] = message, parts
    return parts


def translated(phrase: Phrase) -> str:
    """The message of a phrase in the current locale."""
    facts = phrase.facts.items()
    return translate(
        phrase.code, **{name: translated(fact) if isinstance(fact, Phrase) else fact for name, fact in facts}
    )


def english(code: str) -> str:
    """The English text of a message without facts, such as the name of a command."""
    return MESSAGES[code].text


def translations(code: str) -> dict[str, str]:
    """The text of a message without facts in every locale that translates it; English is left out.

    Reads the files of all locales, so that a bot that calls it at start reads none later.
    """
    if code not in MESSAGES:
        raise KeyError(code)
    read = {locale: translation_of(locale) for locale in locales()}
    return {locale: one.text(code) for locale, one in read.items() if code in one.texts}


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


def countdown(until: float) -> int:
    """A time in whole seconds, for `<t:…:R>`, which is not over before that time is."""
    return ceil(until)


def percent(part: Fraction, digits: int = 2) -> str:
    """A part of the whole as a percentage: `5.19 %`, `−0.40 %`; `less than 0.01 %` for what rounds to 0."""
    least = Fraction(1, 10 ** (digits + 2))
    if part and not round(part / least):
        return translate("amount.percent_below", amount=percentage(least, digits))
    # In a row of figures, those with decimals have at least two.
    return translate("amount.percent", amount=percentage(part, digits, least=2))


def either(words: Sequence[str]) -> str:
    """One or another of these: `18`, `18 or 21`, `15, 18 or 21`."""
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
    return "" if locale != DEFAULT_LOCALE and has_no_spaces(locale) else " "


def plain_name(name: str) -> str:
    """A name, or words that a member wrote: clean, and with markdown, mentions and links escaped."""
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
    """A text as literals, each with the placeholder behind it and the way to show that.

    No line begins with the × of a product, `7 × your bet`, or breaks a row of numbers, `7 7 7`.
    """
    whole = _IN_A_ROW.sub(NO_BREAK, text.replace(f" {TIMES} ", f"{NO_BREAK}{TIMES} "))
    return tuple((literal, name, way or "") for literal, name, way, _ in Formatter().parse(whole))


def typed_command(name: str, **options: int | str) -> str:
    """A command by its names in the reader's language: `/round verify round:3`, `/runde prüfen runde:3`.

    Args:
        name: the command in English, as in the catalogue: `round.verify`.
        **options: the values of its options, which are named in English.
    """
    named = (translate(f"name.{part}") for part in accumulate(name.split("."), "{}.{}".format))
    valued = (f"{translate(f'name.option.{option}')}:{value}" for option, value in options.items())
    return f"/{' '.join([*named, *valued])}"
