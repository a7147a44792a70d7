"""Who banks next: in the order in which they asked, without a gap, and nobody while a form is open."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from math import inf
from typing import Final

import pytest

from bot.croupier import bank_queue
from bot.croupier.bank_queue import MOST_WAITING, WAIT_SECONDS, BankQueue
from bot.croupier.identities import User
from bot.croupier.open_tables import NoSuchTableError, Tasks
from bot.croupier.plans import PlanKind, change_plan
from bot.croupier.privacy import Privacy
from bot.ledger.changes import Fact, Identity, NotAfter
from bot.ledger.errors import LedgerUnavailable, TooLate
from bot.rules.knobs import BankPasses
from bot.run.process import run_async
from bot.shards import EVERY_SHARD
from bot.table.bank import Limits
from bot.table.commands import CloseTable, GiveUpBank, Leave, MemberLeft, RevealHand, RollForBank, TakeBank
from bot.table.refusals import Refused
from bot.table.state import Bank, LeaveReason, Phase
from tests.croupier.croupier_house import (
    ALICE,
    BOB,
    CHAN,
    COMPANY,
    MEI,
    SERVER,
    FailAt,
    House,
    failing,
    fresh,
)
from tests.taking_chips import take_chips


@pytest.fixture(autouse=True)
async def members(house: House) -> None:
    """Stores them: of anybody else, nothing can be planned."""
    for party in (*COMPANY, *range(100, 100 + MOST_WAITING)):
        await house.ledger.record(Identity(party, SERVER, party, str(party), "en-US"))


async def ask(queue: BankQueue, table_id: int, party: int, limits: Limits | None = None) -> bool:
    return await queue.ask(table_id, party, str(fresh()), limits)


async def test_the_first_who_can_pay_has_the_bank_as_soon_as_it_is_free(house: House) -> None:
    table_id, told = await house.open_with_bank(MEI), list[tuple[int, bool]]()
    await house.join(table_id, BOB)
    queue = house.croupier.bank_queue

    def tell(_: int, party: int, refused: Refused | None) -> None:
        told.append((party, refused is None))

    queue.tell = tell
    await house.croupier.wallets.open(SERVER, ALICE)
    await take_chips(house.croupier, SERVER, ALICE)
    for party, limits in ((ALICE, (5, 10)), (BOB, (10, 20)), (CHAN, None)):
        assert await ask(queue, table_id, party, limits)
    assert queue.waiting(table_id) == [ALICE, BOB, CHAN]
    table = await house.do(table_id, GiveUpBank(MEI), MEI)
    assert table.bank is not None
    assert (table.bank.party, table.bank.lowest, table.bank.highest) == (BOB, 10, 20)
    assert table.seat_of(BOB) is None
    assert (queue.waiting(table_id), told) == ([CHAN], [(ALICE, False), (BOB, True)])
    assert await ask(queue, table_id, CHAN, (7, 9))
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
    await ask(queue, table_id, BOB, (10, 20))
    await queue.state_limits(table_id, MEI, (20, 30))
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
    await queue.state_limits(table.table_id, BOB, (7, 30))
    table = await house.do(table.table_id, RollForBank(BOB, (), house.croupier.rules_for(table)), BOB)
    assert table.bank is not None
    assert (table.bank.party, table.bank.lowest, table.bank.highest) == (BOB, 7, 30)
    await queue.state_limits(table.table_id, CHAN, (1, 2))
    await house.do(table.table_id, Leave(ALICE), ALICE)
    table = await house.do(table.table_id, GiveUpBank(BOB), BOB)
    assert queue.limits_to_set(replace(table, phase=Phase.BETTING, bank=Bank(CHAN, 5, 10))) is None


async def test_t03_the_limits_with_which_a_bank_is_taken_replace_those_that_were_stated_before(
    house: House,
) -> None:
    """A bank that is not taken leaves them as they are."""
    table_id = await house.open_with_bank(MEI, players=[BOB])
    await house.bet(table_id, BOB, 5)
    await house.croupier.bank_queue.state_limits(table_id, MEI, (20, 30))
    for command in (GiveUpBank(MEI), RevealHand(BOB), RevealHand(MEI)):
        await house.do(table_id, command, command.party)
    stated = await house.ledger.plans_of_kind(PlanKind.BANK)
    assert isinstance(await house.ask(table_id, TakeBank(MEI, 500, 900_000, house.rules), MEI), Refused)
    take = TakeBank(MEI, 7, 9, house.rules)
    with pytest.raises(TooLate):
        await house.croupier.ask(table_id, take, MEI, "late", NotAfter(-inf))
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == stated
    await house.do(table_id, take, MEI)
    assert house.table(table_id).bank == Bank(MEI, 7, 9)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []


async def test_t03_a_bank_is_taken_though_another_process_changed_what_its_banker_stated(
    house: House, kept: bool, fail_at: FailAt
) -> None:
    table_id, take = (await house.open(MEI)).table_id, TakeBank(MEI, 7, 9, house.rules)
    await house.croupier.bank_queue.state_limits(table_id, MEI, (20, 30))
    (stated,) = await house.ledger.plans_of_kind(PlanKind.BANK)
    other = replace(stated, what=stated.what.replace("[20, 30]", "[20, 40]"))
    assert await change_plan(house.ledger, stated, other)
    fail_at(2)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, take, MEI, "take")
    assert (await house.ledger.plans_of_kind(PlanKind.BANK) == []) is kept
    assert (await house.do(table_id, take, MEI, "take")).bank == Bank(MEI, 7, 9)
    await house.do(table_id, GiveUpBank(MEI), MEI)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []
    # Its key is known for long, but a table remembers the newest ones only.
    await house.croupier.bank_queue.state_limits(table_id, MEI, (20, 30))
    await house.restart()
    assert not isinstance(await house.ask(table_id, take, MEI, "take"), Refused)
    assert house.table(table_id).bank is None


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
    await ask(queue, table_id, BOB)
    await house.join(table_id, CHAN)
    assert house.table(table_id).bank is None or asyncio.get_running_loop().time() > ends
    await asyncio.sleep(0.2)
    queue.hold(table_id, ALICE)
    await house.until(lambda: house.table(table_id).is_banker(BOB))


async def test_a_bank_is_free_when_the_wait_for_a_form_ends(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timer of uvloop, on which the bot runs, may ring a moment before the loop's clock says so."""
    monkeypatch.setattr(bank_queue, "FORM_SECONDS", 0.05)

    async def were_free() -> list[bool]:
        free = asyncio.Queue[bool]()

        async def go_on(table_id: int) -> None:
            free.put_nowait(queue.is_free_for(table_id, BOB))

        queue = BankQueue(house.ledger, house.croupier.tables, lambda: house.now, EVERY_SHARD, Tasks(), go_on)
        for table_id in range(30):
            queue.hold(table_id, ALICE)
            await asyncio.sleep(0.001)
        return [await free.get() for _ in range(30)]

    assert all(await asyncio.to_thread(run_async, were_free()))


async def test_who_is_removed_too_late_still_waits_and_who_is_removed_gets_no_bank(house: House) -> None:
    house.rules = house.rules.model_copy(update={"bank_passes": BankPasses.EVERY_ROUND})
    table_id, queue = await house.open_with_bank(MEI, players=[BOB]), house.croupier.bank_queue
    for party in (CHAN, BOB):
        await ask(queue, table_id, party)
    for party, waiting in ((CHAN, [BOB]), (BOB, [])):
        before = house.croupier.tables[table_id], queue.waiting(table_id)
        removed = MemberLeft(party, LeaveReason.REMOVED)
        with pytest.raises(TooLate):
            await house.croupier.ask(table_id, removed, None, f"late {party}", NotAfter(-inf))
        assert (house.croupier.tables[table_id], queue.waiting(table_id)) == before
        await house.croupier.ask(table_id, removed, None, f"again {party}", NotAfter(inf))
        assert queue.waiting(table_id) == waiting
        assert not house.croupier.tables[table_id].has(party)


async def test_a_kick_that_fails_halfway_leaves_nobody_in_the_queue_alone_and_the_next_one_finishes_it(
    house: House, kept: bool, fail_at: FailAt
) -> None:
    table_id, queue = await house.open_with_bank(MEI, players=[BOB]), house.croupier.bank_queue
    await ask(queue, table_id, BOB)
    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.croupier.ask(table_id, MemberLeft(BOB, LeaveReason.REMOVED), None, "a kick")
    assert queue.waiting(table_id) == []
    await house.croupier.ask(table_id, MemberLeft(BOB, LeaveReason.REMOVED), None, "another")
    assert not house.croupier.tables[table_id].has(BOB)
    assert queue.waiting(table_id) == []
    await house.check()


async def test_the_queue_forgets_closed_tables_and_erased_members_and_is_bounded(house: House) -> None:
    table_id, queue = await house.open_with_bank(MEI), house.croupier.bank_queue
    for party in range(100, 100 + MOST_WAITING):
        assert await ask(queue, table_id, party)
    assert not await ask(queue, table_id, ALICE)
    await queue.leave_all(100)
    assert await ask(queue, table_id, ALICE)
    await house.do(table_id, CloseTable(MEI, manages=False), MEI)
    assert queue.waiting(table_id) == []
    again = await house.open(MEI)
    assert not isinstance(await house.ask(again.table_id, TakeBank(MEI, 5, 10, house.rules), MEI), Refused)


async def test_who_may_not_play_any_more_loses_the_seat_though_their_place_cannot_be_deleted(
    house: House,
) -> None:
    table_id = await house.open_with_bank(MEI, players=[BOB])
    assert await ask(house.croupier.bank_queue, table_id, BOB)
    with failing(house.ledger, "plans_of"):
        await house.croupier.take_leave(SERVER, BOB, "break")
    assert house.table(table_id).seat_of(BOB) is None


async def test_who_waits_and_what_limits_they_stated_outlive_a_restart(house: House) -> None:
    users = [User(user_id, str(user_id), None) for user_id in (21, 22, 23, 24)]
    zoe, yan, erased, mei = [await house.croupier.identities.party_of(SERVER, user) for user in users]
    table_id, other = await house.open_with_bank(mei), await house.open_with_bank(MEI)
    for party, limits in ((zoe, None), (erased, (1, 2)), (yan, (10, 20)), (zoe, (5, 9))):
        assert await ask(house.croupier.bank_queue, table_id, party, limits)
    assert await ask(house.croupier.bank_queue, other, yan)
    await house.croupier.bank_queue.state_limits(table_id, mei, (7, 8))
    await Privacy(house.croupier).erase(SERVER, users[2].user_id)
    await house.restart()
    queue = house.croupier.bank_queue
    assert (queue.waiting(table_id), queue.waiting(other)) == ([yan, zoe], [yan])
    table = house.table(table_id)
    assert table.bank is not None
    assert (table.bank.lowest, table.bank.highest) == (7, 8)
    await queue.leave(other, yan)
    for banker, following, limits in ((mei, yan, (10, 20)), (yan, zoe, (5, 9))):
        await house.do(table_id, GiveUpBank(banker), banker)
        await house.restart()
        table = house.table(table_id)
        assert table.bank == Bank(following, *limits)
    assert await ask(house.croupier.bank_queue, table_id, yan)
    await house.do(table_id, CloseTable(zoe, manages=False), zoe)
    await house.restart()
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []


_ASKED: Final[dict[str, Callable[[BankQueue, int], Awaitable[object]]]] = {
    "waits": lambda queue, table_id: ask(queue, table_id, CHAN, (7, 9)),
    "waits with other limits": lambda queue, table_id: ask(queue, table_id, ALICE, (1, 2)),
    "leaves": lambda queue, table_id: queue.leave(table_id, ALICE),
    "states limits": lambda queue, table_id: queue.state_limits(table_id, MEI, (20, 30)),
}


@pytest.mark.parametrize("asked", _ASKED)
async def test_what_a_member_is_told_is_on_disk_also_after_a_failed_write(
    house: House, asked: str, kept: bool
) -> None:
    table_id = await house.open_with_bank(MEI)
    for party in (ALICE, BOB):
        assert await ask(house.croupier.bank_queue, table_id, party, (5, 10))
    expected = [(ALICE, (5, 10)), (BOB, (5, 10))]
    if kept:
        expected += [(CHAN, (7, 9))] if asked == "waits" else []
        expected = [*expected[1:], (ALICE, (1, 2))] if asked == "waits with other limits" else expected
        expected = expected[1:] if asked == "leaves" else expected
    is_told = nullcontext() if kept else pytest.raises(LedgerUnavailable)
    with failing(house.ledger, "record", done=kept), is_told:
        await _ASKED[asked](house.croupier.bank_queue, table_id)
    await house.join(table_id, CHAN)
    for _ in range(2):
        table = house.table(table_id)
        following = house.croupier.bank_queue.next_bankers(replace(table, phase=Phase.OPEN, bank=None))
        assert [(place.party, place.limits) for place in following] == expected
        assert table.bank == (Bank(MEI, 20, 30) if kept and asked == "states limits" else Bank(MEI, 5, 100))
        await house.restart()


async def test_what_may_be_on_disk_is_read_before_the_bank_is_given_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, queue = await house.open_with_bank(MEI), house.croupier.bank_queue
    for party in (ALICE, BOB):
        assert await ask(queue, table_id, party)

    async def fail(*_: object) -> None:
        raise LedgerUnavailable("the disk is away")

    async def store_and_fail(fact: Fact) -> None:
        await record(fact)
        patch.setattr(house.ledger, "plan", fail)
        await fail()

    with monkeypatch.context() as patch:
        record = house.ledger.record
        patch.setattr(house.ledger, "record", store_and_fail)
        with pytest.raises(LedgerUnavailable):
            await queue.leave(table_id, ALICE)
    assert (await house.do(table_id, GiveUpBank(MEI), MEI)).is_banker(BOB)


async def test_the_bank_and_the_place_in_the_queue_are_one_transaction(
    house: House, kept: bool, fail_at: FailAt
) -> None:
    table_id, told = await house.open_with_bank(MEI), list[int]()
    assert await ask(house.croupier.bank_queue, table_id, BOB, (7, 9))
    house.croupier.bank_queue.tell = lambda _, party, refused: told.append(party)
    fail_at(2)
    await house.do(table_id, GiveUpBank(MEI), MEI)
    assert told == []
    await house.restart(go_on=False)
    places = await house.ledger.plans_of_kind(PlanKind.BANK)
    bank = house.table(table_id).bank
    assert (bank, len(places)) == ((Bank(BOB, 7, 9), 0) if kept else (None, 1))
    await house.croupier.go_on()
    assert house.table(table_id).bank == Bank(BOB, 7, 9)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []


async def test_a_place_ends_after_some_hours_and_nobody_waits_at_a_closed_table(house: House) -> None:
    table_id, queue = await house.open_with_bank(MEI), house.croupier.bank_queue
    assert await ask(queue, table_id, ALICE)
    house.now += WAIT_SECONDS / 2
    assert await ask(queue, table_id, BOB)
    house.now += WAIT_SECONDS / 2
    assert queue.waiting(table_id) == [BOB]
    assert (await house.do(table_id, GiveUpBank(MEI), MEI)).is_banker(BOB)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []
    await house.do(table_id, CloseTable(BOB, manages=False), BOB)
    with pytest.raises(NoSuchTableError):
        await ask(queue, table_id, ALICE)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []


def do_before_a_write(
    house: House, table_id: int, command: GiveUpBank | CloseTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has Mei do something while the next fact is on its way to the disk."""
    record = house.ledger.record

    async def do_first(fact: Fact) -> None:
        monkeypatch.setattr(house.ledger, "record", record)
        await house.do(table_id, command, MEI)
        await record(fact)

    monkeypatch.setattr(house.ledger, "record", do_first)


async def test_a_bank_that_became_free_while_somebody_asked_for_it_is_theirs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank(MEI)
    do_before_a_write(house, table_id, GiveUpBank(MEI), monkeypatch)
    assert await ask(house.croupier.bank_queue, table_id, BOB)
    assert house.table(table_id).is_banker(BOB)


async def test_who_waits_for_a_table_that_closes_meanwhile_is_not_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank(MEI)
    do_before_a_write(house, table_id, CloseTable(MEI, manages=False), monkeypatch)
    await ask(house.croupier.bank_queue, table_id, BOB)
    assert await house.ledger.plans_of_kind(PlanKind.BANK) == []
