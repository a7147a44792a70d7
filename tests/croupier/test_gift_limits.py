"""A day's limit of gifts: what a member gives, and what a member gets."""

import asyncio
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.croupier.gifts import DAY_SECONDS, Gift, GiftRefused, Gifts, NoGift
from tests.croupier.croupier_house import ALICE, BOB, CHAN, COMPANY, MEI, NOON, SERVER, House, fresh
from tests.sizes import sized

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


async def give(house: House, giver: int, receiver: int, chips: int) -> int | GiftRefused:
    return await Gifts(house.croupier).give(Gift(SERVER, giver, receiver, chips), str(fresh()))


async def test_a_receiver_gets_no_more_than_the_limit_in_a_day_whoever_gives(limited: House) -> None:
    assert await give(limited, ALICE, BOB, 60) == BOB
    refused = GiftRefused(NoGift.GOT_ENOUGH, left=40, resets_at=MIDNIGHT)
    assert await give(limited, CHAN, BOB, 41) == refused
    assert await give(limited, BOB, CHAN, 100) == CHAN, "what they got does not count as given"
    assert await give(limited, MEI, BOB, 40) == BOB


async def test_a_limit_that_was_lowered_below_what_was_given_leaves_nothing(limited: House) -> None:
    await give(limited, ALICE, BOB, 80)
    limited.settings = {"gifts_per_day": 50}
    assert await give(limited, ALICE, BOB, 1) == GiftRefused(NoGift.GIVEN_ENOUGH, resets_at=MIDNIGHT)


async def test_only_gifts_count(limited: House) -> None:
    table_id = await limited.open_with_bank(MEI)
    await limited.bet(table_id, ALICE, 50)
    assert await give(limited, ALICE, MEI, LIMIT) == MEI


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
    gifts = Gifts(limited.croupier)
    pairs = [(ALICE, BOB), (CHAN if to_one else ALICE, BOB if to_one else CHAN)] * 5
    answers = await asyncio.gather(
        *(gifts.give(Gift(SERVER, *pair, 30), str(number)) for number, pair in enumerate(pairs))
    )
    assert sum(isinstance(answer, int) for answer in answers) == 3
    code = NoGift.GOT_ENOUGH if to_one else NoGift.GIVEN_ENOUGH
    assert {one for one in answers if isinstance(one, GiftRefused)} == {
        GiftRefused(code, left=10, resets_at=MIDNIGHT)
    }


async def test_a_gift_repeated_after_a_restart_does_not_count_against_itself(limited: House) -> None:
    gift = Gift(SERVER, ALICE, BOB, LIMIT)
    assert await Gifts(limited.croupier).give(gift, "1") == BOB
    await limited.restart()
    assert await Gifts(limited.croupier).give(gift, "1") == BOB
    assert isinstance(await Gifts(limited.croupier).give(gift, "2"), GiftRefused)


@settings(max_examples=sized(5, 100))
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
                answer = await give(house, giver, receiver, chips)
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
