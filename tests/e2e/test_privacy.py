"""`/privacy`: what is stored, a file with all of it, and erasing it, as a member sees them."""

import json
import logging

import pytest

from bot.ledger.errors import LedgerUnavailable
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening, unlinked
from tests.sizes import sample


async def a_round(evening: Evening) -> tuple[Person, Person, Message]:
    """Alice has won or lost a round against Mei, and left."""
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    await alice.slash(evening.channel, "seed", words="eight eight")
    await alice.click(board, "10")
    await evening.have_cards(mei, alice)
    await evening.reveal(board, mei, alice)
    return alice, mei, board


async def test_a_member_sees_what_is_stored_and_gets_all_of_it(evening: Evening) -> None:
    alice, mei, board = await a_round(evening)
    shown = await evening.told_alone(alice, "privacy show")
    assert "your name **Alice** and your language `en-US`" in shown.text
    assert "1 text that you added with `/seed`" in unlinked(shown.text)

    (file,) = (await evening.told_alone(alice, "privacy export")).attachments
    exported = evening.discord.world.files[file.id].decode()
    assert json.loads(exported)["user_id"] == str(alice.id)
    assert "eight eight" in exported
    assert "Mei" not in exported
    assert str(mei.id) not in exported

    await evening.press(alice, board, "Leave the table")
    by_message = message_of(await alice.slash(alice.dm(), "privacy show"))
    assert "### Ox and friends" in by_message.text, "it is about every server"
    await erase(evening, alice, message_of(await alice.slash(alice.dm(), "privacy erase")))
    assert await evening.bot.croupier.ledger.identities_of(alice.id) == []


async def test_an_erased_member_is_a_deleted_member_on_the_board(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    alice, mei, board = await a_round(evening)
    assert "Leave table 1 first" in (await evening.told_alone(alice, "privacy erase")).text

    await evening.press(alice, board, "Leave the table")
    asked = await evening.told_alone(alice, "privacy erase")
    assert "Erase your data in Ox and friends?" in asked.text
    assert "You can't undo this" in asked.text
    for _ in range(2):
        await evening.told_alone(alice, "help")
    await evening.settle_down()
    assert asked in alice.sees(evening.channel), "it stays until it is answered"
    await alice.click(asked, "Keep it")
    assert asked.text == "Nothing was erased."
    await erase(evening, alice, await evening.told_alone(alice, "privacy erase"))

    await evening.board_says(board, "Deleted member")
    assert f"<@{alice.id}>" not in board.text
    again = await evening.told_alone(mei, "round show")
    assert "Deleted member" in again.text
    assert "eight eight" not in again.text
    assert "Verified: " in (await evening.told_alone(mei, "round verify")).text
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("bot"))
    assert str(alice.id) not in logged
    assert "Alice" not in logged
    assert "**0 chips** free" in (await evening.told_alone(alice, "wallet")).text


async def erase(evening: Evening, person: Person, asked: Message) -> None:
    """Confirms, and waits until the answer is there."""
    await person.click(asked, "Erase my data")
    await evening.until(lambda: "Your data is erased" in asked.text, "the data is erased")


@pytest.mark.parametrize(
    ("failing", "says", "plays_on"),
    sample(
        [
            (["note_erasures"], "nothing has changed", True),
            (["note_erasures", "noted_erasures"], "will be erased within an hour", False),
            (["commit"], "will be erased within an hour. Until then you can't play here", False),
        ],
        1,
    ),
)
async def test_who_is_not_erased_hears_whether_that_comes_later(
    evening: Evening,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failing: list[str],
    says: str,
    plays_on: bool,
) -> None:
    alice, _, board = await a_round(evening)
    await evening.press(alice, board, "Leave the table")
    asked = await evening.told_alone(alice, "privacy erase")

    async def fails(*_: object) -> None:
        raise LedgerUnavailable("the disk is full")

    with monkeypatch.context() as full:
        for name in failing:
            full.setattr(evening.bot.croupier.ledger, name, fails)
        await alice.click(asked, "Erase my data")
        await evening.until(lambda: says in asked.text, "the answer says so")
    (logged,) = [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]
    assert ("to be finished" in logged) is not plays_on
    caplog.clear()

    await evening.press(alice, board, "Join")
    assert evening.table().has(evening.party(alice)) is plays_on
    if not plays_on:
        await evening.bot.privacy.erase_noted()
        await evening.board_says(board, "Deleted member")
        assert f"<@{alice.id}>" not in board.text
