"""Slash commands on the page in headless Chromium: lists, options, suggestions, errors."""

import re

import pytest
from playwright.async_api import expect

from tests.practice.page_fixtures import Desk, Room, button, desk, messages, room

__all__ = ["desk", "room"]

pytestmark = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="module")]


async def test_a_command_from_the_keyboard_gets_an_ephemeral_reply_that_a_reload_ends(room: Room) -> None:
    you, alice = await room.tab("You"), await room.tab("Alice")
    await room.type(you, "/wallet")
    await expect(messages(you).last).to_contain_text("You used /wallet")
    await expect(messages(you).last).to_contain_text("You have 1,000 chips.")
    await expect(messages(you).last.locator("strong")).to_have_text("1,000")
    await expect(you.get_by_text("Only you can see this")).to_be_visible()
    await expect(you.locator("[data-composer]")).to_be_focused()
    await room.type(alice, "hello there")
    await expect(messages(alice)).to_have_count(1)
    await button(you, "Dismiss message").click()
    await expect(you.get_by_text("1,000")).to_have_count(0)
    await expect(messages(you)).to_have_count(1)
    await room.type(you, "/wallet")
    await expect(messages(you)).to_have_count(2)
    await you.reload()
    await expect(messages(you)).to_have_text([re.compile("hello there")])


async def test_the_commands_are_listed_and_filtered_while_typing(room: Room) -> None:
    page = await room.tab()
    await page.locator("[data-composer]").click()
    await page.keyboard.type("/")
    offers = page.get_by_role("listbox", name="Commands").get_by_role("option")
    await expect(offers).to_have_count(5)
    await expect(offers.nth(0)).to_have_text("/bet amountPlace a bet")
    await page.keyboard.type("t")
    await expect(offers.nth(0)).to_contain_text("/table open")
    await page.keyboard.type("h")
    await expect(offers).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(page.locator(".command-name")).to_have_text("/think")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("gnau is thinking…")).to_be_visible()
    room.desk.bot.may_answer.set()
    await expect(messages(page).first).to_contain_text("Thought about it.")
    await expect(messages(page).first.locator(".origin")).to_contain_text("used /think")
    await expect(messages(page).last.locator(".origin")).to_contain_text("Thought about it.")
    await expect(page.get_by_text("gnau is thinking…")).to_have_count(0)


async def test_options_offer_choices_suggestions_and_members(room: Room) -> None:
    page = await room.tab()
    await page.locator("[data-composer]").click()
    await page.keyboard.type("/bet 20 side:")
    await expect(page.get_by_role("listbox", name="Values for side").get_by_role("option")).to_have_count(2)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await button(page, "+word").click()
    suggestions = page.get_by_role("listbox", name="Values for word").get_by_role("option")
    await expect(suggestions).to_have_text(["the ox", "the oxen", "the bull"])
    await page.keyboard.type("oxe")
    await expect(suggestions).to_have_text(["the oxen"])
    await page.keyboard.press("Enter")
    await page.keyboard.type("whom:ali")
    members = page.get_by_role("listbox", name="Values for whom").get_by_role("option")
    await expect(members).to_have_text(["Alice"])
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(messages(page).last).to_contain_text("Bet 20: Right, oxen, Alice.")


async def test_enter_picks_no_outdated_suggestion(room: Room) -> None:
    page = await room.tab()
    await page.locator("[data-composer]").click()
    await page.keyboard.type("/bet 20 word:")
    suggestions = page.get_by_role("listbox", name="Values for word").get_by_role("option")
    await expect(suggestions).to_have_count(3)
    await page.keyboard.insert_text("a bull")
    await page.keyboard.press("Enter")
    await expect(messages(page).last).to_contain_text("Bet 20: no side, a bull, nobody.")


WRONG = {
    "/bet ": "amount: This option is required.",
    "/bet 4": "amount: Enter a whole number, at least 5, at most 100.",
    "/bet 7.5": "amount: Enter a whole number, at least 5, at most 100.",
    "/bet 10 side:middle": "side: Pick one from the list.",
    "/nothing": "There is no command /nothing. Type / to see them all.",
    "/walet": "There is no command /walet. Is it /wallet?",
    "/table shut": "/table shut is not a command; /table has: open.",
    "/table shut game:gnau": "/table shut is not a command; /table has: open.",
}


async def test_an_invalid_command_shows_why_and_is_not_sent(room: Room) -> None:
    page = await room.tab()
    for line, why in WRONG.items():
        await room.type(page, line)
        await expect(page.locator(".composer-error")).to_have_text(why)
        if line.startswith("/bet"):
            await page.keyboard.press("Escape")
        await page.locator("[data-composer]").fill("")
    await expect(messages(page)).to_have_count(0)
    assert not room.desk.bot.heard


async def test_what_was_wrong_is_gone_once_a_value_is_chosen(room: Room) -> None:
    page = await room.tab()
    await room.type(page, "/bet ")
    why = page.locator(".composer-error")
    await expect(why).to_have_text(WRONG["/bet "])
    await page.locator("input.tail").fill("side:")
    await page.get_by_role("listbox", name="Values for side").get_by_role("option").first.click()
    await expect(why).to_have_text("")


async def test_commands_and_options_have_the_names_of_the_chosen_language(room: Room, desk: Desk) -> None:
    page = await room.tab("Bob")
    language = page.get_by_role("combobox", name="Language of Bob")
    await language.select_option("de")
    await page.locator("[data-composer]").fill("/tisch")
    offers = page.get_by_role("listbox", name="Commands").get_by_role("option")
    await expect(offers).to_have_text(["/tisch öffnenÖffnet einen Tisch"])
    await page.locator("[data-composer]").fill("")
    await room.type(page, "/tisch öffnen spiel:niu")
    await expect(messages(page)).to_have_count(1)
    await room.type(page, "/table open game:gnau")
    await expect(messages(page)).to_have_count(2)
    assert desk.bot.heard == ["open niu", "open gnau"]
    await room.type(page, "/bet 20 seite:rechts")
    await page.keyboard.press("Enter")
    await expect(messages(page).last).to_contain_text("Bet 20: Right")
    await room.type(page, "/tisch zu")
    why = page.locator(".composer-error")
    await expect(why).to_have_text("/tisch zu is not a command; /tisch has: öffnen.")
    await page.locator("[data-composer]").fill("")
    await language.select_option("en-US")
    await room.type(page, "/tisch öffnen")
    await expect(why).to_have_text("There is no command /tisch. Type / to see them all.")
