"""A failing ledger: who gets an error, what the log says, and that listeners are notified once."""

import asyncio
import gc

import pytest

from bot.croupier.open_tables import NoSuchTableError
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import StoredTable
from bot.table.events import BetPlaced, parse_event
from bot.table.state import Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, FailAt, House, times_notified


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
    house: House, fail_at: FailAt, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    after = await house.bet(table_id, BOB, 10)
    assert after.staked == (30 if kept else 10)
    assert [change.before for change in house.changes[1:]] == [change.after for change in house.changes[:-1]]

    async def asked(_: int) -> StoredTable | None:
        raise AssertionError("what is at hand is certain again")

    with monkeypatch.context() as certain:
        certain.setattr(house.ledger, "table", asked)
        await house.join(table_id, CHAN)
    record = [parse_event(row.body) for row in await house.ledger.events(table_id)]
    assert [event for change in house.changes for event in change.events] == record
    assert all(change.events for change in house.changes)


async def test_a_request_to_a_table_closed_before_the_start_notifies_nobody(
    house: House,
) -> None:
    table_id = await house.open_with_bank()
    await house.croupier.wind_up(house.croupier.tables.all())
    await house.restart()
    told = len(house.changes)
    with pytest.raises(NoSuchTableError):
        await house.join(table_id, BOB)
    assert len(house.changes) == told


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("failure", "where_shown"),
    [(LedgerUnavailable("disk full"), False), (RuntimeError("a bug of ours"), True)],
    ids=["the ledger's", "ours"],
)
async def test_the_log_has_a_traceback_only_for_bugs(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
    where_shown: bool,
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    await house.bet(table_id, ALICE, 20)

    async def failing(_: Change) -> None:
        raise failure

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", failing)
        house.now += house.rules.betting_seconds
        await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    told = [record for record in caplog.records if f"table {table_id} goes on in" in record.message]
    assert [bool(record.exc_info) for record in told] == [where_shown]


@pytest.mark.usefixtures("soon")
async def test_stored_events_are_found_and_notified_without_a_request(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    before = house.table(table_id)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    if kept:
        await house.until(lambda: house.table(table_id).staked == 20)
        assert times_notified(house, BetPlaced) == 1
    else:
        await asyncio.sleep(0.1)
        assert house.table(table_id) == before
