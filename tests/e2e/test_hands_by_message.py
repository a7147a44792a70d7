"""Hands by direct message stay true, and keep the results of their rounds."""

import asyncio
from types import SimpleNamespace

import discord
import pytest

from bot.ledger.changes import DirectChannel
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Phase
from bot.ui.components import text
from bot.wire.requests import LONGEST_TEXT, Content, Response, layout_length
from tests.e2e.answers import hand_of, in_menu, message_of, offered, press_own
from tests.e2e.evening import Evening
from tests.sizes import sample


async def one_round(evening: Evening) -> tuple[Message, Person, list[Person]]:
    """The board, banker and players of a table after a round in which both bet 5 and got hands by message."""
    board, mei, players = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    alice, bob = players
    for player in players:
        await player.click(board, "5")
    await evening.have_cards(alice, bob)
    await evening.reveal(board, mei, alice, bob)
    return board, mei, players


async def hand_on_its_way(evening: Evening, board: Message, people: list[Person]) -> Message:
    """Alice's hand in her messages; Discord tells the bot only later that it is there."""
    _, alice, bob = people
    for person in people:
        # Their channels are known then.
        await evening.bot.croupier.ledger.record(DirectChannel(person.id, person.dm().id, None))
    own = str(alice.dm().id)
    evening.discord.faults.hold(
        1.5, method="POST", route="/channels/{channel_id}/messages", when=lambda _, path: own in path
    )
    for player in (alice, bob):
        await player.click(board, "5")
    rounds = evening.table().round_number
    await evening.have_cards(alice, rounds=rounds)
    return alice.sees(alice.dm())[-1]


@pytest.mark.parametrize("bets", sample(["on the board", "in the message"]))
async def test_one_message_brings_hand_after_hand_and_keeps_each_result(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, bets: str
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 3)
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    told: list[str] = []
    why = f"Your hands come here because you play in <#{evening.channel.id}>."
    for number in (1, 2, 3, 4):
        mine = alice.sees(alice.dm())
        if mine and bets == "in the message":
            await evening.can_press(mine[-1], "Bet 5")
            await alice.click(mine[-1], "Bet 5")
        else:
            await alice.click(board, "5")
        await bob.click(board, "5")
        await evening.have_cards(alice, bob, rounds=number)
        newest = alice.sees(alice.dm())[-1]
        assert (why in newest.text) == (number < 4), "with each hand that the message brings"
        await evening.reveal(board, mei, alice, bob)
        await evening.board_says(newest, f"Round {number}: your", *(told if number < 4 else []))
        receipt = evening.last_round().receipt
        told += [f"-# 🧾 receipt {number} `{receipt}`"]
    full, newest = alice.sees(alice.dm())
    await evening.until(lambda: not full.buttons(), "only the newest hand has buttons")
    assert all(line in full.text for line in told[:3])
    assert told[3] in newest.text
    _, earlier = full.text.split("Some of your other rounds at this table")
    assert ["🧾" in line for line in earlier.splitlines()[1:]] == [False, False, True, True]
    assert all(why not in message.text for message in (full, newest)), "once is enough"
    assert "You have bet" not in full.text
    assert [file.filename.partition(".")[0][:6] for file in (*full.attachments, *newest.attachments)] == [
        "hand-3",
        "hand-4",
    ]


async def test_who_plays_on_a_panel_gets_no_message_and_the_next_hand_by_message_brings_the_rounds_between(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 2)
    evening.expect_haste()
    board, mei, (alice, bob) = await one_round(evening)
    receipts = [evening.last_round().receipt]
    own = await evening.panel(alice, board)
    for number in (2, 3, 4):
        await evening.can_press(own, "Bet 5")
        await alice.click(own, "Bet 5")
        await bob.click(board, "5")
        await evening.can_press(own, "Reveal")
        for person in (mei, bob):
            await person.click(board, "Reveal")
        await alice.click(own, "Reveal")
        await evening.board_says(board, f"-# 🧾 receipt {number}")
        receipts.append(evening.last_round().receipt)
    first, second, third, fourth = (f"🧾 receipt {number} `{one}`" for number, one in enumerate(receipts, 1))
    await evening.settle_down()
    # It is full, and she has seen the other results on her panel, where her buttons are.
    (full,) = alice.sees(alice.dm())
    assert not full.buttons()
    await alice.dismiss(own)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.can_press(board, "Reveal")
    evening.bot.delivery._send_to_absent(evening.table().table_id, 5)
    await evening.have_cards(alice, rounds=5)
    assert full.text.index(first) < full.text.index(second)
    (newest,) = set(alice.sees(alice.dm())) - {full}
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(newest, "Round 5: your", third, fourth)
    assert newest.text.count("🧾 receipt") == 3


async def test_who_has_revealed_a_hand_does_not_get_it_by_message_after_a_restart(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    await bob.click(board, "5")
    await alice.click(own, "Bet 5")
    await alice.click(own, "Reveal")
    await evening.restart()
    await evening.have_cards(mei)
    await evening.settle_down()
    assert not alice.sees(alice.dm())
    await evening.reveal(board, mei, bob)


@pytest.mark.parametrize("has_looked", [False, True])
async def test_a_hand_that_an_open_panel_cannot_show_comes_by_message_unless_its_member_has_seen_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, has_looked: bool
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)

    async def refuse(response: Response, content: Content) -> None:
        raise discord.NotFound(SimpleNamespace(status=404, reason="Not Found"), "Unknown Message")

    if not has_looked:
        monkeypatch.setattr("bot.ui.hand.message.edit_response", refuse)
    for player in (alice, bob):
        await player.click(board, "5")
    if has_looked:
        await evening.can_press(own, "Why this hand")
        monkeypatch.setattr("bot.ui.hand.message.edit_response", refuse)
        # The menu would be reset by an edit.
        await in_menu(alice, own, "wallet")
        await evening.settle_down()
    await evening.have_cards(alice)
    sent = [hand_of(evening, alice) in one.text for one in alice.sees(alice.dm())]
    assert sent == ([] if has_looked else [True])
    await evening.reveal(board, mei, alice, bob)


async def test_a_hand_that_its_message_cannot_show_by_a_token_is_brought_without_one(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_haste()
    board, _, (alice, bob) = await one_round(evening)
    (mine,) = alice.sees(alice.dm())
    await evening.can_press(mine, "Bet 5")
    await alice.click(mine, "Bet 5")

    async def refuse(response: Response, content: Content) -> None:
        limited = SimpleNamespace(status=429, reason="Too Many Requests")
        raise discord.HTTPException(limited, "You are being rate limited.")

    monkeypatch.setattr("bot.ui.hand.message.edit_response", refuse)
    monkeypatch.setattr("bot.ui.following.RETRY_SECONDS", (0.1,))
    await bob.click(board, "5")
    await evening.board_says(mine, hand_of(evening, alice), "🧾 receipt 1")


@pytest.mark.thorough
async def test_a_hand_keeps_its_result_though_its_member_missed_rounds(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for number in (1, 2, 3):
        if number == 2:
            await evening.press(alice, board, "Sit out")
        else:
            await alice.click(board, "5")
        await bob.click(board, "5")
        await evening.have_cards(bob, rounds=number)
        await evening.have_cards(alice, rounds=1 if number < 3 else 3)
        await evening.reveal(board, mei, bob, *([] if number == 2 else [alice]))
    (mine,) = alice.sees(alice.dm())
    await evening.board_says(mine, "Round 3: your", "🧾 receipt 1 ")
    assert "called off" not in mine.text


async def test_after_a_restart_a_message_with_hands_keeps_its_results_and_an_old_one_loses_its_buttons(
    evening: Evening,
) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for number in (1, 2):
        for player in (alice, bob):
            await player.click(board, "5")
        await evening.have_cards(alice, rounds=number)
        await evening.reveal(board, mei, alice, bob)
    (first,) = alice.sees(alice.dm())
    await evening.board_says(first, "Round 2: your")
    await evening.restart()
    await evening.can_press(board, "5")
    assert (await alice.click(first, "Bet 10")).kind == "update"
    assert "You have bet **10 chips**" in first.text
    assert "-# 🧾 receipt 1 " in first.text
    await evening.restart()
    # It cannot be found, and the hand takes a new one.
    evening.expect_fault(403)
    evening.discord.faults.respond(403, times=9, method="GET", route="/channels/{channel_id}/messages")
    await bob.click(board, "5")
    await evening.have_cards(bob, rounds=3)
    await evening.reveal(board, mei, alice, bob)
    await alice.click(board, "5")
    kept = first.text
    # Its bet of round 3 is over, and nobody knows any more what the message was about.
    await press_own(alice, first, "Refresh")
    await evening.until(lambda: len(alice.sees(alice.dm())) == 3, "a panel follows")
    *_, panel = alice.sees(alice.dm())
    assert first.text == kept
    assert [file.filename[:13] for file in first.attachments] == ["hand-2-result"]
    assert offered(first) == set()
    assert "Round 3: your" in panel.text
    await press_own(alice, panel, "Refresh")
    assert alice.sees(alice.dm())[-1] is panel


async def test_after_a_restart_all_but_the_newest_of_a_tables_messages_lose_their_buttons(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 1)
    # As if too many edits waited.
    monkeypatch.setattr("bot.ui.following.MOST_WAITING", 0)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for number in (1, 2):
        for player in (alice, bob):
            await player.click(board, "5")
        await evening.have_cards(alice, rounds=number)
        await evening.reveal(board, mei, alice, bob)
    first, second = alice.sees(alice.dm())
    await evening.settle_down()
    assert first.buttons()
    monkeypatch.undo()
    await evening.restart()
    evening.expect_haste()
    await evening.can_press(board, "5")
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice, rounds=3)
    await evening.until(lambda: not first.buttons(), "the old message has lost its buttons")
    assert [file.filename[:6] for file in first.attachments] == ["hand-1"]
    await evening.board_says(second, hand_of(evening, alice), "🧾 receipt 2 ")


@pytest.mark.parametrize("why", ["closed", "left", "old"])
async def test_a_message_whose_buttons_are_of_no_use_says_so_in_their_place_once_pressed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 1)
    board, mei, (alice, bob) = await one_round(evening)
    (mine,) = alice.sees(alice.dm())
    await evening.can_press(mine, "Bet 5")
    before = mine.components
    if why == "closed":
        await mei.slash(board.channel, "table close")
        told = "This table is closed"
    elif why == "left":
        await evening.press(alice, board, "Leave the table")
        told = "You are not at that table any more."
    else:
        for player in (alice, bob):
            await player.click(board, "5")
        await evening.have_cards(alice, rounds=2)
        told = "Hands are dealt. Try again after this round."
    await evening.settle_down()
    messages = alice.sees(alice.dm())
    # As if that edit had not come through.
    mine.components = before
    assert (await alice.click(mine, "Bet 5")).kind == "update"
    assert told in mine.text
    assert "Round 1: your" in mine.text
    assert not mine.buttons()
    assert alice.sees(alice.dm()) == messages
    # One that has no room for it.
    room = LONGEST_TEXT - layout_length(before)
    mine.components = [*before, text("x" * room)]
    assert told in message_of(await alice.click(mine, "Bet 5")).text


@pytest.mark.thorough
async def test_a_panel_in_direct_messages_that_is_pressed_rests_no_sooner_for_the_hand_in_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_haste()
    board, _, (alice, bob) = await one_round(evening)
    monkeypatch.setattr("bot.ui.hand.panels.REST_SECONDS", 14 * 60 - 5.0)
    panel = message_of(await alice.slash(alice.dm(), "hand"))
    monkeypatch.undo()
    await alice.click(panel, "Bet 5")
    await bob.click(board, "5")
    await evening.have_cards(bob, rounds=2)
    await asyncio.sleep(5.0)
    assert "This panel is paused" not in panel.text
    await evening.board_says(panel, hand_of(evening, alice))


@pytest.mark.thorough
async def test_a_hand_offers_no_bet_once_its_member_was_away_too_long(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await alice.click(board, "5")
    # Revealing in the first round, Alice is there until the second deal.
    for number in range(1, 3 + ROUNDS_MISSED_IN_A_ROW):
        await bob.click(board, "5")
        # The table waits no longer for who is away.
        if evening.table().phase is Phase.BETTING:
            await evening.press(mei, board, "Deal")
        await evening.have_cards(alice)
        await evening.reveal(board, mei, bob, *([alice] if number == 1 else []))
    (mine,) = alice.sees(alice.dm())
    await evening.board_says(mine, "Round 1: your", "so your seat is free again. You can join again in")
    assert offered(mine) == {"Why this hand", "My chips", "Refresh"}
    for number in (5, 6):
        await bob.click(board, "5")
        await evening.have_cards(bob, rounds=number)
        await evening.reveal(board, mei, bob)
    later = await evening.panel(alice, board)
    assert "so your seat is free again" in later.text, "whenever they look, they read why"
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    for is_backed in (False, True):
        await bob.click(board, "5")
        if is_backed:
            later = await evening.back(alice, board, bob, 5)
            await evening.press(mei, board, "Deal")
        await evening.reveal(board, mei, bob)
    await evening.board_says(later, ": you backed")
    await alice.click(later, "My panel")
    await evening.board_says(later, "Wallet: ")
    assert "so your seat is free again" not in later.text, "who has backed a player since has read it"


async def test_a_message_with_a_hand_names_no_button_that_it_lacks(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice)
    (mine,) = alice.sees(alice.dm())
    await alice.click(mine, "Reveal")
    await press_own(alice, mine, "Leave the table")
    await evening.reveal(board, mei, bob)
    await evening.board_says(
        mine, "Round 1: your", f"You have left the table. You can join again in <#{evening.channel.id}>."
    )
    assert "**Join**" not in mine.text
    assert not {"Bet 5", "Bet 10", "Leave the table"} & offered(mine)


async def test_what_is_picked_in_an_old_message_is_meant_for_the_round_that_is_on(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice)
    await evening.reveal(board, mei, alice, bob)
    (mine,) = alice.sees(alice.dm())
    await evening.board_says(mine, "Round 1: your")
    await alice.click(board, "5")
    assert evening.table().bets
    await press_own(alice, mine, "Sit out")
    seat = evening.table().seat_of(evening.party(alice))
    assert seat is not None
    assert (seat.stake, seat.sitting_out) == (None, True)
    assert "You are sitting out this round." in mine.text


@pytest.mark.thorough
async def test_a_hand_that_reaches_discord_as_its_round_ends_is_the_message_with_its_result(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 1)
    board, mei, (alice, bob) = await one_round(evening)
    hand = await hand_on_its_way(evening, board, [mei, alice, bob])
    await evening.reveal(board, mei, alice, bob)
    # The message before it is full: a result without a message would go on in a new one.
    await evening.board_says(hand, "Round 2: your")
    assert "Reveals" not in hand.text
    assert "Reveal" not in offered(hand)
    await evening.settle_down()
    assert alice.sees(alice.dm())[1:] == [hand]


async def test_a_hand_that_a_message_brings_as_its_round_ends_gets_its_result(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = str(alice.dm().id)
    for number in (1, 2):
        for player in (alice, bob):
            await player.click(board, "5")
        await evening.have_cards(alice, rounds=number)
        await evening.reveal(board, mei, alice, bob)
        (mine,) = alice.sees(alice.dm())
        await evening.board_says(mine, f"Round {number}: your", "🧾 receipt 1")
        # Discord tells the bot only later that the next hand is there.
        evening.discord.faults.hold(
            1.5,
            method="PATCH",
            route="/channels/{channel_id}/messages/{message_id}",
            when=lambda _, path: own in path,
        )
    assert not {"Reveal"} & offered(mine)


async def test_a_hand_that_is_pressed_before_discord_says_that_it_is_there_is_one_message(
    evening: Evening,
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    hand = await hand_on_its_way(evening, board, [mei, alice, bob])
    await alice.click(hand, "Reveal")
    await evening.reveal(board, mei, bob)
    await evening.board_says(hand, "Round 1: your")
    await evening.can_press(hand, "Bet 5")
    await alice.click(hand, "Bet 5")
    await bob.click(board, "5")
    await evening.have_cards(alice, rounds=2)
    await evening.board_says(hand, hand_of(evening, alice), "🧾 receipt 1 ")
    assert alice.sees(alice.dm()) == [hand]
