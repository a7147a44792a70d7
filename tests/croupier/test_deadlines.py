"""What a table does by itself (B04): when time is up, when all have spoken, after the bot was away."""

import asyncio

import pytest

from bot.table.commands import RevealHand
from bot.table.state import EMPTY_TABLE_SECONDS, Phase
from tests.croupier.house import ALICE, BOB, MEI, NOON, House

SOON = 0.05


async def bets_are_open(house: House) -> int:
    """A table where Alice has bet, and Bob has not."""
    table_id = await house.open_with_bank()
    await house.join(table_id, BOB)
    await house.bet(table_id, ALICE, 20)
    assert house.table(table_id).deadline == house.now + house.rules.betting_seconds
    return table_id


async def already_dealt(house: House) -> int:
    """A table where cards are out, and nobody has turned up."""
    table_id = await house.open_with_bank()
    dealt = await house.bet(table_id, ALICE, 20)
    assert dealt.deadline == house.now + house.rules.arranging_seconds
    return table_id


def nearly_up(house: House, table_id: int) -> float:
    """Sets the clock shortly before the deadline, which it says; alarms mind it from the next change on."""
    deadline = house.table(table_id).deadline
    assert deadline is not None
    house.now = deadline - SOON
    return deadline


async def test_b04_cards_are_dealt_when_the_time_to_bet_is_up(house: House) -> None:
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    await house.bet(table_id, ALICE, 30)
    house.now = deadline
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)


async def test_b04_hands_are_settled_when_the_time_to_look_is_up(house: House) -> None:
    table_id = await already_dealt(house)
    deadline = nearly_up(house, table_id)
    await house.do(table_id, RevealHand(ALICE.member_id), ALICE)
    house.now = deadline
    await house.until(lambda: house.table(table_id).last)
    assert house.table(table_id).round_number == 2


async def test_hands_are_settled_as_soon_as_all_have_turned_up(house: House) -> None:
    table_id = await already_dealt(house)
    await house.do(table_id, RevealHand(ALICE.member_id), ALICE)
    settled = await house.do(table_id, RevealHand(MEI.member_id), MEI)
    assert settled.phase is Phase.BETTING
    assert settled.last is not None


async def test_b06_a_table_where_nobody_sits_is_wound_up_in_time(house: House) -> None:
    table = await house.open()
    assert table.deadline == NOON + EMPTY_TABLE_SECONDS
    house.now = NOON + EMPTY_TABLE_SECONDS - SOON
    await house.croupier.go_on()
    assert house.table(table.table_id) == table
    house.now = NOON + EMPTY_TABLE_SECONDS
    await house.until(lambda: house.croupier.tables.get(table.table_id) is None)


async def test_who_sits_down_keeps_a_table_open(house: House) -> None:
    table = await house.open()
    await house.join(table.table_id, ALICE)
    house.now = NOON + 2 * EMPTY_TABLE_SECONDS
    await house.croupier.go_on()
    assert house.table(table.table_id).deadline is None


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALT])
async def test_b04_a_deadline_is_armed_again_after_a_restart(house: House, phase: Phase) -> None:
    table_id = await (bets_are_open(house) if phase is Phase.BETTING else already_dealt(house))
    before = house.table(table_id)
    assert before.phase is phase
    assert before.deadline is not None
    house.now = before.deadline - SOON
    await house.restart()
    assert house.table(table_id) == before, "its time is not up yet"
    house.now = before.deadline
    await house.until(lambda: house.table(table_id).phase is not phase)


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALT])
async def test_b04_what_became_due_while_the_bot_was_away_happens_when_it_goes_on(
    house: House, phase: Phase
) -> None:
    table_id = await (bets_are_open(house) if phase is Phase.BETTING else already_dealt(house))
    before = house.table(table_id)
    house.now = NOON + 100_000
    await house.restart(go_on=False)
    assert house.table(table_id) == before, "nobody listens yet who could tell of it"
    await house.croupier.go_on()
    after = house.table(table_id)
    if phase is Phase.BETTING:
        assert after.phase is Phase.DEALT
        assert after.deadline == house.now + house.rules.arranging_seconds, "hands are there to be looked at"
    else:
        assert after.phase is Phase.BETTING
        assert after.last is not None


async def test_b06_a_table_deserted_while_the_bot_was_away_is_wound_up_when_it_goes_on(house: House) -> None:
    table = await house.open()
    house.now = NOON + EMPTY_TABLE_SECONDS
    await house.restart()
    assert house.croupier.tables.get(table.table_id) is None


async def test_what_is_due_happens_before_it_goes_on_where_somebody_asks_first(house: House) -> None:
    table_id = await bets_are_open(house)
    house.now = NOON + 100_000
    await house.restart(go_on=False)
    dealt = await house.bet(table_id, ALICE, 30)
    assert dealt.phase is Phase.DEALT
    assert dealt.staked == 30


async def test_a_clock_that_rings_early_waits_on(house: House) -> None:
    """Timers run by another clock than the time of day, which may be set back meanwhile."""
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    before = await house.bet(table_id, ALICE, 30)
    await asyncio.sleep(4 * SOON)
    assert house.table(table_id) == before
    house.now = deadline
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)


async def test_b04_a_bet_changed_does_not_set_the_clock_back(house: House) -> None:
    table_id = await bets_are_open(house)
    deadline = house.table(table_id).deadline
    house.now = NOON + 30
    assert (await house.bet(table_id, ALICE, 50)).deadline == deadline


async def test_nothing_happens_by_itself_once_it_is_closed(house: House) -> None:
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    await house.bet(table_id, ALICE, 30)
    await house.croupier.close()
    house.now = deadline
    await asyncio.sleep(4 * SOON)
    assert house.table(table_id).phase is Phase.BETTING
    assert (await house.bet(table_id, BOB, 20)).phase is Phase.BETTING, "its time is up"
    await house.restart()
    assert house.table(table_id).phase is Phase.DEALT
