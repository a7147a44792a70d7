"""What a server calls its chips (B02)."""

import re
from dataclasses import dataclass
from typing import Annotated, Final
from unicodedata import category

from emoji import is_emoji
from pydantic import AfterValidator

from bot.rules.clean_text import clean, text_length
from bot.rules.typed_text import quote
from bot.rules.wrong_rules import WrongRule, WrongRuleError

LONGEST_NAME: Final = 24
"""The most characters of a currency's name: it stands behind many numbers on a phone."""
LONGEST_EMOJI: Final = 64
"""The most characters of an emoji: one of a server is its name of 32 and its id."""
_OF_A_SERVER: Final = re.compile(r"<a?:\w{2,32}:\d{15,20}>", re.ASCII)
_IN_NAMES: Final = frozenset(" -.'’·\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


@dataclass(frozen=True, slots=True)
class Currency:
    """What a server calls its chips.

    Attributes:
        name: the word for any number of them; empty for chips, in the reader's language.
        emoji: what stands before an amount, as Discord writes it; empty for nothing.
    """

    name: str = ""
    emoji: str = ""


CHIPS: Final = Currency()


def _name(text: str) -> str:
    if not text:
        return text
    letters = sum(category(char)[0] == "L" or category(char) == "Sc" for char in text)
    known = all(category(char)[0] in "LMN" or category(char) == "Sc" or char in _IN_NAMES for char in text)
    if not letters or not known or text_length(text) > LONGEST_NAME or clean(text, LONGEST_NAME) != text:
        raise WrongRuleError(WrongRule.NOT_A_CURRENCY, text=quote(text), most=LONGEST_NAME)
    return text


def _emoji(text: str) -> str:
    if not text or is_emoji(text) or _OF_A_SERVER.fullmatch(text):
        return text
    raise WrongRuleError(WrongRule.NOT_AN_EMOJI, text=quote(text))


CurrencyName = Annotated[str, AfterValidator(_name)]
CurrencyEmoji = Annotated[str, AfterValidator(_emoji)]


def without_server_emoji(text: str) -> str:
    """The text without emoji of servers, for labels: Discord shows their code there."""
    return _OF_A_SERVER.sub("", text).replace("  ", " ").strip() if "<" in text else text
