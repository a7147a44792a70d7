"""Opening and finding tables: one per channel, numbered per server."""

import asyncio
import gc

import pytest

from bot.croupier.open_tables import ChannelTakenError, NoSuchTableError
from bot.games.gnau.rules import GnauRules
from bot.table.commands import CloseTable, Join, TakeBank
from bot.table.events import TableOpened
from bot.table.state import LeaveReason, Phase, TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, OTHER_SERVER, SERVER, House, fresh


async def test_a_table_is_opened_under_the_rules_of_its_house(house: House) -> None:
    house.rules = GnauRules(seats=4)
    table = await house.croupier.open_table(SERVER, 700, MEI, 70)
    assert table == TableState(
        70, SERVER, 700, 1, MEI, house.rules, deadline=table.deadline, secret=table.secret, sequence=3
    )
    assert house.croupier.tables.get(70) == table
    (change,) = house.changes
    assert change.before is None
    assert isinstance(change.events[0], TableOpened)
    assert change.after == table


async def test_a_channel_has_one_table(house: House) -> None:
    outcomes = await asyncio.gather(
        *(house.open(member, channel_id=700) for member in (MEI, MEI, MEI)), return_exceptions=True
    )
    (table,) = (outcome for outcome in outcomes if isinstance(outcome, TableState))
    assert [one.table for one in outcomes if isinstance(one, ChannelTakenError)] == [table, table]
    await house.do(table.table_id, CloseTable(MEI, manages=False), MEI)
    assert (await house.open(BOB, channel_id=700)).opener == BOB


async def test_an_interaction_whose_table_is_closed_opens_none(house: House) -> None:
    await house.croupier.open_table(SERVER, 700, MEI, 70)
    await house.do(70, CloseTable(MEI, manages=False), MEI)
    with pytest.raises(NoSuchTableError):
        await house.croupier.open_table(SERVER, 700, MEI, 70)
    assert house.croupier.tables.all() == []


async def test_tables_are_found_by_channel_by_server_and_by_member(house: House) -> None:
    first, second = await house.open(channel_id=700), await house.open(channel_id=800)
    elsewhere = await house.open(server_id=OTHER_SERVER)
    await house.do(first.table_id, TakeBank(ALICE, 5, 10, house.rules), ALICE)
    await house.join(second.table_id, ALICE, BOB)
    await house.join(elsewhere.table_id, ALICE)
    croupier = house.croupier
    first, second, elsewhere = map(house.table, (first.table_id, second.table_id, elsewhere.table_id))
    assert croupier.tables.all() == [first, second, elsewhere]
    assert croupier.tables.in_channel(800) == second
    assert croupier.tables.in_channel(900) is None
    assert croupier.tables.of_server(SERVER) == [first, second]
    assert croupier.tables.of_server(404) == []
    assert croupier.tables.concerning(SERVER, ALICE) == [first, second]
    assert croupier.tables.concerning(OTHER_SERVER, ALICE) == [elsewhere]
    assert croupier.tables.concerning(SERVER, MEI) == [], "who opened a table need not sit there"


async def test_winding_up_ends_a_table_in_any_phase_once_and_returns_holds(house: House) -> None:
    closed = await house.open()
    await house.do(closed.table_id, CloseTable(MEI, manages=False), MEI)
    empty = (await house.open()).table_id
    betting, dealt = await house.open_with_bank(MEI), await house.open_with_bank(CHAN)
    await house.join(betting, BOB)
    await house.bet(betting, ALICE, 20)
    await house.bet(dealt, ALICE, 20)
    tables = house.croupier.tables.all()
    assert [table.phase for table in tables] == [Phase.OPEN, Phase.BETTING, Phase.DEALT]
    await asyncio.gather(*(house.croupier.wind_up([closed, *tables], LeaveReason.GONE) for _ in range(3)))
    assert house.croupier.tables.all() == []
    wound_up = [change.after.table_id for change in house.changes if change.after.phase is Phase.CLOSED]
    assert sorted(wound_up) == sorted([closed.table_id, empty, betting, dealt])
    for member in (MEI, ALICE, CHAN):
        purse = await house.croupier.wallets.purse(SERVER, member)
        assert (purse.wallet, purse.held) == (1000, ())


async def test_a_table_that_is_not_open_is_not_found(house: House) -> None:
    closed = (await house.open()).table_id
    await house.do(closed, CloseTable(MEI, manages=False), MEI)
    for table_id in (closed, 404):
        assert house.croupier.tables.get(table_id) is None
        with pytest.raises(NoSuchTableError):
            await house.ask(table_id, Join(ALICE), ALICE)


@pytest.mark.thorough
async def test_closed_tables_leave_nothing_in_memory(house: House) -> None:
    """A bot that runs for months must not keep anything of closed tables."""

    async def locks() -> int:
        table = await house.open()
        await house.do(table.table_id, CloseTable(MEI, manages=False), MEI)
        with pytest.raises(NoSuchTableError):
            await house.ask(fresh(), Join(ALICE), ALICE)
        gc.collect()
        return sum(isinstance(one, asyncio.Lock) for one in gc.get_objects())

    assert len({await locks() for _ in range(4)}) == 1


@pytest.mark.thorough
async def test_tables_opened_at_once_are_numbered_without_a_gap_in_each_server(house: House) -> None:
    servers = [SERVER, OTHER_SERVER] * 20
    tables = await asyncio.gather(*(house.open(server_id=server_id) for server_id in servers))
    for server_id in (SERVER, OTHER_SERVER):
        numbers = [table.number for table in tables if table.server_id == server_id]
        assert sorted(numbers) == list(range(1, 21))
        assert (await house.open(server_id=server_id)).number == 21
