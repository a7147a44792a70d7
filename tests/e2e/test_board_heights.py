"""How tall a board is on a phone, in every phase of every game: measured in a browser at 390 px."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.evening import Evening
from tests.e2e.phone import NEEDS_CHROMIUM, Phone, evening_on_a_phone
from tests.e2e.test_computer_players import alone_with_computers

pytestmark = [pytest.mark.thorough, NEEDS_CHROMIUM]

WITH_RESULT = 760
"""The most pixels of a board of four with the last result."""
WITHOUT_RESULT = 480
"""The most pixels of a board of four without a picture."""
SEATS = 4


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[tuple[Evening, Page]]:
    async with evening_on_a_phone(tmp_path / "gnau.db") as both:
        yield both


async def begin(evening: Evening, phone: Phone, game: str) -> tuple[Message, Person, list[Person]]:
    """A table where a banker and four players sit, measured before it has a banker."""
    people = evening.persons("Alexander", "Bernadette", "Chandra", "Dominique", "Mei")
    board = await evening.open_table(people[-1], game=game)
    for player in people[:-1]:
        await evening.press(player, board, "Join")
    if not evening.table().game.rolls_for_bank:
        await phone.measure(board, "open")
        await evening.take_bank(people[-1], board)
        return board, people[-1], people[:-1]
    await evening.press(people[-1], board, "Join")
    await evening.can_press(board, "Roll for the bank")
    await phone.measure(board, "open")
    await people[0].click(board, "Roll for the bank")
    banker, players = evening.banker_and_players()
    return board, banker, players


@pytest.mark.parametrize("game", GAMES)
async def test_b07_a_board_of_a_banker_and_three_computer_players_fits_a_phone(
    discord: tuple[Evening, Page], game: str
) -> None:
    evening, page = discord
    evening.rules = GAMES[game].rules(last_call_seconds=60, computer_players=3)
    phone = Phone(evening, page, f"{game}-computers")
    board, banker = await alone_with_computers(evening, game)
    await phone.measure(board, "betting")
    await evening.press(banker, board, "Deal")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt")
    await evening.reveal(board, banker)
    await phone.measure(board, "result-betting")
    within(phone)


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_of_four_fits_a_phone(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    evening.rules = GAMES[game].rules(last_call_seconds=0)
    phone = Phone(evening, page, game)
    board, banker, players = await begin(evening, phone, game)
    await phone.measure(board, "betting-first")
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "betting")
    await players[-1].click(board, "5")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt")
    for player in players:
        await player.click(board, "Reveal")
    await phone.measure(board, "revealed")
    await banker.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 1")
    await phone.measure(board, "result")
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "result-betting")
    opener = evening.person_of(evening.table().opener)
    await evening.press(opener, board, "Close the table")
    await evening.can_press(board, "Open again")
    await phone.measure(board, "closed")
    within(phone)


def within(phone: Phone) -> None:
    """Checks that no board was too tall."""
    most = {
        phase: WITH_RESULT if phase.startswith(("result", "closed")) else WITHOUT_RESULT
        for phase in phone.heights
    }
    too_tall = {phase: height for phase, height in phone.heights.items() if height > most[phase]}
    assert not too_tall, phone.heights
