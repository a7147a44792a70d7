"""A limit of loss of one's own: no day costs a member more, at any table, as player, backer or banker."""

import asyncio
from random import Random

import pytest

from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import Identity
from bot.ledger.memory import Day
from bot.table.accounts import Reason
from bot.table.commands import Command, Deal, PlaceBet, PlaceSideBet, TakeBank
from bot.table.dealing import round_result
from bot.table.events import BankGivenUp
from bot.table.refusals import Refusal, Refused
from bot.table.state import LeaveReason, Phase
from bot.table.story import Feat
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House
from tests.sizes import sample

DAY = 86_400
TIMES = 7
"""What a bet can lose at most, in bets."""


async def limit(house: House, party: int, chips: int | None) -> int | None:
    """Sets a member's limit; returns the one that holds now."""
    await house.ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
    await house.croupier.barred.set_limit(SERVER, party, chips)
    return held(house, party)


def held(house: House, party: int) -> int | None:
    found = house.croupier.barred.limit(party)
    return None if found is None else found.of(house.now)


async def left(house: House, party: int) -> int | None:
    stack = await house.ledger.stacks.of((SERVER, party))
    return await house.croupier.barred.left(SERVER, party, stack)


async def settle(house: House, table_id: int, banker: int = MEI) -> None:
    if house.table(table_id).phase is not Phase.DEALT:
        await house.do(table_id, Deal(banker), banker)
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).phase is not Phase.DEALT)


async def test_a_limit_is_lowered_at_once_and_raised_or_removed_from_the_next_day_on(house: House) -> None:
    tomorrow = (house.now // DAY + 1) * DAY
    assert await limit(house, ALICE, 100) == 100
    assert await limit(house, ALICE, 70) == 70
    assert await limit(house, ALICE, 90) == 70
    assert await limit(house, ALICE, 200) == 70
    house.now = tomorrow - 1
    await house.restart()
    assert held(house, ALICE) == 70
    house.now = tomorrow
    assert held(house, ALICE) == 200
    assert await limit(house, ALICE, None) == 200
    # The same again takes back that it ends.
    assert await limit(house, ALICE, 200) == 200
    house.now += DAY
    assert held(house, ALICE) == 200
    await limit(house, ALICE, None)
    house.now += DAY
    assert held(house, ALICE) is None
    (plan,) = await house.ledger.plans_due(house.now)
    await house.croupier.barred.put_in_place(plan)
    await house.croupier.barred.load()
    assert held(house, ALICE) is None
    assert await house.ledger.plans_of(ALICE) == []


async def test_bets_at_all_tables_at_once_hold_no_more_than_the_limit(house: House) -> None:
    house.rules = GnauRules()
    tables = [await house.open_with_bank(MEI), await house.open_with_bank(BOB)]
    for table_id in tables:
        await house.bet(table_id, CHAN, 10)
    await house.croupier.wallets.open(SERVER, ALICE)
    await limit(house, ALICE, 40 * TIMES)
    asked: list[Command] = [PlaceBet(ALICE, 30), PlaceSideBet(ALICE, CHAN, 25)]
    answers = await asyncio.gather(
        *(house.ask(table_id, command, ALICE) for table_id, command in zip(tables, asked, strict=True))
    )
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.code is Refusal.PLAYER_CANNOT_COVER
    free = 10 * TIMES if refused.facts["stake"] == 25 else 15 * TIMES
    assert await left(house, ALICE) == free
    told = await house.croupier.wallets.explained(refused, house.table(tables[0]), ALICE)
    tomorrow = int((house.now // DAY + 1) * DAY)
    assert told == Refused(Refusal.OWN_LIMIT, {"left": free, "times": TIMES, "until": tomorrow})
    # Somebody with few chips is told of these.
    poor = await house.croupier.wallets.explained(refused, house.table(tables[0]), CHAN)
    assert poor == refused
    # What is down stays when the limit is lowered, and does not grow.
    await limit(house, ALICE, 1)
    assert await left(house, ALICE) == 0
    bet = house.table(tables[0]).seat_of(ALICE)
    if bet is not None and bet.stake is not None:
        assert isinstance(await house.ask(tables[0], PlaceBet(ALICE, 31), ALICE), Refused)
        await house.bet(tables[0], ALICE, 30)


async def test_a_bank_takes_no_more_than_its_banker_may_lose_and_ends_as_if_they_had_asked(
    house: House,
) -> None:
    table_id = await house.open_with_bank(MEI, lowest=5, players=(ALICE, BOB))
    await limit(house, MEI, 5 * TIMES)
    refused = await house.ask(table_id, PlaceBet(ALICE, 6), ALICE)
    assert isinstance(refused, Refused)
    # Others read what they would read of any bank.
    assert refused.code is Refusal.BANK_CANNOT_COVER
    assert await house.croupier.wallets.explained(refused, house.table(table_id), ALICE) == refused
    # What was won today makes no bet larger, but may be lost again.
    for won in (1_000, 1_000, 1_000, -1):
        await house.bet(table_id, ALICE, 5)
        assert isinstance(await house.ask(table_id, PlaceBet(BOB, 5), BOB), Refused)
        await house.do(table_id, Deal(MEI), MEI)
        result = round_result(house.table(table_id))
        await house.ledger.days.of((SERVER, MEI))
        before = won if won > 0 else -1 - result.bank_chips
        house.ledger.days.put((SERVER, MEI), Day(int(house.now // DAY), before))
        assert house.table(table_id).bank is not None
        await settle(house, table_id)
        assert (house.table(table_id).bank is None) is (won < 0)
    assert await left(house, MEI) == 5 * TIMES - 1
    assert BankGivenUp(MEI, LeaveReason.ASKED) in house.changes[-1].events
    highlight = house.croupier.stories.of(table_id).highlight
    assert highlight is None or highlight.feat is not Feat.BANK_BROKEN
    assert isinstance(await house.ask(table_id, TakeBank(MEI, 5, 50, house.rules), MEI), Refused)
    house.now += DAY
    await house.do(table_id, TakeBank(MEI, 5, 50, house.rules), MEI)


@pytest.mark.parametrize("seed", sample(range(6), 1))
async def test_no_day_costs_more_than_the_limit(house: House, seed: int) -> None:
    chance, limits = Random(seed), {MEI: 160, ALICE: 120, BOB: 50}
    for party, chips in limits.items():
        await limit(house, party, chips)
    house.rules = GnauRules(last_call_seconds=0, computer_players=seed % 2 * 2)
    # Before midnight, so that rounds are settled after it.
    house.now = (house.now // DAY + 1) * DAY - 300
    tables = [(await house.open()).table_id for _ in range(2)]
    for _ in range(40):
        for table_id, banker in zip(tables, (MEI, CHAN), strict=True):
            if house.table(table_id).bank is None:
                await house.ask(table_id, TakeBank(banker, 1, 50, house.rules), banker)
            for party in (ALICE, BOB, CHAN):
                await house.ask(table_id, PlaceBet(party, chance.randint(1, 8)), party)
            await house.ask(table_id, PlaceSideBet(ALICE, BOB, chance.randint(1, 8)), ALICE)
            if house.table(table_id).bets:
                await settle(house, table_id, banker)
        if chance.random() < 0.2:
            house.now += 3600 * chance.randint(1, 12)
        if chance.random() < 0.1:
            await house.restart()
    days: dict[tuple[int, int], int] = {}
    for party in limits:
        for entry in await house.ledger.entries(SERVER, party, 10_000):
            if entry.reason != Reason.OPENING_CHIPS:
                key = party, int(entry.at // DAY)
                days[key] = days.get(key, 0) + entry.chips
    assert len(days) > len(limits)
    assert min(days.values()) < 0
    assert all(-chips <= limits[party] for (party, _), chips in days.items())
