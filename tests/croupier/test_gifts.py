"""Gifts between members: free chips only, each gift once, and no more in a day than the server allows."""

import asyncio
from collections import Counter
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import DAY_SECONDS
from bot.croupier.gifts import Gift, GiftRefused, NoGift
from bot.croupier.identities import User
from bot.ledger.changes import Change, NotAfter
from bot.ledger.errors import LedgerUnavailable, TooLate
from bot.rules.knobs import MOST_CHIPS
from bot.table.accounts import Move, Reason, wallet
from bot.table.commands import PlaceBet
from bot.table.refusals import Refusal, Refused
from bot.table.state import NOBODY
from tests.croupier.croupier_house import (
    ALICE,
    BOB,
    CHAN,
    COMPANY,
    MEI,
    NOON,
    OTHER_SERVER,
    SERVER,
    House,
    failing,
    fresh,
)
from tests.sizes import examples

ZOE = User(800_000_000_000_000_017, "Zoe", "de")
SEEN_ZOE = User(ZOE.user_id, "Zoe the receiver", locale=None)
"""Zoe, as they are seen while they do not act themselves."""


async def total(house: House, member: int, server_id: int = SERVER) -> int:
    return (await house.ledger.purse(server_id, member)).total


async def test_a_gift_moves_chips_in_one_server_only(house: House) -> None:
    assert await house.give(ALICE, BOB, 150, "1") == BOB
    assert (await total(house, ALICE), await total(house, BOB)) == (850, 1150)
    assert await total(house, ALICE, OTHER_SERVER) == 0
    for one, chips, other in ((ALICE, -150, BOB), (BOB, 150, ALICE)):
        newest, opening = await house.ledger.entries(SERVER, one, 9)
        assert (newest.reason, newest.chips, newest.other) == (Reason.GIFT, chips, other)
        assert (opening.reason, opening.chips, opening.other) == (Reason.OPENING_CHIPS, 1000, None)


async def test_a_new_receiver_gets_the_gift_and_opening_chips_once(house: House) -> None:
    await house.give(ALICE, BOB, 1000, "1")
    assert (await total(house, ALICE), await total(house, BOB)) == (0, 2000)
    for member in (ALICE, BOB):
        await house.croupier.wallets.open(SERVER, member)
    assert (await total(house, ALICE), await total(house, BOB)) == (0, 2000)


@pytest.mark.parametrize("chips", [0, -5, 10.5, 10.0, True])
async def test_a_gift_is_a_whole_number_of_chips_and_one_or_more(house: House, chips: int) -> None:
    with pytest.raises(ValueError, match=r"whole number of chips|one chip or more"):
        await house.gifts.give(Gift(SERVER, ALICE, SEEN_ZOE, chips), "1")
    assert await house.ledger.identities_of(ZOE.user_id) == []


async def test_nobody_can_give_chips_to_themselves(house: House) -> None:
    zoe = await house.croupier.identities.party_of(SERVER, ZOE)
    assert await house.gifts.give(Gift(SERVER, zoe, SEEN_ZOE, 5), "1") == GiftRefused(NoGift.TO_ONESELF)
    assert await house.ledger.entries(SERVER, zoe, 9) == []


async def test_b02_held_chips_cannot_be_given(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 100)
    for holder in (ALICE, MEI):
        assert await house.give(holder, BOB, 301, f"{holder}") == GiftRefused(NoGift.TOO_LARGE, 300)
        assert await house.give(holder, BOB, 300, f"{holder} less") == BOB
    assert house.table(table_id).staked == 100


async def test_a_gift_repeated_after_a_restart_is_made_once(house: House) -> None:
    house.settings = {"gifts_per_day": 600}
    await house.give(ALICE, BOB, 600, "1")
    await house.restart()
    assert await house.give(ALICE, BOB, 600, "1") == BOB, "it does not count against itself"
    assert await total(house, BOB) == 1600
    assert isinstance(await house.give(ALICE, BOB, 1, "2"), GiftRefused)


async def test_concurrent_copies_of_a_gift_get_the_same_result(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if chips arrive in between that the second request would find."""
    commit, one_by_one = house.ledger.commit, asyncio.Lock()
    for member in (ALICE, BOB, CHAN):
        await house.croupier.wallets.open(SERVER, member)
    late = Move(wallet(CHAN), wallet(ALICE), 500, Reason.GIFT)

    async def followed_by_chips(change: Change) -> None:
        async with one_by_one:
            try:
                await commit(change)
            finally:
                await commit(Change(f"late {fresh()}", SERVER, house.now, (late,)))

    monkeypatch.setattr(house.ledger, "commit", followed_by_chips)
    answers = await asyncio.gather(*(house.give(ALICE, BOB, 1200, "1") for _ in range(2)))
    assert answers == [GiftRefused(NoGift.TOO_LARGE, 1000)] * 2
    assert (await total(house, ALICE), await total(house, BOB)) == (1500, 1000)


async def test_a_gift_that_could_not_be_written_can_be_repeated(house: House) -> None:
    await house.croupier.wallets.open(SERVER, ALICE)
    await house.croupier.wallets.open(SERVER, BOB)
    with failing(house.ledger, "commit"), pytest.raises(LedgerUnavailable):
        await house.give(ALICE, BOB, 600, "1")
    assert await house.give(ALICE, BOB, 600, "1") == BOB
    assert await total(house, BOB) == 1600


async def test_concurrent_gifts_stop_when_the_chips_run_out(house: House) -> None:
    answers = await asyncio.gather(
        *(house.give(ALICE, BOB if turn % 2 else CHAN, 300, str(turn)) for turn in range(20))
    )
    assert sum(isinstance(answer, int) for answer in answers) == 3
    assert {answer for answer in answers if isinstance(answer, GiftRefused)} == {
        GiftRefused(NoGift.TOO_LARGE, 100)
    }
    assert await total(house, ALICE) == 100


@pytest.mark.parametrize("is_stored", [False, True])
@pytest.mark.parametrize(
    ("limit", "chips", "code"),
    [
        (0, 5, NoGift.OFF),
        (100, 101, NoGift.GIVEN_ENOUGH),
        (MOST_CHIPS, 1001, NoGift.TOO_LARGE),
    ],
)
async def test_a_refused_gift_stores_nothing_of_its_receiver(
    house: House, limit: int, chips: int, code: NoGift, is_stored: bool
) -> None:
    house.settings = {"gifts_per_day": limit}
    if is_stored:
        await house.croupier.identities.party_of(SERVER, ZOE)
    before = await house.ledger.identities_of(ZOE.user_id)
    refused = await house.gifts.give(Gift(SERVER, ALICE, SEEN_ZOE, chips), "1")
    assert isinstance(refused, GiftRefused)
    assert refused.code is code
    assert await house.ledger.identities_of(ZOE.user_id) == before
    assert await house.ledger.wallets(SERVER, [one.party for one in before]) == {}


async def test_a_gift_that_is_too_late_stores_nothing_of_its_receiver(house: House) -> None:
    with pytest.raises(TooLate):
        await house.gifts.give(Gift(SERVER, ALICE, SEEN_ZOE, 5), "1", NotAfter(-inf))
    assert await house.ledger.identities_of(ZOE.user_id) == []


async def test_party_zero_gives_nothing(house: House) -> None:
    with pytest.raises(ValueError, match="nobody"):
        await house.give(NOBODY, BOB, 5)
    assert await house.ledger.wallets(SERVER, [NOBODY, BOB]) == {}


async def test_gifts_to_a_newcomer_at_the_same_time_stay_within_their_limit(house: House) -> None:
    house.settings = {"gifts_per_day": 100}
    answers = await asyncio.gather(
        *(house.gifts.give(Gift(SERVER, giver, SEEN_ZOE, 60), str(giver)) for giver in (ALICE, BOB, CHAN))
    )
    assert [getattr(one, "code", None) for one in answers] == [None, *[NoGift.GOT_ENOUGH] * 2]


@pytest.mark.parametrize("gift_first", [True, False])
@pytest.mark.parametrize(
    ("giver", "given", "free", "code", "left"),
    [
        (ALICE, 600, 300, Refusal.PLAYER_CANNOT_COVER, {"wallet": 400}),
        (MEI, 999, 300, Refusal.BANK_EXHAUSTED, {}),
    ],
    ids=["of a player", "of a banker"],
)
async def test_b02_a_bet_and_a_gift_of_the_same_chips(
    house: House, giver: int, given: int, free: int, code: Refusal, left: dict[str, int], gift_first: bool
) -> None:
    table_id = await house.open_with_bank(MEI, players=(ALICE,))
    asked = await house.gift(giver, BOB, given)
    both = [
        house.gifts.give(asked, "gift"),
        house.ask(table_id, PlaceBet(ALICE, 100), ALICE, str(fresh())),
    ]
    answers = await asyncio.gather(*(both if gift_first else reversed(both)))
    (refused,) = [answer for answer in answers if isinstance(answer, GiftRefused | Refused)]
    if isinstance(refused, GiftRefused):
        assert refused == GiftRefused(NoGift.TOO_LARGE, free)
        assert house.table(table_id).staked == 100
    else:
        assert refused.code is code
        assert left.items() <= refused.facts.items()
        assert not house.table(table_id).bets
    assert sum([await total(house, member) for member in (MEI, ALICE, BOB)]) == 3000


LIMIT = 100
MIDNIGHT = int(NOON // DAY_SECONDS + 1) * DAY_SECONDS

_gifts = st.tuples(
    st.sampled_from(COMPANY),
    st.sampled_from(COMPANY),
    st.integers(1, LIMIT + 20),
    st.sampled_from((0, 0, 0, 3600, DAY_SECONDS // 2)),
).filter(lambda one: one[0] != one[1])


@pytest.fixture
def limited(house: House) -> House:
    house.settings = {"gifts_per_day": LIMIT}
    return house


async def test_a_receiver_gets_no_more_than_the_limit_in_a_day_from_all_together(limited: House) -> None:
    assert await limited.give(ALICE, BOB, 60) == BOB
    refused = GiftRefused(NoGift.GOT_ENOUGH, left=40, resets_at=MIDNIGHT)
    assert await limited.give(CHAN, BOB, 41) == refused
    assert await limited.give(BOB, CHAN, 100) == CHAN, "what they got does not count as given"
    assert await limited.give(MEI, BOB, 40) == BOB


async def test_a_limit_that_was_lowered_below_what_was_given_leaves_nothing(limited: House) -> None:
    await limited.give(ALICE, BOB, 80)
    limited.settings = {"gifts_per_day": 50}
    assert await limited.give(ALICE, BOB, 1) == GiftRefused(NoGift.GIVEN_ENOUGH, resets_at=MIDNIGHT)


async def test_who_has_less_than_the_limit_is_told_what_they_have(limited: House) -> None:
    limited.settings = {"gifts_per_day": 5000}
    assert await limited.give(ALICE, BOB, 5001) == GiftRefused(NoGift.TOO_LARGE, free=1000)


async def test_only_gifts_count(limited: House) -> None:
    table_id = await limited.open_with_bank(MEI)
    await limited.bet(table_id, ALICE, 50)
    assert await limited.give(ALICE, MEI, LIMIT) == MEI


@pytest.mark.parametrize("to_one", [False, True])
async def test_gifts_at_the_same_time_stay_within_the_limit(
    limited: House, to_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = limited.ledger.gifts_since

    async def read_slowly(*asked: Any, **how: Any) -> int:
        moved = await read(*asked, **how)
        await asyncio.sleep(0.01)
        return moved

    monkeypatch.setattr(limited.ledger, "gifts_since", read_slowly)
    pairs = [(ALICE, BOB), (CHAN if to_one else ALICE, BOB if to_one else CHAN)] * 5
    answers = await asyncio.gather(
        *(limited.give(*pair, 30, str(number)) for number, pair in enumerate(pairs))
    )
    assert sum(isinstance(answer, int) for answer in answers) == 3
    code = NoGift.GOT_ENOUGH if to_one else NoGift.GIVEN_ENOUGH
    assert {one for one in answers if isinstance(one, GiftRefused)} == {
        GiftRefused(code, left=10, resets_at=MIDNIGHT)
    }


@examples(5)
@given(st.lists(_gifts, max_size=12))
def test_a_gift_is_made_exactly_if_giver_and_receiver_have_room_that_day(
    asked: list[tuple[int, int, int, int]],
) -> None:
    async def run(folder: Path) -> None:
        async with House(folder / "gnau.db") as house:
            house.settings = {"gifts_per_day": LIMIT}
            given, got = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
            for giver, receiver, chips, later in asked:
                house.now += later
                day = int(house.now // DAY_SECONDS)
                room = (LIMIT - given[day, giver], LIMIT - got[day, receiver])
                answer = await house.give(giver, receiver, chips)
                if chips <= min(room):
                    assert answer == receiver
                    given[day, giver] += chips
                    got[day, receiver] += chips
                else:
                    code = NoGift.GIVEN_ENOUGH if chips > room[0] else NoGift.GOT_ENOUGH
                    left = room[0] if chips > room[0] else room[1]
                    resets = (day + 1) * DAY_SECONDS
                    assert answer == GiftRefused(code, left=left, resets_at=resets)

    with TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


async def test_a_giver_should_know_of_a_gift_that_takes_a_quarter_of_their_relief_or_leaves_few_chips(
    house: House,
) -> None:
    async def costs(chips: int) -> tuple[int, int] | None:
        told = await house.gifts.costs(await house.gift(ALICE, BOB, chips), str(fresh()))
        return None if told is None else (told.left, told.relief)

    await house.croupier.wallets.open(SERVER, ALICE)
    assert await costs(24) is None
    assert await costs(25) == (975, 75)
    assert await costs(1001) is None, "it is refused"
    await house.give(ALICE, BOB, 90)
    assert await costs(25) is None, "only 10 are left of it"
    assert await costs(860) is None, "enough are left to get no relief"
    assert await costs(861) == (49, 0), "few chips are left"
    house.settings |= {"relief_chips": 0}
    assert await costs(910) is None
