"""What Discord's app directory is given in each language: every text within its limit, every picture."""

import re
from itertools import accumulate
from pathlib import Path

import pytest
from PIL import Image

from bot.rules.knobs import Language
from bot.words.catalogue import MESSAGES
from bot.words.po_files import closest_locale
from bot.words.translation import Reader, speaking_to, translate
from scripts.listing_pictures import FOLDER, LANGUAGES, SIZE

LIMITS = {"Summary": 200, "Description": 400, "Expanded description": 2000}
MOST_OF_A_TAG = 20


def parts_of(language: str) -> dict[str, str]:
    _, *parts = re.split(r"^## (.+)\n", (FOLDER / f"{language}.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def commands_in(language: str) -> set[str]:
    """Every command and group, as members with this language type it."""
    with speaking_to(Reader(closest_locale(language))):
        codes = (code.split(".")[1:] for code in MESSAGES if code.startswith("name."))
        return {
            " ".join(translate(f"name.{'.'.join(path)}") for path in accumulate([word] for word in words))
            for words in codes
            if words[0] != "option"
        }


def test_every_language_is_there() -> None:
    there = {file.stem for file in FOLDER.glob("*.md")} - {"README"}
    assert there == set(LANGUAGES) == set(Language) - {Language.AUTO}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_listing_has_every_text_within_its_limit(language: str) -> None:
    parts = parts_of(language)
    assert list(parts) == ["Summary", "Description", "Tags", "Pictures", "Expanded description"]
    assert {name: len(parts[name]) for name in LIMITS if not 0 < len(parts[name]) <= LIMITS[name]} == {}
    tags = parts["Tags"].split(" · ")
    assert len(set(tags)) == 5
    assert [tag for tag in tags if not 0 < len(tag) <= MOST_OF_A_TAG] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_listing_names_commands_as_members_type_them(language: str) -> None:
    named = set(re.findall(r"`/([^`]+)`", "\n".join(parts_of(language).values())))
    assert len(named) >= 5
    assert named - commands_in(language) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_listing_has_three_pictures_with_captions(language: str) -> None:
    shown = re.findall(r"!\[(.+)\]\((.+)\)", parts_of(language)["Pictures"])
    assert [Path(picture) for _, picture in shown] == [
        Path(language, f"{name}.png") for name in ("round", "games", "trust")
    ]
    for _, picture in shown:
        with Image.open(FOLDER / picture) as opened:
            assert opened.size == SIZE
