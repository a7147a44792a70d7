"""What is asked for too late is not done: who asked was told that it failed."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from bot.croupier.gifts import Gift, Gifts
from bot.croupier.houses import HouseChange, Houses, Verb
from bot.ledger.errors import TooLate
from bot.ledger.times import NotAfter
from bot.table.commands import PlaceBet
from bot.table.refusals import Refused
from tests.croupier.croupier_house import ALICE, BOB, MEI, SERVER, House

OVER = -inf


async def a_gift(house: House, not_after: NotAfter) -> Callable[[], Awaitable[bool]]:
    gift = Gift(SERVER, ALICE, BOB, 50)

    async def done() -> bool:
        return (await house.croupier.purse(SERVER, BOB)).total == 1050

    await Gifts(house.croupier).give(gift, "late", not_after)
    return done


async def a_bet(house: House, not_after: NotAfter) -> Callable[[], Awaitable[bool]]:
    table = house.croupier.tables.all()[0]

    async def done() -> bool:
        return house.table(table.table_id).staked == 20

    await house.croupier.ask(table.table_id, PlaceBet(ALICE, 20), ALICE, "late", not_after)
    return done


async def a_table(house: House, not_after: NotAfter) -> Callable[[], Awaitable[bool]]:
    async def done() -> bool:
        return house.croupier.tables.in_channel(99) is not None

    await house.croupier.open_table(SERVER, 99, MEI, house.fresh(), not_after=not_after)
    return done


async def new_rules(house: House, not_after: NotAfter) -> Callable[[], Awaitable[bool]]:
    houses = Houses(house.ledger)
    await houses.draft(1, SERVER, HouseChange(Verb.SET, "ties", "push"))

    async def done() -> bool:
        return bool(await houses.history(SERVER, 1))

    await houses.confirm(1, SERVER, MEI, not_after)
    return done


def house_file(folder: Path) -> Path:
    (path,) = folder.glob("*.db")
    return path


WAYS = [a_gift, a_bet, a_table, new_rules]
Way = Callable[[House, NotAfter], Awaitable[Callable[[], Awaitable[bool]]]]


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_asked_for_too_late_is_not_done(house: House, way: Way) -> None:
    await house.open_with_bank()
    with pytest.raises(TooLate):
        await way(house, NotAfter(OVER))
    assert (await house.croupier.purse(SERVER, BOB)).total == 1000
    assert house.croupier.tables.all()[0].staked == 0
    assert house.croupier.tables.in_channel(99) is None
    assert await house.ledger.house_history(SERVER, 1) == []


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_asked_for_in_time_is_done(house: House, way: Way) -> None:
    await house.open_with_bank()
    done = await way(house, NotAfter(inf))
    assert await done()


async def test_a_late_request_is_done_if_it_comes_again_in_time(house: House) -> None:
    table_id = await house.open_with_bank()
    with pytest.raises(TooLate):
        await a_bet(house, NotAfter(OVER))
    assert not isinstance(await house.ask(table_id, PlaceBet(ALICE, 20), ALICE, "late"), Refused)
    assert house.table(table_id).staked == 20


async def test_a_late_request_does_not_stop_those_that_are_written_with_it(house: House) -> None:
    gifts = Gifts(house.croupier)
    for party in (ALICE, BOB):
        await house.croupier.open_wallet(SERVER, party)
    until = [NotAfter(OVER if number % 2 else inf) for number in range(10)]
    outcomes = await asyncio.gather(
        *(gifts.give(Gift(SERVER, ALICE, BOB, 1), str(at), until[at]) for at in range(10)),
        return_exceptions=True,
    )
    assert [isinstance(one, TooLate) for one in outcomes] == [bool(at % 2) for at in range(10)]
    assert (await house.croupier.purse(SERVER, BOB)).total == 1005


@pytest.mark.parametrize("put_off", [False, True], ids=["over meanwhile", "put off meanwhile"])
async def test_while_the_database_is_locked_time_can_run_out(
    house: House, tmp_path: Path, put_off: bool
) -> None:
    table_id = await house.open_with_bank()
    now = 10.0
    until = NotAfter(now + 2, lambda: now)
    with closing(sqlite3.connect(house_file(tmp_path), isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        asked = asyncio.create_task(
            house.croupier.ask(table_id, PlaceBet(ALICE, 20), ALICE, "a click", until)
        )
        await asyncio.sleep(0.1)
        now += 3
        if put_off:
            until.at += 60
        foreign.execute("ROLLBACK")
    if put_off:
        await asked
    else:
        with pytest.raises(TooLate):
            await asked
    assert house.table(table_id).staked == (20 if put_off else 0)
