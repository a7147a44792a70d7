"""House rules and their history: each change is stored once, in order, and completely."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.audit import audit
from bot.ledger.changes import Change, HouseDraft, HouseRow
from bot.ledger.errors import AlreadyDone, StaleHouse
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.records import StoredHouse
from bot.ledger.store import DRAFT_SECONDS
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
    assert (stale.value.stored, stale.value.offered) == (1, number - 1)
    await ledger.commit(house_change(2, key="may come again"))
    assert [change.number for change in await ledger.house_history(SERVER, 10)] == [2, 1]


async def test_a_stale_change_names_the_house_and_both_numbers(ledger: Ledger) -> None:
    for number in (1, 2, 3):
        await ledger.commit(house_change(number, server_id=SNOWFLAKE))
    with pytest.raises(StaleHouse) as stale:
        await ledger.commit(house_change(2, server_id=SNOWFLAKE))
    assert (stale.value.server_id, stale.value.stored, stale.value.offered) == (SNOWFLAKE, 3, 1)
    assert str(stale.value) == f"the house of server {SNOWFLAKE} has 3 changes, this one follows 1"


async def test_one_of_several_concurrent_changes_is_made(ledger: Ledger) -> None:
    changes = [ledger.commit(house_change(1)) for _ in range(20)]
    refused = failures(await asyncio.gather(*changes, return_exceptions=True))
    assert len(refused) == 19
    assert all(isinstance(one, StaleHouse) for one in refused)
    assert len(await ledger.house_history(SERVER, 50)) == 1


async def test_house_rules_and_chips_share_a_batch(ledger: Ledger) -> None:
    opening = ledger.ensure_wallet(SERVER, ADMIN, 1000, NOW)
    await asyncio.gather(opening, *(ledger.commit(house_change(number)) for number in (1, 2, 3)))
    assert await ledger.houses() == [stored(3)]
    assert await ledger.wallets(SERVER, [ADMIN]) == {ADMIN: 1000}


async def test_committed_changes_survive_a_restart(address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(house_change(1))
        await ledger.record(draft(5))
    async with open_ledger(address) as ledger:
        assert await ledger.houses() == [stored(1)]
        assert await ledger.house_draft(5) == draft(5)


async def test_after_a_restart_a_change_follows_the_last_one_on_disk(address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(house_change(1))
        await ledger.commit(house_change(2))
    async with open_ledger(address) as ledger:
        with pytest.raises(StaleHouse) as stale:
            await ledger.commit(house_change(1))
        assert stale.value.stored == 2
        await ledger.commit(house_change(3))
        assert await ledger.houses() == [stored(3)]


async def test_after_a_restart_each_house_follows_its_own_last_change(address: str) -> None:
    async with open_ledger(address) as ledger:
        for change in (house_change(1), house_change(2), house_change(1, server_id=2)):
            await ledger.commit(change)
    async with open_ledger(address) as ledger:
        changes = house_change(2, server_id=2), house_change(1, server_id=9), house_change(3)
        await asyncio.gather(*map(ledger.commit, changes))
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
    assert await ledger.house_draft(5) is None
    assert await ledger.house_draft(6) is not None


@pytest.mark.parametrize(("hours", "kept"), [(23, True), (25, False)])
async def test_a_draft_can_be_confirmed_for_a_day(ledger: Ledger, hours: int, kept: bool) -> None:
    await ledger.record(draft(5))
    await ledger.record(draft(6, NOW + hours * 3600))
    assert (await ledger.house_draft(5) is not None) is kept


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (
            "DELETE FROM house_changes WHERE number = 1",
            [
                "link 1 of the chain was removed: change 2 of the house rules is link 2",
                "1 changes of the house rules are stored, up to number 2",
            ],
        ),
        (
            "UPDATE house_changes SET command_key = 'nobody' WHERE number = 2",
            [
                "change 2 of the house rules, link 2 of the chain, was changed, or the link before it was",
                "change 2 of the house rules was made by nobody, but no such command is committed",
            ],
        ),
    ],
    ids=["a gap", "nobody's change"],
)
async def test_the_audit_finds_a_history_that_was_tampered_with(
    path: Path, address: str, script: str, found: list[str]
) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(house_change(1))
        await ledger.commit(house_change(2))
        assert await audit(ledger) == []
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"DROP TRIGGER house_changes_no_{script.split()[0].lower()}; {script}")
        assert [finding.what for finding in await audit(ledger)] == found
