"""The practice page in headless Chromium: messages and channels."""

import re
import time
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.practice.page_bot import NASTY
from tests.practice.page_fixtures import Desk, Room, desk, room

__all__ = ["desk", "room"]

pytestmark = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="module")]


def messages(page: Page) -> Locator:
    return page.locator("[data-message-id]")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


async def scroll(page: Page) -> Any:
    frame = page.locator(".scroller")
    return await frame.evaluate(
        "it => ({top: it.scrollTop, left: it.scrollHeight - it.scrollTop - it.clientHeight})"
    )


async def test_a_message_appears_in_every_tab(room: Room) -> None:
    you, alice = await room.tab("You"), await room.tab("Alice")
    await room.type(you, "first **bold** line")
    await room.type(you, "second line")
    for page in (you, alice):
        await expect(messages(page)).to_have_count(2)
        await expect(messages(page).first.locator("strong")).to_have_text("bold")
        await expect(messages(page).first.locator(".name")).to_have_text("You")
        await expect(messages(page).last.locator(".name")).to_have_count(0)
    await expect(alice.get_by_role("status")).to_have_text("You: second line")


async def test_a_direct_message_adds_a_badge(room: Room) -> None:
    page = await room.tab("Bob")
    await room.board(page)
    dm = page.locator("[data-channel=gnau]")
    await button(page, "Card").click()
    await expect(dm.locator(".badge")).to_have_text("1")
    await expect(page).to_have_title(re.compile(r"^\(1\) #room-"))
    await dm.click()
    await expect(page.locator("[data-here]")).to_have_text("gnau")
    await expect(messages(page)).to_contain_text(["Your cards: A♠ K♦"])
    await expect(dm.locator(".badge")).to_have_count(0)
    await expect(page).to_have_title("@gnau")
    await page.go_back()


async def test_unread_channels_are_marked_and_mentions_add_a_badge(room: Room, desk: Desk) -> None:
    page = await room.tab()
    other = desk.stand_in.add_channel(desk.server, f"{room.channel.name}-other")
    entry = page.locator(f"[data-channel={other.name}]")
    await expect(entry).to_be_visible()
    await desk.people["Alice"].write(other, "nothing special")
    await expect(entry).to_have_class(re.compile(r"\bunread\b"))
    await expect(entry.locator(".badge")).to_have_count(0)
    await desk.people["Alice"].write(other, f"look here, {desk.people['You'].user.mention}")
    await expect(entry.locator(".badge")).to_have_text("1")
    await entry.click()
    await expect(messages(page).last).to_have_class(re.compile(r"\bmentioned\b"))
    await expect(entry).not_to_have_class(re.compile(r"\bunread\b"))
    await desk.people["Alice"].write(other, "seen at once")
    await expect(messages(page)).to_have_count(3)
    await page.locator("[data-channel=lobby]").click()
    await expect(page.locator("[data-here]")).to_have_text("lobby")
    await expect(entry).not_to_have_class(re.compile(r"\bunread\b"))


async def test_switching_to_another_person(room: Room, desk: Desk) -> None:
    page = await room.tab("You")
    await room.type(page, "as myself")
    await page.get_by_role("button", name="Switch person").click()
    await page.locator("[data-person-choice=Alice]").click()
    await expect(page.locator("[data-person=Alice]")).to_be_visible()
    await expect(page).to_have_url(re.compile(r"as=alice"))
    await room.type(page, "as Alice")
    await expect(messages(page).last.locator(".name")).to_have_text("Alice")
    await page.reload()
    await expect(page.locator("[data-person=Alice]")).to_be_visible()
    await expect(messages(page)).to_have_count(2)
    await page.get_by_role("button", name="Switch person").click()
    await expect(page.get_by_role("link", name="Open a new tab as Bob")).to_have_attribute("href", "?as=bob")
    allow = page.get_by_role("switch", name="Direct messages")
    await allow.click()
    await expect(allow).to_have_attribute("aria-checked", "false")
    assert not desk.people["Alice"].dms_open
    await allow.click()
    await expect(allow).to_have_attribute("aria-checked", "true")
    assert desk.people["Alice"].dms_open


async def test_no_message_becomes_markup(room: Room) -> None:
    page = await room.tab("<b>Eve</b>")
    page.on("dialog", lambda dialog: room.complaints.append(f"a dialog came up: {dialog.message}"))
    await room.type(page, "/nasty")
    shown = NASTY.replace("`", "").replace("**", "")
    await expect(messages(page).last.locator(".prose")).to_have_text(shown)
    await room.type(page, NASTY)
    await expect(messages(page)).to_have_count(2)
    await expect(messages(page).last.locator(".prose")).to_have_text(shown)
    for tag in ("img", "script", "i", "b", "a"):
        await expect(messages(page).locator(tag)).to_have_count(0)
    await expect(messages(page).last.locator(".name")).to_have_text("<b>Eve</b>")
    await expect(page.locator(".members")).to_contain_text("<b>Eve</b>")


async def test_relative_times_tick(room: Room) -> None:
    page = await room.tab()
    await room.type(page, f"closes <t:{int(time.time()) + 20}:R>")
    stamp = messages(page).last.locator(".prose time")
    await expect(stamp).to_have_text(re.compile(r"in \d+ seconds"))
    shown = await stamp.inner_text()
    await expect(stamp).not_to_have_text(shown)
    await expect(stamp).to_have_text(re.compile(r"in \d+ seconds"))


async def test_the_newest_message_stays_in_view_until_the_user_scrolls_up(room: Room, desk: Desk) -> None:
    alice = desk.people["Alice"]
    for line in range(40):
        await alice.write(room.channel, f"line {line}\nand more of it")
    page = await room.tab()
    await expect(messages(page)).to_have_count(40)
    assert (await scroll(page))["left"] < 2
    await alice.write(room.channel, "the newest")
    await expect(messages(page)).to_have_count(41)
    await expect(messages(page).last).to_be_in_viewport()
    assert (await scroll(page))["left"] < 2
    await page.locator(".scroller").hover()
    await page.mouse.wheel(0, -600)
    await expect(button(page, "Jump to the newest ↓")).to_be_visible()
    before = (await scroll(page))["top"]
    await alice.write(room.channel, "even newer")
    await expect(messages(page)).to_have_count(42)
    assert (await scroll(page))["top"] == before
    await button(page, "Jump to the newest ↓").click()
    await expect(messages(page).last).to_be_in_viewport()


async def test_the_newest_message_stays_in_view_when_the_window_changes(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    await button(page, "Count").click()
    await expect(page.get_by_alt_text("A♠ K♦ 3♣")).to_be_visible()
    for line in range(6):
        await desk.people["Alice"].write(room.channel, f"line {line} " + "and more of it " * 30)
    await expect(messages(page)).to_have_count(7)
    await expect(messages(page).last).to_be_in_viewport()
    for width in (390, 1280, 500):
        await page.set_viewport_size({"width": width, "height": 700})
        await expect(messages(page).last).to_be_in_viewport()
        await expect(page.locator(".to-end")).to_have_count(0)


async def test_a_message_link_opens_the_message(room: Room, desk: Desk) -> None:
    alice = desk.people["Alice"]
    target = await alice.write(room.channel, "the board")
    for line in range(40):
        await alice.write(room.channel, f"line {line}")
    other = desk.stand_in.add_channel(desk.server, f"{room.channel.name}-links")
    address = f"https://discord.com/channels/{desk.server.id}/{room.channel.id}/{target.id}"
    await alice.write(other, f"Table 1 is here: {address}")
    page = await room.tab()
    await expect(messages(page).first).not_to_be_in_viewport()
    await page.locator(f"[data-channel={other.name}]").click()
    await button(page, f"# {room.channel.name} › 💬").click()
    await expect(page.locator("[data-here]")).to_have_text(room.channel.name)
    await expect(messages(page).first).to_be_in_viewport()


async def test_the_page_works_on_a_phone(room: Room) -> None:
    page = await room.tab(width=390, height=844)
    channels = page.get_by_role("navigation", name="Channels")
    await expect(channels).to_be_hidden()
    await button(page, "Channels").click()
    await expect(channels).to_be_visible()
    await page.locator("[data-channel=lobby]").click()
    await expect(page.locator("[data-here]")).to_have_text("lobby")
    await expect(channels).to_be_hidden()
    await button(page, "Members").click()
    await expect(page.get_by_role("region", name="Members")).to_be_visible()
    await button(page, "Close").click(position={"x": 20, "y": 400})
    await expect(page.get_by_role("region", name="Members")).to_be_hidden()
    await room.board(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await expect(button(page, "Greyed")).to_be_in_viewport()


async def test_a_long_code_fits_on_a_phone(room: Room) -> None:
    page = await room.tab(width=390, height=844)
    seal = "0f" * 32
    await room.desk.people["Alice"].write(room.channel, f"Seal: `{seal}`")

    code = page.locator("code", has_text=seal)
    await expect(code).to_be_in_viewport(ratio=1)
    box = await code.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390


async def test_the_focus_is_visible(room: Room) -> None:
    page = await room.tab()
    await page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert await page.evaluate("document.activeElement.tagName") == "BUTTON"
    assert await page.evaluate(outline) == "solid"
