"""Hands that players arrange: some houses refuse a wrong three, others let it stand (B04)."""

import re
from itertools import combinations

import pytest

from bot.games.hands import evaluate, hand_of
from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Arrange, Dealing
from bot.rules.pieces import Hand
from bot.table.state import Phase
from bot.words.hands import hand_name
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import message_of
from tests.sizes import sample

THREES = list(combinations(range(5), 3))
SOME_OXEN = range(1, len(THREES))
NO_OXEN = range(1)


def arranging(evening: Evening, arrange: Arrange, dealing: Dealing = Dealing.MESSAGES) -> None:
    update = {"arrange": arrange, "dealing": dealing}
    evening.rules = evening.rules.model_copy(update=update)


async def dealt(evening: Evening, game: str) -> tuple[Message, list[Person]]:
    """A table whose hands are dealt, and everybody at it, the banker first."""
    people = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(people[0], game=game)
    if not GAMES[game].rolls_for_bank:
        await evening.take_bank(people[0], board)
        banker, players = people[0], people[1:]
        await evening.press(players[-1], board, "Join")
    else:
        banker, players = await evening.roll_dice(board, *people)
    await bet(evening, players)
    return board, [banker, *players]


async def bet(evening: Evening, players: list[Person]) -> None:
    for player in players:
        await player.slash(evening.channel, "bet", amount=10)
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the hands are dealt")


async def next_round(evening: Evening, board: Message, everybody: list[Person]) -> list[Person]:
    """Ends the round and plays on until the next hands are dealt."""
    await evening.reveal(board, *everybody)
    banker, players = evening.banker_and_players()
    await bet(evening, players)
    return [banker, *players]


def is_ox(evening: Evening, person: Person, three: tuple[int, ...]) -> bool:
    table = evening.table()
    return table.game.is_ox([table.pieces_of(evening.party(person))[at] for at in three], table.rules)


def oxen(evening: Evening, person: Person) -> list[tuple[int, ...]]:
    return [three for three in THREES if is_ox(evening, person, three)]


def hand_now(evening: Evening, person: Person) -> Hand:
    """The hand that a reveal would show now."""
    table = evening.table()
    place = table.place_of(evening.party(person))
    assert place is not None
    return hand_of(place.pieces, place.declared_ox, table.rules)


def strongest(evening: Evening, person: Person) -> Hand:
    """The hand in its strongest arrangement."""
    table = evening.table()
    return evaluate(table.pieces_of(evening.party(person)), table.rules)


def declared_by(evening: Evening, person: Person) -> tuple[int, ...] | None:
    """The places of the three cards that they declared."""
    place = evening.table().place_of(evening.party(person))
    assert place is not None
    return place.declared_ox


async def choose(person: Person, own: Message, three: tuple[int, ...]) -> None:
    (menu,) = own.selects()
    assert (menu.min_values, menu.max_values) == (3, 3)
    await person.choose(own, menu, *map(str, three))


async def own_message(evening: Evening, person: Person) -> Message:
    """The direct message with their hand to arrange; that of an earlier round may come after it."""
    number = evening.table().round_number

    def arrived() -> list[Message]:
        messages = person.sees(person.dm())
        return [one for one in messages if one.selects() and f"Round {number}" in one.text]

    await evening.until(arrived, f"{person.name} has a hand of round {number} to arrange")
    return arrived()[-1]


async def dealt_a_hand(evening: Evening, game: str, wanted: range) -> tuple[Message, list[Person], Person]:
    """Plays on until somebody has a hand with a wanted number of threes that are an ox."""
    board, everybody = await dealt(evening, game)
    for _ in range(40):
        for person in everybody:
            if len(oxen(evening, person)) in wanted:
                return board, everybody, person
        everybody = await next_round(evening, board, everybody)
    raise AssertionError("nobody was dealt a wanted hand")


@pytest.mark.parametrize("dealing", Dealing)
@pytest.mark.parametrize("game", sample(GAMES))
async def test_b04_arranging_a_hand_without_an_ox_says_so_and_why(
    evening: Evening, game: str, dealing: Dealing
) -> None:
    arranging(evening, Arrange.ASSISTED, dealing)
    board, _, person = await dealt_a_hand(evening, game, NO_OXEN)
    if dealing is Dealing.MESSAGES:
        own = await own_message(evening, person)
    else:
        own = await evening.panel(person, board)
    await choose(person, own, THREES[0])
    assert "✖" in own.text
    assert own.button("Why this hand") is None, "the player should find it"
    await person.click(own, "Arrange it for me")
    name = hand_name(strongest(evening, person))
    assert f"The strongest way: **{name}**" in own.text
    why = message_of(await person.click(own, "Why this hand"))
    assert f"1. **{name}**" in why.text


@pytest.mark.thorough
@pytest.mark.parametrize("game", sample(GAMES))
async def test_b04_a_strict_house_lets_a_wrong_three_stand(evening: Evening, game: str) -> None:
    arranging(evening, Arrange.STRICT)
    board, everybody, person = await dealt_a_hand(evening, game, SOME_OXEN)
    own = await own_message(evening, person)
    wrong = next(three for three in THREES if three not in oxen(evening, person))
    await choose(person, own, wrong)
    await evening.board_says(own, "✖")
    declared = hand_now(evening, person)
    assert declared.strength <= evaluate(declared.pieces, evening.table().rules).strength
    await evening.board_says(own, hand_name(declared))
    await evening.reveal(board, *everybody)
    # A tie names the highest card too.
    assert re.search(rf"[* ]{re.escape(hand_name(declared))}( \*\*| \(\S+\))", board.text)


async def test_b04_after_the_time_limit_a_hand_gets_the_strongest_arrangement(evening: Evening) -> None:
    arranging(evening, Arrange.STRICT)
    evening.rules = evening.rules.model_copy(update={"arranging_seconds": 1})
    board, everybody = await dealt(evening, "tau-ngau")
    table = evening.table()
    await evening.board_says(board, "-# 🧾 1")
    for person in everybody:
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        assert hand_name(hand) in board.text


@pytest.mark.thorough
async def test_a_hand_is_arranged_behind_my_hand_in_a_house_without_messages(evening: Evening) -> None:
    arranging(evening, Arrange.ASSISTED, Dealing.MY_HAND)
    board, everybody, person = await dealt_a_hand(evening, "tau-ngau", SOME_OXEN)
    assert not person.sees(person.dm())
    own = await evening.panel(person, board)
    right = oxen(evening, person)
    await choose(person, own, next(three for three in THREES if three not in right))
    assert "✖" in own.text
    await choose(person, own, right[0])
    assert "✖" not in own.text
    assert declared_by(evening, person) == right[0]
    await person.click(own, "Reveal")
    assert not own.selects(), "a revealed hand does not change"
    await evening.reveal(board, *(one for one in everybody if one is not person))
