"""After a press, the board's menu is reset and an open panel shows the new bets."""

import pytest

from bot.practice.component_tree import Select
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.evening import Evening, taken
from tests.e2e.seated_tables import form_of, in_menu, open_game, said


def menu_of(board: Message) -> Select:
    """The menu "More…" of a board."""
    menu = board.select("More…")
    assert menu is not None
    return menu


async def with_bank(evening: Evening, mei: Person) -> Message:
    board = await open_game(evening, mei)
    assert taken(await evening.take_bank(mei, board))
    return board


@pytest.mark.thorough
@pytest.mark.parametrize("choice", ["rules", "hand"])
async def test_a_choice_with_a_private_reply_resets_the_menu(evening: Evening, choice: str) -> None:
    """Discord's client keeps showing the last choice and doesn't let the member pick it again."""
    alice, mei = evening.persons("Alice", "Mei")
    board = await with_bank(evening, mei)
    first = menu_of(board).custom_id
    for uses in (1, 2):
        said(await in_menu(alice, board, choice))
        new = f"{first}:{uses}"
        await evening.until(lambda: menu_of(board).custom_id == new, "the menu is reset")  # noqa: B023 - at once


async def test_a_refusal_replaces_the_one_before_it(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await with_bank(evening, mei)
    panel = await evening.panel(alice, board)
    for _ in range(4):
        form = form_of(await alice.click(board, "Other…"))
        said(await alice.submit(form, amount="none"))

    def private() -> list[Message]:
        return [one for one in alice.sees(evening.channel) if one.ephemeral]

    await evening.until(lambda: len(private()) == 2, "three of the four refusals are gone")
    assert private()[0] is panel, "a refusal leaves the panel alone"
    await evening.panel(alice, board)
    await evening.until(lambda: panel not in private(), "a panel replaces the panel before it")
    assert len(private()) == 2
