"""Components on the page in headless Chromium: boards, buttons, menus, pictures, modals."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from bot.practice.component_tree import walk
from tests.practice.page_bot import OX, PIECES
from tests.practice.page_fixtures import Desk, Room, button, desk, messages, room

__all__ = ["desk", "room"]

pytestmark = [pytest.mark.thorough, pytest.mark.asyncio(loop_scope="module")]


def offers(page: Page) -> Locator:
    """The options of the open menu."""
    return page.locator(".picker-list:popover-open").get_by_role("option")


async def test_a_board_shows_all_its_components(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    board = messages(page).last
    await expect(board.locator(".origin")).to_have_text(re.compile(r"You used\s/table open"))
    await expect(board.get_by_role("heading", level=1)).to_have_text("Gnau · Table 1")
    await expect(board.locator(".mention", has_text="@You")).to_be_visible()
    accent = "it => getComputedStyle(it, '::before').backgroundColor"
    assert await board.locator(".container").evaluate(accent) == "rgb(59, 165, 92)"
    await expect(button(page, "Greyed")).to_be_disabled()
    assert await board.get_by_alt_text(OX).evaluate("it => it.naturalWidth") == 900


async def test_a_press_updates_the_board_in_place_for_everybody(room: Room) -> None:
    you, alice = await room.tab("You"), await room.tab("Alice")
    await room.board(you)
    identity = await messages(you).last.get_attribute("data-message-id")
    await button(you, "Count").focus()
    await you.evaluate("window.before = document.activeElement")
    await you.keyboard.press("Enter")
    for page in (you, alice):
        await expect(messages(page)).to_have_count(1)
        await expect(messages(page).last).to_contain_text("Pressed 1 times")
        await expect(messages(page).last).to_contain_text("(edited)")
        await expect(messages(page).last).to_have_attribute("data-message-id", identity or "")
    await expect(you.get_by_alt_text("A♠ K♦ 3♣").first).to_be_visible()
    await expect(button(you, "Count")).to_be_focused()
    # Still the same element, although a picture was added above it.
    assert await you.evaluate("window.before === document.activeElement")
    await you.keyboard.press("Enter")
    await expect(messages(alice).last).to_contain_text("Pressed 2 times")


async def test_a_menu_works_with_the_keyboard(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    await page.get_by_role("combobox", name="More…").focus()
    await page.keyboard.press("Enter")
    await expect(offers(page)).to_have_text(["Give up the bankAfter this round", "LeaveYour stake goes back"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(messages(page).last).to_contain_text("picked leave")
    await expect(offers(page)).to_have_count(0)


async def test_a_menu_of_several_sends_when_it_closes(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    menu = page.get_by_role("combobox", name="Which three?")
    await menu.click()
    await expect(offers(page)).to_have_text(list(PIECES))
    for piece in PIECES[:2]:
        await offers(page).filter(has_text=piece).click()
    await page.keyboard.press("Escape")
    await expect(offers(page)).to_have_count(0)
    await expect(menu).to_have_text("6-5, 4-2")
    await expect(messages(page).last).to_contain_text("picked nothing")
    await menu.click()
    for piece in PIECES[2:]:
        await offers(page).filter(has_text=piece).click()
    await expect(page.locator(".picker-list:popover-open").locator("[aria-selected=true]")).to_have_count(3)
    await page.keyboard.press("Escape")
    await expect(messages(page).last).to_contain_text("picked 6-5 4-2 2-1")


async def test_a_modal_is_filled_in_submitted_and_cancelled(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    desk.stand_in.add_thread(room.channel, f"{room.channel.name}-thread")
    form = page.get_by_role("dialog", name="How much?")
    chips = form.get_by_label("Chips")

    async def fill_in(amount: str, *places: str) -> None:
        """Opens the modal again and fills it in."""
        await button(page, "Ask").click()
        await expect(chips).to_be_focused()
        await expect(chips).to_have_value("")
        await chips.fill(amount)
        await form.get_by_role("combobox", name="Colour").click()
        await offers(page).filter(has_text="Blue").click()
        await form.get_by_role("combobox", name="Places").click()
        await expect(offers(page).filter(has_text="thread")).to_have_count(0)
        for place in places:
            await offers(page).get_by_text(f"#{place}", exact=True).click()
        await page.keyboard.press("Escape")
        await expect(form).to_be_visible()

    await fill_in("35")
    await chips.press("Enter")
    await expect(form).to_have_count(0)
    await expect(messages(page).last).to_contain_text("35 on b in nowhere")
    await fill_in("36", "lobby", room.channel.name)
    await button(page, "Submit").click()
    await expect(messages(page).last).to_contain_text(f"36 on b in lobby, {room.channel.name}")
    await fill_in("")
    await button(page, "Submit").click()
    await expect(form).to_be_visible()
    await chips.fill("x")
    await button(page, "Submit").click()
    await expect(form.get_by_role("alert")).to_have_text("Something went wrong. Try again.")
    await expect(chips).to_have_value("x")
    await button(page, "Cancel").click()
    await expect(form).to_have_count(0)
    await fill_in("37")
    await page.keyboard.press("Escape")
    await expect(form).to_have_count(0)


async def test_a_missing_reply_shows_an_error(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    await button(page, "Fail").click()
    await expect(page.locator("[data-custom-id=fail]")).to_have_attribute("aria-busy", "true")
    await expect(messages(page).last.get_by_role("alert")).to_have_text("This interaction failed")
    await expect(page.locator("[data-custom-id=fail]")).not_to_have_attribute("aria-busy", "true")
    await button(page, "Count").click()
    await expect(messages(page).last.get_by_role("alert")).to_have_count(0)
    await room.type(page, "/silence")
    note = page.locator("[data-note]")
    await expect(note).to_contain_text("You used /silence")
    await expect(note.get_by_role("alert")).to_have_text("The application did not respond")
    await note.get_by_role("button", name="Dismiss message").click()
    await expect(note).to_have_count(0)


async def test_a_large_picture_stays_until_it_is_closed_whatever_happens_to_its_message(
    room: Room, desk: Desk
) -> None:
    page, alice = await room.tab(), await room.tab("Alice")
    await room.board(page)
    large = page.get_by_role("dialog", name=OX)

    async def enlarge() -> None:
        await page.get_by_role("button", name=f"Enlarge: {OX}").click()
        await expect(large).to_be_visible()
        assert await large.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 900}
        assert await large.locator("img").evaluate("it => it.naturalWidth") == 900

    for close in (page.mouse.click(20, 20), page.mouse.click(640, 450)):
        await enlarge()
        await close
        await expect(large).to_have_count(0)
    await enlarge()
    await button(alice, "Count").click()
    await expect(page.get_by_text("Pressed 1 times")).to_have_count(1)
    desk.stand_in.world.delete_message(desk.stand_in.world.messages_in(room.channel)[0])
    await expect(messages(page)).to_have_count(0)
    await expect(large).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(large).to_have_count(0)


async def test_a_button_that_has_gone_says_so(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    (board,) = desk.stand_in.world.messages_in(room.channel)
    # Changed behind the page's back: the press is on its way already.
    board.components = []
    await button(page, "Count").click()
    await expect(page.get_by_role("status").filter(has_text="changed in the meantime")).to_be_visible()
    await expect(page.get_by_text("custom_id")).to_have_count(0)


async def test_a_press_at_the_moment_of_an_edit_reaches_the_bot(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    (board,) = desk.stand_in.world.messages_in(room.channel)
    board.components, board.edited = [], desk.stand_in.world.now()
    await button(page, "Count").click()
    await expect(messages(page).last).to_contain_text("Pressed 1 times")
    await expect(page.get_by_role("status").filter(has_text="changed in the meantime")).to_have_count(0)


async def test_an_open_menu_keeps_its_options_until_it_closes(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    world = desk.stand_in.world
    (board,) = world.messages_in(room.channel)
    menu = page.get_by_role("combobox", name="More…")
    await menu.click()
    options = next(part for part in walk(board.components) if part.get("custom_id") == "more")["options"]
    world.edit(board, lambda _: options.reverse())
    await expect(messages(page).last).to_contain_text("(edited)")
    await expect(offers(page)).to_have_text(["Give up the bankAfter this round", "LeaveYour stake goes back"])
    await page.keyboard.press("Escape")
    await menu.click()
    await expect(offers(page)).to_have_text(["LeaveYour stake goes back", "Give up the bankAfter this round"])


async def test_an_open_menu_closes_unsent_once_another_takes_its_place(room: Room, desk: Desk) -> None:
    page = await room.tab()
    await room.board(page)
    world = desk.stand_in.world
    (board,) = world.messages_in(room.channel)
    await page.get_by_role("combobox", name="Which three?").click()
    for piece in PIECES[:3]:
        await offers(page).filter(has_text=piece).click()
    shown = next(part for part in walk(board.components) if part.get("placeholder") == "Which three?")
    world.edit(board, lambda _: shown.update(custom_id="next round"))
    await expect(offers(page)).to_have_count(0)
    # Whatever the page has sent is there before the next press.
    await button(page, "Count").click()
    await expect(messages(page).last).to_contain_text("Pressed 1 times")
    assert not [one for one in desk.bot.heard if "next round" in one]


async def test_an_open_menu_stays_at_its_button_when_the_list_scrolls(room: Room) -> None:
    page = await room.tab()
    await room.board(page)
    menu = page.get_by_role("combobox", name="More…")
    await menu.click()
    scroller = "it => { while (!/auto|scroll/.test(getComputedStyle(it).overflowY)) it = it.parentElement; "
    await menu.evaluate(scroller + "it.style.paddingBottom = '80px'; it.scrollTop += 40; }")
    apart = """it => {
      const list = document.querySelector('.picker-list:popover-open').getBoundingClientRect();
      const box = it.getBoundingClientRect();
      return Math.min(Math.abs(list.top - box.bottom), Math.abs(box.top - list.bottom));
    }"""
    await page.wait_for_timeout(100)
    assert await menu.evaluate(apart) < 6
