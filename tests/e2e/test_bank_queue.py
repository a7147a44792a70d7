"""Who waits for a bank is told when it is theirs, also by direct message."""

import time
from functools import partial
from math import ceil

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import BankPasses
from tests.e2e.answers import form_of, labels, message_of, offered, press_own, private
from tests.e2e.evening import MENU, Evening
from tests.taking_chips import take_chips


async def test_nobody_loses_the_bank_while_the_form_is_open_and_who_asks_then_is_next(
    evening: Evening,
) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await evening.open_table(mei)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    own = await evening.panel(bob, board)
    assert "Press **Play the house** to start, or **Take the bank**" in own.text
    assert {"Play the house", "Take the bank"} <= offered(own)
    zed = evening.person("Zed")
    await evening.chips(zed)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(zed))
    refused = message_of(await evening.press(zed, board, "Take the bank"))
    assert refused.text.startswith("You need 7 chips to play here; you have 0 free."), "no form"
    first, second = [(await evening.press(one, board, "Take the bank")).modal for one in (alice, mei)]
    assert first is not None
    assert second is not None
    told = message_of(await mei.submit(second, lowest="10", highest="50"))
    waits = "Somebody is choosing limits for their bank. You bank after them. Your limits: 10–50."
    place = evening.bot.croupier.bank_queue.place_of(evening.table().table_id, evening.party(mei))
    assert place is not None
    assert told.text == f"{waits} Your place in the queue ends <t:{ceil(place.plan.at or 0)}:R>."
    await alice.submit(first, lowest="5", highest="20")
    assert evening.table().is_banker(evening.party(alice))
    await evening.board_says(board, f"👑 <@{alice.id}> banks · next: <@{mei.id}>")
    await evening.board_says(own, "Place your bet: from 5 to 20 chips")

    form = form_of(await bob.choose(board, MENU, "Bank next"))
    bobs = message_of(await bob.submit(form, lowest="5", highest="20"))
    assert bobs.text.startswith(f"You bank after <@{mei.id}>, as soon as the bank is free.")
    again = message_of(await bob.choose(board, MENU, "Bank next"))
    assert again.text == bobs.text
    await evening.board_says(own, "Your place in the queue for the bank: 2.")
    # A panel that Mei opens after asking for the bank makes way for that of the bank.
    ends = f"Your place in the queue ends <t:{ceil(place.plan.at or 0)}:R>."
    assert f"You are next for the bank. {ends}" in (await evening.panel(mei, board)).text
    await bob.click(again, "Leave the queue")
    assert again.text == "You are no longer waiting for the bank."
    await evening.until(lambda: "queue" not in own.text, "the panel of Bob knows")
    await bob.submit(form_of(await bob.choose(board, MENU, "Bank next")), lowest="5", highest="20")
    await press_own(bob, await evening.panel(bob, board), "Leave the queue")
    own = await evening.panel(bob, board)
    assert "Leave the queue" not in offered(own)
    assert evening.bot.croupier.bank_queue.waiting(evening.table().table_id) == [evening.party(mei)]

    await evening.press(alice, board, "Give up the bank")
    await press_own(alice, await evening.panel(alice, board), "Leave the table")
    await evening.until(lambda: evening.table().is_banker(evening.party(mei)), "Mei has the bank")
    await evening.board_says(board, f"👑 <@{mei.id}> banks")
    assert "next:" not in board.text
    await evening.board_says(own, "Place your bet: from 10 to 50 chips")

    def only_says(words: str) -> bool:
        return [words in message.text for message in private(mei, board)] == [True]

    await evening.until(
        lambda: only_says("👑 The bank is yours now, at table 1."), "the bank's panel alone is there"
    )
    (banks,) = private(mei, board)
    assert "Give up the bank" in offered(banks)
    assert "limits 10–50" in banks.text
    await bob.click(board, "10")
    await evening.board_says(banks, "Showdown <t:")
    await evening.reveal(board, mei, bob)
    for press in (
        mei.click(board, "Again"),
        mei.click(board, "Other…"),
        mei.choose(board, MENU, "Bank next"),
    ):
        asked = message_of(await press)
        assert "You bank, so you can't do that." in asked.text
        assert labels(asked) == ["My panel", "Give up the bank"]
    await mei.click(asked, "Give up the bank")
    await evening.board_says(asked, "You gave up the bank. You now have seat")


async def test_who_asks_for_the_bank_on_their_panel_reads_once_there_when_they_have_it(
    evening: Evening,
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "10")
    own = await evening.panel(alice, board)
    await alice.submit(form_of(await press_own(alice, own, "Bank next")), lowest="5", highest="20")
    await evening.board_says(own, "👑 You are next for the bank.", "Your limits: 5–20.")
    assert "Bank next" not in offered(own)
    await evening.have_cards(alice, mei)
    await evening.press(mei, board, "Give up the bank")
    banks = await evening.panel(mei, board)
    assert "After this round, you give up the bank, and stay as a player if a seat is free." in banks.text
    await evening.board_says(own, "👑 You bank after this round.")
    assert "Your place in the queue ends" not in own.text, "it does not end before"
    assert private(alice, board) == [own], "nothing else tells of it"
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, f"👑 <@{alice.id}>")
    await evening.until(
        lambda: ["The bank is yours now" in one.text for one in private(alice, board)] == [True],
        "the panel of the bank alone is there",
    )
    await evening.can_press(banks, "Bet 10")
    bank = evening.table().bank
    assert bank is not None
    assert (bank.lowest, bank.highest) == (5, 20)


async def test_who_asked_for_the_bank_before_a_restart_is_told_by_direct_message(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    for player in (alice, bob):
        form = form_of(await player.choose(board, MENU, "Bank next"))
        await player.submit(form, lowest="5", highest="20")
    await evening.restart()
    await evening.board_says(board, f"👑 <@{mei.id}> banks · next: <@{alice.id}>")
    words = f"👑 The bank is yours now, at table 1. <#{board.channel.id}>"

    def told(person: Person) -> bool:
        return [message.text for message in person.sees(person.dm())] == [words]

    for banker, following in ((mei, alice), (alice, bob)):
        await evening.press(banker, board, "Give up the bank")
        await evening.until(partial(told, following), f"{following.name} is told once")


async def test_the_board_and_panels_know_at_once_that_who_is_banned_waits_no_longer(evening: Evening) -> None:
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    for player in (alice, bob):
        form = form_of(await player.choose(board, MENU, "Bank next"))
        await player.submit(form, lowest="5", highest="20")
    own, dora = await evening.panel(bob, board), evening.person("Dora", manage_server=True)
    await evening.board_says(board, f"next: <@{alice.id}>")
    await dora.slash(evening.channel, "house ban", member=alice, reason="no")
    await evening.board_says(board, f"next: <@{bob.id}>")
    await evening.board_says(own, "You are next for the bank.")


async def test_b05_who_gets_a_bank_that_goes_round_is_told_once_by_direct_message(evening: Evening) -> None:
    evening.rules = GAMES["gnau"].rules(last_call_seconds=0, bank_passes=BankPasses.EVERY_ROUND)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    words = f"👑 The bank is yours now, at table 1. <#{board.channel.id}>"

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


async def test_b05_who_takes_a_bank_that_nobody_could_have_does_not_read_that_it_came(
    evening: Evening,
) -> None:
    evening.rules = GAMES["gnau"].rules(last_call_seconds=0, bank_passes=BankPasses.EVERY_ROUND)
    board, mei, (alice,) = await evening.seated_table("gnau", "Mei", "Alice")
    await alice.click(board, "5")
    await press_own(alice, await evening.panel(alice, board), "Leave the table")
    await evening.reveal(board, alice, mei)
    await evening.can_press(board, "Take the bank")
    await evening.take_bank(alice, board)
    assert evening.table().is_banker(evening.party(alice))
    banks = await evening.panel(alice, board)
    assert "has come to you" not in banks.text
    assert "Give up the bank" in offered(banks)


async def test_b05_a_bank_that_comes_to_who_is_away_is_kept_by_a_press_and_without_one_is_free(
    evening: Evening,
) -> None:
    evening.rules = GAMES["gnau"].rules(last_call_seconds=0, bank_passes=BankPasses.EVERY_ROUND)
    board, mei, (bob, alice) = await evening.seated_table("gnau", "Mei", "Bob", "Alice")

    async def when_time_is_up() -> None:
        deadline = evening.table().deadline
        assert deadline is not None
        evening.bot.croupier.now = lambda: max(time.time(), deadline)
        await evening.bot.croupier.go_on()
        evening.bot.croupier.now = time.time
        await evening.bot.croupier.go_on()

    async def bank_comes_to(away: Person, *others: Person) -> None:
        await evening.can_press(board, "Reveal")
        for player in others:
            await player.click(board, "Reveal")
        await when_time_is_up()
        await evening.until(lambda: evening.table().is_banker(evening.party(away)), "the bank has come")
        for player in others:
            await player.click(board, "5")
        await evening.board_says(board, f"⏳ <@{away.id}> must press a button, or the bank is free <t:")

    for player in (bob, alice):
        await player.click(board, "5")
    # It has come to Alice before, when she was there.
    evening.bot.delivery._told_of_bank[evening.table().table_id, evening.party(alice)] = True
    await bank_comes_to(alice, mei, bob)

    def asked() -> list[Message]:
        return [one for one in alice.sees(alice.dm()) if "⏳ Press any button to keep the bank." in one.text]

    await evening.until(asked, "Alice is told")
    (told,) = asked()
    await alice.click(told, "Keep the bank")
    assert "The bank has come to you" in told.text
    assert "⏳" not in told.text
    await evening.until(lambda: "must press" not in board.text, "the board has heard of it")
    await alice.click(told, "Deal")
    await bank_comes_to(bob, mei, alice)
    own = await evening.panel(mei, board)
    await when_time_is_up()
    await evening.board_says(board, f"<@{bob.id}> was away, so the bank is free.")
    await evening.board_says(own, "Press **Play the house** to start, or **Take the bank**")
    assert evening.table().held == {}
