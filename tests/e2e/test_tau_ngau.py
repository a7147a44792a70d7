"""Tau Ngau through real discord.py: dice, limits, tiles, side bets, and a bank that passes."""

from collections import Counter

import pytest

from bot.games.hands import evaluate
from bot.games.settle import settle
from bot.games.tau_ngau.rules import TauNgauClass
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Play
from bot.table.state import TableState
from bot.ui.board.text import ROLLS_SHOWN
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.words.hands import hand_name, hand_words
from bot.words.translation import signed
from tests.e2e.evening import Evening, taken
from tests.e2e.seated_tables import form_of, in_menu, open_game, said
from tests.games.presets import TAU_NGAU_PRESET
from tests.stand_in import typed_in

GAME = "tau-ngau"
MOST_ROUNDS = 40
"""Enough rounds for a side bet to win and lose, and a bank to stay and pass; fails once in a million."""


def gain(evening: Evening, table: TableState, player: Person) -> int:
    """The gain per chip of the player whose hand is dealt."""
    assert table.bank is not None
    own = evaluate(table.pieces_of(evening.party(player)), table.rules)
    return settle(own, evaluate(table.bank.pieces, table.rules), table.rules).units


async def a_table(evening: Evening, *names: str) -> tuple[Message, Person, list[Person]]:
    """A table whose banker the dice picked; returns the banker, then the others from the left."""
    people = evening.persons(*names)
    board = await evening.open_table(people[0], game=GAME)
    return board, *await evening.roll_dice(board, *people)


async def test_t03_dice_pick_the_banker_once_three_sit_down(evening: Evening) -> None:
    people = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(people[0], game=GAME)
    assert board.button("Take the bank") is None
    for person in people:
        assert board.button("Roll for the bank") is None
        await evening.press(person, board, "Join")
    await people[1].click(board, "Roll for the bank")
    throws = evening.table().throws
    assert {throw.party for throw in throws} == set(map(evening.party, people))
    # A tie for the highest is rolled again, and the second roll may be lower than the others'.
    first = {throw.party: throw.total for throw in throws[: len(people)]}
    banker, players = evening.banker_and_players()
    assert first[evening.party(banker)] == max(first.values())
    assert len(players) == 2
    await evening.board_says(board, f"👑 <@{banker.id}>")
    for person in people:
        rolls = [throw.dice for throw in throws if throw.party == evening.party(person)]
        dice = " ".join("".join("⚀⚁⚂⚃⚄⚅"[die - 1] for die in roll) for roll in rolls[-ROLLS_SHOWN:])
        assert f"<@{person.id}> {dice}" in board.text


async def test_a_round_of_tau_ngau_moves_the_right_chips(evening: Evening) -> None:
    board, banker, players = await a_table(evening, "Alice", "Bob", "Chan", "Mei")
    zed = evening.person("Zed")
    for player, stake in zip(players, (20, 50, 10), strict=True):
        if player is players[-1]:
            await evening.back(zed, board, players[1], 30)
            await evening.board_says(board, f"backed by <@{zed.id}> (30)")
        await player.slash(evening.channel, "bet", amount=stake)
    await evening.have_cards(banker, *players)
    table = evening.table()
    for person in (banker, *players):
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        dm = person.sees(person.dm())[0]
        assert hand_name(hand) in dm.text
        assert hand_words(hand) in dm.text
        assert len(dm.gallery()) == 1
    assert not zed.sees(zed.dm())
    await evening.reveal(board, banker, *players)
    owned = await evening.chips(banker, *players, zed)
    moved = {
        player.name: gain(evening, table, player) * stake
        for player, stake in zip(players, (20, 50, 10), strict=True)
    }
    moved["Zed"] = gain(evening, table, players[1]) * 30
    moved[banker.name] = -sum(moved.values())
    assert owned == {name: 1000 + chips for name, chips in moved.items()}
    assert f"<@{zed.id}> on <@{players[1].id}> · **{signed(moved['Zed'])}**" in board.text
    assert len(board.gallery()) == 1


@pytest.mark.thorough
async def test_t10_the_bank_passes_to_the_right_after_a_discard_and_side_bets_win_and_lose(
    evening: Evening,
) -> None:
    evening.expect_haste()
    people = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(people[0], game=GAME)
    await evening.roll_dice(board, *people)
    zed, seen = evening.person("Zed"), Counter[str]()
    for number in range(1, MOST_ROUNDS + 1):
        banker, players = evening.banker_and_players()
        chips = (await evening.chips(zed))["Zed"]
        for player in players:
            await player.slash(evening.channel, "bet", amount=5)
            if player is players[0]:
                await evening.back(zed, board, player, 7)
        await evening.until(lambda: evening.table().pieces_of(evening.party(banker)), "the tiles are dealt")  # noqa: B023 - at once
        table = evening.table()
        await evening.reveal(board, banker, *players)
        assert (await evening.chips(zed))["Zed"] == chips + 7 * gain(evening, table, players[0])
        seen[
            "won"
            if gain(evening, table, players[0]) > 0
            else "lost"
            if gain(evening, table, players[0]) < 0
            else "drew"
        ] += 1
        stuck = evaluate(table.pieces_of(evening.party(banker)), table.rules).hand_class is TauNgauClass.STUCK
        heir = banker if stuck else players[-1]
        assert evening.banker_and_players()[0] is heir, f"round {number}"
        seen["stayed" if stuck else "passed"] += 1
        if not stuck:
            await evening.board_says(board, f"<@{banker.id}> passes the bank to <@{heir.id}>")
        if {"won", "lost", "stayed", "passed"} <= set(seen):
            return
    pytest.fail(f"in {MOST_ROUNDS} rounds there was only {seen}")


@pytest.mark.thorough
async def test_two_games_at_once_in_two_channels(evening: Evening) -> None:
    alice, bob, chan = evening.persons("Alice", "Bob", "Chan")
    gnau = await evening.open_table(alice, evening.other_channel)
    await evening.take_bank(alice, gnau)
    await bob.click(gnau, "20")
    board = await evening.open_table(bob, game=GAME)
    banker, players = await evening.roll_dice(board, alice, bob, chan)
    for player in players:
        await player.slash(evening.channel, "bet", amount=5)
    await evening.board_says(board, "Showdown")
    await evening.board_says(gnau, "Showdown")
    await evening.reveal(board, banker, *players)
    for person in (alice, bob):
        await person.click(gnau, "Reveal")
    await evening.board_says(gnau, "-# 🧾 1")
    assert sum((await evening.chips(alice, bob, chan)).values()) == 3000


RULES = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0, "arranging_seconds": 60})


async def test_a_table_opens_for_the_named_game_and_for_chips_or_points(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board = await open_game(evening, alice, game="tau-ngau", play="points")
    assert "## 🀄 Tau Ngau · Table 1 · for points" in board.text
    rules = evening.table().rules
    assert (rules.game, rules.play) == ("tau-ngau", Play.POINTS)
    await in_menu(alice, board, "close")
    # Without options it is the game that the channel played last, for chips.
    assert "## 🀄 Tau Ngau · Table 2\n" in (await open_game(evening, bob)).text


async def test_t03_only_the_banker_sets_the_limits(evening: Evening) -> None:
    evening.rules = RULES
    board = await open_game(evening, (people := evening.persons("Alice", "Bob", "Chan"))[0], game="tau-ngau")
    banker, players = await evening.roll_dice(board, *people)
    limits = Press(PressAction.LIMITS, evening.table().table_id, ANY_ROUND)
    assert "Only the banker" in said(await players[0].press_raw(board, limits.custom_id))
    form = form_of(await evening.press(banker, board, "Set limits…"))
    assert form.title == "Set limits"
    assert taken(await banker.submit(form, lowest="7", highest="35"))
    await evening.board_says(board, " 7–35")
    form = form_of(await evening.press(banker, board, "Set limits…"))
    await players[0].click(board, "7")
    assert "Bets are placed already" in said(await banker.submit(form, lowest="1", highest="2"))
    assert "no number" not in said(await banker.submit(form, lowest="x", highest="2"))
    assert " 7–35" in board.text


@pytest.mark.parametrize("play", ["chips", "points"])
async def test_a_banker_sets_limits_within_those_of_the_house(evening: Evening, play: str) -> None:
    evening.rules = evening.rules.model_copy(update={"lowest_stake": 20, "highest_stake": 40})
    (alice,) = evening.persons("Alice")
    board = await open_game(evening, alice, play=play)
    reply = await alice.click(board, "Take the bank")
    if play == "points":
        assert taken(reply), "a game for points has no limits to ask for"
        assert evening.table().bank is not None
        return
    assert reply.modal is not None
    assert typed_in(reply.modal) == {"lowest": "20", "highest": "20"}
    assert "from 20 to 40" in said(await alice.submit(reply.modal, lowest="5", highest="40"))
