"""Panels and hands are true as long as they are there, no matter who deals, banks or settles."""

import asyncio
import re
from functools import partial
from types import SimpleNamespace

import discord
import pytest

from bot.games.hands import evaluate
from bot.games.register import GAMES
from bot.ledger.changes import DirectChannel
from bot.pictures.alt_text import hand_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import BankPasses, Dealing
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Phase, hand_in
from bot.ui.board.message import FRESH_MESSAGES
from bot.wire.requests import Content, Response
from bot.words.hands import hand_words
from tests.e2e.answers import form_of, in_menu, message_of, offered, press_own, said
from tests.e2e.evening import MENU, Evening
from tests.sizes import sample

dealings = pytest.mark.parametrize("dealing", list(Dealing))


def deals(evening: Evening, dealing: Dealing) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": dealing})


def hand_of(evening: Evening, person: Person) -> str:
    """The person's hand, as panels name it."""
    table = evening.table()
    return hand_words(evaluate(table.pieces_of(evening.party(person)), table.rules))


def private(person: Person, board: Message) -> list[Message]:
    return [message for message in person.sees(board.channel) if message.ephemeral]


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons()]


async def two_players(evening: Evening) -> tuple[Message, list[Person]]:
    people = mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    return board, people


async def one_round(evening: Evening) -> tuple[Message, list[Person]]:
    """As `two_players`, after a round in which both bet 5 and got their hands by message."""
    board, people = await two_players(evening)
    mei, alice, bob = people
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice, bob)
    await evening.reveal(board, mei, alice, bob)
    return board, people


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
    await evening.have_cards(alice)
    (hand,) = alice.sees(alice.dm())
    return hand


@dealings
async def test_a_players_panel_follows_the_table_however_hands_are_dealt(
    evening: Evening, dealing: Dealing
) -> None:
    deals(evening, dealing)
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(alice, board)
    await alice.click(own, "Bet 5")
    await bob.click(board, "20")
    await evening.board_says(board, "Showdown")
    await evening.board_says(own, hand_of(evening, alice))
    await evening.can_press(own, "Reveal")
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(own, "Round 1: your")
    await evening.can_press(own, "Bet 5")
    assert "Reveals" not in own.text
    await evening.press(alice, board, "Sit out")
    await evening.board_says(own, "You are sitting out this round.")


@pytest.mark.parametrize("is_pressed", [False, True])
async def test_who_reveals_last_sees_the_banks_hand_turned_by_itself_and_a_press_turns_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, is_pressed: bool
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0 if is_pressed else 1.0)
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(alice, board)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.can_press(own, "Reveal")
    for person in (mei, bob):
        await person.click(board, "Reveal")
    assert (await alice.click(own, "Reveal")).kind == "update"
    assert evening.table().phase is Phase.BETTING, "nobody waits"
    assert f"Now <@{mei.id}> reveals…" in own.text
    assert not any(told in own.text for told in ("Round 1: your", "Wallet", "🧾"))
    # What could be bet now would tell who has won.
    assert not any((label or "").startswith(("Bet", "Max", "All in")) for label in labels(own))
    assert (own.gallery()[0].description or "").endswith("\nBank: face down")
    if is_pressed:
        await press_own(alice, own, "Refresh")
        assert "Round 1: your" in own.text
    await evening.board_says(own, "Round 1: your", "Wallet", "🧾 receipt 1")
    last = evening.last_round()
    bank = hand_alt_text(PicturedHand.face_up(hand_in(last, last)))
    assert re.sub(r"\(\d\)", "", own.gallery()[0].description or "").endswith(f"\nBank: {bank}")


@pytest.mark.thorough
@dealings
async def test_the_bankers_panel_deals_every_round(evening: Evening, dealing: Dealing) -> None:
    deals(evening, dealing)
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(mei, board)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    for number in (1, 2):
        for player in (alice, bob):
            await player.click(board, "5")
        if number > 1:
            await evening.board_says(own, f"Round {number}", "2 players have bet")
            await mei.click(own, "Deal")
        await evening.board_says(board, "Showdown")
        await evening.board_says(own, hand_of(evening, mei))
        await evening.reveal(board, mei, alice, bob)


async def test_the_bankers_panel_stays_below_a_board_that_is_posted_again(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    first = await evening.panel(mei, board)
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
        below = partial(lambda board: private(mei, board) == mei.sees(evening.channel)[-1:], board)
        await evening.until(below, "the panel alone is below the board")
        (panel,) = private(mei, board)
        await evening.board_says(panel, f"Round {number}: as the banker")
    assert panel is not first
    await alice.click(board, "5")
    await mei.click(panel, "Deal")
    await evening.board_says(panel, "Reveals automatically")


@pytest.mark.thorough
async def test_of_two_quick_presses_the_second_has_the_panel_though_it_is_answered_first(
    evening: Evening,
) -> None:
    board, (_, alice, bob) = await two_players(evening)
    await evening.settle_down()
    evening.discord.faults.hold(1.0, method="POST", route="callback")
    pressed = [asyncio.create_task(alice.choose(board, MENU, "My panel"))]
    await evening.until(lambda: private(alice, board), "the first panel is there")
    pressed.append(asyncio.create_task(alice.choose(board, MENU, "My panel")))
    _, second = [(await one).message for one in pressed]
    await evening.until(lambda: private(alice, board) == [second], "the second panel alone is there")
    for player in (alice, bob):
        await player.click(board, "20")
    assert second is not None
    await evening.can_press(second, "Reveal")


async def test_nobody_loses_the_bank_while_the_form_is_open_and_who_asks_then_is_next(
    evening: Evening,
) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await evening.open_table(mei)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    own = await evening.panel(bob, board)
    assert "There is no banker yet." in own.text
    first, second = [(await evening.press(one, board, "Take the bank")).modal for one in (alice, mei)]
    assert first is not None
    assert second is not None
    told = message_of(await mei.submit(second, lowest="10", highest="50"))
    waits = "Somebody is choosing limits for their bank. You bank after them. Your limits: 10–50."
    assert told.text == waits
    await alice.submit(first, lowest="5", highest="20")
    assert evening.table().is_banker(evening.party(alice))
    await evening.board_says(board, f"👑 <@{alice.id}> banks · next: <@{mei.id}>")
    await evening.board_says(own, "Place your bet: from 5 to 20 chips.")

    form = form_of(await bob.choose(board, MENU, "Bank next"))
    bobs = message_of(await bob.submit(form, lowest="5", highest="20"))
    assert bobs.text.startswith(f"You bank after <@{mei.id}>, as soon as the bank is free.")
    again = message_of(await bob.choose(board, MENU, "Bank next"))
    assert again.text == bobs.text
    # The panel that she opens later than she asked for the bank makes way for that of her bank.
    await evening.panel(mei, board)
    await bob.click(again, "Leave the queue")
    assert again.text == "You are no longer waiting for the bank."
    assert evening.bot.croupier.bank_queue.waiting(evening.table().table_id) == [evening.party(mei)]

    await evening.press(alice, board, "Give up the bank")
    await evening.until(lambda: evening.table().is_banker(evening.party(mei)), "Mei has the bank")
    await evening.board_says(board, f"👑 <@{mei.id}> banks")
    assert "next:" not in board.text
    await evening.board_says(own, "Place your bet: from 10 to 50 chips.")

    def only_says(words: str) -> bool:
        return [words in message.text for message in private(mei, board)] == [True]

    await evening.until(
        lambda: only_says("👑 You bank now, at table 1."), "the bank's panel alone is there", 20
    )
    (banks,) = private(mei, board)
    assert "Give up the bank" in offered(banks)
    assert "Your limits: 10–50." in banks.text
    await bob.click(board, "10")
    await evening.board_says(banks, "Reveals automatically")
    await evening.reveal(board, mei, bob)
    for press in (
        mei.click(board, "Again"),
        mei.click(board, "Other…"),
        mei.choose(board, MENU, "Bank next"),
    ):
        asked = message_of(await press)
        assert "You are the banker now." in asked.text
        assert labels(asked) == ["My panel", "Give up the bank"]
    await mei.click(asked, "Give up the bank")
    await evening.board_says(asked, "You have no seat here.")


async def test_who_asked_for_the_bank_too_long_ago_for_an_answer_is_told_by_direct_message(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    for player in (alice, bob):
        form = form_of(await player.choose(board, MENU, "Bank next"))
        await player.submit(form, lowest="5", highest="20")
    monkeypatch.setattr("cogs.play.token_lives", lambda _: False)
    words = f"👑 You bank now, at table 1. <#{board.channel.id}>"

    def told(person: Person) -> bool:
        return [message.text for message in person.sees(person.dm())] == [words]

    for banker, following in ((mei, alice), (alice, bob)):
        await evening.press(banker, board, "Give up the bank")
        await evening.until(partial(told, following), f"{following.name} is told once")


async def test_b05_who_gets_a_bank_that_goes_round_is_told_once_by_direct_message(evening: Evening) -> None:
    evening.rules = GAMES["gnau"].rules(last_call_seconds=0, bank_passes=BankPasses.EVERY_ROUND)
    board, (mei, alice, bob) = await two_players(evening)
    words = f"👑 You bank now, at table 1. <#{board.channel.id}>"

    def told(person: Person) -> list[Message]:
        return [message for message in person.sees(person.dm()) if message.text == words]

    first = (mei, (alice, bob))
    for banker, players in (first, (bob, (mei, alice)), (alice, (bob, mei)), first):
        for player in players:
            await player.click(board, "5")
        await evening.reveal(board, *players, banker)
        following = players[-1]
        await evening.until(partial(told, following), "the next banker is told")
    await evening.settle_down()
    assert [len(told(person)) for person in (mei, alice, bob)] == [1, 1, 1]


async def test_t03_a_bankers_panel_deals_at_once_and_takes_limits_for_the_next_round(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 60.0)
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(mei, board)
    await alice.click(board, "20")
    await evening.can_press(own, "Deal")
    assert "1 player has bet" in own.text
    form = form_of(await press_own(mei, own, "Set limits…"))
    await mei.submit(form, lowest="10", highest="50")
    assert "Your limits from the next round on: 10–50." in own.text
    await bob.click(board, "5")
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(board, "10–50")


async def test_a_panel_shows_what_a_gift_daily_chips_or_another_bankroll_change(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    admin = evening.person("Dora", manage_server=True)
    board = await evening.open_table(alice)
    await evening.press(alice, board, "Join")
    await evening.press(alice, board, "Play the house")
    own = await evening.panel(alice, board)
    assert own.button("Max: 100") is not None
    await admin.slash(evening.channel, "house bankroll", chips=7 * 20)
    await evening.until(lambda: own.button("Max: 20"), "no more is offered than the house covers")
    await alice.slash(evening.channel, "give", member=bob, amount=20)
    await evening.board_says(own, "980 chips free")
    await alice.slash(evening.channel, "daily")
    await evening.board_says(own, "1,080 chips free")
    second = await evening.open_table(mei, evening.other_channel)
    await evening.take_bank(alice, second)
    await mei.click(second, "20")
    await evening.board_says(own, "held")


@pytest.mark.thorough
async def test_a_panel_rests_before_discord_lets_it_be_edited_no_more(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.REST_SECONDS", 14 * 60 - 0.5)
    board, (_, alice, bob) = await two_players(evening)
    own = await evening.panel(alice, board)
    await evening.board_says(own, "Press **Refresh**")
    assert [button.label for button in own.buttons()] == ["Refresh"]
    await bob.click(board, "20")
    monkeypatch.undo()
    await press_own(alice, own, "Refresh")
    await alice.click(own, "Bet 5")
    await evening.board_says(own, hand_of(evening, alice))


@pytest.mark.parametrize("bets", sample(["on the board", "in the message"]))
async def test_one_message_brings_hand_after_hand_and_keeps_each_result(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, bets: str
) -> None:
    monkeypatch.setattr("bot.ui.hand.message.ROUNDS_IN_A_MESSAGE", 3)
    evening.expect_haste()
    board, (mei, alice, bob) = await two_players(evening)
    told: list[str] = []
    for number in (1, 2, 3, 4):
        mine = alice.sees(alice.dm())
        if mine and bets == "in the message":
            await evening.can_press(mine[-1], "Bet 5")
            await alice.click(mine[-1], "Bet 5")
        else:
            await alice.click(board, "5")
        await bob.click(board, "5")
        await evening.have_cards(alice, bob, rounds=number)
        await evening.reveal(board, mei, alice, bob)
        newest = alice.sees(alice.dm())[-1]
        await evening.board_says(newest, f"Round {number}: your", *(told if number < 4 else []))
        receipt = evening.last_round().receipt
        told += [f"-# 🧾 receipt {number} `{receipt}`"]
    full, newest = alice.sees(alice.dm())
    await evening.until(lambda: not full.buttons(), "only the newest hand has buttons")
    assert all(line in full.text for line in told[:3])
    assert told[3] in newest.text
    assert "You have bet" not in full.text
    assert [file.filename.partition(".")[0][:6] for file in (*full.attachments, *newest.attachments)] == [
        "hand-3",
        "hand-4",
    ]


async def test_a_message_with_hands_keeps_the_results_of_rounds_on_a_panel_too(evening: Evening) -> None:
    evening.expect_haste()
    board, (mei, alice, bob) = await one_round(evening)
    receipts = [evening.last_round().receipt]
    own = await evening.panel(alice, board)
    await evening.can_press(own, "Bet 5")
    await alice.click(own, "Bet 5")
    await bob.click(board, "5")
    await evening.can_press(own, "Reveal")
    for person in (mei, bob):
        await person.click(board, "Reveal")
    await alice.click(own, "Reveal")
    await evening.can_press(board, "5")
    receipts.append(evening.last_round().receipt)
    await alice.dismiss(own)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice, rounds=3)
    await evening.reveal(board, mei, alice, bob)
    (mine,) = alice.sees(alice.dm())
    first, second = (f"🧾 receipt {number} `{one}`" for number, one in enumerate(receipts, 1))
    await evening.board_says(mine, "Round 3: your", first, second)
    assert mine.text.index(first) < mine.text.index(second)


async def test_who_uses_a_panel_gets_no_message_until_discord_takes_no_edit_of_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_haste()
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(alice, board)
    for number in (1, 2):
        if number == 2:
            monkeypatch.setattr("bot.ui.hand.panels.REST_SECONDS", 14 * 60 - 3.0)
        await bob.click(board, "5")
        await evening.can_press(own, "Bet 5")
        # Her bet deals.
        await alice.click(own, "Bet 5")
        await evening.have_cards(bob, mei, rounds=number)
        await evening.board_says(own, hand_of(evening, alice))
        assert not alice.sees(alice.dm())
        if number == 2:
            # Its token ends: who has the hand in front of them gets it by message after all.
            await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message")
        await evening.reveal(board, mei, alice, bob)


@pytest.mark.parametrize("was_used", sample([False, True]))
async def test_who_has_put_a_panel_away_gets_the_next_hand_by_message(
    evening: Evening, was_used: bool
) -> None:
    """Discord takes edits of a panel that its member has dismissed, or that their client has forgotten."""
    evening.expect_haste()
    board, (mei, alice, bob) = await two_players(evening)
    own = await evening.panel(alice, board)
    if was_used:
        await alice.click(own, "Bet 5")
        await bob.click(board, "5")
        await evening.can_press(own, "Reveal")
        for person in (mei, bob):
            await person.click(board, "Reveal")
        # That ends the round: it says nothing about the next one.
        await alice.click(own, "Reveal")
    await alice.dismiss(own)
    for player in (bob, alice):
        await evening.can_press(board, "5")
        await player.click(board, "5")
    await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message")
    assert hand_of(evening, alice) in alice.sees(alice.dm())[0].text
    await evening.reveal(board, mei, alice, bob)


async def test_who_has_put_a_panel_away_before_the_deal_gets_that_hand_by_message_a_little_later(
    evening: Evening,
) -> None:
    board, (mei, alice, bob) = await two_players(evening)
    panels = {player: await evening.panel(player, board) for player in (alice, bob)}
    for player, own in panels.items():
        await player.click(own, "Bet 5")
    await alice.dismiss(panels[alice])
    await evening.can_press(panels[bob], "Reveal")
    await press_own(bob, panels[bob], "Refresh")
    assert not alice.sees(alice.dm())
    # That is what happens ten seconds after the deal.
    evening.bot.delivery._send_to_absent(evening.table().table_id, 1)
    await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message", 20)
    assert hand_of(evening, alice) in alice.sees(alice.dm())[0].text
    await evening.reveal(board, mei, alice, bob)
    assert not bob.sees(bob.dm()), "Bob has pressed something since the deal"


async def test_a_hand_that_an_open_panel_cannot_show_comes_by_message(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, (mei, alice, bob) = await two_players(evening)
    await evening.panel(alice, board)

    async def refuse(response: Response, content: Content) -> None:
        raise discord.NotFound(SimpleNamespace(status=404, reason="Not Found"), "Unknown Message")

    monkeypatch.setattr("bot.ui.hand.message.edit_response", refuse)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.have_cards(alice)
    (mine,) = alice.sees(alice.dm())
    assert hand_of(evening, alice) in mine.text
    await evening.reveal(board, mei, alice, bob)


async def test_a_hand_that_its_message_cannot_show_by_a_token_is_brought_without_one(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_haste()
    board, (_, alice, bob) = await one_round(evening)
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
    board, (mei, alice, bob) = await two_players(evening)
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
    board, (mei, alice, bob) = await two_players(evening)
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


async def test_of_two_panels_in_direct_messages_only_the_one_pressed_last_has_the_buttons_of_a_seat(
    evening: Evening,
) -> None:
    _, (_, alice, _) = await two_players(evening)
    first, second = [message_of(await alice.slash(alice.dm(), "hand")) for _ in range(2)]
    await evening.until(lambda: labels(first) == ["Refresh"], "the older panel rests")
    await press_own(alice, first, "Refresh")
    assert "Leave the table" in offered(first)
    await evening.until(lambda: labels(second) == ["Refresh"], "the other panel rests")
    await press_own(alice, first, "Leave the table")
    assert "Leave the table" not in offered(first)
    assert labels(second) == ["Refresh"]


@pytest.mark.thorough
async def test_a_panel_in_direct_messages_that_is_pressed_rests_no_sooner_for_the_hand_in_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_haste()
    board, (_, alice, bob) = await one_round(evening)
    monkeypatch.setattr("bot.ui.hand.panels.REST_SECONDS", 14 * 60 - 5.0)
    panel = message_of(await alice.slash(alice.dm(), "hand"))
    monkeypatch.undo()
    await alice.click(panel, "Bet 5")
    await bob.click(board, "5")
    await evening.have_cards(bob, rounds=2)
    await asyncio.sleep(5.0)
    assert "This panel is paused" not in panel.text
    await evening.board_says(panel, hand_of(evening, alice))


async def test_a_panel_says_that_its_member_has_left_until_they_are_back(evening: Evening) -> None:
    board, (mei, alice, _) = await two_players(evening)
    own, banks = await evening.panel(alice, board), await evening.panel(mei, board)
    await press_own(alice, own, "Leave the table")
    assert "You have left the table. Press **Join** to sit down again." in own.text
    await alice.click(own, "Join")
    assert "left the table" not in own.text
    await press_own(mei, banks, "Give up the bank")
    assert "You have given up the bank, and with it your place at the table. Press **Join**" in banks.text
    assert "You have no seat here" not in banks.text


@pytest.mark.thorough
async def test_a_hand_offers_no_bet_once_its_member_was_away_too_long(evening: Evening) -> None:
    evening.expect_haste()
    board, (mei, alice, bob) = await two_players(evening)
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
    assert offered(mine) == {"Why this hand", "Refresh"}
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
            await evening.back(alice, board, bob, 5)
            await evening.press(mei, board, "Deal")
        await evening.reveal(board, mei, bob)
    await evening.board_says(later, ": you backed")
    assert "so your seat is free again" not in later.text, "who has backed a player since has read it"


async def test_a_message_with_a_hand_names_no_button_that_it_lacks(evening: Evening) -> None:
    board, (mei, alice, bob) = await two_players(evening)
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
    board, (mei, alice, bob) = await two_players(evening)
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
async def test_a_hand_that_reaches_discord_as_its_round_ends_gets_its_last_form(evening: Evening) -> None:
    board, (mei, alice, bob) = await two_players(evening)
    hand = await hand_on_its_way(evening, board, [mei, alice, bob])
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(hand, "Round 1: your")
    assert "Reveals" not in hand.text
    assert "Reveal" not in offered(hand)


async def test_a_hand_that_a_message_brings_as_its_round_ends_gets_its_result(evening: Evening) -> None:
    evening.expect_haste()
    board, (mei, alice, bob) = await two_players(evening)
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
    board, (mei, alice, bob) = await two_players(evening)
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


@pytest.mark.thorough
async def test_the_panel_for_side_bets_follows_the_table_and_offers_nothing_that_is_refused(
    evening: Evening,
) -> None:
    board, (mei, alice, bob) = await two_players(evening)
    zed = evening.person("Zed")
    await alice.click(board, "5")
    own = await evening.back(zed, board, alice, 5)
    assert f"You back <@{alice.id}> with **5 chips**" in own.text
    await bob.click(board, "5")
    await evening.board_says(own, "Hands are dealt", f"You back <@{alice.id}>")
    assert not own.buttons()
    assert own.select("Whose hand do you back?") is None
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(own, f"you backed <@{alice.id}>: ")
    assert f"You back <@{alice.id}>" not in own.text
    await alice.click(board, "5")
    await evening.can_press(own, "Other…")
    await evening.press(zed, board, "Join")
    await evening.board_says(own, "You have a seat: play your own hand.")
    assert not own.buttons()


@pytest.mark.thorough
async def test_a_choice_with_a_private_reply_resets_the_menu(evening: Evening) -> None:
    """Discord's client keeps showing the last choice and doesn't let the member pick it again."""
    board, (_, alice) = await evening.table_of("Mei", "Alice")

    def menu_id() -> str:
        menu = board.select(MENU)
        assert menu is not None
        return menu.custom_id

    first = menu_id()
    for uses, choice in enumerate(("rules", "hand", "rules"), start=1):
        said(await in_menu(alice, board, choice))
        new = f"{first}:{uses}"
        await evening.until(lambda: menu_id() == new, "the menu is reset")  # noqa: B023 - at once


async def test_a_refusal_offers_what_works_and_then_becomes_the_panel(evening: Evening) -> None:
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", highest=200)
    await evening.press(bob, board, "Join")
    before = await evening.panel(alice, board)
    refused = await evening.told_alone(alice, "bet", amount=150)
    assert refused.text.startswith("Your maximum bet is 142")
    assert labels(refused) == ["Bet 142", "Other…"]
    await alice.click(refused, "Bet 142")
    await evening.board_says(refused, "You have bet **142 chips**")
    await evening.until(lambda: private(alice, board) == [refused], "the panel before it is gone")
    assert before is not refused
    another = await evening.told_alone(alice, "bet", amount=1)
    assert labels(another) == ["Bet 5", "Other…"]
    await evening.settle_down()
    assert private(alice, board) == [refused, another], "the refusal before it is a panel by now"
    form = form_of(await alice.click(another, "Other…"))
    await alice.submit(form, amount="30")
    await evening.board_says(another, "You have bet **30 chips**")
    await evening.until(lambda: private(alice, board) == [another], "the panel before it is gone")


async def test_a_refusal_replaces_the_one_before_it_and_a_panel_the_panel(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    panel = await evening.panel(alice, board)
    for _ in range(4):
        form = form_of(await alice.click(board, "Other…"))
        said(await alice.submit(form, amount="none"))
    await evening.until(lambda: len(private(alice, board)) == 2, "three of the four refusals are gone")
    assert private(alice, board)[0] is panel, "a refusal leaves the panel alone"
    await evening.panel(alice, board)
    await evening.until(lambda: panel not in private(alice, board), "the panel before it is gone")
    assert len(private(alice, board)) == 2
