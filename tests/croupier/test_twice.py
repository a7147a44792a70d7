"""What is delivered twice happens once: concurrently, later, and after a restart."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.state import TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, COMPANY, MEI, SERVER, House
from tests.games.presets import TAU_NGAU_PRESET
from tests.sizes import sample

KEY = "an interaction"


class Request(NamedTuple):
    table_id: int
    command: Command
    member: int


async def bare(house: House) -> int:
    """A table without a banker."""
    return (await house.open(BOB)).table_id


async def banked(house: House) -> int:
    """A table where Mei banks, and Alice and Bob sit."""
    return await house.open_with_bank(MEI, players=(ALICE, BOB))


async def bet(house: House) -> int:
    """That table after Alice's bet."""
    table_id = await banked(house)
    await house.bet(table_id, ALICE, 20)
    return table_id


async def backed(house: House) -> int:
    """That table after Chan's side bet on Alice."""
    table_id = await bet(house)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 10), CHAN)
    return table_id


async def dealt(house: House) -> int:
    """A table with dealt hands that players arrange."""
    house.rules = GnauRules(arrange=ArrangedBy.STRICT)
    table_id = await bet(house)
    await house.do(table_id, Deal(MEI), MEI)
    return table_id


async def before_dice(house: House) -> int:
    """A table of Tau Ngau with four members."""
    house.rules = TAU_NGAU_PRESET
    table = await house.open(game="tau-ngau")
    await house.join(table.table_id, *COMPANY)
    return table.table_id


WAYS: list[tuple[Callable[[House], Awaitable[int]], Command, int]] = [
    (banked, Join(CHAN), CHAN),
    (banked, Leave(ALICE), ALICE),
    (bare, TakeBank(MEI, 5, 100, GnauRules()), MEI),
    (before_dice, RollForBank(ALICE, (), TAU_NGAU_PRESET), ALICE),
    (banked, SetLimits(MEI, 10, 50), MEI),
    (bet, GiveUpBank(MEI), MEI),
    (banked, PlaceBet(ALICE, 50), ALICE),
    (banked, PlaceBet(CHAN, 50), CHAN),
    (bet, PlaceBet(ALICE, 50), ALICE),
    (bet, WithdrawBet(ALICE), ALICE),
    (bet, PlaceSideBet(CHAN, ALICE, 10), CHAN),
    (backed, WithdrawSideBet(CHAN, ALICE), CHAN),
    (bet, SetClientSeed(ALICE, "eight eight eight"), ALICE),
    (banked, SitOut(ALICE), ALICE),
    (bet, Deal(MEI), MEI),
    (dealt, Arrange(ALICE, (0, 1, 2)), ALICE),
    (dealt, RevealHand(ALICE), ALICE),
    (dealt, RevealHand(MEI), MEI),
]


@pytest.fixture(
    params=sample(
        map(pytest.param, WAYS), 3, ids=[f"{way[0].__name__}-{type(way[1]).__name__}" for way in WAYS]
    )
)
async def request_made(house: House, request: pytest.FixtureRequest) -> Request:
    set_up, command, member = request.param
    return Request(await set_up(house), command, member)


async def chips(house: House) -> list[int]:
    return [(await house.croupier.wallets.purse(SERVER, member)).wallet for member in COMPANY]


async def test_concurrent_copies_of_each_command_happen_once(house: House, request_made: Request) -> None:
    table_id, command, member = request_made
    before = house.table(table_id)
    told = len(house.changes)
    answers = await asyncio.gather(*(house.do(table_id, command, member, KEY) for _ in range(3)))
    after = house.table(table_id)
    assert answers == [after] * 3
    (change,) = house.changes[told:]
    assert (change.before, change.after) == (before, after)
    rows = await house.ledger.events(table_id)
    assert sum(row.command_key == KEY for row in rows) == after.sequence - before.sequence > 0


async def test_copies_after_a_restart_have_no_effect(house: House, request_made: Request) -> None:
    table_id, command, member = request_made
    await house.do(table_id, command, member, KEY)
    done, owned = house.table(table_id), await chips(house)
    await house.restart()
    again = await asyncio.gather(*(house.ask(table_id, command, member, KEY) for _ in range(3)))
    assert again == [done] * 3, "what was done is not refused"
    assert (house.table(table_id), await chips(house)) == (done, owned)


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_table_closed_twice_is_closed_once(house: House, restarts: bool) -> None:
    table_id = await bet(house)
    close = CloseTable(MEI, manages=False)
    await asyncio.gather(*(house.ask(table_id, close, MEI, KEY) for _ in range(3)))
    sequence = (await house.ledger.events(table_id))[-1].sequence
    if restarts:
        await house.restart()
        assert house.croupier.tables.get(table_id) is None
    else:
        assert isinstance(await house.ask(table_id, close, MEI, KEY), TableState)
    assert (await house.ledger.events(table_id))[-1].sequence == sequence


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_table_opened_twice_is_opened_once(house: House, restarts: bool) -> None:
    opened = await asyncio.gather(*(house.croupier.open_table(SERVER, 700, MEI, 70) for _ in range(3)))
    if restarts:
        await house.restart()
    opened.append(await house.croupier.open_table(SERVER, 700, MEI, 70))
    assert opened == [house.table(70)] * 4
    assert house.croupier.tables.of_server(SERVER) == [house.table(70)]
    assert house.croupier.tables.in_channel(700) == house.table(70)
    kinds = [row.kind for row in await house.ledger.events(70)]
    assert kinds.count("table_opened") == 1
