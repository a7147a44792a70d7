"""A round of each game in each language, and nearly every command, within Discord's limits."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.games.knobs import KNOBS
from bot.games.register import GAMES
from bot.rules.knobs import Language
from bot.words.catalogue import MESSAGES
from bot.words.po_files import closest_locale, locales
from scripts.words.translator_notes import longest_of
from tests.e2e.conftest import an_evening
from tests.e2e.evening import Evening
from tests.e2e.every_text import SERVER, Evenings, texts_sent
from tests.e2e.test_practice_players import playing, results
from tests.sizes import sample
from tests.words.conftest import WriteLocale
from tests.words.conftest import write_locale as write_locale
from tests.words.test_po_files import entry

pytestmark = pytest.mark.usefixtures("paced_bot")

ONE_FORM = "nplurals=1; plural=0;"
KEPT = re.compile(r"(<[^>]*>|{[^}]*}|`[^`]*`)")
"""What a translation has as English has it: mentions and times, placeholders, commands and codes."""
WIDE = str.maketrans(
    {chr(at): chr(at + 0xFEE0) for at in (*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1))}
)
"""Makes letters such as Ａ of letters such as A."""
COMMANDS = {
    code.removeprefix("name.").replace(".", " ")
    for code in MESSAGES
    if code.startswith("name.") and not code.startswith("name.option.")
}
UNLINKED = re.compile(rf"`/(?:{'|'.join(sorted(COMMANDS))})`")
"""A command that members see as it is in English, in every language."""
NO_PROSE = re.compile(
    r"<[^>]*>|`[^`]*`|https?://\S+|\b[\w-]+\.(?:html|json)\b|\b[0-9A-Z]{5}(?:-[0-9A-Z]{5})+\b"
    r"|\b[A-Z]\w+(?:/[\w-]+)+|\bUTC\b"
)
"""Mentions, commands, links, files, the codes of proofs and time zones."""
KNOB_WORDS = {word for knob in KNOBS.values() for word in (knob.name, *knob.choices, knob.empty, "on", "off")}
"""What admins type, in every language."""
CHOICES = sorted(set(Language) - {Language.AUTO, Language.ENGLISH})
LABELS = (
    "button.",
    "choice.",
    "command.",
    "house.form",
    "house.pick",
    "menu.",
    "modal.",
    "option.",
    "panel.",
)
"""What stands alone in its place."""
SPOKEN = [one for one in CHOICES if closest_locale(one) in locales()[1:]]
"""The languages that have translations in the repository."""


async def whole_evening(evening: Evening, language: str | None, games: Iterable[str]) -> None:
    evenings = Evenings(evening, language)
    await evenings.begin()
    for game in games:
        await evenings.play(game)
        await evenings.ask(game)


@pytest.mark.parametrize(
    ("language", "game"),
    sample([(language, game) for language in ("en", *SPOKEN) for game in GAMES]),
)
async def test_a_round_and_every_command_in_each_language(
    language: str, game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with an_evening(tmp_path / "gnau.db", caplog, server=SERVER) as evening:
        await whole_evening(evening, language, [game])
        await evening.settle_down()
    # Only a link shows a command by its name in the reader's language.
    assert [text for text in texts_sent(evening) if UNLINKED.search(text)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("language", sample(["en", *SPOKEN]))
async def test_practice_players_can_read_boards_in_each_language(
    language: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with an_evening(tmp_path / "gnau.db", caplog, server=SERVER) as evening:
        evenings = Evenings(evening, language)
        await evenings.begin()
        await evening.open_table(evenings.people[0])
        async with playing(evening):
            [first, *_] = await results(evening, 2)
        assert first.players


def wide(text: str) -> str:
    """A text whose words nobody takes for English."""
    return "".join(part if KEPT.fullmatch(part) else part.translate(WIDE) for part in KEPT.split(text))


def english_in(text: str) -> list[str]:
    words = re.findall(r"[A-Za-z][\w-]+", NO_PROSE.sub(" ", text))
    return [word for word in words if word not in KNOB_WORDS and re.search("[A-Za-z]{2}", word)]


@pytest.mark.thorough
@pytest.mark.parametrize("game", sample(GAMES))
async def test_no_english_reaches_members_beside_the_catalogue(
    game: str, write_locale: WriteLocale, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [entry(code, wide(message.plural or message.text)) for code, message in MESSAGES.items()]
    write_locale("ja", *texts, plurals=ONE_FORM)
    async with an_evening(tmp_path / "gnau.db", caplog, server=SERVER) as evening:
        await whole_evening(evening, "ja", [game])
        await evening.settle_down()
    left = {text: words for text in texts_sent(evening) if (words := english_in(text))}
    assert left == {}


def longest(code: str, text: str) -> str:
    """A label as long as its translation may be, and any other text longer by two fifths."""
    most, length = longest_of(code), len(re.sub(r"{[^}]*}", "", text))
    if code.startswith("name.") or (most is None and not length):
        return text
    more = most - length if most is not None and code.startswith(LABELS) else length * 2 // 5
    return f"{text}{'牛' * (more if most is None else min(more, most - length))}"


@pytest.mark.thorough
@pytest.mark.parametrize("game", sample(GAMES))
async def test_the_longest_translations_are_within_discords_limits(
    game: str, write_locale: WriteLocale, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [entry(code, longest(code, message.plural or message.text)) for code, message in MESSAGES.items()]
    write_locale("ja", *texts, plurals=ONE_FORM)
    async with an_evening(tmp_path / "gnau.db", caplog, server=SERVER) as evening:
        await whole_evening(evening, "ja", [game])
