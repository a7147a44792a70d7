"""Clicks as people make them: twice, late, on yesterday's board, on other people's buttons."""

import asyncio

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import Phase
from bot.ui.board import message
from bot.ui.press.custom_ids import Press, PressAction
from tests.e2e.answers import form_of, offered, press_own, said
from tests.e2e.evening import Evening
from tests.gnau_process import until


async def twice(person: Person, message: Message, label: str) -> tuple[str, str]:
    """Presses a button, or picks from a panel's menu, twice before either gets a reply; returns the kinds."""
    # An edit may be on its way.
    await until(lambda: label in offered(message), f"there is {label!r}")
    first, second = await asyncio.gather(*(press_own(person, message, label) for _ in range(2)))
    return first.kind, second.kind


async def test_a_double_click_on_every_button_of_a_board_happens_once(evening: Evening) -> None:
    # Whatever the first round costs her, Alice can bet 100 again.
    evening.rules = evening.rules.model_copy(update={"opening_chips": 10_000})
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
        kinds += [await twice(alice, own, button)]
    kinds.append(await twice(alice, board, "100"))
    assert evening.table().staked == 100
    kinds.append(await twice(mei, await evening.panel(mei, board), "Deal"))
    assert evening.table().phase is Phase.DEALT
    assert len(evening.table().pieces_of(evening.party(alice))) == 5
    await evening.can_press(board, "Reveal")
    kinds.append(await twice(alice, board, "Reveal"))
    kinds.append(await twice(mei, board, "Reveal"))
    await evening.board_says(board, "-# 🧾 receipt 1")
    assert evening.table().round_number == 2
    kinds.append(await twice(alice, board, "Again"))
    assert evening.table().staked == 100
    kinds.append(await twice(alice, await evening.panel(alice, board), "Take my bet back"))
    kinds.append(await twice(mei, await evening.panel(mei, board), "Give up the bank"))
    await evening.can_press(board, "Take the bank")
    kinds.append(await twice(mei, board, "Take the bank"))
    assert all(kind != "failed" for pair in kinds for kind in pair), kinds
    assert sum((await evening.chips(alice, bob, mei)).values()) == 30_000


async def test_a_bet_that_was_aimed_at_the_hands_of_the_round_before_is_not_placed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    monkeypatch.setattr(message, "THUMB_SECONDS", 3600.0)
    await alice.click(board, "10")
    await evening.reveal(board, mei, alice)
    for label in ("10", "Again"):
        assert said(await alice.click(board, label)).startswith("The round has just ended")
    assert not evening.table().staked
    await alice.click(await evening.panel(alice, board), "Bet 10")
    assert evening.last_round().round_number == 1
    assert evening.table().staked == 10


async def test_other_amount_takes_whole_numbers_and_says_why_no_bet_is_possible(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    form = form_of(await alice.click(board, "Other…"))
    for amount in ("none", "-5", "0", "1.5"):
        told = said(await alice.submit(form, amount=amount))
        assert amount in told
        assert "whole number" in told
    assert said(await alice.submit(form, amount="9" * 15)).endswith(" 999,999,999,999,999 is too high.")
    assert evening.table().staked == 0
    assert "You bank, so you can't do that." in said(await mei.click(board, "Other…"))
    outdated = Press(PressAction.OTHER_BET, evening.table().table_id, 7)
    form = form_of(await alice.press_raw(board, outdated.custom_id))
    await alice.submit(form, amount="5")
    assert evening.table().staked == 5, "a form asks for the round that is on"
