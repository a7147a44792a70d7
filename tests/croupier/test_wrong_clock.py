"""The clock of the machine was days ahead, and is set right: nobody waits for those days."""

import pytest

from bot.clock import DAY_SECONDS, HOUR_SECONDS
from bot.croupier.gifts import GiftRefused, NoGift
from bot.croupier.handouts import GIFT_SECONDS, Due, Handout, Handouts
from bot.croupier.privacy import OPENING_SECONDS, SERVER_SECONDS, Privacy
from bot.table.commands import RevealHand
from bot.table.state import EMPTY_TABLE_SECONDS, Phase
from tests.taking_chips import take_chips

from .croupier_house import ALICE, BOB, CHAN, MEI, NOON, SERVER, House
from .erasable_members import ZOE, enter

AHEAD = 172_800.0
DAILY, RELIEF = 20 * HOUR_SECONDS, 4 * HOUR_SECONDS


async def take(house: House, party: int = ALICE) -> Handout | Due:
    return await Handouts(house.croupier).take(SERVER, party)


async def somebody_plays(house: House) -> None:
    """Moves chips of two other members."""
    await house.give(CHAN, MEI, 1)


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.BETTING, Phase.DEALT])
async def test_b04_no_deadline_is_further_off_than_its_rules_say(house: House, phase: Phase) -> None:
    house.now = NOON + AHEAD
    if phase is Phase.OPEN:
        table_id, longest = (await house.open()).table_id, EMPTY_TABLE_SECONDS
    else:
        table_id = await house.open_with_bank()
        longest = house.rules.arranging_seconds
        if phase is Phase.BETTING:
            await house.join(table_id, BOB)
            longest = house.rules.betting_seconds
        await house.bet(table_id, ALICE, 20)
    assert house.table(table_id).phase is phase

    house.now = NOON
    await house.restart()

    assert house.table(table_id).deadline == NOON + longest
    await house.check()
    house.now = NOON + longest
    await house.croupier.go_on()
    after = house.croupier.tables.get(table_id)
    assert after is None or after.phase is not phase


async def test_b04_a_clock_that_is_set_back_while_the_bot_runs_is_noticed_in_time(house: House) -> None:
    table_id = await house.open_with_bank()
    dealt = await house.bet(table_id, ALICE, 20)
    assert dealt.deadline is not None
    house.now = dealt.deadline - 0.05
    await house.do(table_id, RevealHand(ALICE), ALICE)
    house.now = NOON - AHEAD
    due = house.now + house.rules.arranging_seconds
    await house.until(lambda: house.table(table_id).deadline == due)


async def test_daily_chips_are_due_in_their_hours(house: House) -> None:
    house.now = NOON + AHEAD
    assert isinstance(await take(house), Handout)
    house.now = NOON
    await house.restart()
    answer = await take(house)
    assert isinstance(answer, Due)
    assert answer.daily_at == NOON + DAILY

    house.now = NOON + 60
    await somebody_plays(house)
    house.now = NOON + 60 + DAILY - 1
    answer = await take(house)
    assert isinstance(answer, Due)
    assert answer.daily_at == NOON + 60 + DAILY, "they were taken before that"
    house.now += 1
    again = await take(house)
    assert isinstance(again, Handout)
    assert again.streak == 2


async def test_relief_comes_in_its_hours_also_after_a_gift(house: House) -> None:
    house.settings |= {"daily_chips": 0}
    house.now = NOON + AHEAD
    await house.croupier.wallets.open(SERVER, ALICE)
    await take_chips(house.croupier, SERVER, ALICE, keep=0)
    assert isinstance(await take(house), Handout)
    house.now = NOON
    answer = await take(house)
    assert isinstance(answer, Due)
    assert answer.relief_at == NOON + RELIEF

    house.now = NOON + AHEAD
    assert await house.give(ALICE, BOB, 100) == BOB
    house.now = NOON
    answer = await take(house)
    assert isinstance(answer, Due)
    assert answer.relief_at == NOON + GIFT_SECONDS
    await somebody_plays(house)
    house.now = NOON + GIFT_SECONDS
    assert isinstance(await take(house), Handout)


async def test_a_limit_of_gifts_is_for_a_day(house: House) -> None:
    house.settings = {"gifts_per_day": 100}
    house.now = NOON + AHEAD
    assert await house.give(ALICE, BOB, 100) == BOB
    house.now = NOON
    midnight = int(NOON // DAY_SECONDS + 1) * DAY_SECONDS
    for giver, receiver, code in ((ALICE, CHAN, NoGift.GIVEN_ENOUGH), (CHAN, BOB, NoGift.GOT_ENOUGH)):
        assert await house.give(giver, receiver, 1) == GiftRefused(code, resets_at=midnight)

    await somebody_plays(house)
    house.now = float(midnight)
    assert await house.give(ALICE, CHAN, 100) == CHAN
    assert await house.give(MEI, BOB, 100) == BOB


async def test_a_server_that_the_bot_left_is_kept_for_30_days_and_a_hash_for_90(house: House) -> None:
    house.now = NOON + 10 * AHEAD
    privacy = Privacy(house.croupier)
    await enter(house)
    await privacy.erase(SERVER, ZOE.user_id)
    digest = await house.ledger.opening_digest(SERVER, ZOE.user_id)
    await privacy.server_left(SERVER)

    house.now = NOON
    assert await privacy.servers_due() == []
    await privacy.delete_outdated_hashes()
    assert await house.ledger.server_erasures() == {SERVER: NOON + SERVER_SECONDS}
    assert await house.ledger.opening_spent_until(SERVER, digest) == NOON + OPENING_SECONDS

    house.now += 60
    assert await privacy.servers_due() == []
    await privacy.delete_outdated_hashes()
    assert await house.ledger.server_erasures() == {SERVER: NOON + SERVER_SECONDS}, "it does not move along"
    assert await house.ledger.opening_spent_until(SERVER, digest) == NOON + OPENING_SECONDS
