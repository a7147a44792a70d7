"""Discord takes a message, but its response gets lost: the message still appears only once."""

import logging
from collections.abc import Awaitable, Callable

import pytest

from bot.ledger.changes import BoardPosted, Fact
from bot.ledger.errors import LedgerUnavailable
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import Phase
from tests.e2e.evening import Evening
from tests.sizes import sample

pytestmark = pytest.mark.thorough

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"
EDIT = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
MESSAGES = "/channels/{channel_id}/messages"
Act = Callable[[Evening, Person], Awaitable[object]]
Lose = Callable[[Evening, str, str], None]


def command(name: str, **options: object) -> Act:
    return lambda evening, person: person.slash(evening.channel, name, **options)


async def give(evening: Evening, giver: Person) -> None:
    await giver.slash(evening.channel, "give", member=evening.person("Bob"), amount=5)


def lost(evening: Evening, method: str, route: str) -> None:
    """Carries out the next request of this kind but reports a failure: discord.py sends it again."""
    evening.expect_fault(500, 400)
    evening.discord.faults.respond(500, method=method, route=route, carried_out=True)


def cut(evening: Evening, method: str, route: str) -> None:
    """Carries out the next request of this kind and cuts the connection: discord.py gives up."""
    evening.expect_fault(0, 400)
    evening.discord.faults.drop_connection(method=method, route=route, carried_out=True)


by_either_way = pytest.mark.parametrize("lose", sample([lost, cut]))


def tries(evening: Evening, method: str, route: str) -> int:
    return sum(one.method == method and one.route == route for one in evening.discord.requests)


ANSWERS = {
    "a board": command("table open"),
    "a public text": command("leaderboard"),
    "a gift": give,
    "a text for one": command("wallet"),
    "a refusal": command("bet", amount=5),
    "how to play": command("rules show"),
    "the deferred preview": command("house set", rule="ties", value="push"),
}

DEFERRED = {
    "the house": command("house show"),
    "a preview": command("house set", rule="ties", value="push"),
}


def not_arrived(evening: Evening, method: str, route: str) -> None:
    """Cuts the connection of the next two requests of this kind, before they arrive."""
    evening.expect_fault(0)
    evening.discord.faults.drop_connection(times=2, method=method, route=route)


@pytest.mark.parametrize(("lose", "most"), sample([(lost, 2), (cut, 2), (not_arrived, 3)], 3))
@pytest.mark.parametrize("what", sample(ANSWERS, 2))
async def test_a_first_reply_appears_once(evening: Evening, what: str, lose: Lose, most: int) -> None:
    mei = evening.person("Mei", manage_server=True)
    lose(evening, "POST", CALLBACK)
    await ANSWERS[what](evening, mei)
    await evening.until(lambda: tries(evening, "POST", CALLBACK) == most, "it is sent again")
    await evening.until(lambda: mei.sees(evening.channel), "it is there")
    (message,) = mei.sees(evening.channel)
    await evening.until(lambda: not message.loading, "the deferred reply is there")
    assert message.text


@pytest.mark.parametrize(("lose", "most"), sample([(lost, 2), (not_arrived, 3)], 2))
@pytest.mark.parametrize("what", sample(DEFERRED))
async def test_a_deferred_reply_appears_once(evening: Evening, what: str, lose: Lose, most: int) -> None:
    mei = evening.person("Mei", manage_server=True)
    lose(evening, "PATCH", EDIT)
    await DEFERRED[what](evening, mei)
    await evening.until(lambda: tries(evening, "PATCH", EDIT) == most, "it is sent again")
    (message,) = mei.sees(evening.channel)
    await evening.until(lambda: not message.loading, "it is there")
    assert message.text
    assert tries(evening, "POST", FOLLOW_UP) == 0


async def a_bet(evening: Evening) -> tuple[Message, Person, Person]:
    """A table where one of two players has bet."""
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await alice.click(board, "20")
    return board, alice, bob


@by_either_way
async def test_a_hand_sent_by_direct_message_appears_once(evening: Evening, lose: Lose) -> None:
    board, alice, bob = await a_bet(evening)
    lose(evening, "POST", MESSAGES)
    await bob.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    await evening.until(lambda: tries(evening, "POST", MESSAGES) == 4, "a hand is sent again")
    await evening.have_cards(alice, bob)
    sent = [one for one in evening.discord.requests if one.route == MESSAGES]
    assert all(one.body["nonce"] and one.body["enforce_nonce"] for one in sent)
    assert len({one.body["nonce"] for one in sent}) == 3
    assert [len(person.sees(person.dm())) for person in (alice, bob)] == [1, 1]


@by_either_way
async def test_a_reposted_board_appears_once(evening: Evening, lose: Lose) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    lose(evening, "POST", MESSAGES)
    evening.discord.world.delete_message(board)
    await evening.until(lambda: tries(evening, "POST", MESSAGES) == 2, "it is sent again")
    await evening.until(lambda: mei.sees(evening.channel), "there is a board")
    await evening.settle_down()
    assert len(mei.sees(evening.channel)) == 1
    await evening.take_bank(mei, mei.sees(evening.channel)[0])
    await evening.board_says(mei.sees(evening.channel)[0], f"<@{mei.id}>")


async def test_a_repeated_follow_up_stays_private_and_the_same(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    keep = evening.bot.croupier.ledger.record

    async def fail_once(note: Fact) -> None:
        if isinstance(note, BoardPosted):
            monkeypatch.undo()
            raise LedgerUnavailable("disk full")
        await keep(note)

    monkeypatch.setattr(evening.bot.croupier.ledger, "record", fail_once)
    lost(evening, "POST", FOLLOW_UP)
    await mei.slash(evening.channel, "table open")
    await evening.until(lambda: tries(evening, "POST", FOLLOW_UP) == 2, "it is sent again")
    await evening.until(lambda: len(mei.sees(evening.channel)) == 3, "board and sentences are there")
    sentences = [message.text for message in mei.sees(evening.channel) if message.ephemeral]
    assert len(set(sentences)) == 1
    assert "Chips can't be moved right now" in sentences[0]
    assert len(alice.sees(evening.channel)) == 1, "nobody else should see either"
    (logged,) = (record for record in caplog.records if record.levelno >= logging.ERROR)
    assert "disk full" in logged.getMessage()
    caplog.clear()
