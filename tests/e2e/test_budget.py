"""How many of the bot's 50 requests a second a full table costs."""

import asyncio
from dataclasses import dataclass

import pytest

from bot.games.register import GAMES
from bot.rules.knobs import Arrange, Dealing
from bot.table.state import Phase
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening


@dataclass(frozen=True)
class Table:
    """A full table of a game.

    Attributes:
        most: the most requests for a round, beside the results in messages with hands, which can wait.
        dms_open: whether members take direct messages.
        backers: how many spectators back a player.
    """

    game: str
    people: int
    dealing: Dealing
    most: int
    arrange: Arrange = Arrange.AUTOMATIC
    dms_open: bool = True
    backers: int = 0


TABLES = [
    pytest.param(Table("gnau", 8, Dealing.MESSAGES, 10), id="gnau"),
    *(
        pytest.param(table, id=name, marks=pytest.mark.thorough)
        for name, table in {
            "t02 tau-ngau": Table("tau-ngau", 6, Dealing.MESSAGES, 8),
            "closed messages": Table("gnau", 8, Dealing.MESSAGES, 2, dms_open=False),
            "arranged behind my hand": Table("gnau", 8, Dealing.MY_HAND, 2, Arrange.ASSISTED),
            "tau-ngau with backers": Table("tau-ngau", 6, Dealing.MY_HAND, 2, Arrange.ASSISTED, backers=6),
        }.items()
    ),
]


@pytest.mark.parametrize("table", TABLES)
async def test_a_round_costs_few_requests(evening: Evening, table: Table) -> None:
    # A spectator's second view may replace the first while that is being edited.
    evening.expect_fault(403, 404)
    update = {"dealing": table.dealing, "arrange": table.arrange}
    evening.rules = (
        GAMES[table.game].rules(last_call_seconds=60, arranging_seconds=60).model_copy(update=update)
    )
    people = evening.persons(*(f"Player {number}" for number in range(1, table.people + 1)))
    backers = evening.persons(*(f"Spectator {number}" for number in range(1, table.backers + 1)))
    for person in people:
        person.user.dms_open = table.dms_open
    board = await evening.open_table(people[0], game=table.game)
    if GAMES[table.game].rolls_for_bank:
        await evening.roll_dice(board, *people[:-1])
        await evening.press(people[-1], board, "Join")
    else:
        await evening.take_bank(people[0], board, 1, 10)
        await asyncio.gather(*(evening.press(player, board, "Join") for player in people[1:]))
    for number in (1, 2):
        since = len(evening.discord.requests)
        banker, players = evening.banker_and_players()
        await asyncio.gather(*(player.click(board, "1") for player in players))
        for backer in backers:
            await evening.can_press(board, "Back a player")
            view = message_of(await backer.click(board, "Back a player"))
            await backer.choose(view, "Whose hand do you back?", str(evening.party(players[0])))
            await backer.click(view, "5")
        await evening.press(banker, board, "Deal")
        await evening.board_says(board, "Showdown")
        if table.most > 2:
            await evening.have_cards(*people, rounds=number)
            await asyncio.gather(*(person.click(board, "Reveal") for person in people))
        else:
            for person in people:
                own = message_of(await person.click(board, "My hand"))
                if table.arrange is not Arrange.AUTOMATIC:
                    await person.click(own, "Arrange it for me")
                await person.click(own, "Reveal")
        await evening.board_says(board, f"-# 🧾 receipt {number}")
    results = evening.results_of_hands(since, *people)
    budgeted = [request for request in evening.budgeted(since) if request not in results]
    assert len(budgeted) <= table.most, [(request.method, request.route) for request in budgeted]


@pytest.mark.thorough
async def test_eight_hands_played_only_in_direct_messages_cost_at_most_ten_requests(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a slow machine a phase may last longer than the pause between two edits of its board.
    monkeypatch.setattr("bot.ui.board.message.BUDGET_SECONDS", 600.0)
    board, people = await evening.table_of("Mei", *(f"Player {number}" for number in range(1, 8)), lowest=1)
    for person in people[1:]:
        await evening.press(person, board, "Join")
    for person in people[1:]:
        await person.click(board, "1")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    # A hand that would come after its round is not sent.
    await evening.have_cards(*people)
    await evening.reveal(board, *people)
    evening.discord.limits.token_seconds = 0.0
    evening.expect_fault(401)
    since = len(evening.discord.requests)
    for person in people[1:]:
        own = person.sees(person.dm())[-1]
        await evening.can_press(own, "Bet 1")
        await person.click(own, "Bet 1")
        await asyncio.sleep(0.3)
    await evening.have_cards(*people, rounds=2)
    for person in people:
        await person.click(person.sees(person.dm())[-1], "Reveal")
        await asyncio.sleep(0.3)
    await evening.board_says(board, "-# 🧾 receipt 2")
    results = evening.results_of_hands(since, *people)
    budgeted = [one for one in evening.budgeted(since) if one not in results]
    assert len(budgeted) <= 10, [(request.method, request.route) for request in budgeted]
    assert len(results) <= 2 * len(people), "after each showdown, a hand's message gets its result once"
