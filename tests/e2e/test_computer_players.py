"""Computer players at the real bot's tables: both games, for chips and points, however hands are dealt."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest

from bot.practice.players import AT_ONCE, ComputerPlayer, Habit
from bot.rules.hands import evaluate
from bot.rules.knobs import Arrange, Dealing
from bot.table.arranging import hand_of
from bot.table.state import PlayerResult, RoundResult
from tests.e2e.evening import Evening

NAMES = ("Ah Beng", "Siti", "Kumar")


@asynccontextmanager
async def playing(evening: Evening, own_three: float = 0.5) -> AsyncIterator[None]:
    """Three who play, the first of whom banks, and one who watches; seated one a little after the other."""
    players = [
        ComputerPlayer(
            evening.person(name),
            replace(AT_ONCE, bank=0.3 * at, roll=0.3 * at, bet=0.15 * at, own_three=own_three),
            habit=Habit.BANKS,
            chance=Random(at),
        )
        for at, name in enumerate(NAMES)
    ]
    players.append(ComputerPlayer(evening.person("Rosnah"), AT_ONCE, habit=Habit.WATCHES))
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        yield
    finally:
        assert not [task for task in tasks if task.done()], "a computer player stopped"
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await evening.settle_down()


def hands_in(result: RoundResult) -> list[RoundResult | PlayerResult]:
    """Where a round's hands stand: the banker's, then the players'."""
    return [result, *result.players]


async def results(evening: Evening, rounds: int) -> list[RoundResult]:
    """Waits until so many rounds were played; gives how each ended."""
    found = []
    for number in range(1, rounds + 1):

        def over(number: int = number) -> RoundResult | None:
            last = evening.table().last
            return last if last is not None and last.round_number >= number else None

        await evening.until(over, f"round {number} is over")
        last = over()
        assert last is not None
        found.append(last)
    return found


@pytest.mark.parametrize("dealing", Dealing)
@pytest.mark.parametrize("arrange", [Arrange.ASSISTED, Arrange.STRICT])
async def test_they_arrange_their_hands_and_never_the_worse_for_it(
    evening: Evening, arrange: Arrange, dealing: Dealing
) -> None:
    evening.rules = evening.rules.model_copy(update={"arrange": arrange, "dealing": dealing})
    await evening.open_table(evening.person("Human"), game="tau-ngau")
    async with playing(evening, own_three=0):
        ended = await results(evening, 3)
    for result in ended:
        assert len(result.players) == 2
        for place in hands_in(result):
            best = evaluate(place.pieces, result.rules)
            assert hand_of(place.pieces, place.three, result.rules).strength == best.strength
            if best.ox:
                assert place.three is not None, "it was arranged, and not only turned up"


async def test_three_of_their_own_stand_only_where_they_are_an_ox(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"arrange": Arrange.STRICT})
    await evening.open_table(evening.person("Human"))
    async with playing(evening, own_three=1):
        ended = await results(evening, 4)
    for result in ended:
        for place in hands_in(result):
            hand = hand_of(place.pieces, place.three, result.rules)
            assert bool(hand.ox) or evaluate(place.pieces, result.rules).strength == hand.strength


async def test_dice_a_passing_bank_and_side_bets_among_themselves(evening: Evening) -> None:
    await evening.open_table(evening.person("Human"), game="tau-ngau")
    async with playing(evening):
        ended = await results(evening, 6)
    assert any(result.side_bets for result in ended)
    assert len({result.banker.member_id for result in ended}) > 1
    everybody = [person for person in evening.discord.persons.values() if person.name != "Human"]
    assert sum((await evening.chips(*everybody)).values()) == 1000 * len(everybody)


@pytest.mark.parametrize("game", ["gnau", "tau-ngau"])
async def test_they_play_for_points(evening: Evening, game: str) -> None:
    await evening.open_table(evening.person("Human"), game=game, play="points")
    async with playing(evening):
        ended = await results(evening, 4)
    assert all(len(result.players) == 2 for result in ended)
    board = await evening.bot.croupier.ledger.scoreboard(evening.server.id, 10)
    assert sum(one.points for one in board) == 0
