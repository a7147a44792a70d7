"""Group commit: one transaction for all waiting changes, and a separate result for each."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from bot.ledger.audit import audit
from bot.ledger.changes import DirectChannel, Plan, PlanChanged
from bot.ledger.errors import (
    AlreadyDone,
    InsufficientChips,
    LedgerUnavailable,
    Overtaken,
    StaleTable,
    Unstorable,
)
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.writer import MAX_BATCH
from bot.table.accounts import HOUSE, wallet
from tests.ledger.counted_ledger import all_of, counted
from tests.ledger.sample_changes import (
    NOW,
    SERVER,
    at_table,
    change,
    failures,
    fresh_key,
    identity,
    opening,
    pay,
    row,
)


async def test_changes_that_wait_together_share_a_transaction(either: str) -> None:
    async with counted(either) as (ledger, begun):
        await all_of(ledger, *(opening(member) for member in range(3 * MAX_BATCH)))
        assert len(begun) == 3
        assert len(await ledger.wallets(SERVER, range(3 * MAX_BATCH))) == 3 * MAX_BATCH
        assert await audit(ledger) == []


async def test_each_change_sees_the_effects_of_those_before_it(ledger: Ledger) -> None:
    outcomes = await all_of(
        ledger,
        opening(7, 100),
        pay(wallet(7), wallet(8), 100),
        pay(wallet(7), wallet(8), 1),
        pay(wallet(8), wallet(9), 100),
        pay(wallet(9), wallet(7), 50),
        pay(wallet(7), HOUSE, 1),
    )
    assert [type(failure) for failure in failures(outcomes)] == [InsufficientChips]
    assert isinstance(outcomes[2], InsufficientChips)
    assert await ledger.wallets(SERVER, [7, 8, 9]) == {7: 49, 8: 0, 9: 50}


async def test_a_table_can_be_opened_and_closed_in_one_batch(ledger: Ledger) -> None:
    outcomes = await all_of(
        ledger,
        at_table(row(1), deadline=NOW + 9),
        at_table(row(1)),
        replace(at_table(row(2, is_open=False, is_playing=False)), at=NOW + 60),
        at_table(row(1, 2, channel_id=row(1).channel_id)),
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), StaleTable, type(None), type(None)]
    closed = await ledger.table(row(1).table_id)
    assert closed is not None
    assert (closed.is_open, closed.sequence) == (False, 2)
    assert (closed.opened_at, closed.closed_at) == (NOW, NOW + 60)
    assert await ledger.deadlines() == {}
    assert [table.table_id for table in await ledger.open_tables()] == [2]


async def test_a_change_that_the_database_refuses_fails_alone(address: str) -> None:
    async with counted(address) as (ledger, begun):
        await ledger.commit(at_table(row(1, 1, channel_id=50)))
        await ledger.record(identity(7))
        begun.clear()
        unstorable = replace(change(), answer="\ud800")
        outcomes = await all_of(
            ledger,
            opening(7),
            at_table(row(1, 2, channel_id=50)),
            pay(wallet(7), wallet(8), 400),
            unstorable,
            DirectChannel(700, 701),
            pay(wallet(8), wallet(9), 400),
        )
        assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * 2
        assert len(begun) == 1 + 5
        assert await ledger.wallets(SERVER, [7, 8, 9]) == {7: 600, 8: 0, 9: 400}
        assert await ledger.direct_channel(700) == DirectChannel(700, 701)
        assert await audit(ledger) == []


async def test_a_plan_that_is_not_stored_as_it_is_said_to_be_fails_alone(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    outcomes = await all_of(
        ledger,
        opening(7),
        PlanChanged(Plan("bank:7", SERVER, 7, "bank", 5, NOW, "{}"), None),
        pay(wallet(7), HOUSE, 1),
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), Overtaken, type(None)]
    assert await ledger.wallets(SERVER, [7]) == {7: 999}
    assert "nothing can be written" not in caplog.text


@pytest.mark.parametrize("others", range(3))
async def test_after_a_failed_batch_each_change_is_tried_alone_once(address: str, others: int) -> None:
    async with counted(address) as (ledger, begun):
        await ledger.commit(at_table(row(1, 1, channel_id=50)))
        begun.clear()
        taken = at_table(row(1, 2, channel_id=50))
        outcomes = await all_of(ledger, taken, *(opening(member) for member in range(others)))
        assert [type(outcome) for outcome in outcomes] == [Unstorable] + [type(None)] * others
        # Alone, it is refused at once unless another process may have written.
        assert len(begun) == (1 + 1 + others if others else 1 + (ledger.processes is not None))


async def test_a_change_whose_caller_was_cancelled_is_done_once(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    asked = [asyncio.create_task(ledger.commit(pay(wallet(7), HOUSE, 1))) for _ in range(30)]
    refused = asyncio.create_task(ledger.commit(pay(wallet(7), HOUSE, 5000)))
    await asyncio.sleep(0)
    for task in asked[::2]:
        task.cancel()
    refused.cancel()
    outcomes = await asyncio.gather(*asked, refused, return_exceptions=True)
    assert [type(failure) for failure in failures(outcomes)] == [asyncio.CancelledError] * 16
    await ledger.record(DirectChannel(7))
    assert await ledger.wallets(SERVER, [7]) == {7: 970}


async def test_a_change_cancelled_at_any_moment_is_done_once_or_never(
    ledger: Ledger,
) -> None:
    await ledger.commit(opening(7))
    for pause in range(40):
        key = fresh_key()
        task = asyncio.create_task(ledger.commit(pay(wallet(7), HOUSE, 1, key)))
        await asyncio.sleep(pause * 0.0001)
        task.cancel()
        await asyncio.wait([task])
        with pytest.raises(AlreadyDone):
            await ledger.commit(pay(wallet(7), HOUSE, 1, key))
    assert await ledger.wallets(SERVER, [7]) == {7: 960}


async def test_during_closing_earlier_changes_are_written_and_later_ones_refused(either: str) -> None:
    stack = AsyncExitStack()
    ledger = await stack.enter_async_context(open_ledger(either))
    before = [asyncio.create_task(ledger.commit(opening(member))) for member in range(200)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(stack.aclose())
    await asyncio.sleep(0)
    with pytest.raises(LedgerUnavailable, match="closed"):
        await ledger.commit(opening(300))
    await asyncio.gather(closing, *before)
    with pytest.raises(LedgerUnavailable, match="closed"):
        await ledger.commit(opening(300))
    async with open_ledger(either) as ledger:
        assert set(await ledger.wallets(SERVER, range(400))) == set(range(200))
