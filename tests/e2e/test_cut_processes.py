"""Processes are cut from their database, or gone, while others play on: nothing is lost."""

import asyncio
import logging
from contextlib import closing

import psycopg
import pytest

from bot.table.state import Phase
from tests.e2e.answers import message_of, said
from tests.e2e.processes import SharedEvening
from tests.e2e.processes import evening as evening
from tests.sizes import sample, sized


async def test_what_a_process_is_not_notified_of_while_it_is_cut_from_the_database_is_read_afterwards(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    first, way = await evening.start(0, 1), await evening.way()
    second = await evening.start(2, 3, way=way)
    admin, zed = evening.everywhere("Admin", manage_server=True), evening.everywhere("Zed")
    for shard in (0, 3):
        evening.go_to(shard)
        await zed.slash(evening.channel, "wallet")
    party = evening.party(zed)
    way.refuses = True
    way.cut()
    evening.go_to(0)
    shown = message_of(await admin.slash(evening.channel, "house set", rule="daily_chips", value="55"))
    await admin.click(shown, "Confirm")
    await admin.slash(admin.dm(), "language", language="ms")
    asked = message_of(await zed.slash(zed.dm(), "privacy erase"))
    await zed.click(asked, "Erase my data")
    await evening.until(lambda: "erased" in asked.text, "it is answered")
    with closing(psycopg.connect(evening.settings.database_url, autocommit=True)) as connection:
        # As a crash of the server does.
        connection.execute("TRUNCATE notifications, logins")
    way.refuses = False
    house_of, identities = second.houses.house_of, second.croupier.identities
    await evening.until(lambda: house_of(evening.server.id).server.daily_chips == 55, "it knows the rules")
    await evening.until(lambda: identities.chosen(admin.id), "it knows the language")
    await evening.until(lambda: identities.is_closed(party), "it knows who is erased")
    assert first.croupier.identities.is_closed(party)
    caplog.clear()


@pytest.mark.thorough
async def test_what_is_overdue_when_a_process_is_gone_happens_in_the_next_one(evening: SharedEvening) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 5, "arranging_seconds": 5})
    other = await evening.start(0, 1)
    gone = await evening.start(2, 3)
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    await evening.press(zed, board, "Join")
    await alice.click(board, "20")
    await evening.stop(gone)
    await asyncio.sleep(6)
    assert not other.croupier.tables.all(), "the others are not its heirs"
    await evening.start(2, 3)
    await evening.have_cards(alice, mei)
    await evening.board_says(evening.board(mei), "-# 🧾 receipt 1")
    assert sum((await evening.chips(alice, mei, zed)).values()) == 3000


async def test_a_database_that_is_away_for_a_minute_loses_nothing(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 3, "last_call_seconds": 3})
    way = await evening.way()
    await evening.start(0, 1, 2, 3, way=way)
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    await evening.press(zed, board, "Join")
    await alice.click(board, "20")
    way.refuses = True
    way.cut()
    assert "Chips can't be moved right now" in said(await zed.click(board, "10"))
    # The deal is due meanwhile.
    with caplog.at_level(logging.DEBUG, "bot.croupier.stored_tables"):
        await evening.until(lambda: "goes on in" in caplog.text, "the deal is tried in vain")
    await asyncio.sleep(sized(0, 54))
    assert not evening.table().pieces_of(evening.party(alice))
    way.refuses = False
    await evening.have_cards(alice, mei)
    await evening.reveal(board, alice, mei)
    assert evening.last_round().parties == {evening.party(alice), evening.party(mei)}
    assert sum((await evening.chips(mei, alice, zed)).values()) == 3000
    assert evening.hands.sent_twice == []
    errors = [one.getMessage() for one in caplog.get_records("call") if one.levelname == "ERROR"]
    assert all("postgresql://" in one for one in errors), errors
    assert len(errors) == 2, "one line for what is written, and one for what is read"
    caplog.clear()


@pytest.mark.parametrize("same", sample([False, True], ids=["other shards", "the same shards"]))
async def test_one_process_may_be_cut_from_the_database_while_another_plays_on(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture, same: bool
) -> None:
    evening.expect_fault(400, 404, 429)
    way = await evening.way()
    cut = await evening.start(*(range(4) if same else (2, 3)), way=way)
    others = await evening.start(*(range(4) if same else (0, 1)))
    evening.go_to(3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    waiting = board, mei, alice
    if not same:
        evening.go_to(0)
        board, (mei, alice) = await evening.table_of("Ming", "Aida")
    evening.bot = others
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    # The other process may have dealt them.
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "it knows that")
    way.refuses = True
    way.cut()
    for number in range(1, 3):
        # Each may have posted the board below the talk again.
        board = await evening.board_with(mei, "Reveal")
        await evening.reveal(board, alice, mei)
        board = await evening.board_with(mei, "20")
        await alice.click(board, "20")
        await evening.have_cards(mei, alice, rounds=number + 1)
    if not same:
        assert "Chips can't be moved right now" in said(await waiting[2].click(waiting[0], "20"))
    way.refuses = False
    if same:
        await evening.stop(others)
        evening.bot = cut
        await evening.until(lambda: evening.table().round_number == 3, "it has read what the other wrote")
        await evening.settle_down()
    board = await evening.board_with(mei, "Reveal")
    await evening.reveal(board, alice, mei)
    assert sum((await evening.chips(alice, mei)).values()) == 2000
    assert evening.hands.sent_twice == []
    if not same:
        evening.go_to(3)
        board, mei, alice = waiting
        await alice.click(board, "20")
        await evening.have_cards(mei, alice)
        await evening.reveal(board, alice, mei)
        assert sum((await evening.chips(alice, mei)).values()) == 2000
    caplog.clear()
