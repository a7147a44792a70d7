"""Who is who: a member has one random party in each server, which stays the same and is stored at once."""

import asyncio
import gc
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

import pytest

from bot.croupier import identities
from bot.croupier.identities import Identities, User
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.privacy import Privacy
from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import Fact, Identity
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.queries import Queries
from bot.table.commands import PlaceSideBet, TakeBank
from bot.table.state import NOBODY
from tests.croupier.croupier_house import OTHER_SERVER, SERVER, House, failing

ALICE = User(901, "Alice", "en-US")
BOB = User(902, "牛 Bob", "zh-TW")


@pytest.fixture
def known(house: House) -> Identities:
    return house.croupier.identities


@pytest.fixture
def lookups(house: House, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Server and user of each look-up in the ledger."""
    asked: list[tuple[int, int]] = []
    identity_of = house.ledger.identity_of

    async def noting(server_id: int, user_id: int) -> Identity | None:
        asked.append((server_id, user_id))
        return await identity_of(server_id, user_id)

    monkeypatch.setattr(house.ledger, "identity_of", noting)
    return asked


def users() -> Iterator[User]:
    return (User(number, f"User {number}", "de") for number in count(5000))


async def stored(ledger: Queries, user: User, server_id: int = SERVER) -> Identity | None:
    return await ledger.identity_of(server_id, user.user_id)


def as_stored(party: int, user: User) -> Identity:
    """What is stored of a user who acted themselves."""
    assert user.locale is not None
    return Identity(party, SERVER, user.user_id, user.name, user.locale)


async def test_a_new_user_gets_a_stored_party_which_is_theirs_in_this_server_for_good(
    house: House, known: Identities, lookups: list[tuple[int, int]]
) -> None:
    assert await known.find(SERVER, ALICE.user_id) == NOBODY
    assert await house.ledger.identities_of(ALICE.user_id) == [], "who is looked for is not stored"
    lookups.clear()
    party = await known.party_of(SERVER, ALICE)
    assert party not in (NOBODY, ALICE.user_id, SERVER)
    assert [await known.party_of(SERVER, ALICE) for _ in range(3)] == [party] * 3
    assert lookups == [(SERVER, ALICE.user_id)], "memory knows them from then on"
    there = await known.party_of(OTHER_SERVER, ALICE)
    servers = (SERVER, OTHER_SERVER, 404)
    assert [known.known(one, ALICE.user_id) for one in servers] == [party, there, NOBODY]
    assert len({party, there}) == 2
    assert await stored(house.ledger, ALICE) == known.get(party) == as_stored(party, ALICE)

    await house.restart()
    again = house.croupier.identities
    assert (again.known(SERVER, ALICE.user_id), again.get(party)) == (NOBODY, None), "not looked up yet"
    assert await again.find(SERVER, ALICE.user_id) == party
    assert await again.party_of(SERVER, ALICE) == again.known(SERVER, ALICE.user_id) == party
    renamed = replace(ALICE, name="Alicia")
    assert await again.party_of(SERVER, renamed) == party
    assert await stored(house.ledger, ALICE) == as_stored(party, renamed), "read from the disk"


async def test_parties_are_different_random_numbers_of_63_bits(known: Identities) -> None:
    parties = [await known.party_of(SERVER, user) for user in islice(users(), 50)]
    assert len(set(parties)) == 50
    assert all(0 < party < 1 << 63 for party in parties)
    assert max(parties) > 1 << 60, "this fails once in 2¹⁵⁰"
    assert parties != sorted(parties)
    await known.load([77, 78])
    assert (known.get(NOBODY), known.get(77)) == (None, None)


async def test_concurrent_calls_for_a_new_user_get_one_party(house: House, known: Identities) -> None:
    parties = await asyncio.gather(*(known.party_of(SERVER, ALICE) for _ in range(20)))
    assert len(set(parties)) == 1
    assert await stored(house.ledger, ALICE) == as_stored(parties[0], ALICE)


@pytest.mark.parametrize(
    "seen", [replace(ALICE, name="Alicia"), replace(ALICE, locale="de"), replace(ALICE, name="")]
)
async def test_a_changed_name_or_language_is_stored(house: House, known: Identities, seen: User) -> None:
    party = await known.party_of(SERVER, ALICE)
    assert await known.party_of(SERVER, seen) == party
    assert await stored(house.ledger, ALICE) == known.get(party) == as_stored(party, seen)


async def test_an_unchanged_name_is_not_written_again(house: House, known: Identities) -> None:
    party = await known.party_of(SERVER, ALICE)
    with failing(house.ledger, "record"):
        assert await known.party_of(SERVER, ALICE) == party


async def test_without_a_stored_party_there_is_none(house: House, known: Identities) -> None:
    with failing(house.ledger, "record"), pytest.raises(LedgerUnavailable):
        await known.party_of(SERVER, ALICE)
    assert known.known(SERVER, ALICE.user_id) == NOBODY
    party = await known.party_of(SERVER, ALICE)
    assert await stored(house.ledger, ALICE) == as_stored(party, ALICE)


async def test_a_party_does_not_depend_on_whether_a_new_name_can_be_stored(
    house: House, known: Identities, caplog: pytest.LogCaptureFixture
) -> None:
    party = await known.party_of(SERVER, ALICE)
    renamed = replace(ALICE, name="Alicia")
    with failing(house.ledger, "record"):
        assert await known.party_of(SERVER, renamed) == party
    assert f"the new name of party {party} could not be stored: disk I/O error" in caplog.text
    assert "Alicia" not in caplog.text
    await known.party_of(SERVER, renamed)
    assert await stored(house.ledger, ALICE) == as_stored(party, renamed)


async def at_tables(house: House) -> dict[User, int]:
    """Opens a table with an opener who leaves, a banker, a player and a backer."""
    house.rules = GnauRules()
    known = house.croupier.identities
    company = {user: await known.party_of(SERVER, user) for user in islice(users(), 4)}
    opener, banker, player, backer = company.values()
    table = await house.open(opener)
    await house.do(table.table_id, TakeBank(banker, 5, 100, house.rules), banker)
    await house.join(table.table_id, player)
    await house.bet(table.table_id, player, 5)
    await house.do(table.table_id, PlaceSideBet(backer, player, 5), backer)
    return company


async def test_after_a_restart_everybody_at_an_open_table_is_known(house: House) -> None:
    company = await at_tables(house)
    elsewhere = await house.croupier.identities.party_of(SERVER, ALICE)
    await house.restart()
    known = house.croupier.identities
    for user, party in company.items():
        assert known.known(SERVER, user.user_id) == party
        assert known.get(party) == as_stored(party, user)
    assert known.get(elsewhere) is None


async def test_a_full_memory_keeps_those_at_open_tables(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identities, "MAX_CACHED", 10)
    company = await at_tables(house)
    known = house.croupier.identities
    others = [User(number, "somebody", "en-US") for number in range(100, 130)]
    parties = [await known.party_of(SERVER, user) for user in others]
    for user, party in company.items():
        assert known.known(SERVER, user.user_id) == party
    in_memory = [party for party in parties if known.get(party) is not None]
    assert 0 < len(in_memory) <= 10 - len(company)
    assert in_memory[-1] == parties[-1]
    assert [await known.party_of(SERVER, user) for user in others] == parties, "they are still stored"


async def test_those_at_tables_can_be_more_than_the_memory_holds(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identities, "MAX_CACHED", 2)
    company = await at_tables(house)
    await house.croupier.identities.party_of(SERVER, ALICE)
    await house.restart()
    known = house.croupier.identities
    party = await known.party_of(SERVER, BOB)
    for user in company:
        assert known.known(SERVER, user.user_id) == company[user]
    assert known.known(SERVER, BOB.user_id) == party


async def test_nobody_is_a_closed_party_until_it_is_opened_again(house: House, known: Identities) -> None:
    party = await known.party_of(SERVER, ALICE)
    known.close(party)
    assert known.get(party) is not None, "a board goes on naming them until they are erased"
    with pytest.raises(MemberErasedError):
        await known.party_of(SERVER, replace(ALICE, name="Alicia"))
    assert await known.party_of(OTHER_SERVER, ALICE) != party
    known.reopen(party)
    assert await known.party_of(SERVER, ALICE) == party
    assert await stored(house.ledger, ALICE) == as_stored(party, ALICE)
    known.forget(party)
    await known.load([party])
    assert (known.known(SERVER, ALICE.user_id), known.get(party)) == (NOBODY, None)


async def test_a_request_that_comes_while_its_member_is_erased_does_not_undo_that(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await known.party_of(SERVER, ALICE)
    await house.restart()
    known, identity_of = house.croupier.identities, house.ledger.identity_of
    looked_up, erased = asyncio.Event(), asyncio.Event()

    async def slowly(server_id: int, user_id: int) -> Identity | None:
        found = await identity_of(server_id, user_id)
        looked_up.set()
        await erased.wait()
        return found

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(house.ledger, "identity_of", slowly)
        asking = asyncio.create_task(known.party_of(SERVER, replace(ALICE, name="Alicia")))
        await looked_up.wait()
    assert await Privacy(house.croupier).erase(SERVER, ALICE.user_id) == 0
    erased.set()
    with pytest.raises(MemberErasedError):
        await asking
    assert await stored(house.ledger, ALICE) is None
    assert await known.party_of(SERVER, ALICE) not in (party, NOBODY)


async def test_who_listens_hears_of_each_erased_member_in_memory(known: Identities) -> None:
    forgotten: list[Identity] = []
    known.on_forget(forgotten.append)
    party = await known.party_of(SERVER, ALICE)
    stored_as = known.get(party)
    known.forget(party)
    known.forget(party)
    assert forgotten == [stored_as]


async def test_a_press_that_is_cancelled_while_its_party_is_stored_leaves_one_party(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, may_store = house.ledger.record, asyncio.Event()

    async def once_it_may(fact: Fact) -> None:
        await may_store.wait()
        await record(fact)

    async def slowly(fact: Fact) -> None:
        # As in the writer's queue: what was asked for is written, whether or not anybody waits for it.
        await asyncio.shield(asyncio.create_task(once_it_may(fact)))

    monkeypatch.setattr(house.ledger, "record", slowly)
    cancelled = asyncio.create_task(known.party_of(SERVER, ALICE))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    following = asyncio.create_task(known.party_of(SERVER, ALICE))
    await asyncio.sleep(0.05)
    cancelled.cancel()
    await asyncio.sleep(0.05)
    may_store.set()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    party = await following
    assert known.known(SERVER, ALICE.user_id) == party
    assert await stored(house.ledger, ALICE) == as_stored(party, ALICE)


async def test_a_press_that_is_cancelled_while_its_party_cannot_be_stored_leaves_none(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    storing, may_fail = asyncio.Event(), asyncio.Event()

    async def fail(_: Fact) -> None:
        storing.set()
        await may_fail.wait()
        raise LedgerUnavailable("disk full")

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "record", fail)
        cancelled = asyncio.create_task(known.party_of(SERVER, ALICE))
        await storing.wait()
        cancelled.cancel()
        await asyncio.sleep(0)
        may_fail.set()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
    del cancelled
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    assert reported == []
    party = await known.party_of(SERVER, ALICE)
    assert await stored(house.ledger, ALICE) == as_stored(party, ALICE)
