"""Practice players at the real bot's tables: every game, chips and points, every way to deal."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.games.hands import evaluate, hand_of
from bot.games.register import GAMES
from bot.practice.players.board_reader import Board, can_bet_no_more, read_board
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, Habit, Pace, Strategy, TableMemory
from bot.rules.knobs import Arrange, Dealing
from bot.run.practising import practise_rounds
from bot.table.state import RoundResult
from tests.e2e.evening import Evening
from tests.sizes import sample

NAMES = ("Ah Beng", "Siti", "Kumar")
MOST_ROUNDS = 30


@asynccontextmanager
async def playing(evening: Evening, pace: Pace = AT_ONCE) -> AsyncIterator[None]:
    """Three practice players that may bank, and one that watches; they sit down one after another."""
    # They look at a table, and press what is there.
    evening.discord.world.patience = 0.0
    persons, spectator = evening.persons(*NAMES), evening.person("Rosnah")
    practice_players = {person.id for person in (*persons, spectator)}
    players = [
        PracticePlayer(
            person,
            replace(pace, bank=0.3 * at, roll=0.3 * at, bet=0.15 * at),
            habit=Habit.BANKS,
            practice_players=practice_players,
            chance=Random(at),
        )
        for at, person in enumerate(persons)
    ]
    players.append(PracticePlayer(spectator, pace, habit=Habit.WATCHES))
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        yield
    finally:
        assert not [task for task in tasks if task.done()], "a practice player stopped"
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await evening.settle_down()


async def results(evening: Evening, rounds: int, since: int = 0) -> list[RoundResult]:
    """Waits until this number of rounds is over after the round `since`; returns the result of each."""
    found = []
    for number in range(since + 1, since + rounds + 1):

        def over(number: int = number) -> RoundResult | None:
            last = evening.table().last
            return last if last is not None and last.round_number >= number else None

        await evening.until(over, f"round {number} is over")
        last = over()
        assert last is not None
        found.append(last)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("dealing", sample(Dealing))
@pytest.mark.parametrize("own_three", sample([0, 1], 2))
@pytest.mark.parametrize("arrange", sample([Arrange.ASSISTED, Arrange.STRICT]))
async def test_they_never_make_a_hand_worse_by_arranging_it_unless_by_an_ox_of_their_own(
    evening: Evening, arrange: Arrange, dealing: Dealing, own_three: int
) -> None:
    evening.rules = evening.rules.model_copy(update={"arrange": arrange, "dealing": dealing})
    await evening.open_table(evening.person("Human"), game="tau-ngau")
    async with playing(evening, replace(AT_ONCE, chance_of_own_three=own_three, bet_before_humans=0.2)):
        ended = await results(evening, 3)
    for result in ended:
        assert len(result.players) == 2
        for place in (result, *result.players):
            best = evaluate(place.pieces, result.rules)
            hand = hand_of(place.pieces, place.declared_ox, result.rules)
            assert hand.strength == best.strength or (own_three and hand.ox)
            if best.ox and (own_three or arrange is Arrange.ASSISTED):
                assert place.declared_ox is not None, "it should be arranged before it is revealed"


@pytest.mark.thorough
async def test_they_roll_dice_pass_the_bank_and_back_each_other(evening: Evening) -> None:
    await evening.open_table(evening.person("Human"), game="tau-ngau")

    def backed() -> bool:
        return any(result.side_bets for result in ended)

    evening.expect_haste()
    async with playing(evening, replace(AT_ONCE, bet_before_humans=0.5, time_to_back=0.5)):
        ended = await results(evening, 6)
        # On a slow machine, the one who watches may be too late for a round's side bets.
        while len(ended) < MOST_ROUNDS and not backed():
            ended += await results(evening, 1, since=len(ended))
    assert backed()
    assert len({result.banker for result in ended}) > 1
    everybody = [person for person in evening.discord.persons.values() if person.name != "Human"]
    assert sum((await evening.chips(*everybody)).values()) == 1000 * len(everybody)


@pytest.mark.thorough
@pytest.mark.parametrize("game", sample(GAMES))
async def test_they_play_for_points(evening: Evening, game: str) -> None:
    await evening.open_table(evening.person("Human"), game=game, play="points")
    async with playing(evening):
        ended = await results(evening, 4)
    assert all(len(result.players) == 2 for result in ended)
    ledger, parties = evening.bot.croupier.ledger, map(evening.party, evening.discord.persons.values())
    assert sum([(await ledger.purse(evening.server.id, party)).score for party in parties]) == 0


async def test_alone_they_leave_onlookers_time_to_sit_down_and_for_side_bets(
    evening: Evening,
) -> None:
    *people, human = evening.persons(*NAMES, "Human")
    message = await evening.open_table(people[0], game="tau-ngau")
    _, (first, second) = await evening.roll_dice(message, *people)
    pace = Pace()
    practice_players = {person.id for person in people}
    strategy = Strategy(second.id, Habit.PLAYS, pace, practice_players)

    def seconds_until_the_second_bets(round_number: int = 1) -> float | None:
        board = read_board(message)
        assert board is not None
        moves = strategy.moves(replace(board, round=round_number), TableMemory(joined=True), "5")
        return next((move.delay for move in moves if move.action == "bet"), None)

    at_once = pace.bet * pace.hurry
    sit_down = pace.bet_before_humans
    await evening.until(lambda: seconds_until_the_second_bets() == sit_down, "humans may sit down")
    assert seconds_until_the_second_bets(round_number=2) == at_once, "there is no bet to back"
    await evening.press(first, message, "20")
    await evening.until(lambda: seconds_until_the_second_bets() == pace.time_to_back, "humans may back them")
    await evening.back(human, message, first, 5)
    await evening.until(lambda: seconds_until_the_second_bets() == pace.bet, "one has, and looks on")


async def test_they_read_who_banks_and_who_has_not_bet_or_revealed(evening: Evening) -> None:
    banker, alice, bob, chan = evening.persons("Ah Beng", "Alice", "Bob", "Chan")
    message = await evening.open_table(banker)

    def seen() -> Board:
        board = read_board(message)
        assert board is not None
        return board

    assert seen().banker is None
    await evening.take_bank(banker, message)
    for person in (alice, bob, chan):
        await evening.press(person, message, "Join")
    await evening.press(alice, message, "20")
    await evening.until(lambda: seen().undecided == {bob.id, chan.id}, "two have not bet")
    await evening.press(chan, message, "Sit out")
    await evening.until(lambda: seen().undecided == {bob.id}, "the banker waits for one")
    assert seen().banker == banker.id
    assert seen().counts_down
    await evening.press(bob, message, "20")
    await evening.until(lambda: seen().undecided == {alice.id, bob.id}, "hands are dealt to two")
    await evening.press(bob, message, "Reveal")
    await evening.until(lambda: seen().undecided == {alice.id}, "one has revealed")


async def test_they_see_who_can_bet_no_more(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"opening_chips": 7})
    evening.chip_settings = {"daily_chips": 0}
    human = evening.person("Human")
    message = await evening.open_table(human)
    await evening.press(human, message, "Play the house")
    await evening.can_press(message, "1")
    await human.click(message, "1")
    await evening.have_cards(human)
    assert not can_bet_no_more(human, message)
    await evening.reveal(message, human)
    told_at_once = can_bet_no_more(human, message)
    is_broke = (await evening.chips(human))["Human"] < 7
    assert is_broke or not told_at_once, "their own message does not have the result yet"
    await evening.until(lambda: can_bet_no_more(human, message) is is_broke, "they tell")


async def test_they_do_not_keep_a_human_player_waiting(evening: Evening) -> None:
    human = evening.person("Human")
    board = await evening.open_table(human, game="tau-ngau")
    await evening.press(human, board, "Join")
    async with playing(evening):
        await evening.until(lambda: len(evening.table().bets) >= 2, "two practice players have bet")


async def test_until_a_tables_first_bet_they_leave_newcomers_time_to_read(evening: Evening) -> None:
    human = evening.person("Human")
    board = await evening.open_table(human)
    async with playing(evening, replace(AT_ONCE, join=0.1, at_first=1000)):
        await evening.press(human, board, "Play the house")
        await evening.settle_down()
        assert [seat.party for seat in evening.table().seats] == [evening.party(human)]
        await evening.press(human, board, "1")
        await evening.have_cards(human)
        await evening.reveal(board, human)
        await evening.until(lambda: len(evening.table().seats) > 1, "they join")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "told"),
    sample([("tau-ngau", "Score|No discard"), ("gnau", "Five|Ox|ox"), ("niu-niu", "Niu|Five|Bomb")]),
)
async def test_rounds_of_every_game_replay_and_the_audit_is_clean(
    tmp_path: Path, game: str, told: str
) -> None:
    lines: list[str] = []
    database = tmp_path / "practice.db"
    for first in (True, False):
        findings = await practise_rounds(database, 2, game=game, fresh=first, report=lines.append)
        assert not findings
    ended = [line for line in lines if line.startswith("Round 2 ended")]
    assert len(ended) == 2
    assert all(re.search(told, line) for line in ended)
    assert any(re.search("[⚀-⚅]{2} banks", line) for line in lines) is (game == "tau-ngau")
    assert lines[-1] == "The audit found no errors."
