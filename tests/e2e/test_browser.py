"""`gnau practice` for real: the command, its page in a browser, rounds with practice players."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

from bot.croupier.replay import verify_tables
from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from tests.practice.page_fixtures import CHROMIUM, FLAGS

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no Chromium at {CHROMIUM}"),
]

PATIENCE = 60_000
"""The milliseconds that a page has for what it shows; practice players leave a human time to decide."""
MOST_ROUNDS = 12
"""The bank passes after about two rounds in three, so this is almost certainly enough for it to pass."""
FREE = re.compile(r"([\d,]+) chips? free")
RESULT = re.compile(r"\d+ @You .*[+−±]\d.*")
WON = r"\d+ @You .*?([+−±])(\d+)(?: → .*)?\s*$"


@asynccontextmanager
async def practice(folder: Path, *options: str) -> AsyncIterator[str]:
    """Runs the command in its own folder; yields the address of the page."""
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
        async with asyncio.timeout(60):
            status = await process.wait()
    assert status == 0


@asynccontextmanager
async def tab(url: str) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = await browser.new_context(viewport={"width": 1280, "height": 1300})
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(url)
        try:
            yield page
        except Exception as error:
            for shown in context.pages:
                images = shown.get_by_role("img")
                pictures = await images.evaluate_all("images => images.map(image => image.alt)")
                error.add_note(f"{shown.url} shows\n{await shown.locator('body').inner_text()}\n{pictures}")
            raise
        await browser.close()


async def command(page: Page, text: str) -> None:
    await page.locator("[data-composer]").click()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")


async def wallet(page: Page) -> int:
    """The free chips that `/wallet` shows."""
    await command(page, "/wallet")
    answer = page.locator(".private", has_text="/wallet").last
    free = re.search(FREE, await answer.inner_text())
    assert free is not None
    shown = await answer.element_handle()
    await answer.get_by_text("Dismiss message").click()
    await shown.wait_for_element_state("hidden")
    return int(free[1].replace(",", ""))


def board(page: Page) -> Locator:
    """The last message with a table, without the first words of it that stand above an answer."""
    return page.locator(".board").last


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


async def test_a_round_against_practice_players_in_a_browser(tmp_path: Path) -> None:
    async with practice(tmp_path, "--fresh") as url, tab(url) as page:
        assert await wallet(page) == 1000
        await command(page, "/table open")
        # A practice player who takes the bank leaves a human up to a minute to take it.
        await button(page, "Play the house").click()
        await page.get_by_text("Place your bets").wait_for()
        await page.get_by_role("button", name="20", exact=True).click()
        await page.get_by_text("Showdown").wait_for()
        await page.get_by_role("button", name="My hand").click()
        await page.locator(".prose", has_text="Your bet").wait_for()
        menu = page.get_by_role("combobox", name="More…").first
        await menu.click()
        await page.locator(".picker-list:popover-open").get_by_role("option", name="How to play").click()
        await expect(menu).to_have_text("More…")
        await page.get_by_role("button", name="Reveal").first.click()
        line = board(page).get_by_text(RESULT).last
        await line.wait_for()
        result = re.search(WON, await line.inner_text(), re.MULTILINE)
        assert result is not None
        won = int(result[2]) * (-1 if result[1] == "−" else 1)
        assert won in {stake * 20 for stake in (-7, -5, -3, -1, 0, 1, 3, 5, 7)}
        picture = board(page).get_by_role("img", name=re.compile("Bank|bank")).last
        loaded = "image => image.complete && image.naturalWidth > 0"
        await page.wait_for_function(loaded, arg=await picture.element_handle())
        assert await wallet(page) == 1000 + won

    async with practice(tmp_path) as url, tab(url) as page:
        await page.locator("[data-composer]").wait_for()
        assert await wallet(page) == 1000 + won, "practice keeps its chips between runs"
        behind = "getComputedStyle(document.body).backgroundColor"
        await page.emulate_media(color_scheme="light")
        assert await page.evaluate(behind) == "rgb(255, 255, 255)", "as the system asks"
        await page.emulate_media(color_scheme="dark")
        assert await page.evaluate(behind) == "rgb(49, 51, 56)"

    async with open_ledger(f"sqlite:///{tmp_path / 'data' / 'practice.db'}") as ledger:
        assert not [*await audit(ledger), *await verify_tables(ledger)]


async def open_tau_ngau(page: Page) -> None:
    """Opens a table of Tau Ngau, sits down, and rolls the dice once two practice players sit there too."""
    await page.locator("[data-channel=tau-ngau]").click()
    await page.get_by_text("Here we play Tau Ngau").wait_for()
    await button(page, "/play").wait_for()
    await command(page, "/table open game:Tau Ngau")
    # The first Enter picks the game in the list, as in Discord.
    await page.keyboard.press("Enter")
    await button(page, "Join").click()
    await button(page, "Roll for the bank").click()
    await page.get_by_text(re.compile(r"[⚀-⚅] banks")).wait_for()


async def until_somebody_else_banks(page: Page) -> int:
    """Plays rounds until somebody else is banker, and returns the number of the round that comes."""
    passed = page.get_by_text(re.compile(r"Now: 👑 @(?!You\b).* banks"))
    if not await page.get_by_text(re.compile(r"👑 @You\b.* banks")).count():
        return 1
    for number in range(1, MOST_ROUNDS):
        await button(page, "Reveal").first.click()
        await board(page).get_by_text(f"🧾 receipt {number}").wait_for()
        if await passed.count():
            return number + 1
    raise AssertionError("the bank did not pass")


async def test_a_page_whose_practice_has_ended_says_what_to_do(tmp_path: Path) -> None:
    async with AsyncExitStack() as ended:
        url = await ended.enter_async_context(practice(tmp_path))
        async with tab(url) as page:
            await page.locator("[data-composer]").wait_for()
            told = page.get_by_text("Practice isn't answering. If you ended it, run gnau practice again")
            await expect(told).to_be_hidden()
            await ended.aclose()
            await expect(told).to_be_visible()


@pytest.mark.thorough
async def test_a_round_of_tau_ngau_with_dice_and_a_side_bet_in_a_browser(tmp_path: Path) -> None:
    async with practice(tmp_path, "--fresh") as url, tab(url) as page:
        await open_tau_ngau(page)
        number = await until_somebody_else_banks(page)
        alice = await page.context.new_page()
        await alice.goto(f"{url}/?as=Alice")
        await alice.locator("[data-channel=tau-ngau]").click()
        # Practice players bet once a member has.
        await button(page, "20").first.click()
        await button(alice, "Back a player").click()
        # Announced too. The board has buttons with amounts as well; those of the side bet are further down.
        await alice.get_by_text(re.compile("How much on @")).first.wait_for()
        await button(alice, "5").last.click()
        await expect(alice.get_by_text(re.compile(r"You back @.* with 5 chips")).first).to_be_visible()
        # A practice player may back the same hand.
        await expect(page.get_by_text(re.compile(r"backed by .*@Alice.* \(5\)"))).to_be_visible()
        await page.get_by_text("Showdown").wait_for()
        await button(page, "My hand").click()
        await expect(page.locator(".private").get_by_role("img").first).to_be_visible()
        await button(page, "Reveal").first.click()
        await board(page).get_by_text(f"🧾 receipt {number}").wait_for()
        line = await board(page).get_by_text(RESULT).last.inner_text()
        won = re.search(WON, line, re.MULTILINE)
        assert won is not None
        assert int(won[2]) in {0, 20}
        backed = re.search(r"@Alice on @.* ([+−±])(\d+)\s*$", line, re.MULTILINE)
        assert backed is not None, line
        assert int(backed[2]) in {0, 5}
        signs = {"+": 5, "−": -5, "±": 0}
        assert await wallet(alice) == 1000 + signs[backed[1]]

    async with open_ledger(f"sqlite:///{tmp_path / 'data' / 'practice.db'}") as ledger:
        assert not [*await audit(ledger), *await verify_tables(ledger)]
