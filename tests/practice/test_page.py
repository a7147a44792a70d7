"""The practice page in headless Chromium: messages, channels, people, addresses, and phones."""

import logging
import re
from typing import Any, Final

import pytest
from playwright.async_api import expect

from bot.practice.page.sidebar import LANGUAGES
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError
from tests.practice.page_bot import NASTY
from tests.practice.page_fixtures import Desk, Room, button, desk, messages, room

__all__ = ["desk", "room"]

pytestmark = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="module")]


NONE_IS_CUT: Final = """() => {
  const board = Array.from(document.querySelectorAll(".message.board")).at(-1);
  const edge = board.getBoundingClientRect().bottom;
  return Array.from(document.querySelectorAll(".message.board ~ *"), it => it.getBoundingClientRect())
    .every(({ top, bottom }) => bottom < edge + 1 || top > edge - 1);
}"""
"""Whether each message below the newest board is seen as a whole or not at all."""


async def test_direct_messages_and_mentions_add_a_badge_until_they_are_read(room: Room, desk: Desk) -> None:
    page = await room.tab("Bob")
    await room.board(page)
    dm = page.locator("[data-channel=gnau]")
    await button(page, "Card").click()
    await expect(dm.locator(".badge")).to_have_text("1")
    await expect(page).to_have_title(re.compile(r"^\(1\) #room-"))
    await expect(page.locator(".icon.menu .badge")).to_have_text("1")
    await dm.click()
    await expect(page.locator("[data-here]")).to_have_text("gnau")
    await expect(messages(page)).to_contain_text(["Your cards: A♠ K♦"])
    await expect(dm.locator(".badge")).to_have_count(0)
    await expect(page).to_have_title("@gnau")
    other = desk.stand_in.add_channel(desk.server, f"{room.channel.name}-other")
    entry = page.locator(f"[data-channel={other.name}]")
    await desk.people["Alice"].write(other, f"look here, {desk.people['Bob'].user.mention}")
    await expect(entry.locator(".badge")).to_have_text("1")
    await entry.click()
    await expect(messages(page).last).to_have_class(re.compile(r"\bmentioned\b"))
    await desk.people["Alice"].write(other, "seen at once")
    await expect(messages(page)).to_have_count(2)
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
    other = page.get_by_role("link", name="Open a new tab as Bob")
    await page.get_by_role("button", name="Switch person").click()
    await expect(other).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(other).to_be_hidden()
    await page.get_by_role("button", name="Switch person").click()
    await expect(other).to_have_attribute("href", "?as=bob")
    allow = page.get_by_role("switch", name="Direct messages")
    for is_open in (False, True):
        await allow.click()
        await expect(allow).to_have_attribute("aria-checked", str(is_open).lower())
        assert desk.people["Alice"].user.dms_open is is_open


async def test_a_person_chooses_the_language_that_the_bot_hears(room: Room, desk: Desk) -> None:
    page = await room.tab("Bob")
    language = page.get_by_role("combobox", name="Language of Bob")
    await expect(language).to_have_value("en-US")
    await room.type(page, "<t:4923000000:R>")
    for locale in LANGUAGES:
        desk.bot.locales.clear()
        await language.select_option(locale)
        await room.type(page, "/wallet")
        await expect(page.locator(".prose", has_text="1,000")).to_have_count(1)
        assert desk.bot.locales == [locale]
        await page.get_by_role("button", name="Dismiss message").click()
        await expect(page.locator(".prose", has_text="1,000")).to_have_count(0)
    await language.select_option("de")
    await expect(page.locator("time[datetime^='2126']")).to_have_text(re.compile(r"in \d+ Jahren"))


async def test_no_message_becomes_markup(room: Room) -> None:
    page = await room.tab("<b>Eve</b>")
    page.on("dialog", lambda dialog: room.complaints.append(f"a dialog came up: {dialog.message}"))
    await room.type(page, NASTY)
    shown = NASTY.replace("`", "").replace("**", "")
    await expect(messages(page).last.locator(".prose")).to_have_text(shown)
    for tag in ("img", "script", "i", "b", "a"):
        await expect(messages(page).locator(tag)).to_have_count(0)
    await expect(messages(page).last.locator(".name")).to_have_text("<b>Eve</b>")
    await expect(page.locator(".members")).to_contain_text("<b>Eve</b>")


async def test_the_newest_message_stays_in_view_until_the_user_scrolls_up(room: Room, desk: Desk) -> None:
    alice = desk.people["Alice"]
    for line in range(40):
        await alice.write(room.channel, f"line {line}\nand more of it")
    page = await room.tab()
    frame = page.locator(".scroller")

    async def below(count: int) -> Any:
        """The pixels below what is in view, once there are this many messages."""
        await expect(messages(page)).to_have_count(count)
        return await frame.evaluate("it => it.scrollHeight - it.scrollTop - it.clientHeight")

    assert await below(40) < 2
    await alice.write(room.channel, "the newest")
    assert await below(41) < 2
    await frame.hover()
    await page.mouse.wheel(0, -600)
    await expect(button(page, "Jump to the newest ↓")).to_be_visible()
    before = await frame.evaluate("it => it.scrollTop")
    await alice.write(room.channel, "even newer")
    assert await below(42) > 2
    assert await frame.evaluate("it => it.scrollTop") == before
    await button(page, "Jump to the newest ↓").click()
    await expect(messages(page).last).to_be_in_viewport()


async def test_a_board_stays_in_view_while_others_talk_until_the_user_scrolls_up(
    room: Room, desk: Desk
) -> None:
    page = await room.tab(width=390, height=600)
    await room.board(page)
    for line in range(12):
        await desk.people["Alice"].write(room.channel, f"line {line}")
    for height in range(600, 660, 13):
        await page.set_viewport_size({"width": 390, "height": height})
        await page.locator(".scroller").hover()
        await page.mouse.wheel(0, -100)
        await button(page, "Jump to the newest ↓").click()
        await page.wait_for_function(NONE_IS_CUT)
        await expect(messages(page).last).to_be_in_viewport(ratio=1)
    for height in (600, 400):
        await page.set_viewport_size({"width": 390, "height": height})
        await expect(messages(page).last).to_be_in_viewport(ratio=1)
        await expect(button(page, "Count")).to_be_in_viewport(ratio=1)
        await page.wait_for_function(NONE_IS_CUT)
    await page.locator(".scroller").hover()
    await page.mouse.wheel(0, -100)
    await expect(button(page, "Count")).not_to_be_in_viewport()
    await button(page, "Jump to the newest ↓").click()
    await expect(button(page, "Count")).to_be_in_viewport(ratio=1)
    await room.type(page, "/wallet")
    await expect(button(page, "Count")).not_to_be_in_viewport()


async def test_a_board_makes_room_for_an_answer_to_the_user_until_others_have_talked(
    room: Room, desk: Desk
) -> None:
    page = await room.tab(width=390, height=600)
    await room.board(page)
    for line in range(12):
        await desk.people["Alice"].write(room.channel, f"line {line}")
    await desk.people["Alice"].slash(room.channel, "bet", amount=5)
    await expect(button(page, "Count")).to_be_in_viewport(ratio=1)
    await room.type(page, "/bet 7")
    await expect(messages(page).last).to_contain_text("Bet 7")
    await expect(button(page, "Count")).not_to_be_in_viewport()
    await expect(messages(page).last).to_be_in_viewport(ratio=1)
    for line in range(6):
        await desk.people["Alice"].write(room.channel, f"and line {line}")
    await expect(button(page, "Count")).to_be_in_viewport(ratio=1)


async def test_no_board_stays_over_what_is_newer_in_a_direct_message(room: Room) -> None:
    page = await room.tab(width=390, height=600)
    await page.get_by_role("button", name="Channels").first.click()
    await page.locator("[data-channel=gnau]").click()
    await page.get_by_label("Message @gnau, or / for commands").wait_for()
    await room.board(page)
    await button(page, "Card").click()
    await expect(messages(page).last).to_contain_text("Your cards")
    assert (
        await messages(page).evaluate_all("all => all.map(it => getComputedStyle(it).position)")
        == ["relative"] * await messages(page).count()
    )


async def test_the_newest_message_stays_in_view_when_the_window_changes(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    await button(page, "Count").click()
    await expect(page.get_by_alt_text("A♠ K♦ 3♣")).to_be_visible()
    for line in range(6):
        await desk.people["Alice"].write(room.channel, f"line {line} " + "and more of it " * 30)
    await expect(messages(page)).to_have_count(7)
    for width in (1280, 390, 1280, 500):
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
    await expect(page.get_by_role("switch", name="Phone width")).to_have_count(0)
    await expect(page.get_by_role("combobox", name="Language of")).to_be_in_viewport()
    channels = page.get_by_role("navigation", name="Channels")
    await expect(channels).to_be_hidden()
    await button(page, "Channels").click()
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
    seal = "0f" * 32
    await room.type(page, f"Seal: `{seal}`")
    code = await page.locator("code", has_text=seal).bounding_box()
    assert code is not None
    assert code["x"] + code["width"] <= 390


async def test_the_page_can_be_as_narrow_as_a_phone(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    switch = page.get_by_role("switch", name="Phone width")
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "true")
    shell = page.locator(".discord")
    assert await shell.bounding_box() == {"x": (1280 - 390) / 2, "y": 0, "width": 390, "height": 900}
    assert await shell.evaluate("it => it.scrollWidth") == 390
    await expect(page.locator(".members")).to_be_hidden()
    await page.get_by_role("button", name="Channels").click()
    drawer = page.locator("aside.left")
    await expect(drawer).to_be_visible()
    inside = await drawer.bounding_box()
    assert inside is not None
    assert 445 <= inside["x"] + inside["width"] <= 445 + 390
    await page.reload()
    await expect(switch).to_have_attribute("aria-checked", "true")
    await switch.click()
    await expect(page.locator(".members")).to_be_visible()


async def test_what_is_wrong_in_an_address_is_told_until_it_is_closed(room: Room, desk: Desk) -> None:
    page = await room.tab("bobby")
    notice = page.locator(".notice")
    await expect(notice).to_have_text(
        "Nobody here is called bobby. This tab plays as You. There are: You, Alice, Bob, <b>Eve</b>."
    )
    await notice.get_by_role("button", name="Close").click()
    await expect(notice).to_have_count(0)
    for where in (desk.people["Bob"].dm().id, "lobby", "9" * 5000):
        await page.goto(f"{desk.stand_in.url}/?as=alice&in={where}")
        await expect(notice).to_contain_text("for Alice. This is #lobby.")
        await expect(page.locator("[data-here]")).to_have_text("lobby")


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
    await expect(page.locator(".notice")).to_contain_text(told)
    await expect(page.get_by_text("code")).to_have_count(0)
