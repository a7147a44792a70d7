"""*How to play* and each question of a lesson are one screen of a phone: measured in a browser at 390 px."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page

from bot.games.lesson import LESSON
from bot.games.register import GAMES
from tests.e2e.evening import Evening
from tests.e2e.phone import NEEDS_CHROMIUM, Phone, evening_on_a_phone

pytestmark = [pytest.mark.thorough, NEEDS_CHROMIUM]

ONE_SCREEN = 700
"""The most pixels that a phone shows of a message at once."""


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[tuple[Evening, Page]]:
    async with evening_on_a_phone(tmp_path / "gnau.db") as both:
        yield both


@pytest.mark.parametrize("game", GAMES)
async def test_how_to_play_is_one_screen(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    phone = Phone(evening, page, f"{game}-guide")
    zed = next(person for person in evening.discord.persons.values() if person.name == "Zed")
    guide = await evening.told_alone(zed, "rules show", game=game)
    await phone.measure(guide, "How to play")
    for label in ("Ranking", "Payouts", "Banker", "Words"):
        await zed.click(guide, label)
        await phone.measure(guide, label)
    too_tall = {what: height for what, height in phone.heights.items() if height > ONE_SCREEN}
    assert not too_tall, phone.heights


@pytest.mark.parametrize("game", GAMES)
async def test_a_question_of_a_lesson_is_one_screen(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    phone = Phone(evening, page, f"{game}-lesson")
    zed = next(person for person in evening.discord.persons.values() if person.name == "Zed")
    lesson = await evening.told_alone(zed, "learn", game=game)
    for number in range(1, len(GAMES[game].first_hands) + 1):
        await phone.measure(lesson, f"example-{number}")
        await zed.click(lesson, lesson.buttons()[0])
    for number in range(1, len(LESSON) + 1):
        await phone.measure(lesson, f"question-{number}")
        await zed.click(lesson, lesson.buttons()[0])
        await phone.measure(lesson, f"answer-{number}")
        await zed.click(lesson, lesson.buttons()[0])
    await phone.measure(lesson, "result")
    too_tall = {what: height for what, height in phone.heights.items() if height > ONE_SCREEN}
    assert not too_tall, phone.heights
