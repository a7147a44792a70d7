"""Fixtures for tests of the page: a stand-in with the page, a bot, and a browser."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlencode, urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import (
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    async_playwright,
    expect,
)

from bot.practice.limits import Limits
from bot.practice.page.mount import mount_page
from bot.practice.person import Person
from bot.practice.servers import Channel, Server
from tests.practice.page_bot import PageBot
from tests.stand_in import StandIn

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PEOPLE = ("You", "Alice", "Bob", "<b>Eve</b>")
PATIENCE = 60_000
"""How long the page may take, in milliseconds; generous for a busy machine."""
_rooms = count(1)


@dataclass
class Desk:
    """What all tests of a module share: the stand-in, its server and people, the bot, the browser."""

    stand_in: StandIn
    server: Server
    people: dict[str, Person]
    bot: PageBot
    browser: BrowserContext


@dataclass
class Room:
    """A channel for one test, and the errors in its tabs."""

    desk: Desk
    channel: Channel
    complaints: list[str] = field(default_factory=list)
    tabs: list[Page] = field(default_factory=list)

    async def tab(self, name: str = "You", *, width: int = 1280, height: int = 900) -> Page:
        """Opens the page in a new tab, as this person, at this test's channel."""
        page = await self.desk.browser.new_page()
        await page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        page.on("request", self._watch)
        self.tabs.append(page)
        query = urlencode({"as": name, "in": self.channel.id})
        await page.goto(f"{self.desk.stand_in.url}/?{query}")
        await page.locator("[data-composer]").wait_for()
        return page

    async def type(self, page: Page, text: str) -> None:
        """Types a line key by key and sends it."""
        await page.locator("[data-composer]").click()
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")

    async def board(self, page: Page) -> None:
        """Opens a table and waits for its board."""
        await page.locator("[data-composer]").fill("/table open")
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Count", exact=True).wait_for()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _watch(self, request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", None}:
            self.complaints.append(f"asked another machine for {request.url}")


def messages(page: Page) -> Locator:
    return page.locator("[data-message-id]")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk() -> AsyncIterator[Desk]:
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"the page is tested in Chromium, and there is none at {CHROMIUM}")
    expect.set_options(timeout=PATIENCE)
    stand_in = StandIn(limits=Limits(rate_limits=False))
    server = stand_in.add_server("Practice")
    bot = PageBot(stand_in)
    people = {name: bot.person(name, server) for name in PEOPLE}
    mount_page(stand_in, list(people.values()), stand_in.add_channel(server, "lobby"))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stand_in)
        await bot.register()
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stack.push_async_callback(browser.close)
        # One context for all: what the page is made of is loaded once.
        yield Desk(stand_in, server, people, bot, await browser.new_context())


@pytest_asyncio.fixture(loop_scope="module")
async def room(desk: Desk) -> AsyncIterator[Room]:
    """A new channel. After the test, no tab may have reported an error or a request to another machine."""
    desk.bot.heard.clear()
    here = Room(desk, desk.stand_in.add_channel(desk.server, f"room-{next(_rooms)}"))
    yield here
    await asyncio.gather(*(page.close() for page in here.tabs))
    assert here.complaints == []
