"""The ledger fails, before or after the disk has it: nothing is decided from what is not on disk."""

import asyncio
import gc
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import count

import pytest

from bot.croupier import ChannelTakenError, Croupier, NoSuchTableError, stored_tables
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerError, LedgerUnavailable, StaleTable
from bot.ledger.records import StoredTable
from bot.table.commands import CloseTable, PlaceBet
from bot.table.events import BetPlaced, HandsDealt, TableOpened, parse_event
from bot.table.state import Phase
from tests.croupier.house import ALICE, BOB, CHAN, MEI, SERVER, House
from tests.houses import house_with

FailAt = Callable[[int], None]
"""Makes the so-manieth change of a table from now on fail, from 1 on."""


@pytest.fixture(params=[False, True], ids=["before the disk has it", "after the disk has it"])
def kept(request: pytest.FixtureRequest) -> bool:
    """Whether the disk has the change, though the ledger says that it failed."""
    return bool(request.param)


@pytest.fixture
def fail_at(house: House, kept: bool, monkeypatch: pytest.MonkeyPatch) -> FailAt:
    def arrange(which: int) -> None:
        commit, changes = house.ledger.commit, count(1)

        async def failing(change: Change) -> None:
            fails = change.table is not None and next(changes) == which
            if not fails or kept:
                await commit(change)
            if fails:
                raise LedgerUnavailable("disk I/O error")

        monkeypatch.setattr(house.ledger, "commit", failing)

    return arrange


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries again at once, and not in seconds."""
    monkeypatch.setattr(stored_tables, "RETRY_SECONDS", 0.01)


async def test_who_asks_again_with_the_same_click_has_it_done_once(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    after = await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    assert after.staked == 20
    assert (await house.croupier.purse(SERVER, ALICE.member_id)).wallet == 860
    assert told_of(house, BetPlaced) == 1


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


async def test_who_asks_for_something_else_is_answered_from_what_is_on_disk(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    after = await house.do(table_id, PlaceBet(BOB, 10), BOB)
    assert after.staked == (30 if kept else 10)
    assert [news.before for news in house.news[1:]] == [news.after for news in house.news[:-1]]


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
        assert told_of(house, BetPlaced) == 1
    else:
        await asyncio.sleep(0.1)
        assert house.table(table_id) == before


async def test_a_table_that_failed_is_shown_as_it_was_last_known(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    before = house.table(table_id)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.bet(table_id, ALICE, 20)
    assert house.croupier.tables.of_server(SERVER) == [before]
    assert house.croupier.tables.in_channel(before.channel_id) == before
    await house.restart()
    assert bool(house.table(table_id).bets) is kept


@pytest.mark.usefixtures("soon")
async def test_a_bet_stands_though_the_deal_that_follows_fails_and_that_is_tried_again(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    fail_at(2)
    after = await house.bet(table_id, ALICE, 20)
    assert after.staked == 20
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert told_of(house, HandsDealt) == 1


@pytest.mark.usefixtures("soon")
async def test_what_is_due_is_tried_again_when_the_clock_found_the_ledger_failing(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    await house.bet(table_id, ALICE, 20)
    fail_at(1)
    house.now += house.rules.betting_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert told_of(house, HandsDealt) == 1


@pytest.mark.usefixtures("soon")
async def test_a_table_whose_opening_failed_is_found_if_it_is_on_disk(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.croupier.open_table(SERVER, 700, MEI, 70)
    if kept:
        await house.until(lambda: house.croupier.tables.in_channel(700))
    else:
        await asyncio.sleep(0.1)
        assert house.croupier.tables.all() == []
    assert (await house.croupier.open_table(SERVER, 700, MEI, 70)).number == 1
    assert told_of(house, TableOpened) == 1


async def test_an_opening_that_is_on_disk_though_it_failed_is_found_by_the_next_one_in_its_channel(
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
    assert told_of(house, TableOpened) == 1
    assert (await house.open(CHAN)).number == 2, "each number is given once"


async def test_a_closing_that_is_on_disk_though_it_failed_is_found_by_who_opens_there_next(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = (await house.open(channel_id=700)).table_id
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, CloseTable(MEI.member_id, manages=False), MEI)
    if kept:
        opened = await house.open(BOB, channel_id=700)
        assert house.croupier.tables.all() == [opened]
        assert [news.after.phase for news in house.news] == [Phase.OPEN, Phase.CLOSED, Phase.OPEN]
    else:
        with pytest.raises(ChannelTakenError) as taken:
            await house.open(BOB, channel_id=700)
        assert taken.value.table.table_id == table_id


@pytest.mark.usefixtures("soon")
async def test_a_table_whose_closing_failed_is_gone_if_it_is_on_disk(
    house: House, fail_at: FailAt, kept: bool
) -> None:
    table_id = (await house.open()).table_id
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, CloseTable(MEI.member_id, manages=False), MEI)
    if kept:
        await house.until(lambda: house.croupier.tables.get(table_id) is None)
        assert house.news[-1].after.phase is Phase.CLOSED
    with pytest.raises(NoSuchTableError) if kept else nullcontext():
        await house.join(table_id, ALICE)


async def test_a_wallet_that_cannot_be_opened_leaves_the_table_as_it_was(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.open()

    async def failing(_: Change) -> None:
        raise LedgerUnavailable("disk full")

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", failing)
        with pytest.raises(LedgerUnavailable):
            await house.join(table.table_id, ALICE)
    assert house.table(table.table_id) == table
    await house.join(table.table_id, ALICE)


@pytest.mark.usefixtures("soon")
async def test_a_ledger_that_cannot_even_be_read_is_waited_for(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    await house.bet(table_id, ALICE, 20)

    async def unwritable(_: Change) -> None:
        raise LedgerUnavailable("disk I/O error")

    async def unreadable(_: int) -> StoredTable | None:
        raise LedgerUnavailable("disk I/O error")

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", unwritable)
        at_fault.setattr(house.ledger, "table", unreadable)
        house.now += house.rules.betting_seconds
        await house.croupier.go_on()
        with pytest.raises(LedgerError):
            await house.bet(table_id, ALICE, 30)
        await asyncio.sleep(0.1)
        assert house.table(table_id).phase is Phase.BETTING
    assert caplog.text.count(f"table {table_id} goes on in") > 2
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert house.table(table_id).staked == 20


async def test_a_table_that_is_behind_the_disk_catches_up(house: House) -> None:
    """What should never be: somebody else wrote. Memory gives way, and nothing is written twice."""
    table_id = await house.open_with_bank()
    behind = house.table(table_id)
    await house.join(table_id, BOB)
    house.croupier.tables.keep(behind)
    with pytest.raises(StaleTable):
        await house.join(table_id, ALICE)
    await house.join(table_id, ALICE)
    assert [seat.member for seat in house.table(table_id).seats] == [BOB, ALICE]


async def test_a_table_that_cannot_be_read_stops_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    unreadable, good = await house.open(), await house.open()
    await house.restart(go_on=False)
    rows = await house.ledger.open_tables()
    house.croupier = Croupier(house.ledger, lambda _: house_with(house.rules), lambda: house.now)

    async def open_tables() -> list[StoredTable]:
        return [replace(row, state="{}") if row.table_id == unreadable.table_id else row for row in rows]

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "open_tables", open_tables)
        await house.croupier.load()
    assert house.croupier.tables.all() == [good]
    assert f"table {unreadable.table_id} in server {SERVER} cannot be read" in caplog.text
    await house.croupier.load()


def told_of(house: House, kind: type) -> int:
    """How often listeners were told of an event of this kind."""
    return sum(isinstance(event, kind) for news in house.news for event in news.events)
