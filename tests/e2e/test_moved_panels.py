"""Panels that move below the chat: what comes there, and what stays of the message before."""

from functools import partial

import pytest

from bot.games.hands import evaluate
from bot.practice.messages import Message
from bot.ui.board.message import FRESH_MESSAGES
from bot.ui.following import FAR_UP
from bot.ui.hand.arranging import says_why
from bot.ui.hand.message import KEPT_ABOVE
from bot.words.hands import explanation
from bot.words.translation import translate
from tests.e2e.answers import form_of, hand_of, in_menu, labels, message_of, offered, private
from tests.e2e.evening import Evening


async def test_the_bankers_panel_stays_below_a_board_that_is_posted_again(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    first = await evening.panel(mei, board)
    await mei.dismiss(message_of(await in_menu(mei, first, "wallet")))
    for number in (1, 2):
        for line in range(FRESH_MESSAGES + 1):
            await alice.write(evening.channel, f"line {line}")
        for player in (alice, bob):
            await player.click(board, "5")
        await evening.can_press(board, "Reveal")
        for player in (mei, alice, bob):
            await player.press_raw(board, f"gnau:{evening.table().table_id}:{number}:reveal")
        await evening.until(lambda: board.deleted, "the board is posted again")  # noqa: B023 - at once
        board = evening.board(mei)
        below = partial(lambda board: private(mei, board)[-1:] == mei.sees(evening.channel)[-1:], board)
        await evening.until(below, "the panel is below the board")
        *before, panel = private(mei, board)
        await evening.board_says(panel, f"Round {number}: as the banker")
        only = partial(lambda before: not any(map(offered, before)), before)
        await evening.until(only, "the newest alone has buttons")
    assert before, "the panel has moved"
    await evening.until(lambda: len(private(mei, board)) <= KEPT_ABOVE + 1, "the last results stay")
    await alice.click(board, "5")
    await mei.click(panel, "Deal")
    await evening.board_says(panel, "Showdown <t:")
    await evening.panel(mei, board)
    await evening.until(lambda: panel.deleted, "the one before is gone: nothing replies to it")


async def test_a_result_comes_below_the_chat_to_who_uses_their_panel_and_to_nobody_who_may_have_put_it_away(
    evening: Evening,
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    used = await evening.panel(alice, board)
    await mei.write(evening.channel, "one more is below hers")
    unused = await evening.panel(bob, board)
    await alice.click(used, "Bet 5")
    await bob.click(board, "20")
    await evening.can_press(board, "Reveal")
    await evening.can_press(used, "Reveal")
    pieces, rules = evening.table().pieces_of(evening.party(alice)), evening.table().rules
    hand = evaluate(pieces, rules)
    why = explanation(hand, rules, named=True, summed=says_why(hand, rules))
    await alice.click(used, "Why this hand")
    for line in range(FAR_UP):
        await mei.write(evening.channel, f"line {line}")
    await evening.settle_down()
    assert "\n".join(why) in used.text, "she looks at it, and may press again"
    assert private(alice, board) == [used]
    await alice.click(used, "Reveal")
    assert "\n".join(why) not in used.text
    await evening.reveal(board, mei, bob)
    await evening.until(lambda: "Round 1: your" in alice.sees(evening.channel)[-1].text, "hers is below")
    panel = alice.sees(evening.channel)[-1]
    await evening.board_says(panel, "Round 1: your", "Wallet")
    await evening.until(lambda: not offered(used), "the one before has no buttons")
    assert private(alice, board) == [used, panel]
    result = next(line for line in panel.text.splitlines() if line.startswith("Round 1: your"))
    assert used.text.startswith(f"{result}\n-# "), "it says what the panel says"
    assert translate("panel.below") in used.text
    assert panel.interaction is not None
    assert panel.interaction.original_response_id == used.id, "it replies to a message that is there"
    await alice.click(panel, "Bet 5")
    await evening.board_says(unused, "Round 1: your")
    assert private(bob, board) == [unused]


async def test_a_hand_comes_below_the_chat_with_the_deal_and_again_until_its_member_presses_something(
    evening: Evening,
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    panel = await evening.panel(alice, board)
    await alice.click(panel, "Bet 5")

    async def chat() -> None:
        for line in range(FAR_UP + 1):
            await mei.write(evening.channel, f"line {line}")

    async def comes_below(panel: Message) -> Message:
        await evening.until(lambda: translate("panel.below") in panel.text, "the one before says so")
        assert not offered(panel), "its buttons are gone"
        assert "Round" not in panel.text, "she has no result yet, or it is told above"
        below = alice.sees(evening.channel)[-1]
        assert private(alice, board)[-2:] == [panel, below]
        await evening.can_press(below, "Reveal")
        return below

    await chat()
    await evening.settle_down()
    assert private(alice, board) == [panel], "before the deal it has nothing new"
    await bob.click(board, "20")
    first = panel
    second = await comes_below(first)
    await chat()
    third = await comes_below(second)
    await alice.click(third, "Why this hand")
    await chat()
    await evening.settle_down()
    assert private(alice, board) == [first, second, third]
    await evening.reveal(board, mei, alice, bob)
    await evening.until(lambda: first.deleted, "two of those before stay")
    *before, fourth = private(alice, board)
    assert before == [second, third]
    assert not offered(third)
    for panel in (third, fourth):
        assert "Round 1: your" in panel.text
    assert not any(map(offered, (first, second, third)))
    await alice.click(fourth, "Bet 5")
    board = await evening.board_with(bob, "20")
    await chat()
    await bob.click(board, "20")
    await comes_below(fourth)


async def test_an_old_panel_that_could_not_be_deleted_has_no_buttons_once_pressed_and_the_newer_stays_true(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    evening.expect_fault(400)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    old = await evening.panel(alice, board)
    refused = evening.discord.faults.respond(400, method="DELETE", route="webhooks")
    newer = await evening.panel(alice, board)
    await evening.until(lambda: not refused.times, "Discord deletes no panel")
    await evening.settle_down()
    await alice.click(newer, "Bet 10")
    await bob.click(board, "20")
    await evening.board_says(newer, hand_of(evening, alice))
    for person in (mei, bob):
        await person.click(board, "Reveal")
    await alice.click(newer, "Reveal")
    await evening.board_says(newer, f"Now <@{mei.id}> reveals…")
    await alice.click(old, "Bet 5")
    assert not offered(old)
    for told in ("Round 1: your", translate("panel.below")):
        assert told in old.text
    await evening.board_says(newer, "You have bet **5 chips**", "Round 1: your")


async def test_a_panel_that_a_message_replies_to_stays_without_buttons_once_another_takes_its_place(
    evening: Evening,
) -> None:
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", highest=200)
    await evening.press(bob, board, "Join")
    panel = await evening.panel(alice, board)
    form = form_of(await alice.click(panel, "Other…"))
    refused = message_of(await alice.submit(form, amount="150"))
    assert refused.interaction is not None
    assert refused.interaction.interacted_message_id == panel.id
    await alice.click(refused, "All in: bet 142, risk 994")
    await evening.board_says(refused, "You have bet **142 chips**")
    await evening.until(lambda: translate("panel.below") in panel.text, "the panel before it stays")
    assert not offered(panel)
    assert private(alice, board) == [panel, refused]
    page = message_of(await in_menu(alice, refused, "wallet"))
    newer = await evening.panel(alice, board)
    await evening.until(lambda: not offered(refused), "the page replies to it, and it stays too")
    assert private(alice, board) == [panel, refused, page, newer]


@pytest.mark.parametrize("dismisses", [False, True])
async def test_side_bets_go_below_the_chat_with_their_result(evening: Evening, dismisses: bool) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    zed = evening.person("Zed")
    await alice.click(board, "5")
    page = await evening.back(zed, board, alice, 5)
    await bob.click(board, "5")
    for line in range(FAR_UP + 1):
        await mei.write(evening.channel, f"line {line}")
    if dismisses:
        await zed.dismiss(page)
        evening.expect_fault(404)
    await evening.reveal(board, mei, alice, bob)
    told = f"Round 1: you backed <@{alice.id}>: "
    await evening.until(lambda: told in zed.sees(evening.channel)[-1].text, "the result is below")
    below = zed.sees(evening.channel)[-1]
    if not dismisses:
        await evening.until(lambda: not offered(page), "the page before has no buttons")
        await evening.board_says(page, told, translate("panel.below"))
    await evening.settle_down()
    assert private(zed, board) == ([below] if dismisses else [page, below])
    assert "My panel" in labels(below)
