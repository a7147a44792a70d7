"""Text that people type: cleaned for others to read, and read as numbers and lists.

What is stored and hashed stays as it was typed. Only what is shown is cleaned.
"""

import json
import re
from itertools import pairwise
from typing import Any, Final
from unicodedata import bidirectional, category, combining, normalize

MOST_MARKS: Final = 3
"""The most marks on one character: Vietnamese needs two, Tibetan three. More of them hide other lines."""
PLACEHOLDER: Final = "\N{REPLACEMENT CHARACTER}"
"""What is shown of a text in which nothing can be seen."""
_ELLIPSIS: Final = "…"
_JOINER: Final = "\N{ZERO WIDTH JOINER}"
_NON_JOINER: Final = "\N{ZERO WIDTH NON-JOINER}"
_SELECTORS: Final = ("\N{VARIATION SELECTOR-15}", "\N{VARIATION SELECTOR-16}")
_DEPENDENT: Final = (_JOINER, _NON_JOINER, *_SELECTORS)
_HIDDEN_CATEGORIES: Final = ("Cc", "Cf", "Cs")
"""Control characters; format characters, which direct, join or hide others; halves of surrogate pairs."""
_BLANK: Final = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    r"\U0001d159\U000e0000-\U000e0fff]"
)
"""Characters without a picture that Unicode counts as letters, marks or signs, or has not assigned."""
_SKIN_TONE: Final = re.compile(r"[\U0001f3fb-\U0001f3ff]")
_FLAG_LETTER: Final = re.compile(r"[\U0001f1e6-\U0001f1ff]")
"""Two of them are a flag."""
_UNUSUAL: Final = re.compile(r"[^\n\x20-\x7e]")
"""All that is not printable ASCII or the end of a line."""
_VIRAMA: Final = 9
"""The combining class of the signs that bind Indic letters."""


def clean(text: str, longest: int) -> str:
    """The text in one line, without hidden characters and stacked marks, cut where it is too long.

    Nothing in it changes the direction of other text, or looks like nothing. Emoji stay whole.

    Args:
        longest: the most characters, as `text_length` counts them; at least 1.

    Returns:
        The text; `PLACEHOLDER` if nothing of it can be seen.
    """
    line = " ".join(text.split())
    parts = line if line.isascii() and line.isprintable() else _clusters(line)
    whole = "".join(parts).rstrip()
    if text_length(whole) <= longest:
        return whole or PLACEHOLDER
    kept, room = [], longest - len(_ELLIPSIS)
    for part in parts:
        room -= text_length(part)
        if room < 0:
            break
        kept.append(part)
    return "".join(kept).rstrip() + _ELLIPSIS


def text_length(text: str) -> int:
    """How long a text is to Discord, which counts UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def json_text(value: Any) -> str:
    """The value as JSON for people and programs: what cannot be seen is escaped, everything else readable."""
    written = json.dumps(value, ensure_ascii=False, indent=1)
    return _UNUSUAL.sub(_escaped_if_hidden, written)


def _escaped_if_hidden(found: re.Match[str]) -> str:
    char = found[0]
    return json.dumps(char)[1:-1] if is_hidden(char) else char


def _clusters(line: str) -> list[str]:
    """The visible characters of a line, each with the marks, selectors and joined emoji that belong to it."""
    kept = [char for char in line if char in _DEPENDENT or not is_hidden(char)]
    clusters: list[str] = []
    marks = 0
    for char, following in pairwise([*kept, " "]):
        previous = clusters[-1][-1] if clusters else " "
        if char in (_JOINER, _NON_JOINER):
            if _joins(previous, char, following):
                clusters[-1] += char
        elif char in _SELECTORS:
            if category(previous)[0] in "SPN":
                clusters[-1] += char
        elif category(char) in ("Mn", "Me"):
            if previous != " " and marks < MOST_MARKS:
                clusters[-1] += char
                marks += 1
        else:
            marks = 0
            if _continues(clusters, previous, char):
                clusters[-1] += char
            elif (char, previous) != (" ", " "):
                clusters.append(char)
    return clusters


def _joins(previous: str, joiner: str, following: str) -> bool:
    """Whether a joiner changes what is seen: between emoji, behind a virama, between Arabic letters."""
    if combining(previous) == _VIRAMA:
        return following.isalpha()
    if joiner == _NON_JOINER:
        return bidirectional(previous) == bidirectional(following) == "AL"
    return (previous in _SELECTORS or _is_emoji(previous)) and _is_emoji(following)


def _continues(clusters: list[str], previous: str, char: str) -> bool:
    """Whether a character is shown as one with the last cluster."""
    if previous == " ":
        return False
    is_flag = _FLAG_LETTER.match(char) and _FLAG_LETTER.fullmatch(clusters[-1])
    return bool(previous in (_JOINER, _NON_JOINER) or _SKIN_TONE.match(char) or is_flag)


def _is_emoji(char: str) -> bool:
    return category(char) == "So" or char == "↔" or _SKIN_TONE.match(char) is not None


def is_hidden(char: str) -> bool:
    """Whether a character has no picture, or only directs, joins or varies others."""
    return category(char) in _HIDDEN_CATEGORIES or _BLANK.match(char) is not None


LONGEST_QUOTE: Final = 40
"""The most characters of somebody's text in a message."""

_GROUPED: Final = re.compile(r"[0-9]{1,3}(?P<apart>[, \N{NO-BREAK SPACE}])[0-9]{3}(?:(?P=apart)[0-9]{3})*")
_WIDE: Final = str.maketrans("０１２３４５６７８９，　", "0123456789, ")
"""What keyboards for Chinese and Japanese type for digits, commas and blanks."""
_PLAIN: Final = re.compile(r"[0-9]+")
_COMMAS: Final = re.compile(r"[,、]")
_DASHES: Final = re.compile("[\N{HYPHEN}-\N{HORIZONTAL BAR}\N{MINUS SIGN}]")


def parse_digits(text: str) -> str | None:
    """The digits of a whole number such as `1000`, `1,000`, `1 000` or `１０００`, or None.

    A comma separates groups of three digits only: somebody who types `2,5` may mean two and a half, not 25.
    """
    text = text.translate(_WIDE)
    if not (_PLAIN.fullmatch(text) or _GROUPED.fullmatch(text)):
        return None
    return "".join(_PLAIN.findall(text))


def parse_list(text: str) -> list[str]:
    """The words between blanks and commas of any width: `８♦️，9♠` is `8♦` and `9♠`.

    Letters, digits and dashes become those of ASCII. What cannot be seen is left out.
    """
    if not text.isascii():
        # The blanks become plain ones before what is hidden goes, since line breaks count as both.
        words = _DASHES.sub("-", normalize("NFKC", text)).split()
        text = "".join(char for char in " ".join(words) if not is_hidden(char))
    return _COMMAS.sub(" ", text).split()


def quote(text: str) -> str:
    """The text as others may see it, cut to `LONGEST_QUOTE` characters; a blank stays a blank."""
    return clean(text, LONGEST_QUOTE) if text.strip() else text and " "
