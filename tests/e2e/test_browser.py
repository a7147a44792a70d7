"""`gnau practice` as its users meet it: the command, the page in a browser, a round with the computers."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from tests.practice.page_fixtures import CHROMIUM, FLAGS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no Chromium at {CHROMIUM}"),
]

PICTURE = "GNAU_PICTURE_OF_A_BOARD"
"""Where the picture of a board for the README goes, when it is to be made anew."""


@asynccontextmanager
async def practice(folder: Path, *options: str) -> AsyncIterator[str]:
    """Runs the command in a folder of its own; gives the address of the page."""
    command = [str(Path(sys.executable).with_name("gnau")), "practice", "--no-browser", *options]
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            line = (await process.stdout.readline()).decode()
        address = re.search(r"http://\S+", line)
        assert address is not None, line
        yield address[0]
    finally:
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(20):
            status = await process.wait()
    assert status == 0


@asynccontextmanager
async def tab(url: str) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(20_000)
        await page.goto(url)
        yield page
        await browser.close()


async def command(page: Page, text: str) -> None:
    await page.locator("[data-composer]").click()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")


async def wallet(page: Page) -> int:
    """What `/wallet` says is free."""
    await command(page, "/wallet")
    await page.get_by_text(re.compile(r"[\d,]+ chips? free")).last.wait_for()
    text = await page.get_by_text(re.compile(r"[\d,]+ chips? free")).last.inner_text()
    free = re.search(r"([\d,]+) chips? free", text)
    assert free is not None
    await page.get_by_text("Dismiss message").last.click()
    return int(free[1].replace(",", ""))


async def test_a_round_against_computer_players_in_a_browser(tmp_path: Path) -> None:
    async with practice(tmp_path, "--fresh") as url, tab(url) as page:
        assert await wallet(page) == 1000
        await command(page, "/table open")
        await page.get_by_text("Bets are open").wait_for()
        await page.get_by_role("button", name="20", exact=True).click()
        await page.get_by_text("The cards are out ·").wait_for()
        await page.get_by_role("button", name="My hand").click()
        await page.get_by_text("Only you can see this").wait_for()
        await page.get_by_text("Dismiss message").last.click()
        await page.get_by_role("button", name="Turn up").first.click()
        line = page.get_by_text(re.compile(r"[▲▼▬] @You .*")).last
        await line.wait_for()
        result = re.search(r"[▲▼▬] @You .*?([+−±])(\d+)\s*$", await line.inner_text(), re.MULTILINE)
        assert result is not None
        won = int(result[2]) * (-1 if result[1] == "−" else 1)
        assert won in {stake * 20 for stake in (-7, -5, -3, -1, 0, 1, 3, 5, 7)}
        picture = page.get_by_role("img", name=re.compile("Bank|bank"))
        assert await picture.count() == 1
        assert await picture.evaluate("image => image.complete && image.naturalWidth > 0")
        await page.screenshot(path=os.environ.get(PICTURE) or tmp_path / "board.png")
        assert await wallet(page) == 1000 + won

    async with practice(tmp_path) as url, tab(url) as page:
        await page.locator("[data-composer]").wait_for()
        assert await wallet(page) == 1000 + won, "practice keeps its chips from one day to the next"

    async with open_ledger(f"sqlite:///{tmp_path / 'data' / 'practice.db'}") as ledger:
        assert not await audit(ledger)
