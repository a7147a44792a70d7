"""Two croupiers on one PostgreSQL database: what one wrote counts for the other at once."""

from collections.abc import AsyncIterator

import pytest

from bot.ledger.changes import Change
from bot.table.accounts import Move, Reason, wallet
from bot.table.commands import PlaceBet
from bot.table.refusals import Refused
from tests.croupier.croupier_house import ALICE, CHAN, MEI, SERVER, House
from tests.databases import new_postgres_database


@pytest.fixture
async def two() -> AsyncIterator[tuple[House, House]]:
    address = new_postgres_database()
    async with House(address) as one, House(address) as other:
        for party in (ALICE, CHAN):
            await one.croupier.open_wallet(SERVER, party)
        yield one, other
        await one.check()


async def give(house: House, giver: int, taker: int, chips: int) -> None:
    move = Move(wallet(giver), wallet(taker), chips, Reason.GIFT)
    await house.ledger.commit(Change(str(house.fresh()), SERVER, house.now, (move,)))


async def test_b02_chips_from_another_process_can_be_bet_at_once(
    two: tuple[House, House],
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE])
    await give(one, ALICE, CHAN, 1000)
    assert isinstance(await one.ask(table_id, PlaceBet(ALICE, 20), ALICE), Refused)
    await give(other, CHAN, ALICE, 1000)
    await one.do(table_id, PlaceBet(ALICE, 20), ALICE)
