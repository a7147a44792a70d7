"""The ledger fails: who is told of it, and of what, and that nobody is told anything twice."""

import asyncio
import gc

import pytest

from bot.croupier import NoSuchTableError
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import StoredTable
from bot.table.events import BetPlaced, parse_event
from bot.table.state import Phase
from tests.croupier.failing import FailAt, as_ledger_errors
from tests.croupier.house import ALICE, BOB, CHAN, House


async def test_nobody_is_told_of_a_failure_when_who_asked_has_gone_away(
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


async def test_after_a_failure_everything_was_told_once_and_the_disk_is_asked_no_more(
    house: House, fail_at: FailAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    await house.bet(table_id, BOB, 10)

    async def asked(_: int) -> StoredTable | None:
        raise AssertionError("what is at hand is certain again")

    with monkeypatch.context() as certain:
        certain.setattr(house.ledger, "table", asked)
        await house.join(table_id, CHAN)
    record = [parse_event(row.body) for row in await house.ledger.events(table_id)]
    assert [event for news in house.news for event in news.events] == record
    assert all(news.events for news in house.news)


async def test_who_asks_a_table_that_is_closed_since_the_last_start_has_nobody_told_of_it(
    house: House,
) -> None:
    table_id = await house.open_with_bank()
    await house.croupier.wind_up(house.croupier.tables.all())
    await house.restart()
    told = len(house.news)
    with pytest.raises(NoSuchTableError):
        await house.join(table_id, BOB)
    assert len(house.news) == told


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("failure", "where_shown"),
    [(LedgerUnavailable("disk full"), False), (RuntimeError("a fault of ours"), True)],
    ids=["the ledger's", "ours"],
)
async def test_where_it_failed_is_shown_to_the_host_where_the_fault_is_ours(
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
async def test_what_the_disk_has_is_found_and_told_though_nobody_asks(
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
        assert as_ledger_errors(house, BetPlaced) == 1
    else:
        await asyncio.sleep(0.1)
        assert house.table(table_id) == before
