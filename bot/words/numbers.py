"""Numbers as the current locale writes them."""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from babel.numbers import format_decimal

from bot.words.po_files import translation_of
from bot.words.reader import reader


def number(amount: int) -> str:
    """A whole number: `1,000`, `−30`."""
    return _decimal(amount, None, translation_of(reader().locale).locale)


def percentage(part: Fraction, digits: int) -> str:
    """A part of the whole in hundredths, without a sign for them: `5.19`, `−0.40`, `1,200.00`.

    It is rounded once, from the exact fraction. What rounds to 0 has no minus sign.
    """
    rounded = Decimal(round(part * 10 ** (digits + 2))).scaleb(-digits)
    return _decimal(rounded, f"#,##0.{'0' * digits}", translation_of(reader().locale).locale)


@lru_cache(maxsize=4096)
def _decimal(amount: int | Decimal, pattern: str | None, locale: str) -> str:
    """A number by a locale, with a true minus sign."""
    return format_decimal(amount, format=pattern, locale=locale).replace("-", "\N{MINUS SIGN}")
