"""Clicks as people make them: twice, late, on yesterday's board, on other people's buttons."""

import asyncio

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Arrange
from bot.table.state import Phase
from bot.ui.press.custom_ids import Press, PressAction
from tests.e2e.answers import form_of, id_of, message_of, said
from tests.e2e.evening import Evening
from tests.gnau_process import until


async def twice(person: Person, message: Message, button: str) -> tuple[str, str]:
    """Sends two clicks before either gets a reply; returns how the bot replied to each."""
    # An edit may be on its way.
    await until(lambda: message.button(button), f"there is {button!r}")
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
    for button in ("20", "100", "Other…"):
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
    kinds.append(await twice(alice, board, "Again"))
    assert evening.table().staked == 100
    kinds.append(await twice(alice, await evening.panel(alice, board), "Take my bet back"))
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
    await evening.have_cards(alice)
    (own,) = alice.sees(alice.dm())
    kinds = [await twice(alice, own, "Reveal")]
    await evening.reveal(board, mei)
    await evening.press(bob, board, "Join")
    for button in ("Bet 20", "Take my bet back", "Sit out"):
        await evening.can_press(own, button)
        kinds.append(await twice(alice, own, button))
    assert all(kind != "failed" for pair in kinds for kind in pair), kinds
    assert (evening.table().staked, evening.table().round_number) == (0, 2)
    assert sum((await evening.chips(alice, bob, mei)).values()) == 3000


async def test_a_click_on_the_board_of_a_closed_table_is_refused(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    join = id_of(board, "Join")
    await mei.slash(evening.channel, "table close")
    await evening.board_says(board, "This table is closed")
    assert "/table open" in said(await alice.press_raw(board, join))


async def test_other_amount_takes_whole_numbers_and_says_why_no_bet_is_possible(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    form = form_of(await alice.click(board, "Other…"))
    for amount in ("none", "-5", "0", "1.5", "99999999999999"):
        told = said(await alice.submit(form, amount=amount))
        assert amount in told
        assert "whole number" in told
    assert evening.table().staked == 0
    assert "You can't do this as the banker" in said(await mei.click(board, "Other…"))
    outdated = Press(PressAction.OTHER_BET, evening.table().table_id, 7)
    assert "round 7" in said(await alice.press_raw(board, outdated.custom_id))
