"""Above the messages, in headless Chromium: the language, the phone width, and notices."""

import logging

import pytest
from playwright.async_api import Locator, Page, expect

from bot.practice.page.sidebar import LANGUAGES
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError
from tests.practice.page_fixtures import Desk, Room, desk, room

__all__ = ["desk", "room"]

pytestmark = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="module")]


def language(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Language of")


def notice(page: Page) -> Locator:
    return page.locator(".notice")


async def test_a_person_chooses_the_language_that_the_bot_hears(room: Room, desk: Desk) -> None:
    page = await room.tab("Bob")
    await expect(language(page)).to_have_value("en-US")
    for locale in LANGUAGES:
        desk.bot.locales.clear()
        await language(page).select_option(locale)
        await expect(language(page)).to_have_value(locale)
        await room.type(page, "/wallet")
        await expect(page.locator(".prose", has_text="1,000")).to_have_count(1)
        assert desk.bot.locales == [locale]
        await page.get_by_role("button", name="Dismiss message").click()
        await expect(page.locator(".prose", has_text="1,000")).to_have_count(0)
    await page.get_by_role("button", name="Switch person").click()
    await page.locator("[data-person-choice=Alice]").click()
    await expect(page.get_by_role("combobox", name="Language of Alice")).to_have_value("en-US")


async def test_the_page_can_be_as_narrow_as_a_phone(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    switch = page.get_by_role("switch", name="Phone width")
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "true")
    shell = page.locator(".discord")
    box = await shell.bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["height"]) == ((1280 - 390) / 2, 390, 900)
    assert await shell.evaluate("it => it.scrollWidth") == 390
    await expect(page.locator(".members")).to_be_hidden()
    await page.get_by_role("button", name="Channels").click()
    drawer = page.locator("aside.left")
    await expect(drawer).to_be_visible()
    inside = await drawer.bounding_box()
    assert inside is not None
    assert box["x"] <= inside["x"] + inside["width"] <= box["x"] + 390
    await page.reload()
    await expect(switch).to_have_attribute("aria-checked", "true")
    await switch.click()
    await expect(page.locator(".members")).to_be_visible()


async def test_on_a_phone_there_is_no_switch_for_its_width(room: Room) -> None:
    page = await room.tab(width=390, height=844)
    await expect(page.get_by_role("switch", name="Phone width")).to_have_count(0)
    await expect(language(page)).to_be_in_viewport()


async def test_an_unknown_name_in_the_address_is_named(room: Room, desk: Desk) -> None:
    page = await room.tab("bobby")
    await expect(notice(page)).to_have_text(
        "Nobody here is called bobby. This tab plays as You. There are: You, Alice, Bob, <b>Eve</b>."
    )
    await notice(page).get_by_role("button", name="Close").click()
    await expect(notice(page)).to_have_count(0)


@pytest.mark.parametrize("where", ["77", "lobby", "\u00b2", "9" * 5000, "-1"])
async def test_an_unknown_channel_in_the_address_is_named(room: Room, desk: Desk, where: str) -> None:
    page = await room.tab("Alice")
    await page.goto(f"{desk.stand_in.url}/?as=alice&in={where}")
    await expect(notice(page)).to_contain_text(f"There is no channel {where[:30]}")
    await expect(notice(page)).to_contain_text("for Alice. This is #lobby.")
    await expect(page.locator("[data-here]")).to_have_text("lobby")


async def test_nobody_opens_the_messages_of_somebody_else(room: Room, desk: Desk) -> None:
    page = await room.tab("Alice")
    await page.goto(f"{desk.stand_in.url}/?as=alice&in={desk.people['Bob'].dm().id}")
    await expect(notice(page)).to_contain_text("for Alice. This is #lobby.")
    await page.get_by_role("button", name="Switch person").click()
    await page.locator("[data-person-choice=Bob]").click()
    await expect(notice(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("failed", "told"),
    [
        (NotPossibleError("Alice may not write in lobby"), "Alice may not write in lobby."),
        (RuntimeError("{'code': 1}"), "Sorry, something went wrong in practice itself."),
    ],
    ids=["refused", "broken"],
)
async def test_what_fails_is_told_in_a_sentence(
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failed: Exception,
    told: str,
) -> None:
    async def fails(*_: object) -> None:
        raise failed

    caplog.set_level(logging.CRITICAL)
    page = await room.tab("Alice")
    monkeypatch.setattr(Person, "write", fails)
    await room.type(page, "hello")
    await expect(notice(page)).to_contain_text(told)
    await expect(page.get_by_text("code")).to_have_count(0)
