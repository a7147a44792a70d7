"""Requests to a table: each happens once and completely, and listeners are notified."""

import asyncio
import sys
from types import FrameType

import pytest

from bot.croupier.croupier import RESULTS_KEPT
from bot.croupier.open_tables import TableChanged
from bot.games.gnau.rules import GnauRules
from bot.rules.cards import deck
from bot.table.commands import Command, Deal, Join, Leave, PlaceBet, RevealHand, SitOut, TakeBank
from bot.table.evolve import evolve
from bot.table.refusals import Refusal, Refused
from bot.table.state import Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_repeated_request_happens_once(house: House, restarts: bool) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    first = await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    assert await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click") == first
    await house.bet(table_id, ALICE, 50)
    if restarts:
        await house.restart()
    assert (await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")).staked == 50


async def test_a_repeated_request_is_not_refused_though_many_others_came_between(house: House) -> None:
    table_id, other = await house.open_with_bank(), await house.open()
    joined = await house.do(table_id, Join(BOB), BOB, key="a click")
    for number in range(RESULTS_KEPT + 1):
        refused = await house.ask(other.table_id, PlaceBet(CHAN, 20), CHAN, key=f"refused {number}")
        assert isinstance(refused, Refused)
    assert await house.ask(table_id, Join(BOB), BOB, "a click") == joined


async def test_a_refused_request_changes_nothing_and_stays_refused(house: House) -> None:
    table = await house.open()
    told = len(house.changes)
    refused = await house.ask(table.table_id, PlaceBet(ALICE, 20), ALICE, "a click")
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.NO_BANK
    assert house.table(table.table_id) == table
    assert len(house.changes) == told
    await house.do(table.table_id, TakeBank(MEI, 5, 100, house.rules), MEI)
    assert await house.ask(table.table_id, PlaceBet(ALICE, 20), ALICE, "a click") == refused
    assert not house.table(table.table_id).bets, "a click that was refused is not carried out later on"


async def test_a_command_without_effect_notifies_nobody(house: House) -> None:
    table_id = await house.open_with_bank(players=(ALICE,))
    await house.do(table_id, SitOut(ALICE), ALICE)
    told = len(house.changes)
    await house.do(table_id, SitOut(ALICE), ALICE)
    assert len(house.changes) == told


async def test_a_new_member_gets_the_houses_opening_chips(house: House) -> None:
    house.rules = GnauRules(opening_chips=300)
    table = await house.open()
    await house.join(table.table_id, ALICE)
    house.rules = GnauRules(opening_chips=500)
    await house.join(table.table_id, BOB)
    purses = [await house.croupier.wallets.purse(SERVER, member) for member in (ALICE, BOB, CHAN)]
    assert [purse.wallet for purse in purses] == [300, 500, 500]


async def test_the_banker_deals_cards_that_nobody_chose(house: House) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)
    chosen = deck()
    dealt = await house.do(table_id, Deal(MEI, chosen), MEI)
    assert len(dealt.pieces_of(ALICE)) == 5
    assert dealt.pieces_of(ALICE) + dealt.pieces_of(MEI) != chosen[0:10:2] + chosen[1:10:2]


async def test_g02_a_bet_just_before_the_deal_can_add_a_second_deck(house: House) -> None:
    """The eleventh hand needs a second deck, even if it came after the banker's click."""
    house.rules = GnauRules(seats=19, opening_chips=100_000)
    table_id = await house.open_with_bank(lowest=1)
    players = list(range(101, 112))
    await house.join(table_id, *players)
    for player in players[:9]:
        await house.bet(table_id, player, 10)
    bet = PlaceBet(players[9], 10)
    _, dealt = await asyncio.gather(house.ask(table_id, bet, players[9]), house.do(table_id, Deal(MEI), MEI))
    assert len(dealt.bets) == 10
    assert all(len(seat.pieces) == 5 for seat in dealt.bets)


async def test_each_listener_is_notified_of_everything_in_order(house: House) -> None:
    others: list[TableChanged] = []
    house.croupier.listeners.add(others.append)
    table_id = await house.open_with_bank()
    await house.bet(table_id, ALICE, 20)
    assert house.changes[-1].after.phase is Phase.DEALT, "the only player has bet"
    assert others == house.changes
    assert [change.before for change in house.changes] == [
        None,
        *(change.after for change in house.changes[:-1]),
    ]
    for change in house.changes:
        assert change.after.sequence == (change.before.sequence if change.before else 0) + len(change.events)


async def test_a_listener_that_fails_harms_nobody(house: House, caplog: pytest.LogCaptureFixture) -> None:
    others: list[TableChanged] = []

    def fail(_: TableChanged) -> None:
        raise RuntimeError("a bug of a listener")

    house.croupier.listeners.add(fail)
    house.croupier.listeners.add(others.append)
    table = await house.open()
    await house.join(table.table_id, ALICE)
    assert house.table(table.table_id).has(ALICE)
    assert others == house.changes
    assert "a listener failed" in caplog.text


async def test_listeners_are_notified_after_the_commit(house: House) -> None:
    """A bot that dies while it notifies listeners has lost nothing."""
    stored: list[int] = []

    async def look(change: TableChanged) -> None:
        row = await house.ledger.table(change.after.table_id)
        assert row is not None
        stored.append(row.sequence - change.after.sequence)

    looking: list[asyncio.Task[None]] = []
    house.croupier.listeners.add(lambda change: looking.append(asyncio.create_task(look(change))))
    table = await house.open()
    await house.join(table.table_id, ALICE)
    await asyncio.gather(*looking)
    assert len(stored) == 2
    assert min(stored) >= 0


@pytest.mark.parametrize("moments", range(6))
async def test_a_request_is_completed_even_if_its_caller_is_cancelled(house: House, moments: int) -> None:
    """The connection to Discord can drop at any await; no request may be done by half."""
    table_id = await house.open_with_bank()
    asking = asyncio.create_task(house.ask(table_id, PlaceBet(ALICE, 20), ALICE))
    for _ in range(moments + 1):
        await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)
    assert house.table(table_id).staked == 20


async def test_closing_waits_for_running_requests(house: House) -> None:
    table_id = await house.open_with_bank()
    asking = asyncio.create_task(house.ask(table_id, Join(ALICE), ALICE))
    await asyncio.sleep(0)
    await house.croupier.close()
    assert house.table(table_id).has(ALICE)
    await asking


async def test_each_event_of_a_press_is_applied_once(house: House) -> None:
    table = await house.open()
    presses: tuple[tuple[int, Command], ...] = (
        (MEI, TakeBank(MEI, 5, 100, house.rules)),
        (BOB, Join(BOB)),
        (ALICE, PlaceBet(ALICE, 10)),
        (BOB, PlaceBet(BOB, 20)),
        (ALICE, RevealHand(ALICE)),
        (BOB, RevealHand(BOB)),
        (MEI, RevealHand(MEI)),
        (MEI, Leave(MEI)),
    )
    applied = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal applied
        applied += event == "call" and frame.f_code is evolve.__code__

    for member, press in presses:
        house.changes.clear()
        applied = 0
        sys.setprofile(watch)
        try:
            await house.do(table.table_id, press, member)
        finally:
            sys.setprofile(None)
        assert applied == sum(len(change.events) for change in house.changes) > 0
    assert house.table(table.table_id).round_number == 2
