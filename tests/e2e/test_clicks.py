"""Clicks as people make them: twice, late, on yesterday's board, on other people's buttons."""

import asyncio

import pytest

from bot.practice.component_tree import Kind
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Arrange
from bot.table.state import Phase
from bot.ui.press.custom_ids import Press, PressAction
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import form_of, id_of, message_of
from tests.sizes import sample


async def twice(person: Person, message: Message, button: str) -> tuple[str, str]:
    """Sends two clicks before either gets a reply; returns how the bot replied to each."""
    pressed = id_of(message, button)
    first, second = await asyncio.gather(
        person.press_raw(message, pressed), person.press_raw(message, pressed)
    )
    return first.kind, second.kind


async def test_a_double_click_on_every_button_of_a_board_happens_once(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await evening.open_table(mei)
    kinds = [await twice(alice, board, "Join")]
    await evening.take_bank(mei, board)
    assert [seat.party for seat in evening.table().seats] == [evening.party(alice)]
    await evening.press(bob, board, "Join")
    for button in ("20", "100", "Other…", "Again"):
        kinds += [await twice(alice, board, button)]
    own = await evening.panel(alice, board)
    for button in ("Take my bet back", "Sit out", "Refresh"):
        await evening.can_press(own, button)
        kinds += [await twice(alice, own, button)]
    kinds.append(await twice(alice, board, "100"))
    assert evening.table().staked == 100
    kinds.append(await twice(mei, await evening.panel(mei, board), "Deal"))
    assert evening.table().phase is Phase.DEALT
    assert len(evening.table().pieces_of(evening.party(alice))) == 5
    await evening.can_press(board, "Reveal")
    kinds.append(await twice(alice, board, "Reveal"))
    kinds.append(await twice(mei, board, "Reveal"))
    await evening.board_says(board, "-# 🧾 1")
    assert evening.table().round_number == 2
    kinds.append(await twice(mei, await evening.panel(mei, board), "Give up the bank"))
    await evening.can_press(board, "Take the bank")
    kinds.append(await twice(mei, board, "Take the bank"))
    assert all(kind != "failed" for pair in kinds for kind in pair), kinds
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


@pytest.mark.thorough
async def test_a_double_click_on_every_button_of_a_board_of_tau_ngau_happens_once(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"arrange": Arrange.ASSISTED})
    people, zed = evening.persons("Alice", "Bob", "Mei"), evening.person("Zed")
    board = await evening.open_table(people[0], game="tau-ngau")
    kinds = [await twice(person, board, "Join") for person in people]
    kinds.append(await twice(people[0], board, "Roll for the bank"))
    assert len({throw.party for throw in evening.table().throws}) == 3
    banker, (first, second) = evening.banker_and_players()
    kinds.append(await twice(banker, await evening.panel(banker, board), "Set limits…"))
    kinds.append(await twice(first, board, "20"))
    kinds.append(await twice(zed, board, "Side bet…"))
    own = await evening.back(zed, board, first, 10)
    kinds.append(await twice(zed, own, "20"))
    assert [side.stake for side in evening.table().side_bets] == [20]
    kinds.append(await twice(zed, own, "Take it back"))
    assert not evening.table().side_bets
    kinds.append(await twice(second, board, "20"))
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the tiles are dealt")
    await evening.can_press(board, "Reveal")
    mine = message_of(await first.click(board, "My hand"))
    kinds.append(await twice(first, mine, "Arrange it for me"))
    await evening.can_press(mine, "Why this hand")
    kinds.append(await twice(first, mine, "Why this hand"))
    kinds += [await twice(person, board, "Reveal") for person in (first, second, banker)]
    await evening.board_says(board, "-# 🧾 1")
    assert evening.table().round_number == 2
    assert all(kind != "failed" for pair in kinds for kind in pair), kinds
    assert sum((await evening.chips(zed, *people)).values()) == 4000


@pytest.mark.thorough
async def test_a_double_click_on_every_button_of_a_direct_message_happens_once(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await alice.click(board, "20")
    await evening.until(lambda: alice.sees(alice.dm()), "Alice has her cards")
    own = alice.sees(alice.dm())[0]
    await twice(alice, own, "Reveal")
    await twice(mei, board, "Reveal")
    await evening.until(lambda: evening.table().round_number == 2, "the next round opened")
    await evening.press(bob, board, "Join")
    for button in ("Bet 20", "Take my bet back", "Sit out"):
        await evening.can_press(own, button)
        kinds = await twice(alice, own, button)
        assert "failed" not in kinds
    assert evening.table().staked == 0
    await alice.click(own, "Bet 20")
    assert evening.table().staked == 20
    assert evening.table().round_number == 2
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


@pytest.mark.thorough
async def test_the_second_of_two_submitted_modals_hears_that_the_bank_is_taken(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    forms = [(await person.click(board, "Take the bank")).modal for person in (alice, mei)]
    replies = await asyncio.gather(
        *(person.submit(form) for person, form in zip((alice, mei), forms, strict=True) if form)
    )
    refused = [reply.message.text for reply in replies if reply.message and reply.message.ephemeral]
    assert len(refused) == 1
    assert "bank" in refused[0]


async def test_a_click_on_the_board_of_a_closed_table_is_refused(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    join = id_of(board, "Join")
    await mei.slash(evening.channel, "table close")
    await evening.board_says(board, "This table is closed")
    answer = message_of(await alice.press_raw(board, join))
    assert "/table open" in answer.text


@pytest.mark.thorough
async def test_a_click_on_an_old_board_after_a_restart_still_counts(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.stop_bot()
    evening.discord.world.advance_clock(24 * 60 * 60)
    await evening.start_bot()
    reply = await alice.click(board, "20")
    assert reply.kind != "failed"
    await evening.until(lambda: evening.table().staked == 20, "the bet stands")


@pytest.mark.thorough
async def test_a_bet_button_of_an_earlier_round_does_not_bet_now(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    stale = id_of(board, "100")
    await alice.click(board, "20")
    await evening.board_says(board, "Showdown")
    for person in (alice, mei):
        await person.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    answer = message_of(await alice.press_raw(board, stale))
    assert answer.ephemeral
    assert evening.table().staked == 0


@pytest.mark.parametrize("amount", sample(["none", "-5", "0", "1.5", "99999999999999"]))
async def test_a_wrong_amount_gets_a_clear_sentence(evening: Evening, amount: str) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    form = form_of(await alice.click(board, "Other…"))
    answer = message_of(await alice.submit(form, amount=amount))
    assert answer.ephemeral
    assert amount in answer.text
    assert "whole number" in answer.text
    assert evening.table().staked == 0


async def test_other_amount_says_why_no_bet_is_possible(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    answer = message_of(await mei.click(board, "Other…"))
    assert "You can't do this as the banker" in answer.text
    table_id = evening.table().table_id
    answer = message_of(await alice.press_raw(board, Press(PressAction.OTHER_BET, table_id, 7).custom_id))
    assert "round 7" in answer.text


async def test_a_refused_bet_says_the_maximum_bet(evening: Evening) -> None:
    _, (_, alice) = await evening.table_of("Mei", "Alice", lowest=5, highest=500)
    answer = message_of(await alice.slash(evening.channel, "bet", amount=400))
    assert answer.ephemeral
    assert "142" in answer.text
    await alice.slash(evening.channel, "bet", amount=142)
    assert evening.table().staked == 142


@pytest.mark.thorough
async def test_a_menu_choice_leaves_the_table(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    await evening.press(alice, board, "Join")
    await evening.press(alice, board, "Leave the table")
    assert not evening.table().seats
    answer = message_of(await alice.choose(board, "More…", "rules"))
    assert "Five Dukes" in answer.text


async def test_a_forged_press_gets_a_clear_refusal_and_changes_nothing(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    before = evening.table()
    outdated, closed, nothing = "from an older version", "That table is closed", "You picked nothing"
    for forged, as_button, as_menu in (
        ("gnau:1:1:join", closed, outdated),
        ("gnau:x:1:join", outdated, outdated),
        (f"gnau:{before.table_id}:1:rob", outdated, outdated),
        (f"gnau:{before.table_id}:1:bet_modal", outdated, outdated),
        ("other", outdated, outdated),
        ("gnau:1:0:more", outdated, nothing),
    ):
        for kind, sentence in ((Kind.BUTTON, as_button), (Kind.STRING_SELECT, as_menu)):
            reply = await alice.press_raw(board, forged, kind=kind)
            assert reply.message is not None, (forged, kind)
            assert reply.message.ephemeral
            assert sentence in reply.message.text
    assert evening.table() == before


async def test_the_same_event_twice_happens_once(evening: Evening) -> None:
    evening.expect_fault(400)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    evening.discord.faults.duplicate("INTERACTION_CREATE")
    await alice.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "dealt")
    await evening.board_says(board, "Showdown")
    assert evening.table().round_number == 1
