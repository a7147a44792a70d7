"""How tall a board is on a phone, in every phase of every game: measured in a browser at 390 px."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from bot.games.register import GAMES
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.page.mount import mount_page
from bot.practice.person import Person
from bot.practice.stand_in import StandIn
from tests.e2e.evening import Evening
from tests.practice.page_fixtures import CHROMIUM, FLAGS

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which(CHROMIUM) is None, reason=f"there is no Chromium at {CHROMIUM}"),
]

PICTURES = "GNAU_PICTURES_OF_BOARDS"
"""The folder for pictures of the boards; unset, none are made."""
PHONE = {"width": 390, "height": 1200}
"""A phone's width; taller, so that pictures show a whole board."""
WITH_RESULT = 760
"""The most pixels of a board of four with the last result."""
WITHOUT_RESULT = 480
"""The most pixels of a board of four without a picture."""
SEATS = 4


class Phone:
    """A page that somebody who only watches has open."""

    def __init__(self, evening: Evening, page: Page, name: str) -> None:
        self._evening = evening
        self._page = page
        self._name = name
        self.heights: dict[str, int] = {}

    async def measure(self, board: Message, phase: str) -> None:
        """Notes how tall the board is now, once the page shows it."""
        await self._evening.settle_down()
        shown = self._page.locator(f"[data-message-id='{board.id}'] .body")
        await shown.wait_for()
        await self._page.wait_for_function("() => [...document.images].every(image => image.complete)")
        await self._page.wait_for_timeout(200)
        box = await shown.bounding_box()
        assert box is not None
        self.heights[phase] = round(box["height"])
        if folder := os.environ.get(PICTURES):
            await shown.screenshot(path=Path(folder) / f"{self._name}-{phase}-{PHONE['width']}.png")


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[tuple[Evening, Page]]:
    stand_in = StandIn(limits=Limits(reply_seconds=8.0))
    evening = Evening(stand_in, tmp_path / "gnau.db")
    zed = evening.person("Zed")
    mount_page(stand_in, [zed], evening.channel)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stand_in)
        # The page is mounted before the stand-in has an address.
        evening.settings = replace(
            evening.settings, api_url=stand_in.api_url, gateway_url=stand_in.gateway_url
        )
        await evening.start_bot()
        stack.push_async_callback(evening.stop_bot)
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stack.push_async_callback(browser.close)
        page = await browser.new_page(viewport=PHONE, device_scale_factor=2)  # type: ignore[arg-type]  # a dict is one
        await page.goto(f"{stand_in.url}/?in={evening.channel.id}")
        await page.locator("[data-composer]").wait_for()
        yield evening, page


async def begin(evening: Evening, phone: Phone, game: str) -> tuple[Message, Person, list[Person]]:
    """A table where a banker and four players sit, measured before it has a banker."""
    people = evening.persons("Alexander", "Bernadette", "Chandra", "Dominique", "Mei")
    board = await evening.open_table(people[-1], game=game)
    for player in people[:-1]:
        await evening.press(player, board, "Join")
    if not evening.table().game.rolls_for_bank:
        await phone.measure(board, "open")
        await evening.take_bank(people[-1], board)
        return board, people[-1], people[:-1]
    await evening.press(people[-1], board, "Join")
    await evening.can_press(board, "Roll for the bank")
    await phone.measure(board, "open")
    await people[0].click(board, "Roll for the bank")
    banker, players = evening.banker_and_players()
    return board, banker, players


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_of_four_fits_a_phone(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    evening.rules = GAMES[game].rules(last_call_seconds=0)
    phone = Phone(evening, page, game)
    board, banker, players = await begin(evening, phone, game)
    await phone.measure(board, "betting-first")
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "betting")
    await players[-1].click(board, "5")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt")
    for player in players:
        await player.click(board, "Reveal")
    await phone.measure(board, "revealed")
    await banker.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    await phone.measure(board, "result")
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "result-betting")
    await evening.press(banker, board, "Close the table")
    await phone.measure(board, "closed")
    most = {
        phase: WITH_RESULT if phase.startswith(("result", "closed")) else WITHOUT_RESULT
        for phase in phone.heights
    }
    too_tall = {phase: height for phase, height in phone.heights.items() if height > most[phase]}
    assert not too_tall, phone.heights
