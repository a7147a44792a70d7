"""Tau Ngau on Discord: opening a table, dice for the bank, bet limits, and how the bank passes on."""

import asyncio
import re

import pytest

from bot.games.hands import hand_of
from bot.rules.knobs import BankPasses, Play
from bot.ui.press.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.words.hands import hand_name, hand_words
from tests.cogs.seated_tables import in_menu, open_game, said
from tests.e2e.evening import Evening, taken
from tests.games.presets import TAU_NGAU_PRESET

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


async def test_b06_tables_open_only_in_the_channels_of_the_house(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"channels": (evening.other_channel.id,)})
    (alice,) = evening.persons("Alice")
    reply = await alice.slash(evening.channel, "table open")
    assert f"<#{evening.other_channel.id}>" in said(reply)
    assert evening.bot.croupier.tables.in_channel(evening.channel.id) is None
    thread = evening.discord.add_thread(evening.other_channel, "a thread")
    for allowed in (evening.other_channel, thread):
        reply = await alice.slash(allowed, "table open")
        assert reply.message is not None
        assert not reply.message.ephemeral


async def test_t03_dice_pick_the_banker_and_everybody_sees_them(evening: Evening) -> None:
    evening.rules = RULES
    alice, bob, chan = evening.persons("Alice", "Bob", "Chan")
    board = await open_game(evening, alice, game="tau-ngau")
    assert board.button("Take the bank") is None
    banker, players = await evening.roll_dice(board, alice, bob, chan)
    await evening.board_says(board, f"👑 <@{banker.id}>")
    for one in (banker, *players):
        assert re.search(rf"<@{one.id}> [⚀-⚅]{{2}}", board.text)
    throws = {throw.party: throw.total for throw in evening.table().throws[:3]}
    assert throws[evening.party(banker)] == max(throws.values())


@pytest.mark.thorough
async def test_t03_two_rolls_at_once_count_once(evening: Evening) -> None:
    evening.rules = RULES
    people = evening.persons("Alice", "Bob", "Chan")
    board = await open_game(evening, people[0], game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")
    button = board.button("Roll for the bank")
    assert button is not None
    assert button.custom_id is not None
    replies = await asyncio.gather(*(person.press_raw(board, button.custom_id) for person in people[:2]))
    refused = [reply for reply in replies if reply.message is not None and reply.message.ephemeral]
    assert len(refused) == 1
    assert "is the banker" in said(refused[0])
    assert len(evening.table().seats) == 2


async def test_t03_only_seated_members_roll_the_dice(evening: Evening) -> None:
    evening.rules = RULES
    *people, zed = evening.persons("Alice", "Bob", "Chan", "Zed")
    board = await open_game(evening, people[0], game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")
    assert "You have no seat at this table" in said(await zed.click(board, "Roll for the bank"))
    assert evening.table().bank is None


async def test_t03_only_the_banker_sets_the_limits(evening: Evening) -> None:
    evening.rules = RULES
    board = await open_game(evening, (people := evening.persons("Alice", "Bob", "Chan"))[0], game="tau-ngau")
    banker, players = await evening.roll_dice(board, *people)
    limits = TablePress(evening.table().table_id, ANY_ROUND, TableAction.LIMITS)
    assert "Only the banker" in said(await players[0].press_raw(board, limits.custom_id))
    form = (await evening.press(banker, board, "Set limits…")).modal
    assert form is not None
    assert form.title == "Set limits"
    assert taken(await banker.submit(form, lowest="7", highest="35"))
    await evening.board_says(board, " 7–35")
    form = (await evening.press(banker, board, "Set limits…")).modal
    assert form is not None
    await players[0].click(board, "7")
    assert "Bets are placed already" in said(await banker.submit(form, lowest="1", highest="2"))
    assert "no number" not in said(await banker.submit(form, lowest="x", highest="2"))
    assert " 7–35" in board.text


@pytest.mark.thorough
async def test_t04_t10_the_bank_passes_after_a_round_with_tiles(evening: Evening) -> None:
    evening.rules = RULES.model_copy(update={"bank_passes": BankPasses.EVERY_ROUND})
    people = evening.persons("Alice", "Bob", "Chan", "Mei")
    board = await open_game(evening, people[0], game="tau-ngau")
    banker, players = await evening.roll_dice(board, *people)
    heir = evening.person_of(evening.table().seats[-1].party)
    for player in players:
        await player.click(board, "20")
    await evening.have_cards(*people)
    table = evening.table()
    for person in people:
        (message,) = person.sees(person.dm())
        hand = hand_of(table.pieces_of(evening.party(person)), None, table.rules)
        assert hand_name(hand) in message.text
        assert hand_words(hand) in message.text
        assert len(message.gallery()) == 1
        alt_text = message.gallery()[0].description
        assert alt_text is not None
        assert "discard" in alt_text
    await evening.reveal(board, *people)
    await evening.board_says(board, "-# 🧾 1", f"<@{banker.id}> passes the bank to <@{heir.id}>")
    bank = evening.table().bank
    assert bank is not None
    assert bank.party == evening.party(heir)
    assert evening.table().seats[0].party == evening.party(banker), "on the new banker's left"
    assert sum((await evening.chips(*people)).values()) == 4000


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
    offered = {field.custom_id: field.value for field in reply.modal.inputs()}
    assert offered == {"lowest": "20", "highest": "20"}
    assert "from 20 to 40" in said(await alice.submit(reply.modal, lowest="5", highest="40"))
