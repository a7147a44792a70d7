"""Panels are true as long as they are there, no matter who deals, banks or settles."""

import asyncio
import re
from math import ceil

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.pictures.alt_text import hand_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Dealing
from bot.table.state import Phase, hand_in
from bot.ui.following import FAR_UP
from bot.words.translation import translate
from tests.e2e.answers import form_of, hand_of, in_menu, labels, message_of, offered, press_own, private, said
from tests.e2e.evening import MENU, Evening
from tests.sizes import sample

dealings = pytest.mark.parametrize("dealing", list(Dealing))


def deals(evening: Evening, dealing: Dealing) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": dealing})


@dealings
async def test_a_players_panel_follows_the_table_however_hands_are_dealt(
    evening: Evening, dealing: Dealing
) -> None:
    deals(evening, dealing)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
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


async def test_a_panel_counts_down_once_pressed_and_else_by_one_edit_once_half_the_time_is_over(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 0.1)
    evening.rules = GnauRules(last_call_seconds=20)
    board, _, (alice, bob, chan, dora) = await evening.seated_table(
        "gnau", "Mei", "Alice", "Bob", "Chan", "Dora"
    )
    own = await evening.panel(alice, board)
    await bob.click(await evening.panel(bob, board), "Bet 5")
    deadline = evening.table().deadline or 0.0
    closes = f"🪙 Betting closes <t:{ceil(deadline)}:R>"
    pressed = await evening.panel(chan, board)
    assert closes in pressed.text, "an answer says it anyway"
    since = len(evening.discord.requests)
    await dora.click(board, "5")
    await evening.settle_down()
    assert closes in pressed.text, "what it has said stays"
    await chan.click(pressed, "Bet 5")
    await evening.settle_down()
    assert "Betting closes" not in own.text
    waits = translate("panel.dealt_next")
    assert waits in pressed.text
    assert "<t:" not in pressed.text, "the board has the clock"
    # That is what happens once half the time is over.
    evening.bot.panels._deadline_near(evening.table().table_id, deadline)
    await evening.board_says(own, closes)
    evening.bot.panels.refresh(evening.table(), evening.party(alice))
    await evening.settle_down()
    edits = [one for one in evening.discord.requests[since:] if one.method == "PATCH" and not one.budgeted]
    texts = [str(one.body) for one in edits if "Place your bet: " in str(one.body)]
    assert len(texts) == 1, "neither the first bet nor the others cost an edit of her panel"
    since = len(evening.discord.requests)
    await alice.click(own, "Bet 5")
    await evening.settle_down()
    assert evening.table().phase is Phase.BETTING, "everybody has bet"
    assert (evening.table().deadline or 0.0) < deadline - 5
    edits = [one for one in evening.discord.requests[since:] if one.method == "PATCH"]
    assert not [one for one in edits if waits in str(one.body)], "nor does a shorter time"
    assert waits in pressed.text


@pytest.mark.parametrize("is_pressed", [False, True])
async def test_who_reveals_last_sees_the_banks_hand_revealed_automatically_or_by_a_press(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, is_pressed: bool
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0 if is_pressed else 1.0)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.can_press(own, "Reveal")
    for person in (mei, bob):
        await person.click(board, "Reveal")
    assert (await alice.click(own, "Reveal")).kind == "update"
    assert evening.table().phase is Phase.BETTING, "nobody waits"
    assert own.text.startswith("### Table 1 · Round 1 · ")
    assert f"Now <@{mei.id}> reveals…" in own.text
    assert not any(told in own.text for told in ("Round 1: your", "Wallet", "🧾"))
    # What could be bet now would tell who has won.
    assert not any((label or "").startswith(("Bet", "Max", "All in")) for label in labels(own))
    assert (own.gallery()[0].description or "").endswith("\nBank: face down")
    if is_pressed:
        await evening.settle_down()
        assert "receipt 1" not in board.text, "the board beside it tells nothing either"
        await press_own(alice, own, "Refresh")
        assert "Round 1: your" in own.text
        await evening.board_says(board, "🧾 receipt 1")
    await evening.board_says(own, "Round 1: your", "Wallet", "🧾 receipt 1")
    assert own.text.startswith("### Table 1 · <#"), "the result names its round"
    last = evening.last_round()
    bank = hand_alt_text(PicturedHand.face_up(hand_in(last, last)))
    assert re.sub(r"\(\d\)", "", own.gallery()[0].description or "").endswith(f"\nBank: {bank}")


async def dealt_beside_a_panel(evening: Evening) -> tuple[Message, Message, Person, Person, Person]:
    """A board with hands dealt, Alice's panel beside it, Mei who banks, Alice and Bob."""
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    for player in (alice, bob):
        await player.click(board, "5")
    await evening.can_press(own, "Reveal")
    return board, own, mei, alice, bob


async def test_a_result_that_the_board_holds_back_is_shown_there_though_the_next_deal_comes_first(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    own = await evening.panel(alice, board)
    await alice.click(own, "Bet 5")
    await evening.can_press(own, "Reveal")
    await mei.click(board, "Reveal")
    await evening.settle_down()
    # As 15 minutes after the last click on the board, which waits for its budget now.
    table_id = evening.table().table_id
    evening.bot.boards._boards[table_id]._click = None
    evening.bot.boards.refresh(table_id)
    await evening.settle_down()
    await alice.click(own, "Reveal")
    await evening.settle_down()
    assert "receipt 1" not in board.text
    await evening.told_alone(alice, "bet", amount=5)
    await evening.board_says(board, "Round 2", "Showdown")
    edits = [one for one in evening.discord.requests if str(board.id) in one.path]
    assert any("🧾 receipt 1" in str(one.body) for one in edits)


async def test_a_result_that_the_board_holds_back_comes_with_what_was_bet_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    board, own, mei, alice, bob = await dealt_beside_a_panel(evening)
    for person in (mei, bob):
        await person.click(board, "Reveal")
    await alice.click(own, "Reveal")
    await evening.settle_down()
    await evening.told_alone(bob, "bet", amount=20)
    await evening.settle_down()
    assert "receipt 1" not in board.text
    await press_own(alice, own, "Refresh")
    await evening.board_says(board, "🧾 receipt 1", "🪙 **20**")
    bodies = [str(one.body) for one in evening.discord.requests]
    boards = [body for body in bodies if "🧾 receipt 1" in body and "### Table 1" not in body]
    assert boards
    assert all("🪙 **20**" in body for body in boards), "the board is never behind what it waited for"


async def test_a_press_on_the_board_shows_everybody_the_result_there_and_on_panels(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    board, own, mei, alice, bob = await dealt_beside_a_panel(evening)
    await mei.click(board, "Reveal")
    await alice.click(own, "Reveal")
    reveal = f"gnau:{evening.table().table_id}:1:reveal"
    for _ in range(2):
        # What the second, late press asks for has happened: nothing is said of it.
        assert (await bob.press_raw(board, reveal)).kind in ("update", "deferred_update")
        await evening.board_says(board, "🧾 receipt 1")
    await evening.board_says(own, "Round 1: your", "🧾 receipt 1")


async def test_who_reveals_on_the_board_sees_the_result_there_and_their_panel_hides_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "1")
    await evening.can_press(board, "Reveal")
    own = await evening.panel(alice, board)
    for person in (mei, alice):
        await person.click(board, "Reveal")
    await evening.board_says(own, "Round 1: your", "Wallet")


@pytest.mark.thorough
@dealings
async def test_the_bankers_panel_deals_every_round(evening: Evening, dealing: Dealing) -> None:
    deals(evening, dealing)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(mei, board)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    for number in (1, 2):
        for player in (alice, bob):
            await player.click(board, "5")
        if number > 1:
            await evening.board_says(board, "Last call: closes")
            await evening.board_says(own, f"Round {number - 1}: as the banker", "You bank: 2 bets")
            await mei.click(own, "Deal")
        await evening.board_says(board, "Showdown")
        await evening.board_says(own, hand_of(evening, mei))
        await evening.reveal(board, mei, alice, bob)


async def test_a_result_comes_below_the_chat_once_the_banks_hand_is_turned_where_its_member_looks(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.TURN_SECONDS", 60.0)
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 0.1)
    board, own, mei, alice, bob = await dealt_beside_a_panel(evening)
    await alice.click(own, "Why this hand")
    for line in range(FAR_UP + 1):
        await mei.write(evening.channel, f"line {line}")
    for person in (mei, bob):
        await person.click(board, "Reveal")
    await alice.click(own, "Reveal")
    await bob.slash(evening.channel, "bet", amount=5)
    await evening.settle_down()
    assert f"Now <@{mei.id}> reveals…" in own.text
    assert private(alice, board) == [own]
    await press_own(alice, own, "Refresh")
    await bob.slash(evening.channel, "bet", amount=10)
    await evening.until(lambda: not offered(own), "the panel before has no buttons")
    for message in (own, alice.sees(evening.channel)[-1]):
        await evening.board_says(message, "Round 1: your")


@pytest.mark.thorough
async def test_of_two_quick_presses_the_second_has_the_panel_though_it_is_answered_first(
    evening: Evening,
) -> None:
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
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


async def test_t03_a_bankers_panel_deals_at_once_and_takes_limits_for_the_next_round(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 60.0)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(mei, board)
    await alice.click(board, "20")
    await evening.can_press(own, "Deal")
    assert "You bank: 1 bet" in own.text
    form = form_of(await press_own(mei, own, "Set limits…"))
    assert "With 1,000 chips, bets can total 142." in str(form)
    await mei.submit(form, lowest="10", highest="50")
    assert "Your limits from the next round on: 10–50." in own.text
    await bob.click(board, "5")
    await evening.reveal(board, mei, alice, bob)
    bank = evening.table().bank
    assert bank is not None
    assert (bank.lowest, bank.highest) == (10, 50)


async def test_a_form_for_limits_that_are_refused_opens_again_with_them(evening: Evening) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    form = form_of(await mei.click(board, "Take the bank"))
    for wrong in (["5", "1oo"], ["60", "50"]):
        refused = message_of(await mei.submit(form, lowest=wrong[0], highest=wrong[1]))
        form = form_of(await mei.click(refused, "Set limits…"))
        assert [part["component"]["value"] for part in form.components] == wrong
    own = message_of(await mei.submit(form, lowest="10", highest="50"))
    form = form_of(await press_own(mei, own, "Set limits…"))
    refused = message_of(await mei.submit(form, lowest="2o", highest="40"))
    form = form_of(await mei.click(refused, "Set limits…"))
    assert [part["component"]["value"] for part in form.components] == ["2o", "40"]
    await mei.submit(form, lowest="20", highest="40")
    bank = evening.table().bank
    assert bank is not None
    assert (bank.lowest, bank.highest) == (20, 40)


async def test_a_panel_says_what_allows_no_larger_bet(evening: Evening) -> None:
    evening.rules = GnauRules(house_highest=100)
    alice = evening.person("Alice")
    for channel in (evening.channel, evening.other_channel):
        board = await evening.open_table(alice, channel)
        await evening.press(alice, board, "Play the house")
        own = await evening.panel(alice, board)
        if channel == evening.channel:
            await evening.board_says(own, "100 chips (the house takes no more; a member who banks may).")
            form = form_of(await alice.click(board, "Other…"))
            too_high = said(await alice.submit(form, amount="101"))
            assert too_high.endswith("101 is too high. The house takes no more; a member who banks may.")
            await alice.click(own, "Max: 100")
    await evening.board_says(own, f"42 chips (700 are in play in <#{evening.channel.id}>).")
    form = form_of(await alice.click(board, "Other…"))
    assert "Your maximum bet is 42" in said(await alice.submit(form, amount="100"))


async def test_a_panel_shows_what_a_gift_daily_chips_or_another_bankroll_change(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    admin = evening.person("Dora", manage_server=True)
    board = await evening.open_table(alice)
    await evening.press(alice, board, "Join")
    await evening.press(alice, board, "Play the house")
    own = await evening.panel(alice, board)
    assert own.button("All in: bet 142, risk 994") is not None
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
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    await evening.board_says(own, "Press **Refresh**")
    assert [button.label for button in own.buttons()] == ["Refresh"]
    await bob.click(board, "20")
    monkeypatch.undo()
    await press_own(alice, own, "Refresh")
    await alice.click(own, "Bet 5")
    await evening.board_says(own, hand_of(evening, alice))


@pytest.mark.thorough
async def test_a_panel_that_was_pressed_since_its_first_token_ended_goes_when_another_takes_its_place(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, _, (alice, _) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    assert own.interaction is not None
    first = own.interaction.interaction_id
    await alice.click(own, "Bet 5")
    monkeypatch.setattr("bot.ui.press.arrivals.token_lives", lambda interaction: interaction.id != first)
    newer = await evening.panel(alice, board)
    await evening.until(lambda: private(alice, board) == [newer], "the one before is gone")


async def test_who_uses_a_panel_gets_no_message_until_discord_takes_no_edit_of_it(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own = await evening.panel(alice, board)
    for number in (1, 2):
        await bob.click(board, "5")
        await evening.can_press(own, "Bet 5")
        # Her bet deals.
        await alice.click(own, "Bet 5")
        await evening.have_cards(bob, rounds=number)
        await evening.board_says(own, hand_of(evening, alice))
        assert not alice.sees(alice.dm())
        if number == 2:
            # That is what happens before its token ends: the hand in front of her comes by message after all.
            panels, party = evening.bot.panels, evening.party(alice)
            (hers,) = (panel for (whose, _), panel in panels._of(evening.table()).items() if whose == party)
            panels._let_rest(hers)
            await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message")
        await evening.reveal(board, mei, alice, bob)


@pytest.mark.parametrize("was_used", sample([False, True]))
async def test_who_has_put_a_panel_away_gets_the_next_hand_by_message(
    evening: Evening, was_used: bool
) -> None:
    """Discord takes edits of a panel that its member has dismissed, or that their client has forgotten."""
    evening.expect_haste()
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
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
    await evening.can_press(board, "Reveal")
    evening.bot.delivery._send_to_absent(evening.table().table_id, evening.table().round_number)
    await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message")
    # A great hand is a headline, in capitals.
    assert hand_of(evening, alice) in alice.sees(alice.dm())[0].text
    await evening.reveal(board, mei, alice, bob)


async def test_who_has_put_a_panel_away_before_the_deal_gets_that_hand_by_message_a_little_later(
    evening: Evening,
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    panels = {player: await evening.panel(player, board) for player in (alice, bob)}
    for player, own in panels.items():
        await player.click(own, "Bet 5")
    await alice.dismiss(panels[alice])
    await evening.can_press(panels[bob], "Reveal")
    await press_own(bob, panels[bob], "Refresh")
    assert not alice.sees(alice.dm())
    # That is what happens a while after the deal.
    evening.bot.delivery._send_to_absent(evening.table().table_id, 1)
    await evening.until(lambda: alice.sees(alice.dm()), "the hand comes by message")
    # A great hand is a headline, in capitals.
    assert hand_of(evening, alice) in alice.sees(alice.dm())[0].text
    assert "in case you no longer see your panel in" in alice.sees(alice.dm())[0].text
    await evening.reveal(board, mei, alice, bob)
    assert not bob.sees(bob.dm()), "Bob has pressed something since the deal"


async def test_of_two_panels_in_direct_messages_only_the_one_pressed_last_has_the_buttons_of_a_seat(
    evening: Evening,
) -> None:
    _, _, (alice, _) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    first, second = [message_of(await alice.slash(alice.dm(), "hand")) for _ in range(2)]
    await evening.until(lambda: labels(first) == ["Refresh"], "the older panel rests")
    await press_own(alice, first, "Refresh")
    assert "Leave the table" in offered(first)
    await evening.until(lambda: labels(second) == ["Refresh"], "the other panel rests")
    await press_own(alice, first, "Leave the table")
    assert "Leave the table" not in offered(first)
    assert labels(second) == ["Refresh"]


@pytest.mark.parametrize("celebrates", [True, False])
async def test_a_panel_tells_what_its_member_achieved_once_it_is_counted_and_what_a_closed_table_brought(
    evening: Evening, celebrates: bool
) -> None:
    evening.chip_settings = {"celebrations": celebrates}
    # Somebody wins, for the first time.
    evening.rules = NiuNiuRules(niu_ties=NiuTies.BANKER, last_call_seconds=0)
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10, game="niu-niu")
    panels = {person: await evening.panel(person, board) for person in (mei, alice)}
    await alice.click(board, "5")
    await evening.can_press(board, "Reveal")
    await evening.reveal(board, mei, alice)
    for own in panels.values():
        await evening.board_says(own, "Round 1:")
    winner, loser = sorted(panels, key=lambda one: -dict(evening.last_round().gains)[evening.party(one)])
    if celebrates:
        await evening.board_says(panels[winner], "🏅 ", "First Moo")
    await evening.counted()
    await mei.slash(board.channel, "table close")
    await evening.board_says(
        panels[winner], "At this table, your 1 round brought you **+", "You are the top winner!"
    )
    await evening.board_says(panels[loser], "round brought you **−", f"Top winner: <@{winner.id}>")
    assert [("🏅 " in panels[one].text) for one in (winner, loser)] == [celebrates, False]


async def test_a_panel_says_that_its_member_has_left_until_they_are_back(evening: Evening) -> None:
    board, mei, (alice, _) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    own, banks = await evening.panel(alice, board), await evening.panel(mei, board)
    await press_own(alice, own, "Leave the table")
    left = "You have left the table. To sit down again, pick an amount or press **Join**."
    assert left in own.text
    assert "Your bet is back" not in own.text
    await alice.click(board, "5")
    own = await evening.panel(alice, board)
    await press_own(alice, own, "Leave the table")
    assert f"{left}\nYour bet is back: 5 chips." in own.text
    await alice.click(own, "Join")
    assert "left the table" not in own.text
    await alice.click(board, "5")
    await evening.board_says(banks, "held")
    menu = banks.select(MENU)
    assert menu is not None
    (gives_up,) = (option for option in menu.options if option.label == "Give up the bank")
    assert gives_up.description == "Bets go back; you stay, if a seat is free"
    await press_own(mei, banks, "Give up the bank")
    assert f"You now have seat 3. These bets go back: <@{alice.id}> (5)." in banks.text
    assert {"Take the bank", "Leave the table"} <= offered(banks)
    form = form_of(await evening.press(alice, board, "Take the bank"))
    await alice.submit(form, lowest="5", highest="10")
    await evening.can_press(banks, "Bet 5")
    await mei.click(banks, "Bet 5")
    await mei.press_raw(banks, f"gnau:{evening.table().table_id}:0:give_up")
    assert "You have bet" in banks.text
    assert "go back" not in banks.text, "her bet stays"


@pytest.mark.thorough
async def test_the_panel_for_side_bets_follows_the_table_and_offers_nothing_that_is_refused(
    evening: Evening,
) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    zed = evening.person("Zed")
    await alice.click(board, "5")
    own = await evening.back(zed, board, alice, 5)
    assert f"You back <@{alice.id}> with **5 chips**" in own.text
    await bob.click(board, "5")
    await evening.board_says(own, "Hands are dealt", f"You back <@{alice.id}>")
    assert labels(own) == ["My panel"]
    assert own.select("Whose hand do you back?") is None
    await evening.reveal(board, mei, alice, bob)
    await evening.board_says(own, f"you backed <@{alice.id}>: ")
    assert f"You back <@{alice.id}>" not in own.text
    await alice.click(board, "5")
    await evening.can_press(own, "Other…")
    assert "\n🪙 Betting closes when everybody has bet" in own.text
    await evening.press(zed, board, "Join")
    await evening.until(lambda: "Side bets · " not in own.text, "who sits down has their panel again")


async def test_a_choice_resets_its_menu(evening: Evening) -> None:
    """Discord's client keeps showing the last choice and doesn't let the member pick it again."""
    board, (mei, alice) = await evening.table_of("Mei", "Alice")

    def menu_id(message: Message) -> str:
        menu = message.select(MENU)
        assert menu is not None
        return menu.custom_id

    first = menu_id(board)
    for uses, choice in enumerate(("rules", "hand", "rules"), start=1):
        said(await in_menu(alice, board, choice))
        new = f"{first}:{uses}"
        await evening.until(lambda: menu_id(board) == new, "the menu is reset")  # noqa: B023 - at once
    own = await evening.panel(mei, board)
    before = menu_id(own)
    assert (await in_menu(mei, own, "give_up")).kind == "update"
    assert menu_id(own) != before, "the answer itself resets the menu"


async def test_a_refusal_offers_what_works_and_then_becomes_the_panel(evening: Evening) -> None:
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", highest=200)
    await evening.press(bob, board, "Join")
    before = await evening.panel(alice, board)
    refused = await evening.told_alone(alice, "bet", amount=150)
    assert refused.text.startswith("Your maximum bet is 142")
    assert labels(refused) == ["All in: bet 142, risk 994", "Other…"]
    await alice.click(refused, "All in: bet 142, risk 994")
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
    panel = await evening.panel(alice, board)
    await evening.until(lambda: private(alice, board) == [panel], "the next press leaves the panel alone")
    said(await alice.submit(form, amount="none"))
    await press_own(alice, panel, "Bet 5")
    await evening.until(lambda: private(alice, board) == [panel], "so does a press on the panel")
    page = message_of(await in_menu(alice, panel, "wallet"))
    assert (await alice.click(page, "My ledger")).kind == "update"
    assert private(alice, board) == [panel, page], "a page takes the place of the page"
