"""Several processes host the bot, each some shards; and two at once host the same ones during a deploy."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice.limits import Limits
from bot.table.seats import NOBODY
from tests.e2e.conftest import PATIENCE
from tests.e2e.processes import SharedEvening
from tests.stand_in import StandIn


@pytest.fixture
async def evening(
    tmp_path: Path, paced_bot: None, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[SharedEvening]:
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        shared = SharedEvening(discord, tmp_path / "unused.db")
        try:
            yield shared
            await shared.end(caplog.get_records("call"))
        finally:
            await shared.stop_bot()


async def test_a_hand_by_direct_message_is_played_by_the_process_that_hosts_its_table(
    evening: SharedEvening,
) -> None:
    first = await evening.start(0, 1)
    await evening.start(2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    assert not first.croupier.tables.all(), "each process has its own tables only"
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    (hand,) = alice.sees(alice.dm())
    await alice.click(hand, "Reveal")
    await evening.reveal(board, mei)
    assert sum((await evening.chips(alice, mei)).values()) == 2000
    wallet = await alice.slash(alice.dm(), "wallet")
    assert wallet.message is not None
    assert evening.server.name in wallet.message.text


async def test_two_processes_with_the_same_shards_play_as_one(evening: SharedEvening) -> None:
    # Both answer each press and send each hand, and Discord takes the first of each.
    evening.expect_fault(400, 429)
    old = await evening.start(0, 1, 2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.start(0, 1, 2, 3)
    for number in range(1, 4):
        await alice.click(board, "20")
        await evening.have_cards(alice, mei, messages=number)
        await evening.reveal(board, mei, alice)
        board = evening.board(mei)
        await evening.can_press(board, "20")
    await evening.stop(old)
    await alice.click(evening.board(mei), "20")
    await evening.have_cards(alice, mei, messages=4)
    await evening.settle_down()
    for person in (alice, mei):
        assert len(person.sees(person.dm())) == 4, "no hand is sent twice"
        refused = [
            one.text for one in person.sees(evening.channel) if one.ephemeral and "right now" in one.text
        ]
        assert not refused


async def test_who_is_erased_by_direct_message_is_somebody_new_where_another_process_hosts(
    evening: SharedEvening,
) -> None:
    await evening.start(0, 1)
    await evening.start(2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    await evening.press(alice, board, "Leave the table")
    before = evening.party(alice)
    question = await alice.slash(alice.dm(), "privacy erase")
    assert question.message is not None
    await alice.click(question.message, "Erase my data")
    await evening.until(lambda: evening.bot.croupier.identities.is_closed(before), "the other process hears")
    await evening.press(alice, board, "Join")
    assert evening.party(alice) not in (before, NOBODY)
