"""House rules and their history: each change is stored once, in order, and completely."""

import asyncio

import pytest

from bot.ledger.changes import Change, HouseDraft, HouseRow
from bot.ledger.errors import AlreadyDone, StaleHouse
from bot.ledger.fact_writes import DRAFT_SECONDS
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.records import StoredHouse
from tests.ledger.sample_changes import NOW, SERVER, failures, fresh_key

ADMIN, OTHER_ADMIN = 7, 8
SNOWFLAKE = 2**63 - 1


def house_change(
    number: int, *, key: str | None = None, server_id: int = SERVER, party: int = ADMIN
) -> Change:
    row = HouseRow(number, party, f'{{"what": {number}}}', f'{{"house": {number}}}')
    return Change(key or fresh_key(), server_id, NOW + number, answer=f"answer {number}", house=row)


def stored(number: int, server_id: int = SERVER, party: int = ADMIN) -> StoredHouse:
    what, house = f'{{"what": {number}}}', f'{{"house": {number}}}'
    return StoredHouse(server_id, number, party, NOW + number, what, house)


def draft(draft_id: int, at: float = NOW) -> HouseDraft:
    return HouseDraft(draft_id, SERVER, at, 3, f'{{"ties": "{draft_id}"}}')


async def test_the_last_change_of_each_house_is_in_force(ledger: Ledger) -> None:
    assert await ledger.houses() == []
    for change in (house_change(1), house_change(2), house_change(1, server_id=2), house_change(3)):
        await ledger.commit(change)
    assert sorted(await ledger.houses(), key=lambda one: one.server_id) == [stored(3), stored(1, server_id=2)]


async def test_the_history_lists_who_changed_what_and_when_newest_first(ledger: Ledger) -> None:
    await ledger.commit(house_change(1))
    await ledger.commit(house_change(2, party=SNOWFLAKE))
    await ledger.commit(house_change(1, server_id=SNOWFLAKE))
    assert await ledger.house_history(SERVER, 10) == [stored(2, party=SNOWFLAKE), stored(1)]
    assert await ledger.house_history(SERVER, 1) == [stored(2, party=SNOWFLAKE)]
    assert await ledger.house_history(SNOWFLAKE, 10) == [stored(1, server_id=SNOWFLAKE)]
    assert await ledger.house_history(99, 10) == []
    assert await ledger.house_changes(SERVER, (0, 1)) == [stored(1)]


async def test_a_repeated_change_is_made_once(ledger: Ledger) -> None:
    await ledger.commit(house_change(1, key="draft 5"))
    for number in (1, 2):
        with pytest.raises(AlreadyDone) as again:
            await ledger.commit(house_change(number, key="draft 5"))
        assert again.value.answer == "answer 1"
    assert await ledger.house_history(SERVER, 10) == [stored(1)]


@pytest.mark.parametrize("number", [-1, 0, 1, 3])
async def test_a_change_of_outdated_rules_is_refused(ledger: Ledger, number: int) -> None:
    await ledger.commit(house_change(1))
    with pytest.raises(StaleHouse) as stale:
        await ledger.commit(house_change(number, key="may come again"))
    assert str(stale.value) == f"the house of server 1 has 1 changes, this one follows {number - 1}"
    await ledger.commit(house_change(2, key="may come again"))
    assert [change.number for change in await ledger.house_history(SERVER, 10)] == [2, 1]


async def test_committed_changes_survive_a_restart(either: str) -> None:
    async with open_ledger(either) as ledger:
        await ledger.commit(house_change(1))
        await ledger.record(draft(5))
    async with open_ledger(either) as ledger:
        assert await ledger.houses() == [stored(1)]
        assert await ledger.house_draft(5) == draft(5)


async def test_after_a_restart_each_house_follows_its_own_last_change(either: str) -> None:
    async with open_ledger(either) as ledger:
        for change in (house_change(1), house_change(2), house_change(1, server_id=2)):
            await ledger.commit(change)
    async with open_ledger(either) as ledger:
        with pytest.raises(StaleHouse, match="has 2 changes"):
            await ledger.commit(house_change(1))
        changes = house_change(2, server_id=2), house_change(1, server_id=9), house_change(3), house_change(3)
        refused = failures(await asyncio.gather(*map(ledger.commit, changes), return_exceptions=True))
        assert [type(one) for one in refused] == [StaleHouse]
        assert sorted(await ledger.houses(), key=lambda one: one.server_id) == [
            stored(3),
            stored(2, server_id=2),
            stored(1, server_id=9),
        ]


async def test_a_draft_is_stored_for_a_day_and_can_be_stored_twice(ledger: Ledger) -> None:
    assert await ledger.house_draft(5) is None
    for _ in range(2):
        await ledger.record(draft(5))
    await ledger.record(draft(SNOWFLAKE, NOW + DRAFT_SECONDS))
    assert await ledger.house_draft(5) == draft(5)
    assert await ledger.house_draft(SNOWFLAKE) == draft(SNOWFLAKE, NOW + DRAFT_SECONDS)
    await ledger.record(draft(6, NOW + DRAFT_SECONDS + 1))
    assert DRAFT_SECONDS == 24 * 3600
    assert await ledger.house_draft(5) is None
    assert await ledger.house_draft(6) is not None
