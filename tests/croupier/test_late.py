"""What is asked for too late is not done: who asked was told that it failed."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from bot.croupier.gifts import Gifts
from bot.croupier.handouts import Handouts
from bot.croupier.houses import HouseChange, Houses, Verb
from bot.ledger.changes import NotAfter
from bot.ledger.errors import TooLate
from bot.table.commands import PlaceBet
from tests.croupier.croupier_house import ALICE, BOB, MEI, SERVER, House

OVER = -inf


async def a_gift(house: House, not_after: NotAfter) -> None:
    await Gifts(house.croupier).give(await house.gift(ALICE, BOB, 50), "late", not_after)


async def free_chips(house: House, not_after: NotAfter) -> None:
    await Handouts(house.croupier).take(SERVER, BOB, not_after)


async def a_bet(house: House, not_after: NotAfter) -> None:
    (table,) = house.croupier.tables.all()
    await house.croupier.ask(table.table_id, PlaceBet(ALICE, 20), ALICE, "late", not_after)


async def a_table(house: House, not_after: NotAfter) -> None:
    await house.croupier.open_table(SERVER, 99, MEI, house.fresh(), not_after=not_after)


async def new_rules(house: House, not_after: NotAfter) -> None:
    houses = Houses(house.ledger)
    await houses.draft(1, SERVER, HouseChange(Verb.SET, "ties", "push"))
    await houses.confirm(1, SERVER, MEI, not_after)


Ask = Callable[[House, NotAfter], Awaitable[None]]


async def done(house: House) -> tuple[int, int, int, int]:
    """Bob's chips, what is bet, how many tables are open, and how often the house has changed."""
    tables = house.croupier.tables.all()
    chips = (await house.croupier.wallets.purse(SERVER, BOB)).total
    return chips, tables[0].staked, len(tables), len(await house.ledger.house_history(SERVER, 9))


@pytest.mark.parametrize(
    ("ask", "after"),
    [
        (a_gift, (1050, 0, 1, 0)),
        (free_chips, (1100, 0, 1, 0)),
        (a_bet, (1000, 20, 1, 0)),
        (a_table, (1000, 0, 2, 0)),
        (new_rules, (1000, 0, 1, 1)),
    ],
)
async def test_what_is_asked_for_too_late_is_not_done_unless_it_comes_again_in_time(
    house: House, ask: Ask, after: tuple[int, int, int, int]
) -> None:
    await house.open_with_bank()
    before = await done(house)
    with pytest.raises(TooLate):
        await ask(house, NotAfter(OVER))
    assert await done(house) == before
    await ask(house, NotAfter(inf))
    assert await done(house) == after


def house_file(folder: Path) -> Path:
    (path,) = folder.glob("*.db")
    return path


async def test_a_late_request_does_not_stop_those_that_are_written_with_it(house: House) -> None:
    gifts = Gifts(house.croupier)
    for party in (ALICE, BOB):
        await house.croupier.wallets.open(SERVER, party)
    until = [NotAfter(OVER if number % 2 else inf) for number in range(10)]
    gift = await house.gift(ALICE, BOB, 1)
    outcomes = await asyncio.gather(
        *(gifts.give(gift, str(at), until[at]) for at in range(10)),
        return_exceptions=True,
    )
    assert [isinstance(one, TooLate) for one in outcomes] == [bool(at % 2) for at in range(10)]
    assert (await house.croupier.wallets.purse(SERVER, BOB)).total == 1005


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
