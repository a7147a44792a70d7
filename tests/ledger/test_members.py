"""What the ledger stores about members: who is who, words and direct channels; and how they are erased."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.ledger.changes import (
    AdminNote,
    Ban,
    BanLifted,
    Change,
    DirectChannel,
    Erasure,
    HeadPosted,
    Identity,
    OpeningsOutdated,
    OwnApplication,
    Plan,
    PlanChanged,
    SeedWords,
    ServerErasure,
    ServerGreeted,
)
from bot.ledger.errors import AlreadyDone, ChipsLeft, LedgerUnavailable, MemberErased, Overtaken, Unstorable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite.connections import threaded_connection
from bot.rules.shuffle import words_code
from bot.table.accounts import HOUSE, Move, Reason, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import NOW, SERVER, change, counted, fresh_key, identity, opening

ALICE = Identity(7, SERVER, 700, "Alice", "en-US")
ALICE_ELSEWHERE = Identity(8, SERVER + 1, 700, "Alicia", "de")
BOB = Identity(9, SERVER, 900, "牛 Bob", "zh-TW")
DAY = 86_400.0


def erase(member: Identity, *, chips: int = 0, opening: bytes = b"hash", at: float = NOW) -> Change:
    erasure = Erasure(member.party, member.user_id, opening, at + DAY)
    moves = (Move(wallet(member.party), HOUSE, chips, Reason.ERASED),) if chips else ()
    return Change(fresh_key(), member.server_id, at, moves, erasures=(erasure,))


def words(member: Identity, number: int) -> SeedWords:
    return SeedWords(code(number), member.party, "salt", f"words {number}")


def code(number: int) -> str:
    return words_code("salt", f"words {number}")


def planned(
    member: Identity, kind: str = "daily", at: float | None = NOW, channel: int | None = None
) -> Plan:
    return Plan(f"{kind}:{member.party}", member.server_id, member.party, kind, channel, at)


async def test_a_plan_is_changed_by_one_of_two_who_know_it(ledger: Ledger) -> None:
    for one in (ALICE, ALICE_ELSEWHERE, BOB):
        await ledger.record(one)
    first, waits = planned(ALICE), planned(BOB, "table", None, channel=5)
    later = replace(first, at=NOW + 60)
    for plan in (first, waits, planned(ALICE_ELSEWHERE, at=NOW - 1)):
        await ledger.record(PlanChanged(None, plan))
    assert [one.party for one in await ledger.plans_due(NOW)] == [8, 7]
    outcomes = await all_of(ledger, PlanChanged(first, later), PlanChanged(first, None))
    assert [type(outcome) for outcome in outcomes] == [type(None), Overtaken]
    with pytest.raises(Overtaken):
        await ledger.record(PlanChanged(replace(later, what="else"), None))
    assert await ledger.plan(first.name) == later
    assert await ledger.plans_in(SERVER, "table") == await ledger.plans_in(SERVER, "table", 5) == [waits]
    assert await ledger.plans_in(SERVER, "table", 6) == []
    await ledger.record(PlanChanged(waits, None))
    assert await ledger.plan(waits.name) is None


async def test_identities_are_found_by_user_and_by_party(ledger: Ledger) -> None:
    for one in (ALICE, ALICE_ELSEWHERE, BOB):
        await ledger.record(one)
    assert await ledger.identity_of(SERVER, 700) == ALICE
    assert await ledger.identity_of(SERVER, 701) is None
    assert await ledger.identity_of(SERVER + 1, 900) is None
    assert await ledger.identities_of(700) == [ALICE, ALICE_ELSEWHERE]
    assert await ledger.identities([7, 9, 10]) == {7: ALICE, 9: BOB}
    assert await ledger.identities([]) == {}
    renamed = replace(ALICE, name="Alicia", locale="de")
    await all_of(ledger, renamed, ALICE, renamed)
    assert await ledger.identity_of(SERVER, 700) == renamed, "the newest name counts"


async def test_a_user_has_one_party_in_a_server(ledger: Ledger) -> None:
    await ledger.record(ALICE)
    outcomes = await all_of(ledger, replace(ALICE, party=77), opening(7), BOB)
    assert [type(outcome) for outcome in outcomes] == [Unstorable, type(None), type(None)]
    assert await ledger.identities([7, 9, 77]) == {7: ALICE, 9: BOB}


async def test_words_are_found_by_their_code(ledger: Ledger) -> None:
    chosen = words(ALICE, 1), words(ALICE, 2), words(BOB, 3)
    await ledger.commit(replace(change(), words=chosen[:2]))
    key = fresh_key()
    for _ in range(2):
        await ledger.commit(replace(change(), words=chosen[2:]))
    await ledger.commit(change(key=key))
    await all_of(ledger, replace(change(key=key), words=(words(BOB, 4),)))
    asked = [code(1), code(3), code(4)]
    assert await ledger.seed_words(asked) == {code(1): chosen[0], code(3): chosen[2]}


async def test_an_erased_member_is_gone_and_nobody_else(ledger: Ledger) -> None:
    for one in (ALICE, BOB):
        await ledger.record(one)
        await ledger.record(DirectChannel(one.user_id, one.user_id + 1))
        await ledger.commit(opening(one.party))
        await ledger.commit(replace(change(), words=(words(one, one.party),)))
        await ledger.record(counted(one.party))
        await ledger.record(PlanChanged(None, planned(one)))
    for member, admin in ((ALICE, BOB), (BOB, ALICE), (BOB, BOB)):
        note = AdminNote(member.party, admin.party, f"{member.name} by {admin.name}")
        await ledger.commit(replace(change(), note=note))
    bans = (
        Ban(SERVER, b"\1", NOW, None, ALICE.party, BOB.party, "dumping"),
        Ban(SERVER, b"\2", NOW + 1, NOW + DAY, BOB.party, ALICE.party, "too"),
    )
    await all_of(ledger, BanLifted(SERVER, b"\1"), *bans)
    with pytest.raises(ChipsLeft) as refused:
        await ledger.commit(erase(ALICE, chips=999))
    assert str(refused.value) == "party 7 would be erased with 1 chips left"
    await ledger.commit(erase(ALICE, chips=1000))
    assert await ledger.identities([7, 9]) == {9: BOB}
    assert await ledger.seed_words([code(7), code(9)]) == {code(9): words(BOB, 9)}
    assert [await ledger.reasons_by(party) for party in (7, 9)] == [[], ["牛 Bob by 牛 Bob"]]
    with pytest.raises(MemberErased):
        await ledger.commit(replace(change(), note=AdminNote(9, 7, "late")))
    kept = Ban(SERVER, b"\2", NOW + 1, NOW + DAY, BOB.party, None, "")
    assert await ledger.bans(SERVER) == [Ban(SERVER, b"\1", NOW, None, None, None, ""), kept]
    for late in (bans[0], replace(bans[1], words="late")):
        with pytest.raises(MemberErased):
            await ledger.record(late)
    lifted = BanLifted(SERVER, b"\1")
    await all_of(ledger, lifted, replace(bans[0], party=None, admin=None, words=""), lifted)
    assert not await ledger.has_outdated_openings(NOW + DAY, NOW + DAY)
    assert await ledger.has_outdated_openings(NOW + DAY + 1, NOW + DAY + 2)
    assert await ledger.bans() == await ledger.bans(SERVER) == [kept]
    await ledger.record(OpeningsOutdated(NOW + DAY + 1, NOW + DAY + 2))
    assert await ledger.bans() == []
    assert await ledger.direct_channel(700) is None
    assert await ledger.direct_channel(900) == DirectChannel(900, 901)
    assert [len(await ledger.standings_of(party)) for party in (7, 9)] == [0, 1]
    assert [len(await ledger.tallies_of(SERVER, party)) for party in (7, 9)] == [0, 1]
    await ledger.record(PlanChanged(None, planned(ALICE)))
    assert [await ledger.plans_of(party) for party in (7, 9)] == [[], [planned(BOB)]]
    assert await ledger.plans_of_kind(planned(BOB).kind) == [planned(BOB)]
    assert await ledger.plans_of_kind("another") == []
    assert await ledger.wallets(SERVER, [7, 9]) == {7: 0, 9: 1000}


async def test_the_direct_channel_in_memory_is_the_stored_one_also_of_who_was_erased(ledger: Ledger) -> None:
    await ledger.record(ALICE)
    assert await ledger.direct_channels.of(700) is None
    for known in (DirectChannel(700, 701), DirectChannel(700, 701, NOW)):
        await ledger.record(known)
        assert await ledger.direct_channels.of(700) == known
    await ledger.commit(erase(ALICE, opening=b"Alice's"))
    assert await ledger.opening_spent_until(SERVER, b"Alice's") is None, "they had no opening chips"
    await ledger.record(DirectChannel(700, 702))
    assert await ledger.direct_channel(700) is None, "a message was on its way"
    assert await ledger.direct_channels.of(700) is None
    back = replace(ALICE, party=77)
    await ledger.record(back)
    assert await ledger.identities_of(700) == [back]
    assert await ledger.direct_channels.of(700) is None
    await ledger.record(DirectChannel(700, 703))
    assert await ledger.direct_channels.of(700) == DirectChannel(700, 703)


async def test_a_direct_channel_stays_as_long_as_a_server_knows_the_user(ledger: Ledger) -> None:
    for one in (ALICE, ALICE_ELSEWHERE):
        await ledger.record(one)
    await ledger.record(DirectChannel(700, 701))
    await ledger.commit(erase(ALICE))
    assert await ledger.direct_channel(700) == DirectChannel(700, 701)
    await ledger.commit(erase(ALICE_ELSEWHERE))
    assert await ledger.direct_channel(700) is None


async def test_a_name_that_comes_in_the_same_batch_is_erased_too(ledger: Ledger) -> None:
    await ledger.record(ALICE)
    outcomes = await all_of(ledger, replace(ALICE, name="Alicia"), DirectChannel(700, 701), erase(ALICE))
    assert outcomes == [None] * 3
    assert await ledger.identity_of(SERVER, 700) is None
    assert await ledger.direct_channel(700) is None


async def test_no_gift_and_no_opening_chips_reach_an_erased_member(ledger: Ledger) -> None:
    for one in (ALICE, BOB):
        await ledger.record(one)
    await ledger.ensure_wallet(SERVER, BOB.party, 1000, NOW)
    gift = change(Move(wallet(BOB.party), wallet(ALICE.party), 5, Reason.GIFT))
    outcomes = await all_of(ledger, erase(ALICE), gift, opening(ALICE.party))
    assert [type(outcome) for outcome in outcomes] == [type(None), MemberErased, MemberErased]
    with pytest.raises(MemberErased) as refused:
        await ledger.ensure_wallet(SERVER, ALICE.party, 1000, NOW)
    assert str(refused.value) == "party 7 was erased"
    assert await ledger.wallets(SERVER, [ALICE.party, BOB.party]) == {BOB.party: 1000}


async def test_the_application_is_noted_beside_the_key_of_the_hashes(ledger: Ledger) -> None:
    key = await ledger.member_key()
    assert await ledger.application_id() is None
    for application in ((1 << 63) - 1, 5):
        await ledger.record(OwnApplication(application))
        assert await ledger.application_id() == application
        assert await ledger.member_key() == key
    await ledger.record(OwnApplication(None))
    assert await ledger.application_id() is None


async def test_the_hash_of_spent_opening_chips_is_kept_for_a_time(ledger: Ledger) -> None:
    for one in (ALICE, BOB):
        await ledger.record(one)
        await ledger.ensure_wallet(SERVER, one.party, 1000, NOW)
    await ledger.commit(erase(ALICE, chips=1000, opening=b"Alice's"))
    assert await ledger.opening_spent_until(SERVER, b"Alice's") == NOW + DAY
    assert await ledger.opening_spent_until(SERVER, b"Bob's") is None
    assert await ledger.opening_spent_until(SERVER + 1, b"Alice's") is None
    await ledger.commit(erase(BOB, chips=1000, opening=b"Bob's", at=NOW + 2 * DAY))
    latest = NOW + 3 * DAY
    assert await ledger.has_outdated_openings(NOW + 2 * DAY, latest)
    await ledger.record(OpeningsOutdated(NOW + 2 * DAY, latest))
    assert not await ledger.has_outdated_openings(NOW + 2 * DAY, latest)
    assert await ledger.opening_spent_until(SERVER, b"Alice's") is None, "it is deleted by now"
    assert await ledger.opening_spent_until(SERVER, b"Bob's") == NOW + 3 * DAY


async def test_an_erasure_leaves_nothing_in_the_files(path: Path, address: str) -> None:
    secret = "Zuleika, whose name is nowhere else"
    async with open_ledger(address) as ledger:
        await ledger.record(replace(ALICE, name=secret))
        await ledger.commit(
            replace(change(), words=(SeedWords(words_code("salt", secret), 7, "salt", secret),))
        )
        assert secret in "".join(file.read_bytes().decode("latin-1") for file in path.parent.iterdir())
        await ledger.commit(erase(ALICE))
        for file in path.parent.iterdir():
            assert secret.encode() not in file.read_bytes(), file.name


async def test_after_an_erasure_another_programs_lock_is_awaited_as_before(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.record(ALICE)
        await ledger.commit(erase(ALICE))
        with closing(sqlite3.connect(path, isolation_level=None)) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(ledger.commit(opening(9)))
            await asyncio.sleep(0.2)
            foreign.execute("ROLLBACK")
        await waiting


async def test_a_row_that_cannot_be_read_hinders_nobody_from_emptying_the_wal(
    path: Path, address: str
) -> None:
    """The WAL has what was erased."""
    async with open_ledger(address) as ledger:
        for one in (BOB, ALICE):
            await ledger.record(one)
        with closing(sqlite3.connect(path, isolation_level=None)) as foreign:
            foreign.execute("UPDATE parties SET name = CAST(x'ff' AS TEXT) WHERE party = 7")
            with pytest.raises(LedgerUnavailable) as refused:
                await ledger.identities([7, 9])
            blocked, *_ = foreign.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert not blocked, str(refused.value)


async def test_plans_for_a_server_do_not_replace_each_other(ledger: Ledger) -> None:
    await ledger.record(ServerErasure(SERVER, NOW + 1))
    await ledger.record(HeadPosted(SERVER, NOW))
    await all_of(ledger, HeadPosted(2, NOW), ServerErasure(2, NOW + 2), HeadPosted(2, NOW + 3))
    assert await ledger.server_erasures() == {SERVER: NOW + 1, 2: NOW + 2}
    assert await ledger.heads_posted() == {SERVER: NOW, 2: NOW + 3}
    await ledger.record(ServerErasure(SERVER, None))
    assert await ledger.server_erasures() == {2: NOW + 2}
    assert await ledger.heads_posted() == {SERVER: NOW, 2: NOW + 3}


async def test_a_server_is_known_once_it_is_greeted_left_or_played_in(ledger: Ledger) -> None:
    assert await ledger.known_servers() == set()
    await ledger.commit(opening(7))
    await ledger.record(ServerErasure(2, NOW))
    await all_of(ledger, ServerGreeted(3), ServerGreeted(3), ServerGreeted(2))
    await ledger.record(ServerGreeted(3))
    assert await ledger.known_servers() == {SERVER, 2, 3}
    assert await ledger.server_erasures() == {2: NOW}


@pytest.mark.parametrize("limit", [1, 2, 10])
async def test_the_members_of_a_server_can_be_listed_in_parts(ledger: Ledger, limit: int) -> None:
    for party in (1, 2, 3):
        await ledger.record(identity(party))
    await ledger.record(ALICE_ELSEWHERE)
    found = await ledger.members_of(SERVER, limit)
    assert {one.party for one in found} <= {1, 2, 3}
    assert len(found) == min(limit, 3)
    assert await ledger.server_ids() == [SERVER, SERVER + 1]


async def test_opening_chips_are_not_given_in_doubt_whether_an_erasure_is_on_disk(address: str) -> None:
    failing = False

    class Forgetful(sqlite3.Connection):
        def commit(self) -> None:
            nonlocal failing
            super().commit()
            if failing:
                failing = False
                raise sqlite3.OperationalError("disk I/O error")

    async with open_ledger(address, driver=partial(threaded_connection, factory=Forgetful)) as ledger:
        await ledger.record(ALICE)
        failing = True
        outcomes = await all_of(ledger, erase(ALICE), opening(ALICE.party))
        assert [type(outcome) for outcome in outcomes] == [AlreadyDone, MemberErased]
        assert await ledger.identity_of(SERVER, 700) is None
        assert await ledger.wallets(SERVER, [ALICE.party]) == {}
