"""A menu that somebody has open stays open while the board changes around it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.evening import Evening
from tests.e2e.phone import NEEDS_CHROMIUM, evening_on_a_phone
from tests.practice.page_fixtures import messages

pytestmark = [pytest.mark.thorough, NEEDS_CHROMIUM]


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[tuple[Evening, Page]]:
    async with evening_on_a_phone(tmp_path / "gnau.db") as both:
        yield both


async def test_a_menu_stays_open_through_a_whole_round(discord: tuple[Evening, Page]) -> None:
    evening, page = discord
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    await page.get_by_role("combobox", name="More…").click()
    open_list = page.locator(".picker-list:popover-open")
    await expect(open_list).to_be_visible()
    await alice.click(board, "5")
    await evening.can_press(board, "Reveal")
    await evening.reveal(board, mei, alice)
    await evening.settle_down()
    await open_list.get_by_role("option", name="How to play").click()
    await expect(messages(page).last).to_contain_text("How to play")
