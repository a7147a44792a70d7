"""Handouts: when they are due, how they grow, and that nobody gets them twice."""

import asyncio
import re
from itertools import pairwise
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import HOUR_SECONDS
from bot.croupier.handouts import BONUS_STEPS, GIFT_SECONDS, STREAK_SECONDS, Due, Handout, Handouts
from bot.croupier.identities import User
from bot.croupier.open_tables import MemberErasedError, TableChanged
from bot.croupier.privacy import OPENING_SECONDS, Privacy
from bot.ledger.changes import Change, NotAfter
from bot.ledger.errors import LedgerUnavailable
from bot.rules.knobs import MOST_CHIPS
from bot.table.accounts import Move, Reason, hold, wallet
from bot.table.commands import TakeBank
from bot.ui.chips import NextChips
from bot.ui.readers import Names
from tests.croupier.croupier_house import ALICE, BOB, MEI, NOON, OTHER_SERVER, SERVER, House, failing
from tests.sizes import examples
from tests.taking_chips import take_chips

DAY = 20 * HOUR_SECONDS
"""From one time to the next, by default."""
RELIEF = 4 * HOUR_SECONDS
ZOE = User(800_000_000_000_000_017, "Zoe", "en-US")


async def take(house: House, party: int = ALICE, not_after: NotAfter | None = None) -> Handout | Due:
    return await Handouts(house.croupier).take(SERVER, party, not_after)


async def taken(house: House, party: int = ALICE) -> Handout:
    answer = await take(house, party)
    assert isinstance(answer, Handout), answer
    return answer


async def free(house: House, party: int = ALICE, server_id: int = SERVER) -> int:
    return (await house.croupier.wallets.purse(server_id, party)).wallet


async def lose(house: House, *, keep: int = 0) -> None:
    """Leaves Alice with no more than these chips."""
    await take_chips(house.croupier, SERVER, ALICE, keep=keep)


async def test_daily_chips_come_from_the_mint_and_are_in_the_members_ledger(house: House) -> None:
    again, bonus_until = NOON + DAY, NOON + DAY + STREAK_SECONDS
    assert await take(house) == Handout(Reason.DAILY, 100, 0, 1, again, 10, bonus_until)
    assert (await free(house), await free(house, server_id=OTHER_SERVER)) == (1100, 1000)
    newest, opening = await house.ledger.entries(SERVER, ALICE, 9)
    assert (newest.reason, newest.chips, newest.other) == (Reason.DAILY, 100, None)
    assert opening.reason == Reason.OPENING_CHIPS


async def test_after_a_restart_the_time_is_still_known(house: House) -> None:
    await taken(house)
    await house.restart()
    assert isinstance(await take(house), Due)
    house.now += DAY
    assert (await taken(house)).streak == 2


@pytest.mark.parametrize("broke", [False, True])
async def test_of_requests_at_the_same_time_one_gets_chips(house: House, broke: bool) -> None:
    await house.croupier.wallets.open(SERVER, ALICE)
    if broke:
        house.settings |= {"daily_chips": 0}
        await lose(house)
    before = await free(house)
    answers = await asyncio.gather(*(take(house) for _ in range(6)))
    assert sum(isinstance(answer, Handout) for answer in answers) == 1
    assert await free(house) == before + 100


async def test_requests_that_were_decided_at_the_same_time_give_chips_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have read that nothing was taken yet, before one of them is written."""
    await house.croupier.wallets.open(SERVER, ALICE)
    commit, both = house.ledger.commit, asyncio.Barrier(2)

    async def together(change: Change) -> None:
        if both.broken is False and Reason.DAILY in {move.reason for move in change.moves}:
            await both.wait()
        await commit(change)

    monkeypatch.setattr(house.ledger, "commit", together)
    answers = await asyncio.gather(take(house), take(house))
    assert sorted(type(answer).__name__ for answer in answers) == ["Due", "Handout"]
    assert await free(house) == 1100


async def test_what_could_not_be_written_can_be_asked_for_again(house: House) -> None:
    await house.croupier.wallets.open(SERVER, ALICE)
    with failing(house.ledger, "commit"), pytest.raises(LedgerUnavailable):
        await take(house)
    assert (await taken(house)).streak == 1
    assert await free(house) == 1100


async def test_b02_relief_brings_who_has_fewer_than_half_of_its_number_back_to_it(house: House) -> None:
    await taken(house)
    await lose(house, keep=50)
    assert await take(house) == Due(NOON + DAY, 110, 0.0, 100, 0)
    await lose(house, keep=32)
    assert await take(house) == Handout(Reason.RELIEF, 68, 0, 0, NOON + DAY)
    assert await free(house) == 100
    assert (await house.ledger.entries(SERVER, ALICE, 1))[0].reason == Reason.RELIEF


async def test_daily_chips_come_before_relief(house: House) -> None:
    await house.croupier.wallets.open(SERVER, ALICE)
    await lose(house)
    assert [(await taken(house)).kind] == [Reason.DAILY]
    await lose(house)
    assert [(await taken(house)).kind] == [Reason.RELIEF]


async def test_relief_has_a_cooldown_of_its_own(house: House) -> None:
    await taken(house)
    await lose(house)
    await taken(house)
    await lose(house)
    house.now += RELIEF - 1
    assert await take(house) == Due(NOON + DAY, 110, NOON + RELIEF, 100, 100)
    house.now += 1
    assert (await taken(house)).kind is Reason.RELIEF
    house.now = NOON + DAY
    assert (await taken(house)).streak == 2, "relief does not end a streak"


@pytest.mark.parametrize(
    ("gifts", "keep", "hour", "chips"),
    [
        ([30], 0, 1, 70),
        ([30], 32, 1, 38),
        ([30, 69], 0, 2, 1),
        ([30, 69], 1, 24, 30),
        ([30, 70], 0, 24, 30),
        ([600, 400], 0, 25, 100),
        ([900, 60, 40], 0, 25, 60),
    ],
)
async def test_what_a_member_gave_away_comes_off_their_relief_for_a_day(
    house: House, gifts: list[int], keep: int, hour: int, chips: int
) -> None:
    house.settings |= {"daily_chips": 0}
    first_at = house.now
    for one in gifts:
        assert await house.give(ALICE, BOB, one) == BOB
        house.now += HOUR_SECONDS
    if sum(gifts) < 1000:
        await lose(house, keep=keep)
    due = first_at + hour * HOUR_SECONDS
    if house.now < due:
        assert await take(house) == Due(None, 0, due, keep + chips, chips, waits_for_gift=True)
        house.now = due - 1
        assert isinstance(await take(house), Due)
        house.now = due
    off = 100 - keep - chips
    assert await take(house) == Handout(Reason.RELIEF, chips, 0, 0, None, given_away=off)


@pytest.mark.parametrize("chosen", [{}, {"daily_chips": 0}, {"relief_chips": 0}, {"relief_hours": 48}])
@pytest.mark.parametrize("taken_before", [0, 2])
@pytest.mark.parametrize("gift", [0, 40, 100])
@pytest.mark.parametrize("keep", [0, 32, 100])
async def test_what_daily_is_said_to_give_next_is_what_it_gives(
    house: House, chosen: dict[str, int], taken_before: int, gift: int, keep: int
) -> None:
    house.settings |= chosen
    await house.croupier.wallets.open(SERVER, ALICE)
    for _ in range(taken_before):
        await take(house)
        await lose(house, keep=gift)
    if gift:
        assert await house.give(ALICE, BOB, gift) == BOB
    await lose(house, keep=keep)
    ways = NextChips(house.croupier, Names(house.croupier.identities)).ways
    told = (await ways(SERVER, ALICE, None, only_words=True)).words.partition(" Anybody can give")[0]
    told = told if told.startswith("`/daily`") else ""
    relief = r"brings you back to (?P<to>\d+) chips <t:(?P<at_relief>\d+):R>, before your daily chips"
    later = rf"gives you chips <t:(?P<at>\d+):R>|{relief}"
    said = re.fullmatch(rf"`/daily` (?:gives you (?P<chips>\d+) chips now|{later})\.|", told)
    assert said is not None, told
    if said["chips"]:
        assert (await taken(house)).chips == int(said["chips"])
        return
    assert isinstance(await take(house), Due), told
    if at := said["at"] or said["at_relief"]:
        house.now = float(at) - 1
        assert isinstance(await take(house), Due), told
        house.now += 1
        given = await taken(house)
        if said["to"]:
            assert given.kind is Reason.RELIEF, told
            assert (await house.croupier.wallets.stack(SERVER, ALICE)).free == int(said["to"]), told


async def test_a_gift_delays_no_daily_chips_and_no_relief_of_its_receiver(house: House) -> None:
    assert await house.give(BOB, ALICE, 1000) == ALICE
    assert (await taken(house, BOB)).kind is Reason.DAILY
    await taken(house)
    await lose(house)
    assert (await taken(house)).kind is Reason.RELIEF


async def test_b02_who_has_chips_in_play_gets_no_relief(house: House) -> None:
    await taken(house)
    table_id = await house.open_with_bank(MEI)
    await lose(house, keep=170)
    await house.bet(table_id, ALICE, 20)
    assert await free(house) == 30
    assert await take(house) == Due(NOON + DAY, 110, 0.0, 100, 0, in_play=140)


async def test_what_daily_gives_next_is_read_again_when_chips_in_play_are_lost(house: House) -> None:
    """Who loses all that was held has as many free chips as before, but may have relief."""
    await taken(house)
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 20)
    next_chips, table = NextChips(house.croupier, Names(house.croupier.identities)), house.table(table_id)
    known = await next_chips.coming(SERVER, ALICE)
    house.settings |= {"daily_chips": 0}
    assert await next_chips.coming(SERVER, ALICE) == known is not None
    lost = Move(hold(table_id, ALICE), wallet(MEI), 140, Reason.BANKER_WON)
    house.croupier.listeners.notify(TableChanged(table, (), table, (lost,)))
    assert await next_chips.coming(SERVER, ALICE) is None


async def test_what_is_off_gives_nothing(house: House) -> None:
    house.settings |= {"daily_chips": 0, "relief_chips": 0}
    assert await take(house) == Due(None, 0, None, 0, 0)
    await lose(house)
    assert await take(house) == Due(None, 0, None, 0, 0)
    assert len(await house.ledger.entries(SERVER, ALICE, 9)) == 2
    house.settings |= {"relief_chips": 30}
    assert await take(house) == Handout(Reason.RELIEF, 30, 0, 0, None)


async def test_a_banker_may_take_chips_and_has_more_room(house: House) -> None:
    house.settings |= {"daily_chips": 700}
    table = await house.open(MEI)
    await lose(house, keep=70)
    await house.do(table.table_id, TakeBank(ALICE, 5, 100, house.rules), ALICE)
    await taken(house)
    await house.bet(table.table_id, BOB, 100)
    assert house.table(table.table_id).staked == 100


async def test_erasing_yourself_brings_no_free_chips(house: House) -> None:
    identities = house.croupier.identities
    party = await identities.party_of(SERVER, ZOE)
    await taken(house, party)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await take(house, party)
    again = await identities.party_of(SERVER, ZOE)
    assert again != party
    answer = await take(house, again)
    assert isinstance(answer, Due)
    assert answer.daily_at is not None
    house.now = answer.daily_at
    assert isinstance(await take(house, again), Handout)


@pytest.mark.parametrize("memory_lasts", [True, False])
async def test_who_was_erased_waits_also_if_memory_is_dropped_while_the_wait_is_read(
    house: House, monkeypatch: pytest.MonkeyPatch, memory_lasts: bool
) -> None:
    identities = house.croupier.identities
    await taken(house, await identities.party_of(SERVER, ZOE))
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    again = await identities.party_of(SERVER, ZOE)
    read = house.ledger.opening_spent_until

    async def while_memory_is_dropped(server_id: int, digest: bytes) -> float | None:
        found = await read(server_id, digest)
        # As after a write of somebody else that failed.
        house.ledger.stacks.drop()
        return found

    if not memory_lasts:
        monkeypatch.setattr(house.ledger, "opening_spent_until", while_memory_is_dropped)
    due = NOON + OPENING_SECONDS
    for house.now in (NOON, due - 1):
        assert await take(house, again) == Due(due, 100, due, 100, 100)
        assert await free(house, again) == 0
    house.now = due
    assert isinstance(await take(house, again), Handout)
    assert await free(house, again) == 1100


@examples(4)
@given(
    waits=st.lists(st.integers(0, 3 * DAY), min_size=1, max_size=15),
    hours=st.integers(1, 30),
    chips=st.integers(1, 500),
    bonus=st.integers(0, 50),
)
def test_a_streak_goes_on_for_a_day_after_the_next_chips_are_due(
    waits: list[int], hours: int, chips: int, bonus: int
) -> None:
    async def run(folder: Path) -> None:
        async with House(folder / "gnau.db") as house:
            house.settings = {"daily_hours": hours, "daily_chips": chips, "daily_bonus": bonus}
            last, streak, owns = -inf, 0, 1000
            for wait in waits:
                house.now += wait
                answer = await take(house)
                since = house.now - last
                if since < hours * HOUR_SECONDS:
                    on_top = bonus * min(streak, BONUS_STEPS)
                    due = Due(last + hours * HOUR_SECONDS, chips + on_top, 0.0, 100, 0)
                    assert answer == due
                    continue
                streak = streak + 1 if since <= hours * HOUR_SECONDS + STREAK_SECONDS else 1
                on_top = bonus * min(streak - 1, BONUS_STEPS)
                assert isinstance(answer, Handout)
                assert (answer.streak, answer.chips, answer.bonus) == (streak, chips + on_top, on_top)
                assert answer.streak_until == house.now + hours * HOUR_SECONDS + STREAK_SECONDS
                last, owns = house.now, owns + answer.chips
            assert await free(house) == owns

    with TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


@examples(8)
@given(
    daily_chips=st.sampled_from((0, 100)),
    steps=st.lists(
        st.tuples(
            st.sampled_from(("wait", "lose", "give", "take")),
            st.sampled_from((ALICE, BOB)),
            st.integers(1, DAY),
        ),
        min_size=15,
        max_size=30,
    ),
)
def test_nobody_gets_more_than_hours_and_gifts_allow_whatever_they_do(
    daily_chips: int, steps: list[tuple[str, int, int]]
) -> None:
    """Two accounts get no more by giving to each other: what they gave, or have, is never relief too."""

    async def run(folder: Path) -> None:
        async with House(folder / "gnau.db") as house:
            house.settings = {"gifts_per_day": MOST_CHIPS, "daily_chips": daily_chips, "daily_bonus": 0}
            got: dict[tuple[int, Reason], list[float]] = {}
            given: list[tuple[float, int, int]] = []
            # What relief brought each since they last lost chips: what they lose is no gain to anybody.
            relief: dict[int, list[tuple[float, int]]] = {ALICE: [], BOB: []}
            for party in (ALICE, BOB):
                await house.croupier.wallets.open(SERVER, party)
                await take_chips(house.croupier, SERVER, party, keep=150)
            for step, party, number in steps:
                had, of_a_day = await free(house, party), house.now - GIFT_SECONDS
                if step == "wait":
                    house.now += number
                elif step == "lose":
                    await take_chips(house.croupier, SERVER, party, keep=number % 150)
                    relief[party].clear()
                elif step == "give" and had:
                    chips = 1 + number % had
                    assert await house.give(party, BOB if party == ALICE else ALICE, chips)
                    given.append((house.now, party, chips))
                elif step == "take" and isinstance(answer := await take(house, party), Handout):
                    got.setdefault((party, answer.kind), []).append(house.now)
                    if answer.kind is Reason.RELIEF:
                        gave = sum(chips for at, giver, chips in given if giver == party and at > of_a_day)
                        assert await free(house, party) == had + answer.chips == 100 - gave
                        relief[party].append((house.now, answer.chips))
                        assert sum(chips for at, chips in relief[party] if at > of_a_day) <= 100
            for (_, kind), times in got.items():
                least = DAY if kind is Reason.DAILY else RELIEF
                assert all(later - at >= least for at, later in pairwise(times))

    with TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
