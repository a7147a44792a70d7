"""How a code and its facts become words, and how amounts are written in them."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from gettext import NullTranslations
from string import Formatter
from typing import Any, Final

from bot.words.catalogue import MESSAGES

_ENGLISH: Final = NullTranslations()
"""Translates each message to itself: a language's own catalogue has the same two methods."""
_MARKDOWN: Final = re.compile(r"[\\*_~`|<>\[\]]")


def translate(code: str, **facts: int | str | Fraction) -> str:
    """The message of this code with these facts in it.

    Args:
        code: a key of `MESSAGES`.
        **facts: what the placeholders of the message stand for; more than it uses may be given.

    Raises:
        KeyError: where there is no such message, or a fact is missing that it uses.
    """
    message = MESSAGES[code]
    if message.plural is None or message.counted is None:
        wording = _ENGLISH.gettext(message.text)
    else:
        wording = _ENGLISH.ngettext(message.text, message.plural, int(facts[message.counted]))
    return _FORMATTER.vformat(wording, (), facts)


def chips(amount: int) -> str:
    """So many chips: `1,000 chips`, `1 chip`."""
    return translate("amount.chips", amount=amount)


def signed(amount: int) -> str:
    """What somebody gained, in chips: `+150`, `−30` (with a true minus sign), `±0`."""
    if amount == 0:
        return translate("amount.even")
    return translate("amount.gain" if amount > 0 else "amount.loss", amount=abs(amount))


def signed_points(amount: int) -> str:
    """What somebody gained, played for points: `+3 points`, `−1 point`, `±0 points`."""
    if amount == 0:
        return translate("amount.points_even")
    return translate("amount.points_gain" if amount > 0 else "amount.points_loss", amount=abs(amount))


def percent(part: Fraction) -> str:
    """A part of the whole, to a hundredth of a hundredth: `5.19 %`, `−0.40 %`."""
    return translate("amount.part", part=part)


def either(words: Sequence[str]) -> str:
    """One or another of these: `18`, `18 or 21`, `15, 18 or 21`.

    Raises:
        ValueError: where there are none.
    """
    *some, last = words
    return translate("amount.either", some=", ".join(some), last=last) if some else last


def _percentage(digits: int) -> Callable[[Fraction], str]:
    """Shows a part as a percentage, rounded once, from the exact fraction; what rounds to 0 has no sign."""

    def shown(part: Fraction) -> str:
        whole, rest = divmod(abs(round(part * 10 ** (digits + 2))), 10**digits)
        sign = "\N{MINUS SIGN}" if part < 0 and (whole or rest) else ""
        return f"{sign}{whole:,}.{rest:0{digits}}\N{NO-BREAK SPACE}%"

    return shown


def _number(amount: int) -> str:
    return f"{amount:,}".replace("-", "\N{MINUS SIGN}")


def _name(name: str) -> str:
    """A member's name as it is: what is markdown to Discord, and what could mention somebody, is escaped."""
    return _MARKDOWN.sub(r"\\\g<0>", name)


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "chips": chips,
    "signed": signed,
    "number": _number,
    "percent": _percentage(2),
    "exactly": _percentage(4),
    "name": _name,
    "either": lambda told: either(str(told).split(", ")),
    "": str,
}


class _MessageFormatter(Formatter):
    """Shows each placeholder as the message asks for behind its colon."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return _SHOWN[format_spec](value)


_FORMATTER: Final = _MessageFormatter()
