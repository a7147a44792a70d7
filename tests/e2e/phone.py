"""A phone in a browser: a page of practice at 390 px, on which messages are measured."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.page.mount import mount_page
from tests.e2e.evening import Evening
from tests.practice.page_fixtures import CHROMIUM, FLAGS
from tests.stand_in import StandIn

NEEDS_CHROMIUM = pytest.mark.skipif(
    shutil.which(CHROMIUM) is None, reason=f"there is no Chromium at {CHROMIUM}"
)
FONT = "LiberationSans-Regular.ttf"
NEEDS_FONT = pytest.mark.skipif(
    not any(Path("/usr/share/fonts").rglob(FONT)),
    reason=f"heights are measured with the widths of {FONT}, and it is not in /usr/share/fonts",
)
PICTURES = "GNAU_PICTURES_OF_BOARDS"
"""The folder for pictures of the messages; unset, none are made."""
PHONE = {"width": 390, "height": 1200}
"""A phone's width; taller, so that pictures show a whole message."""


class Phone:
    """A page that Zed, who only watches, has open.

    Attributes:
        heights: the pixels of each message that was measured, by its name.
    """

    def __init__(self, evening: Evening, page: Page, name: str) -> None:
        self._evening = evening
        self._page = page
        self._name = name
        self.heights: dict[str, int] = {}

    async def measure(self, message: Message, what: str) -> None:
        """Notes how tall a message is now, once the page shows it."""
        await self._evening.settle_down()
        shown = self._page.locator(f"[data-message-id='{message.id}'] .body")
        await shown.wait_for()
        await self._page.wait_for_function("() => [...document.images].every(image => image.complete)")
        await self._page.wait_for_timeout(200)
        box = await shown.bounding_box()
        assert box is not None
        self.heights[what] = round(box["height"])
        if folder := os.environ.get(PICTURES):
            await shown.screenshot(path=Path(folder) / f"{self._name}-{what}-{PHONE['width']}.png")


@asynccontextmanager
async def page_beside(evening: Evening, stand_in: StandIn, **options: Any) -> AsyncIterator[Page]:
    """Runs the bot on a stand-in whose page is mounted; yields a new page of a browser."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stand_in)
        # The page is mounted before the stand-in has an address.
        addresses = {"api_url": stand_in.api_url, "gateway_url": stand_in.gateway_url}
        evening.settings = evening.settings.model_copy(update=addresses)
        await evening.start_bot()
        stack.push_async_callback(evening.stop_bot)
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stack.push_async_callback(browser.close)
        yield await browser.new_page(**options)


@asynccontextmanager
async def evening_on_a_phone(database: Path) -> AsyncIterator[tuple[Evening, Page]]:
    """An evening, and a page on which Zed watches it."""
    stand_in = StandIn(limits=Limits(reply_seconds=8.0))
    evening = Evening(stand_in, database)
    zed = evening.person("Zed")
    mount_page(stand_in, [zed], evening.channel)
    async with page_beside(evening, stand_in, viewport=PHONE, device_scale_factor=2) as page:
        await page.goto(f"{stand_in.url}/?in={evening.channel.id}")
        await page.locator("[data-composer]").wait_for()
        yield evening, page
