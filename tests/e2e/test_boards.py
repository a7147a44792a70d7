"""Boards when Discord fails, far up a channel, and within the budget of messages."""

import asyncio
import logging
import time

import aiohttp
import pytest

from bot.ledger.changes import BoardPosted, Fact
from bot.ledger.errors import LedgerUnavailable
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import Phase
from bot.ui import following
from bot.wire.requests import RETRY_SECONDS, TakenElsewhereError
from tests.e2e.answers import message_of, press_own
from tests.e2e.evening import Evening, taken
from tests.sizes import sample

MESSAGES = "/channels/{channel_id}/messages"


async def a_table(evening: Evening, *names: str) -> tuple[list[Person], Message]:
    """A table where the first of these people is banker and the others sit."""
    people = evening.persons(*names)
    board = await evening.open_table(people[0])
    await evening.take_bank(people[0], board, 1, 100)
    await asyncio.gather(*(evening.press(person, board, "Join") for person in people[1:]))
    return people, board


def the_board(evening: Evening, person: Person) -> Message:
    """The bot's last message that everybody sees."""
    seen = person.sees(evening.channel)
    return [message for message in seen if message.components and not message.ephemeral][-1]


async def play(evening: Evening, people: list[Person]) -> None:
    """Plays the first round with `/bet` and Reveal buttons."""
    board = people[0].sees(evening.channel)[-1]
    for person in people[1:]:
        await person.slash(evening.channel, "bet", amount=10)
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    for person in people:
        await person.press_raw(board, f"gnau:{evening.table().table_id}:1:reveal")
    await evening.until(lambda: evening.table().round_number == 2, "the next round is open")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("why", "reposted"),
    [("far up", True), ("an hour old", True), ("far up, and refused", False), ("private replies", False)],
)
async def test_a_board_far_up_or_old_is_reposted_with_the_next_round(
    evening: Evening, why: str, reposted: bool
) -> None:
    evening.expect_fault(403)
    people, board = await a_table(evening, "Mei", "Alice")
    for line in range(30):
        if why == "private replies":
            await evening.told_alone(people[1], "wallet")
        elif why != "an hour old":
            await people[1].write(evening.channel, f"line {line}")
    if why == "an hour old":
        evening.bot.croupier.now = lambda: time.time() + 3600
    if why == "far up, and refused":
        channel = str(evening.channel.id)
        evening.discord.faults.respond(
            403, times=99, method="POST", route=MESSAGES, when=lambda _, path: channel in path
        )
    await play(evening, people)
    if reposted:
        await evening.until(lambda: board.deleted, "the old board is gone")
    await evening.settle_down()
    newest = the_board(evening, people[0])
    assert (newest.id != board.id) is reposted
    await evening.board_says(newest, "-# 🧾 receipt 1", "🔒 seal 2")
    await people[1].click(newest, "20")
    await evening.board_says(newest, "Showdown")


@pytest.mark.parametrize("refusal", sample(["closed messages", "a failure"]))
async def test_a_hand_that_discord_refuses_is_announced_even_during_a_board_edit(
    evening: Evening, refusal: str
) -> None:
    evening.expect_fault(400, 403)
    people, board = await a_table(evening, "Mei", "Alice")
    if refusal == "closed messages":
        people[1].user.dms_open = False
    else:
        evening.discord.faults.respond(400, times=99, method="POST", route="/users/@me/channels")
    evening.discord.faults.hold(0.6, method="POST", route="callback")
    await people[1].click(board, "20")
    await evening.board_says(board, f"<@{people[1].id}>", "press **My hand**")


@pytest.mark.thorough
async def test_a_player_who_reopens_messages_gets_the_next_hand_there(evening: Evening) -> None:
    evening.expect_fault(403)
    people, board = await a_table(evening, "Mei", "Alice")
    mei, alice = people
    alice.user.dms_open = False
    await alice.click(board, "20")
    await evening.board_says(board, f"<@{alice.id}>: press **My hand**")
    own = message_of(await alice.click(board, "My hand"))
    alice.user.dms_open = True
    await press_own(alice, own, "Message me again")
    await alice.click(own, "Reveal")
    await mei.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 receipt 1")
    await evening.can_press(own, "Bet 20")
    await alice.click(own, "Bet 20")
    await evening.have_cards(alice)
    await evening.board_says(board, "Showdown")
    assert "press **My hand**" not in board.text


async def test_a_message_to_the_bot_is_not_a_command(evening: Evening) -> None:
    people, _ = await a_table(evening, "Mei", "Alice")
    await people[1].write(evening.channel, f"<@{evening.bot.application_id}> help")
    await people[1].slash(evening.channel, "wallet")


@pytest.mark.thorough
async def test_a_table_gets_a_board_though_the_reply_to_its_command_failed(evening: Evening) -> None:
    evening.expect_fault(0, 404)
    mei = evening.person("Mei")
    evening.discord.faults.drop_connection(times=1 + len(RETRY_SECONDS), method="POST", route="callback")
    evening.discord.limits.reply_seconds = 1.0
    reply = await mei.slash(evening.channel, "table open")
    assert reply.kind == "failed"
    await evening.until(lambda: mei.sees(evening.channel), "there is a board")
    await evening.board_says(the_board(evening, mei), "Table 1")


@pytest.mark.thorough
async def test_a_picture_that_discord_lost_is_sent_again(evening: Evening) -> None:
    evening.expect_fault(400)
    people, board = await a_table(evening, "Mei", "Alice", "Bob")
    await play(evening, people)
    await evening.board_says(board, "-# 🧾 receipt 1")
    board.attachments.clear()
    assert taken(await people[1].click(board, "20"))
    await evening.board_says(board, "🪙 **20**")
    assert [file.filename for file in board.attachments] == ["round-1.png"]


@pytest.mark.thorough
async def test_a_board_deleted_before_its_response_arrives_comes_back(evening: Evening) -> None:
    people, _ = await a_table(evening, "Mei", "Alice")
    channel = str(evening.channel.id)
    evening.discord.faults.hold(1.0, method="POST", route=MESSAGES, when=lambda _, path: channel in path)
    for deleted in ("once", "again"):
        evening.discord.world.delete_message(the_board(evening, people[1]))
        await evening.until(lambda: people[1].sees(evening.channel), f"the board is reposted {deleted}")
    await people[1].click(the_board(evening, people[0]), "20")
    await evening.board_says(the_board(evening, people[0]), "Showdown")


@pytest.mark.thorough
async def test_my_hand_replies_while_its_edit_hangs(evening: Evening) -> None:
    people, board = await a_table(evening, "Mei", "Alice")
    mei, alice = people
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    own = message_of(await alice.click(board, "My hand"))
    held = evening.discord.faults.hold(4.0, method="PATCH", route="/webhooks")
    await alice.click(own, "Reveal")
    await mei.click(board, "Reveal")
    await evening.until(lambda: evening.table().round_number == 2, "the next round is open")
    await evening.until(lambda: not held.times, "an edit hangs")
    assert await evening.panel(alice, board) is not None


@pytest.mark.thorough
async def test_b02_the_boards_of_a_banker_share_the_same_free_chips(evening: Evening) -> None:
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    boards = [await evening.open_table(mei, channel) for channel in (evening.channel, evening.other_channel)]
    for board in boards:
        await evening.take_bank(mei, board)
        await evening.press(bob, board, "Join")
    await alice.click(boards[0], "100")
    for board in boards:
        await evening.board_says(board, "room for bets: 42")
    assert boards[1].button("100") is None
    assert boards[1].button("20") is not None
    await evening.press(alice, boards[0], "Take my bet back")
    await evening.can_press(boards[1], "100")


async def test_a_board_that_is_deleted_while_an_edit_fails_is_posted_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    board = await evening.open_table(mei)
    table_id = evening.table().table_id

    async def fail(*_: object) -> None:
        monkeypatch.undo()
        evening.discord.world.delete_message(board)
        await evening.until(lambda: evening.bot.boards.link(table_id) is None, "the bot knows")
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr("bot.ui.board.message.edit_response", fail)
    evening.bot.boards.refresh(table_id)
    await evening.until(lambda: mei.sees(evening.channel), "it is posted again")
    await evening.press(alice, mei.sees(evening.channel)[0], "Join")
    assert evening.table().has(evening.party(alice))


async def test_a_board_whose_message_could_not_be_stored_is_stored_later(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(following, "RETRY_SECONDS", (0.0, 0.0))
    monkeypatch.setattr("bot.ui.board.message.BUDGET_SECONDS", 0.0)
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    ledger = evening.bot.croupier.ledger
    record, failures = ledger.record, iter((LedgerUnavailable("disk full"),) * 2)

    async def fail_twice(fact: Fact) -> None:
        if isinstance(fact, BoardPosted) and (failed := next(failures, None)):
            raise failed
        await record(fact)

    monkeypatch.setattr(ledger, "record", fail_twice)
    evening.discord.world.delete_message(board)
    await evening.until(lambda: mei.sees(evening.channel), "it is posted again")
    (posted,) = mei.sees(evening.channel)
    await evening.until(lambda: caplog.text.count("disk full") == 2, "it could not be stored twice")
    await evening.settle_down()
    (row,) = await ledger.open_tables()
    assert row.message_id == posted.id
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said == [f"the board of table {row.table_id} could not be edited: disk full"] * 2


async def test_a_press_that_another_process_has_answered_is_no_way_to_edit_the_board(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answered(_: object) -> None:
        raise TakenElsewhereError

    monkeypatch.setattr("bot.ui.board.boards.defer_update", answered)
    mei, alice = evening.persons("Mei", "Alice")
    shown = await evening.open_table(mei)
    board = evening.bot.boards._boards[evening.table().table_id]
    before = board._click
    async with board.editing:
        pressing = asyncio.create_task(alice.click(shown, "Join"))
        await evening.until(lambda: evening.table().has(evening.party(alice)), "they have a seat")
        await evening.until(lambda: not evening.bot.intake._running, "the press is handled")
        pressing.cancel()
    # By its token the sentence of the other process would be edited.
    assert board._click is before
    await evening.board_says(shown, f"<@{alice.id}>")
