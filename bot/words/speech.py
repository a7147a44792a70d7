"""How a code and its facts become words, and how amounts are written in them."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from gettext import NullTranslations
from string import Formatter
from typing import Any, Final

from bot.words.catalogue import MESSAGES

_ENGLISH: Final = NullTranslations()
"""Translates each message to itself: a language's own catalogue has the same two methods."""
_MARKDOWN: Final = re.compile(r"[\\*_~`|<>\[\]]")


def say(code: str, **facts: int | str | Fraction) -> str:
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
    return say("amount.chips", amount=amount)


def signed(amount: int) -> str:
    """What somebody gained, in chips: `+150`, `−30` (with a true minus sign), `±0`."""
    if amount == 0:
        return say("amount.even")
    return say("amount.gain" if amount > 0 else "amount.loss", amount=abs(amount))


def percent(part: Fraction) -> str:
    """A part of the whole, to a hundredth of a hundredth: `5.19 %`, `−0.40 %`."""
    return say("amount.part", part=part)


def _percent(part: Fraction) -> str:
    return f"{float(part):.2%}".replace("-", "\N{MINUS SIGN}").replace("%", "\N{NO-BREAK SPACE}%")


def _number(amount: int) -> str:
    return f"{amount:,}".replace("-", "\N{MINUS SIGN}")


def _name(name: str) -> str:
    """A member's name as it is: what is markdown to Discord, and what could mention somebody, is escaped."""
    return _MARKDOWN.sub(r"\\\g<0>", name)


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "chips": chips,
    "signed": signed,
    "number": _number,
    "percent": _percent,
    "name": _name,
    "": str,
}


class _MessageFormatter(Formatter):
    """Shows each placeholder as the message asks for behind its colon."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return _SHOWN[format_spec](value)


_FORMATTER: Final = _MessageFormatter()
