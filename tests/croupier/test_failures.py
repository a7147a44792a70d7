"""A failing ledger, before or after the disk has the change: only the disk counts, and is told once."""

import asyncio
import gc
import logging
import time
from contextlib import nullcontext
from typing import Any

import pytest

from bot.croupier import croupier, stored_tables
from bot.croupier.open_tables import ChannelTakenError, NoSuchTableError
from bot.ledger import queries
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerError, LedgerUnavailable
from bot.ledger.records import StoredEvent
from bot.table.commands import CloseTable, PlaceBet
from bot.table.events import BetPlaced, HandsDealt, TableOpened, parse_event
from bot.table.state import Phase
from tests.croupier.croupier_house import (
    ALICE,
    BOB,
    CHAN,
    DISK_ERROR,
    MEI,
    SERVER,
    FailAt,
    House,
    failing,
    times_notified,
)


async def test_after_a_failure_the_same_click_again_is_done_once(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    after = await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    assert after.staked == 20
    assert (await house.croupier.wallets.purse(SERVER, ALICE)).wallet == 860
    assert times_notified(house, BetPlaced) == 1


@pytest.fixture
def events_read(monkeypatch: pytest.MonkeyPatch) -> list[StoredEvent]:
    """Every event that is read of a table; of its record, one command is known again."""
    read: list[StoredEvent] = []

    def noted(*values: Any) -> StoredEvent:
        read.append(StoredEvent(*values))
        return read[-1]

    monkeypatch.setattr(queries, "StoredEvent", noted)
    monkeypatch.setattr(stored_tables, "KEYS_KNOWN", 1)
    return read


async def test_after_a_failure_a_long_record_is_not_read_again(
    house: House, fail_at: FailAt, events_read: list[StoredEvent], kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    for stake in range(10, 20):
        await house.bet(table_id, ALICE, stake)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    last = house.table(table_id).sequence
    await house.join(table_id, CHAN)
    assert [event.sequence for event in events_read] == [last, *([last + 1, last + 2] if kept else [])]


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_press_at_a_table_closed_long_ago_notifies_nobody_and_does_not_read_its_record(
    house: House, events_read: list[StoredEvent], restarts: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    await house.croupier.wind_up(house.croupier.tables.all())
    if restarts:
        await house.restart()
    told = len(house.changes)
    events_read.clear()
    with pytest.raises(NoSuchTableError):
        await house.join(table_id, CHAN)
    assert len(house.changes) == told
    assert len(events_read) <= 1


async def test_a_bug_in_what_is_due_does_not_fail_the_command_before_it(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(croupier, "due_action", fails)
        after = await house.bet(table_id, ALICE, 20)
    assert after.staked == 20
    (record,) = [record for record in caplog.records if "a bug" in record.getMessage()]
    assert record.exc_info is not None


@pytest.mark.usefixtures("soon")
async def test_a_bet_counts_even_if_the_deal_after_it_fails_and_is_retried(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    fail_at(2)
    after = await house.bet(table_id, ALICE, 20)
    assert after.staked == 20
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert times_notified(house, HandsDealt) == 1


@pytest.mark.usefixtures("soon")
async def test_a_deadline_is_retried_after_the_ledger_failed(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)
    fail_at(1)
    house.now += house.rules.betting_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert times_notified(house, HandsDealt) == 1


@pytest.mark.thorough
async def test_an_overdue_table_is_not_tried_again_before_its_time(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As with a database that is moved away: it can be read, and not be written."""
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)

    async def fails(_: Change) -> None:
        await asyncio.sleep(0.01)
        raise LedgerUnavailable("the file is gone")

    def tries() -> list[logging.LogRecord]:
        return [record for record in caplog.records if "goes on in" in record.getMessage()]

    # Also for a try that fails just before the fault is over.
    monkeypatch.setattr(stored_tables, "RETRY_SECONDS", 0.2)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", fails)
        house.now += house.rules.betting_seconds
        begins = time.monotonic()
        await house.croupier.go_on()
        await house.until(lambda: len(tries()) >= 3)
        lasted = time.monotonic() - begins
        assert len(tries()) <= 1 + lasted / stored_tables.RETRY_SECONDS
    # The next try succeeds: not while the books are audited.
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)


@pytest.mark.usefixtures("soon")
async def test_a_failed_opening_is_found_if_it_is_on_disk(house: House, fail_at: FailAt, kept: bool) -> None:
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.croupier.open_table(SERVER, 700, MEI, 70)
    if kept:
        await house.until(lambda: house.croupier.tables.in_channel(700))
    else:
        await asyncio.sleep(0.1)
        assert house.croupier.tables.all() == []
    assert (await house.croupier.open_table(SERVER, 700, MEI, 70)).number == 1
    assert times_notified(house, TableOpened) == 1


async def test_a_failed_opening_on_disk_is_found_by_the_next_opening_in_its_channel(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.croupier.open_table(SERVER, 700, MEI, 70)
    if kept:
        with pytest.raises(ChannelTakenError) as taken:
            await house.open(BOB, channel_id=700)
        assert taken.value.table == house.table(70)
        assert (await house.croupier.open_table(SERVER, 700, MEI, 70)).opener == MEI
    else:
        assert (await house.open(BOB, channel_id=700)).opener == BOB
    assert times_notified(house, TableOpened) == 1
    assert (await house.open(CHAN)).number == 2, "each number is given once"


async def test_a_failed_closing_on_disk_is_found_by_the_next_opening_in_its_channel(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = (await house.open(channel_id=700)).table_id
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, CloseTable(MEI, manages=False), MEI)
    if kept:
        opened = await house.open(BOB, channel_id=700)
        assert house.croupier.tables.all() == [opened]
        assert [change.after.phase for change in house.changes] == [Phase.OPEN, Phase.CLOSED, Phase.OPEN]
    else:
        with pytest.raises(ChannelTakenError) as taken:
            await house.open(BOB, channel_id=700)
        assert taken.value.table.table_id == table_id


@pytest.mark.usefixtures("soon")
async def test_a_failed_closing_counts_if_it_is_on_disk(house: House, fail_at: FailAt, kept: bool) -> None:
    table_id = (await house.open()).table_id
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, CloseTable(MEI, manages=False), MEI)
    if kept:
        await house.until(lambda: house.croupier.tables.get(table_id) is None)
        assert house.changes[-1].after.phase is Phase.CLOSED
    with pytest.raises(NoSuchTableError) if kept else nullcontext():
        await house.join(table_id, ALICE)


async def test_a_wallet_that_cannot_be_opened_leaves_the_table_unchanged(house: House) -> None:
    table = await house.open()
    with failing(house.ledger, "commit"), pytest.raises(LedgerUnavailable):
        await house.join(table.table_id, ALICE)
    assert house.table(table.table_id) == table
    await house.join(table.table_id, ALICE)


@pytest.mark.usefixtures("soon")
async def test_a_ledger_that_cannot_be_read_is_retried(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)
    with failing(house.ledger, "commit", "table"):
        house.now += house.rules.betting_seconds
        await house.croupier.go_on()
        with pytest.raises(LedgerError):
            await house.bet(table_id, ALICE, 30)
        await house.until(lambda: caplog.text.count(f"table {table_id} goes on in") > 2)
        assert house.table(table_id).phase is Phase.BETTING
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert house.table(table_id).staked == 20


async def test_a_table_that_is_behind_the_disk_catches_up(house: House) -> None:
    """As if another process had written. The disk counts, and nothing is written twice."""
    table_id = await house.open_with_bank()
    behind = house.table(table_id)
    await house.join(table_id, BOB)
    house.croupier.tables.keep(behind)
    await house.join(table_id, ALICE)
    assert [seat.party for seat in house.table(table_id).seats] == [BOB, ALICE]


async def test_a_member_sits_down_though_their_evening_cannot_be_read(house: House) -> None:
    table_id = await house.open_with_bank()
    with failing(house.ledger.evenings, "of"):
        await house.join(table_id, ALICE)
    assert house.table(table_id).has(ALICE)


async def test_a_failure_after_the_caller_was_cancelled_is_not_reported(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    table_id = await house.open_with_bank()
    reached, fails = asyncio.Event(), asyncio.Event()

    async def failing(_: Change) -> None:
        reached.set()
        await fails.wait()
        raise LedgerUnavailable("disk I/O error")

    monkeypatch.setattr(house.ledger, "commit", failing)
    asking = asyncio.create_task(house.bet(table_id, ALICE, 20))
    await reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    fails.set()
    monkeypatch.undo()
    await house.bet(table_id, BOB, 20)
    gc.collect()
    assert reported == []


async def test_after_a_failure_the_disk_decides_listeners_hear_once_and_nothing_is_read_twice(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    after = await house.bet(table_id, BOB, 10)
    assert after.staked == (30 if kept else 10)
    assert [change.before for change in house.changes[1:]] == [change.after for change in house.changes[:-1]]
    with failing(house.ledger, "table", error=AssertionError("what is at hand is certain again")):
        await house.join(table_id, CHAN)
    record = [parse_event(row.body) for row in await house.ledger.events(table_id)]
    assert [event for change in house.changes for event in change.events] == record
    assert all(change.events for change in house.changes)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("failure", "where_shown"),
    [(DISK_ERROR, False), (RuntimeError("a bug of ours"), True)],
    ids=["the ledger's", "ours"],
)
async def test_the_log_has_a_traceback_only_for_bugs(
    house: House, caplog: pytest.LogCaptureFixture, failure: Exception, where_shown: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)
    with failing(house.ledger, "commit", error=failure):
        house.now += house.rules.betting_seconds
        await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    told = [record for record in caplog.records if f"table {table_id} goes on in" in record.message]
    assert [bool(record.exc_info) for record in told] == [where_shown]


@pytest.mark.usefixtures("soon")
async def test_after_a_failure_the_last_known_state_is_displayed_until_the_disk_is_read(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    before = house.table(table_id)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    assert house.croupier.tables.of_server(SERVER) == [before]
    assert house.croupier.tables.in_channel(before.channel_id) == before
    if kept:
        await house.until(lambda: house.table(table_id).staked == 20)
        assert times_notified(house, BetPlaced) == 1, "without another request"
    else:
        await asyncio.sleep(0.1)
        assert house.table(table_id) == before
