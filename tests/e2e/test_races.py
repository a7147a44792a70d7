"""Several bets on the same chips at once, and interactions that arrive twice."""

import asyncio
from collections import Counter

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from bot.rules.knobs import MOST_CHIPS, Arrange
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import form_of, message_of

MANY = 20


async def many_tables(evening: Evening, highest: int = 100) -> list[Message]:
    """`MANY` tables, each with a banker and a seated player who has not bet yet."""
    channels = [evening.discord.add_channel(evening.server, f"table-{number}") for number in range(MANY)]
    bankers = evening.persons(*(f"Banker {number}" for number in range(MANY)))
    beside = evening.persons(*(f"Player {number}" for number in range(MANY)))

    boards = await asyncio.gather(*(map(evening.open_table, bankers, channels)))
    for banker, board, player in zip(bankers, boards, beside, strict=True):
        # One after another: a modal that takes long on a busy machine can no longer be opened.
        await evening.take_bank(banker, board, 5, highest)
        await evening.press(player, board, "Join")
    return boards


async def press(evening: Evening, person: Person, board: Message, button: str) -> Reply:
    """Presses a button of a board as soon as it is enabled."""
    await evening.can_press(board, button)
    return await person.click(board, button)


def told_alone(replies: list[Reply]) -> list[str]:
    """The replies that only this person sees."""
    return [reply.message.text for reply in replies if reply.message and reply.message.ephemeral]


async def purse(evening: Evening, person: Person) -> tuple[int, list[int]]:
    """A person's free chips, and their held chips by table."""
    own = await evening.bot.croupier.purse(evening.server.id, evening.party(person))
    return own.wallet, [held.chips for held in own.held]


@pytest.mark.thorough
async def test_b02_of_twenty_clicks_for_the_same_chips_one_wins(evening: Evening) -> None:
    boards = await many_tables(evening, highest=142)
    alice = evening.person("Alice")
    replies = await asyncio.gather(*(press(evening, alice, board, "142") for board in boards))
    assert await purse(evening, alice) == (6, [994])
    refused = told_alone(replies)
    assert len(refused) == MANY - 1
    assert all("you have 6 free" in sentence for sentence in refused), refused
    staked = [evening.table(board.channel).staked for board in boards]
    assert sorted(staked) == [0] * (MANY - 1) + [142]


@pytest.mark.thorough
async def test_b02_bets_and_gifts_of_the_same_chips_at_once(evening: Evening) -> None:
    evening.chip_settings = {"gifts_per_day": MOST_CHIPS}
    boards = await many_tables(evening, 50)
    alice, zed = evening.persons("Alice", "Zed")
    for board in boards:
        await evening.can_press(board, "50")
    gifts = [alice.slash(evening.channel, "give", member=zed, amount=400) for _ in range(5)]
    bets = [alice.click(board, "50") for board in boards[:5]]
    replies = await asyncio.gather(*(one for pair in zip(gifts, bets, strict=True) for one in pair))
    free, held = await purse(evening, alice)
    given = (await evening.chips(zed))["Zed"] - 1000
    assert free + sum(held) + given == 1000
    assert set(held) <= {350}
    assert free < 350
    assert given in (0, 400, 800)
    assert len(told_alone(replies)) == 10 - len(held) - given // 400


@pytest.mark.thorough
async def test_b02_the_banks_last_room_goes_to_one_bet(evening: Evening) -> None:
    mei = evening.person("Mei")
    players = evening.persons(*(f"Player {number}" for number in range(8)))
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board, 5, 100)
    await asyncio.gather(*(evening.press(player, board, "Join") for player in players))
    replies = await asyncio.gather(*(player.click(board, "100") for player in players))
    assert evening.table().staked == 100
    refused = told_alone(replies)
    assert len(refused) == len(players) - 1
    assert all("a bet of 42 chips at most. 100 is too high" in one for one in refused)
    assert await purse(evening, mei) == (300, [700])


@pytest.mark.thorough
async def test_b02_a_side_bet_and_a_bet_with_the_same_chips(evening: Evening) -> None:
    mei, bob, chan, zed, alice = evening.persons("Mei", "Bob", "Chan", "Zed", "Alice")
    boards = []
    for banker, channel in ((mei, evening.channel), (bob, evening.other_channel)):
        boards.append(await evening.open_table(banker, channel))
        await evening.take_bank(banker, boards[-1])
        await evening.press(zed, boards[-1], "Join")
    await chan.click(boards[0], "5")
    await evening.can_press(boards[0], "Side bet…")
    own = message_of(await alice.click(boards[0], "Side bet…"))
    await alice.choose(own, "Whose hand do you back?", str(evening.party(chan)))
    form = form_of(await alice.click(own, "Other…"))
    side, bet = await asyncio.gather(alice.submit(form, amount="90"), alice.click(boards[1], "100"))
    backs, bets = evening.table().side_bets, evening.table(evening.other_channel).bets
    assert len(backs) + len(bets) == 1
    assert await purse(evening, alice) == ((370, [630]) if backs else (300, [700]))
    assert "chips free" in " ".join(told_alone([side, bet]))


@pytest.mark.thorough
async def test_b02_a_banker_at_two_tables_covers_with_the_same_chips_only_once(evening: Evening) -> None:
    mei, alice, bob, zed = evening.persons("Mei", "Alice", "Bob", "Zed")
    channels = (evening.channel, evening.other_channel)
    boards = [await evening.open_table(zed, channel) for channel in channels]
    await asyncio.gather(*(evening.take_bank(mei, board, 142, 142) for board in boards))
    for board in boards:
        await evening.press(zed, board, "Join")
    replies = await asyncio.gather(alice.click(boards[0], "142"), bob.click(boards[1], "142"))
    assert sorted(evening.table(channel).staked for channel in channels) == [0, 142]
    (refused,) = told_alone(list(replies))
    assert "The banker can't cover another bet" in refused
    assert await purse(evening, mei) == (6, [994])


@pytest.fixture
def all_twice(evening: Evening) -> None:
    """Makes Discord deliver every interaction twice from now on."""
    evening.expect_fault(400)
    evening.discord.faults.duplicate("INTERACTION_CREATE", times=10_000)


@pytest.mark.thorough
@pytest.mark.usefixtures("all_twice")
async def test_a_round_of_gnau_works_if_every_interaction_is_delivered_twice(evening: Evening) -> None:
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
    await alice.slash(evening.channel, "give", member=bob, amount=100)
    assert await purse(evening, alice) == (760, [140])
    assert await purse(evening, zed) == (930, [70])
    assert await purse(evening, bob) == (1100, [])
    assert await purse(evening, mei) == (790, [210])
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei)
    own = mei.sees(mei.dm())[0]
    await mei.choose(own, own.selects()[0], "0", "1", "2")
    await evening.reveal(board, mei, alice)
    last = evening.last_round()
    assert (last.round_number, evening.table().round_number) == (1, 2)
    owned = await evening.chips(mei, alice, bob, zed)
    assert owned == {
        "Mei": 1000 + last.bank_chips,
        "Alice": 900 + last.players[0].chips,
        "Bob": 1100,
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


@pytest.mark.thorough
@pytest.mark.usefixtures("all_twice")
async def test_dice_are_rolled_once_if_every_interaction_is_delivered_twice(evening: Evening) -> None:
    people = evening.persons("Alice", "Bob", "Chan", "Mei")
    board = await evening.open_table(people[0], game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")
    await press(evening, people[0], board, "Roll for the bank")
    kinds = Counter(
        event.kind for event in await evening.bot.croupier.ledger.events(evening.table().table_id)
    )
    assert kinds["dice_rolled"] == kinds["bank_taken"] == 1


@pytest.mark.usefixtures("all_twice")
async def test_a_house_change_is_made_once_if_every_interaction_is_delivered_twice(
    evening: Evening,
) -> None:
    mei = evening.person("Mei", manage_server=True)
    shown = message_of(await mei.slash(evening.channel, "house set", rule="opening_chips", value="500"))
    await mei.click(shown, "Confirm")
    houses = evening.bot.houses
    await evening.until(lambda: houses.house_of(evening.server.id).rules().opening_chips == 500, "confirmed")
    assert len(await houses.history(evening.server.id, 9)) == 1
    assert len(mei.sees(evening.channel)) == 1


@pytest.mark.thorough
@pytest.mark.usefixtures("all_twice")
async def test_twenty_clicks_delivered_twice_bet_no_more_than_there_are_chips(
    evening: Evening,
) -> None:
    boards = await many_tables(evening, 50)
    alice = evening.person("Alice")
    await asyncio.gather(*(press(evening, alice, board, "50") for board in boards))
    assert await purse(evening, alice) == (300, [350, 350])
    assert [evening.table(board.channel).staked for board in boards].count(50) == 2
