"""Who banks next: in the order in which they asked, without a gap, and nobody while a form is open."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bot.croupier import bank_queue
from bot.croupier.bank_queue import MOST_WAITING, BankQueue, Candidate
from bot.rules.knobs import BankPasses
from bot.run.process import run_async
from bot.table.bank import Limits
from bot.table.commands import CloseTable, GiveUpBank, Leave, RevealHand, RollForBank, TakeBank
from bot.table.refusals import Refused
from bot.table.state import Bank, Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, fresh
from tests.taking_chips import take_chips


def nothing(refused: Refused | None) -> None:
    """Tells a candidate nothing."""


def candidate(
    party: int, limits: Limits | None = None, tell: Callable[[Refused | None], None] = nothing
) -> Candidate:
    return Candidate(party, str(fresh()), limits, tell)


async def test_the_first_who_can_pay_has_the_bank_as_soon_as_it_is_free(house: House) -> None:
    table_id, told = await house.open_with_bank(MEI), list[tuple[int, bool]]()
    await house.join(table_id, BOB)
    queue = house.croupier.bank_queue

    def tell(party: int, refused: Refused | None) -> None:
        told.append((party, refused is None))

    await house.croupier.open_wallet(SERVER, ALICE)
    await take_chips(house.croupier, SERVER, ALICE)
    for party, limits in ((ALICE, (5, 10)), (BOB, (10, 20)), (CHAN, None)):
        assert queue.ask(table_id, candidate(party, limits, partial(tell, party)))
    assert queue.waiting(table_id) == [ALICE, BOB, CHAN]
    table = await house.do(table_id, GiveUpBank(MEI), MEI)
    assert table.bank is not None
    assert (table.bank.party, table.bank.lowest, table.bank.highest) == (BOB, 10, 20)
    assert table.seat_of(BOB) is None
    assert (queue.waiting(table_id), told) == ([CHAN], [(ALICE, False), (BOB, True)])
    assert queue.ask(table_id, candidate(CHAN, (7, 9)))
    table = await house.do(table_id, GiveUpBank(BOB), BOB)
    assert table.bank is not None
    assert (table.bank.party, table.bank.lowest, table.bank.highest) == (CHAN, 7, 9)
    await house.check()


@pytest.mark.parametrize("passes", [BankPasses.STAYS, BankPasses.EVERY_ROUND])
async def test_t03_a_banker_gets_the_limits_that_they_stated_as_soon_as_no_bets_are_down(
    house: House, passes: BankPasses
) -> None:
    """Also who gets the bank by another way than the queue that they stated them in."""
    house.rules = house.rules.model_copy(update={"bank_passes": passes})
    table_id, queue = await house.open_with_bank(MEI, players=[BOB]), house.croupier.bank_queue
    table = await house.bet(table_id, BOB, 5)
    queue.ask(table_id, candidate(BOB, (10, 20)))
    queue.state_limits(table_id, MEI, (20, 30))
    assert queue.limits_to_set(table) is None
    assert table.bank is not None
    assert (table.bank.lowest, table.bank.highest) == (5, 100)
    await house.do(table_id, RevealHand(BOB), BOB)
    table = await house.do(table_id, RevealHand(MEI), MEI)
    assert table.bank is not None
    limits = {MEI: (20, 30), BOB: (10, 20)}
    assert table.bank.party == (MEI if passes is BankPasses.STAYS else BOB)
    assert (table.bank.lowest, table.bank.highest) == limits[table.bank.party]
    assert queue.limits_to_set(table) is None


async def test_t03_stated_limits_hold_if_dice_bring_the_bank_and_go_if_somebody_else_has_it(
    house: House,
) -> None:
    table, queue = await house.open(MEI, game="tau-ngau"), house.croupier.bank_queue
    await house.join(table.table_id, ALICE, BOB, CHAN)
    for poor in (ALICE, CHAN):
        await take_chips(house.croupier, SERVER, poor)
    queue.state_limits(table.table_id, BOB, (7, 30))
    table = await house.do(table.table_id, RollForBank(BOB, (), house.croupier.rules_for(table)), BOB)
    assert table.bank is not None
    assert (table.bank.party, table.bank.lowest, table.bank.highest) == (BOB, 7, 30)
    queue.state_limits(table.table_id, CHAN, (1, 2))
    await house.do(table.table_id, Leave(ALICE), ALICE)
    table = await house.do(table.table_id, GiveUpBank(BOB), BOB)
    assert queue.limits_to_set(replace(table, phase=Phase.BETTING, bank=Bank(CHAN, 5, 10))) is None


async def test_a_free_bank_waits_for_an_open_form_but_not_for_ever(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bank_queue, "FORM_SECONDS", 0.3)
    table_id, queue = (await house.open(MEI)).table_id, house.croupier.bank_queue
    ends = asyncio.get_running_loop().time() + bank_queue.FORM_SECONDS
    queue.hold(table_id, ALICE)
    queue.hold(table_id, BOB)
    assert queue.is_free_for(table_id, ALICE)
    assert not queue.is_free_for(table_id, BOB)
    queue.ask(table_id, candidate(BOB))
    await house.join(table_id, CHAN)
    assert house.table(table_id).bank is None or asyncio.get_running_loop().time() > ends
    await asyncio.sleep(0.2)
    queue.hold(table_id, ALICE)
    await house.until(lambda: house.table(table_id).is_banker(BOB))


async def test_a_bank_is_free_when_the_wait_for_a_form_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer of uvloop, on which the bot runs, may ring a moment before the loop's clock says so."""
    monkeypatch.setattr(bank_queue, "FORM_SECONDS", 0.05)

    async def were_free() -> list[bool]:
        free = asyncio.Queue[bool]()
        queue = BankQueue(lambda table_id: free.put_nowait(queue.is_free_for(table_id, BOB)))
        for table_id in range(30):
            queue.hold(table_id, ALICE)
            await asyncio.sleep(0.001)
        return [await free.get() for _ in range(30)]

    assert all(await asyncio.to_thread(run_async, were_free()))


async def test_the_queue_forgets_closed_tables_and_erased_members_and_is_bounded(house: House) -> None:
    table_id, queue = await house.open_with_bank(MEI), house.croupier.bank_queue
    for party in range(100, 100 + MOST_WAITING):
        assert queue.ask(table_id, candidate(party))
    assert not queue.ask(table_id, candidate(ALICE))
    queue.forget(100)
    assert queue.ask(table_id, candidate(ALICE))
    await house.do(table_id, CloseTable(MEI, manages=False), MEI)
    assert queue.waiting(table_id) == []
    again = await house.open(MEI)
    assert not isinstance(await house.ask(again.table_id, TakeBank(MEI, 5, 10, house.rules), MEI), Refused)
