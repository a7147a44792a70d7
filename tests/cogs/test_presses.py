"""Presses from the wrong place or with no value are refused; all others keep messages up to date."""

from dataclasses import replace

import pytest

from bot.practice.component_tree import Select
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.cogs.sittings import in_menu, open_game, said
from tests.e2e.evening import Evening, taken


def menu_of(board: Message) -> Select:
    """The menu "More…" of a board."""
    menu = board.select("More…")
    assert menu is not None
    return menu


async def with_bank(evening: Evening, mei: Person) -> Message:
    board = await open_game(evening, mei)
    assert taken(await evening.take_bank(mei, board))
    return board


async def test_a_press_from_another_server_is_refused(evening: Evening) -> None:
    mei = evening.person("Mei")
    await with_bank(evening, mei)
    elsewhere = evening.discord.add_server("Elsewhere")
    channel = evening.discord.add_channel(elsewhere, "table-three")
    zed = evening.discord.add_person("Zed", [evening.server, elsewhere])
    there = await evening.open_table(zed, channel)
    table = evening.table()
    for action in ("join", "bet:20", "hand"):
        reply = await zed.press_raw(there, f"gnau:{table.table_id}:0:{action}")
        assert "in another server" in said(reply), action
    assert evening.table() == table


async def test_a_press_in_a_direct_message_works_only_for_members_at_the_table(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await with_bank(evening, mei)
    await alice.click(board, "Join")
    own = (await alice.slash(alice.dm(), "hand")).message
    assert own is not None
    await in_menu(alice, board, "leave")
    for action in ("join", "bet:20", "hand", "bank"):
        reply = await alice.press_raw(own, f"gnau:{evening.table().table_id}:0:{action}")
        assert "You are not at that table any more" in said(reply), action
    assert not evening.table().seats


async def test_a_modal_without_its_field_is_refused(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await with_bank(evening, mei)
    form = (await alice.click(board, "Other amount…")).modal
    assert form is not None
    assert "without its fields" in said(await alice.submit(replace(form, components=[])))
    assert not evening.table().bets


@pytest.mark.parametrize("choice", ["rules", "withdraw"])
async def test_a_choice_with_a_private_reply_resets_the_menu(evening: Evening, choice: str) -> None:
    """Discord's client keeps showing the last choice and doesn't let the member pick it again."""
    alice, mei = evening.persons("Alice", "Mei")
    board = await with_bank(evening, mei)
    first = menu_of(board).custom_id
    for uses in (1, 2):
        said(await in_menu(alice, board, choice))
        new = f"{first}:{uses}"
        await evening.until(lambda: menu_of(board).custom_id == new, "the menu is reset")  # noqa: B023 - at once


async def test_the_bankers_open_panel_counts_the_bets(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await with_bank(evening, mei)
    own = (await mei.click(board, "My hand")).message
    assert own is not None
    assert "0 players have bet" in own.text
    await bob.click(board, "Join")
    for stake in ("20", "50"):
        await alice.click(board, stake)
        await evening.board_says(own, f"1 player has bet, {stake} chips")
    await in_menu(alice, board, "withdraw")
    await evening.board_says(own, "0 players have bet")
