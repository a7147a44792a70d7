"""Several bets on the same chips at once, and interactions that arrive twice."""

import asyncio
from collections import Counter

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from bot.rules.knobs import Arrange
from tests.e2e.answers import pieces_in
from tests.e2e.evening import Evening

MANY = 8


async def many_tables(evening: Evening, stake: int) -> list[Message]:
    """`MANY` tables, each with a banker who takes this bet and a seated player who has not bet yet."""
    channels = [evening.discord.add_channel(evening.server, f"table-{number}") for number in range(MANY)]
    boards = []
    for number, channel in enumerate(channels):
        banker, player = evening.persons(f"Banker {number}", f"Player {number}")
        boards.append(await evening.open_table(banker, channel))
        await evening.take_bank(banker, boards[-1], 5, stake)
        await evening.press(player, boards[-1], "Join")
    return boards


async def press(evening: Evening, person: Person, board: Message, button: str) -> Reply:
    """Presses a button of a board as soon as it is enabled."""
    await evening.can_press(board, button)
    return await person.click(board, button)


async def purse(evening: Evening, person: Person) -> tuple[int, list[int]]:
    """A person's free chips, and their held chips by table."""
    own = await evening.bot.croupier.wallets.purse(evening.server.id, evening.party(person))
    return own.wallet, [held.chips for held in own.held]


@pytest.mark.thorough
async def test_b02_of_many_clicks_for_the_same_chips_one_wins(evening: Evening) -> None:
    boards = await many_tables(evening, 142)
    alice = evening.person("Alice")
    replies = await asyncio.gather(*(press(evening, alice, board, "142") for board in boards))
    assert await purse(evening, alice) == (6, [994])
    refused = [reply.message.text for reply in replies if reply.message and reply.message.ephemeral]
    assert len(refused) == MANY - 1
    assert all("you have 6 free" in sentence for sentence in refused), refused
    assert sorted(evening.table(board.channel).staked for board in boards) == [0] * (MANY - 1) + [142]


@pytest.mark.thorough
async def test_a_round_of_gnau_works_if_every_interaction_is_delivered_twice(evening: Evening) -> None:
    evening.expect_fault(400)
    evening.discord.faults.duplicate("INTERACTION_CREATE", times=10_000)
    evening.rules = evening.rules.model_copy(update={"arrange": Arrange.STRICT})
    mei, alice, bob, zed = evening.persons("Mei", "Alice", "Bob", "Zed")
    board = await evening.open_table(mei)
    assert len(mei.sees(evening.channel)) == 1
    await evening.take_bank(mei, board)
    for player in (alice, bob):
        await evening.press(player, board, "Join")
    await press(evening, alice, board, "20")
    await evening.back(zed, board, alice, 10)
    await alice.slash(evening.channel, "seed", words="eight eight eight")
    await alice.slash(evening.channel, "give", member=bob, amount=20)
    assert await purse(evening, alice) == (840, [140])
    assert await purse(evening, zed) == (930, [70])
    assert await purse(evening, bob) == (1020, [])
    assert await purse(evening, mei) == (790, [210])
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei)
    own = evening.shown_hand(mei)
    for piece in pieces_in(own)[:3]:
        await mei.click(own, piece)
    await evening.reveal(board, mei, alice)
    last = evening.last_round()
    assert (last.round_number, evening.table().round_number) == (1, 2)
    owned = await evening.chips(mei, alice, bob, zed)
    assert owned == {
        "Mei": 1000 + last.bank_chips,
        "Alice": 980 + last.players[0].chips,
        "Bob": 1020,
        "Zed": 1000 + last.side_bets[0].chips,
    }
    record = await evening.bot.croupier.ledger.events(evening.table().table_id)
    kinds = Counter(event.kind for event in record)
    once = ["table_opened", "bank_taken", "bet_placed", "side_bet_placed"]
    once += ["hands_dealt", "hand_arranged", "round_settled"]
    assert {kind: kinds[kind] for kind in once} == dict.fromkeys(once, 1)
    assert kinds["seat_taken"] == 2
    brought = [event.body for event in record if event.kind == "client_seed_set"]
    assert len(set(brought)) == len(brought)
    (chosen,) = await evening.bot.croupier.ledger.words_of(evening.party(alice))
    assert chosen.words == "eight eight eight"
    assert sum(chosen.client_seed in body for body in brought) == 1
