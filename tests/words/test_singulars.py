"""No message breaks at one: nothing that stands beside a 1 is plural, and nothing beside a 2 is singular.

In English and German, which change words by number. Nouns are read from the messages that have a plural.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

import pytest

from bot.words.catalogue import MESSAGES
from bot.words.po_files import translation_of
from bot.words.translation import Reader, speaking_to, translate
from scripts.words.verifier_page import OWN, to_translate
from tests.words.test_verifier_words import HTML, block_in

WORDS: Final = block_in(HTML, "words")
"""The translations in the verifier page."""
FIXED: Final = {
    *((code, "fewest") for code in ("board.too_few_bets", "board.too_few_in", "board.waits_for_players")),
    ("board.waits_for_house_or_players", "fewest"),
    ("guide.banker.dice", "fewest"),
    *((f"refusal.{code}", "fewest") for code in ("too_few_bets", "too_few_bets_points", "too_few_seated")),
    *(("rules.play.tau-ngau", fact) for fact in ("fewest", "most", "pack")),
    ("refusal.side_bets_full", "most"),
    ("refusal.house_has_no_room", "most"),
    ("daily.bonus", "streak"),
    ("csv.last", "count"),
    ("leaderboard.luck_how", "rounds"),
}
"""Facts that the games and the bot never let be 1: nobody waits for one player, a streak has two days."""
ARE: Final = {"en": "are|were|have|come|go|do|cover", "de": "sind|waren|haben|kommen|gehen|werden"}
BEFORE: Final = {"en": "are|were", "de": "sind|waren"}
"""What several things do; and what stands right before them where they come last."""
IS: Final = {"en": "is|was|has|comes|goes|does", "de": "ist|war|hat|kommt|geht|wird"}
LINKS: Final = {"en": "that |which ", "de": ", die (?:\\w+ ){0,4}|davon |von dir "}
"""What may stand between a noun and what it does."""


def nouns(locale: str) -> tuple[str, str]:
    """What is counted, as one and as several: alternatives of a pattern."""
    translation, one, several = translation_of(locale), set(), set()
    for code, message in MESSAGES.items():
        if message.plural is not None:
            pair = [translation.text(code, count) for count in (1, 2)]
            behind = [re.findall(rf"{{{message.counted}\W[^}}]*}}((?: \w+)*)", text) for text in pair]
            both = zip(*(found[0].split() for found in behind if found), strict=False)
            changed = next((words for words in both if len({*words}) == 2), None)
            if changed is not None and changed[0] not in IS[locale].split("|"):
                one.add(changed[0])
                several.add(changed[1])
    return "|".join(sorted(one)), "|".join(sorted(several))


def disagreements(locale: str, count: int) -> dict[re.Pattern[str], Collection[str]]:
    """What must not stand beside this number, and the ways in which a fact that it holds for is shown."""
    one, several = nouns(locale)
    number = rf"(?<![\w.,]){count}\*{{0,2}}(?![.,:]?\d)"
    if count == 1:
        noun = rf"{number} (?:(?!(?:{one})\b)\w+ )?(?:{several}|times)\b"
        before = rf"\b(?:{BEFORE[locale]}) \*{{0,2}}{number}"
        verb = rf"{before}|{number} (?:{one})\b ?(?:{LINKS[locale]})?(?:{ARE[locale]})\b"
    else:
        noun = rf"{number} (?:(?!(?:{several})\b)\w+ )?(?:{one})\b"
        verb = rf"(?<!of )(?<!von ){number} (?:{several})\b ?(?:{LINKS[locale]})?(?:{IS[locale]})\b"
    return {re.compile(noun): {"number", "chips", "verify."}, re.compile(verb): {"number", "chips"}}


def told(locale: str, code: str, count: int, ways: Collection[str]) -> Iterator[str]:
    """The message with each of its facts that is shown so in turn at the count, and the others at 7."""
    facts: dict[str, int | str] = {}
    for name, way in to_translate()[code].placeholders.items():
        facts[name] = "Mei" if way in ("name", "either") else 7
    for name, way in to_translate()[code].placeholders.items():
        # The texts of the verifier page do not say how a fact is shown.
        if (way or code[: len("verify.")]) in ways and (code, name) not in FIXED:
            yield said(locale, code, facts | {name: count})


def said(locale: str, code: str, facts: dict[str, int | str]) -> str:
    """A message of the bot, or a text of the verifier page."""
    if code in MESSAGES:
        with speaking_to(Reader(locale)):
            return translate(code, **facts)
    key = code.removeprefix(OWN)
    return str(WORDS.get(locale, {}).get(key, key)).format(**facts)


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_what_stands_beside_a_number_agrees_with_it(locale: str, count: int) -> None:
    wrong = {
        code: text
        for pattern, ways in disagreements(locale, count).items()
        for code in to_translate()
        for text in told(locale, code, count, ways)
        if pattern.search(text)
    }
    assert wrong == {}
