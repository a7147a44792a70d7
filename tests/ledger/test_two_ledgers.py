"""Two ledgers on one PostgreSQL database, as in a deploy that overlaps: together they do what one does."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from bot.ledger.audit import audit
from bot.ledger.changes import (
    Change,
    DirectChannel,
    Erasure,
    Fact,
    HouseRow,
    Identity,
    LocaleChosen,
    SeedWords,
)
from bot.ledger.engine import SOME_LOST, Notification
from bot.ledger.errors import (
    AlreadyDone,
    ChipsLeft,
    InsufficientChips,
    MemberErased,
    Overtaken,
    StaleBalance,
    StaleHouse,
    StaleTable,
    Unstorable,
)
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.postgres import connections
from bot.rules.shuffle import words_code
from bot.table.accounts import HOUSE, MINT, Move, Reason, wallet
from tests.databases import lost_commits, new_postgres_database
from tests.ledger.counted_ledger import all_of, counted
from tests.ledger.sample_changes import (
    NOW,
    SERVER,
    TABLE,
    at_table,
    bet,
    change,
    fresh_key,
    identity,
    opening,
    pay,
    returned,
    row,
)
from tests.sizes import sized

MEMBERS = (7, 8, 9)
Two = tuple[Ledger, Ledger]


@pytest.fixture
def address() -> str:
    return new_postgres_database()


@pytest.fixture
async def two(address: str) -> AsyncIterator[Two]:
    async with AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(open_ledger(address)) for _ in range(2)]
        yield one, other
        assert await audit(one) == []
        assert await one.head(SERVER) == await other.head(SERVER)


def erase(member: Identity, chips: int = 0) -> Change:
    moves = (Move(wallet(member.party), HOUSE, chips, Reason.ERASED),) if chips else ()
    erasure = Erasure(member.party, member.user_id, b"hash", NOW + 1)
    return Change(fresh_key(), member.server_id, NOW, moves, erasures=(erasure,))


async def test_what_two_ledgers_write_at_once_is_all_there_once(two: Two) -> None:
    due = dict.fromkeys(MEMBERS, 1000)
    for member in MEMBERS:
        await two[0].commit(opening(member))
    times, made = sized(10, 60), 0

    async def give(ledger: Ledger, number: int, giver: int, taker: int) -> None:
        # Both ask for each key.
        with suppress(AlreadyDone):
            await ledger.commit(pay(wallet(giver), wallet(taker), 1, key=f"gift {number}"))
            due[giver] -= 1
            due[taker] += 1

    async def play(ledger: Ledger) -> None:
        nonlocal made
        for _ in range(times):
            stored = await ledger.table(TABLE)
            number = 1 if stored is None else stored.sequence + 1
            with suppress(StaleTable):
                await ledger.commit(table_at(number, bet(7, 5), returned(7, 5)))
                made += 1
                await ledger.commit(table_at(number, events=0))

    async def furnish(ledger: Ledger) -> None:
        for _ in range(times):
            number = 1 + max((house.number for house in await ledger.houses()), default=0)
            with suppress(StaleHouse):
                await ledger.commit(replace(change(), house=HouseRow(number, 7, "what", "the house")))

    gifts = [random.sample(MEMBERS, 2) for _ in range(3 * times)]
    await asyncio.gather(
        *(give(ledger, number, *gift) for number, gift in enumerate(gifts) for ledger in two),
        *map(play, two),
        *map(furnish, two),
    )
    for ledger in two:
        assert await ledger.wallets(SERVER, MEMBERS) == due
        stored = await ledger.table(TABLE)
        assert stored is not None
        assert (stored.sequence, stored.state) == (made, f"state {made}")
        assert await ledger.deadlines() == {TABLE: NOW + made}


def table_at(number: int, *moves: Move, events: int = 1) -> Change:
    return at_table(row(number, state=f"state {number}"), *moves, events=events, deadline=NOW + number)


async def test_chains_that_two_ledgers_begin_at_once_go_on_from_one_another(two: Two) -> None:
    servers = range(100, 110)
    begun = [
        all_of(ledger, *(opening(member, server_id=server_id) for server_id in servers))
        for ledger, member in zip(two, MEMBERS, strict=False)
    ]
    assert [failure for found in await asyncio.gather(*begun) for failure in found if failure] == []
    for server_id in servers:
        head = await two[0].head(server_id)
        assert head is not None
        assert head[0] == 2
        assert head == await two[1].head(server_id)


async def test_facts_that_two_ledgers_store_at_once_hold_up_neither(two: Two) -> None:
    facts: list[Change | Fact] = []
    for party in range(20, 30):
        member = identity(party)
        facts += [member, DirectChannel(member.user_id, party), LocaleChosen(member.user_id, "de")]
    for _ in range(sized(2, 10)):
        stored = all_of(two[0], *facts), all_of(two[1], *reversed(facts))
        assert [failure for found in await asyncio.gather(*stored) for failure in found if failure] == []


async def test_a_change_without_a_link_does_not_undo_what_another_process_wrote(two: Two) -> None:
    one, other = two
    await one.commit(table_at(1))
    await other.commit(table_at(2))
    with pytest.raises(StaleTable):
        await one.commit(table_at(1, events=0))
    assert await one.deadlines() == {TABLE: NOW + 2}
    await one.commit(table_at(2, events=0))


@pytest.mark.parametrize("has_written", [True, False], ids=["overtaken", "not overtaken"])
async def test_who_writes_to_a_server_still_finds_what_another_process_wrote_before(
    two: Two, *, has_written: bool
) -> None:
    one, other = two
    await other.commit(table_at(1))
    await one.look_for_others()
    if has_written:
        await one.commit(opening(8))
        await other.look_for_others()
    await other.commit(table_at(2))
    await one.commit(opening(9))
    _, moved = await one.look_for_others()
    assert moved == {SERVER}
    await one.commit(opening(10))
    _, moved = await one.look_for_others()
    assert not moved, "what it has written itself is no news"


async def test_chips_for_who_has_others_by_now_are_refused_also_if_another_process_gave_them(
    two: Two,
) -> None:
    one, other = two
    await other.commit(opening(7))
    relief = replace(change(Move(MINT, wallet(7), 50, Reason.RELIEF)), target_has=1000)
    await one.commit(opening(8))
    await one.commit(pay(wallet(8), wallet(7), 1))
    with pytest.raises(StaleBalance):
        await other.commit(relief)
    await other.commit(replace(relief, target_has=1001))
    assert await other.wallets(SERVER, [7]) == {7: 1051}


async def test_chips_stay_in_memory_only_where_no_other_process_can_have_written(two: Two) -> None:
    one, other = two
    quiet = SERVER + 1
    await one.commit(table_at(1))
    await one.look_for_others()
    here, there = (SERVER, 7), (quiet, 7)
    for place in (here, there):
        await one.stacks.of(place)
    await other.commit(opening(7, server_id=quiet))
    await one.look_for_others()
    assert here in one.stacks.values
    assert (await one.stacks.of(there)).wallet == 1000
    await other.commit(opening(7))
    await one.look_for_others()
    assert (await one.stacks.of(here)).wallet == 1000


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets an item for every connection that is opened by a thread."""
    opened: list[str] = []
    connect = connections.connect

    def counting(address: str, **options: Any) -> connections.Connection:
        opened.append("opened")
        return connect(address, **options)

    monkeypatch.setattr(connections, "connect", counting)
    return opened


@pytest.mark.parametrize("is_overtaken", [False, True], ids=["refused", "overtaken"])
async def test_only_what_another_process_may_have_changed_is_read_again(
    address: str, connected: list[str], *, is_overtaken: bool
) -> None:
    quiet = SERVER + 1
    async with counted(address) as (one, begun), open_ledger(address) as other:
        for server_id in (SERVER, quiet):
            await all_of(one, opening(7, server_id=server_id), opening(8, 1, server_id))
            await one.stacks.of((server_id, 7))
        await one.head(SERVER)
        begun.clear()
        connected.clear()
        if is_overtaken:
            await other.commit(pay(wallet(7), wallet(8), 5))
            connected.clear()
            await one.commit(pay(wallet(8), wallet(7), 6))
        else:
            with pytest.raises(InsufficientChips):
                await one.commit(pay(wallet(7), wallet(8), 1001))
        assert len(begun) == 1 + is_overtaken
        assert connected == []
        assert set(one.stacks.values) == {(quiet, 7)} | ({(SERVER, 7)} if not is_overtaken else set())
        assert (await one.stacks.of((SERVER, 7))).wallet == 1000 + is_overtaken


async def test_what_the_server_refuses_is_asked_once_more_because_another_process_may_have_written(
    address: str,
) -> None:
    async with counted(address) as (one, begun):
        await one.commit(at_table(row(1, 1, channel_id=50)))
        begun.clear()
        taken = at_table(row(1, 2, channel_id=50)), opening(7)
        for asked, tries in ((taken[:1], 1 + 1), (taken, 1 + 2)):
            outcomes = await all_of(one, *asked)
            assert [type(failure) for failure in outcomes if failure] == [Unstorable]
            assert len(begun) == tries
            begun.clear()


async def test_nothing_is_stored_for_a_member_whom_another_process_erased(two: Two) -> None:
    one, other = two
    member = identity(7)
    words = SeedWords(words_code("salt", "lucky"), 7, "salt", "lucky")
    for ledger in two:
        await ledger.record(member)
        await ledger.record(DirectChannel(member.user_id, 701))
        await ledger.commit(opening(8))
    await one.note_erasures([7])
    await one.commit(erase(member))
    outcomes = await all_of(
        other,
        replace(member, name="Changed"),
        DirectChannel(member.user_id, 702),
        opening(7),
        change(Move(wallet(8), wallet(7), 5, Reason.GIFT)),
        at_table(row(1)),
        replace(at_table(row(2)), words=(words,)),
        pay(wallet(8), HOUSE, 1),
    )
    refused = [None if outcome is None else type(outcome) for outcome in outcomes]
    assert refused == [MemberErased, None, MemberErased, MemberErased, None, MemberErased, None]
    assert await other.identities([7]) == {}
    assert await other.direct_channel(member.user_id) is None
    assert await other.seed_words([words.client_seed]) == {}
    assert await other.wallets(SERVER, [7, 8]) == {8: 1999}


async def test_a_member_who_is_being_erased_gets_nothing_from_another_process(two: Two) -> None:
    one, other = two
    await other.commit(opening(8))
    for party in range(20, 20 + sized(10, 60)):
        member = identity(party)
        await one.record(member)

        async def erased(member: Identity = member) -> None:
            await one.note_erasures([member.party])
            # A gift may have come before.
            for _ in range(3):
                chips = (await one.wallets(SERVER, [member.party])).get(member.party, 0)
                with suppress(ChipsLeft):
                    await one.commit(erase(member, chips))
                    return
            raise AssertionError("chips came again and again")

        gift = change(Move(wallet(8), wallet(party), 1, Reason.GIFT))
        works: list[Change | Fact] = [
            replace(member, name="Changed"),
            DirectChannel(member.user_id, 701),
            gift,
        ]
        random.shuffle(works)
        outcomes = await asyncio.gather(erased(), *(all_of(other, work) for work in works))
        for failure in [failure for found in outcomes[1:] for failure in found or () if failure]:
            assert isinstance(failure, MemberErased)
        assert await one.identities([party]) == {}
        assert await one.direct_channel(member.user_id) is None
        assert not (await one.wallets(SERVER, [party])).get(party)


@pytest.mark.parametrize("is_new", [False, True])
async def test_an_erasure_is_noted_only_if_nobody_wrote_since_it_was_decided(
    two: Two, address: str, is_new: bool
) -> None:
    one, other = two
    if not is_new:
        await other.commit(opening(8))
    found = await one.head(SERVER)
    head = found and found[1]
    with psycopg.connect(address) as writing:
        writing.execute(
            "INSERT INTO chains VALUES (%s, 1, 'head')" if is_new else "UPDATE chains SET head = 'head'",
            (SERVER,) if is_new else (),
        )
        noting = asyncio.create_task(one.note_erasures([7], (SERVER, head)))
        assert not (await asyncio.wait([noting], timeout=0.2))[0], "who writes may make them a newcomer"
        writing.rollback()
    await noting
    await other.commit(opening(9))
    with pytest.raises(Overtaken):
        await one.note_erasures([9], (SERVER, head))
    assert await one.noted_erasures() == [7]


async def test_what_follows_a_lost_event_does_not_follow_another_of_its_number(
    two: Two, address: str
) -> None:
    one, other = two
    first = await one.commit(table_at(1))
    with lost_commits(address):
        lost = await one.commit(replace(table_at(2), last_hash=first))
        assert not await one.was_behind(SERVER)
    await other.commit(table_at(2))
    with pytest.raises(StaleTable, match="has 2 events, the change follows another 2"):
        await one.commit(replace(table_at(3), last_hash=lost))
    stored = (await one.events(TABLE))[-1]
    await one.commit(replace(table_at(3), last_hash=stored.hash))


@pytest.mark.parametrize("looks", [True, False], ids=["looks", "asks"])
async def test_links_that_were_lost_are_missed_though_others_have_their_numbers(
    two: Two, address: str, *, looks: bool
) -> None:
    one, other = two
    await one.commit(table_at(1))
    await one.look_for_others()
    with lost_commits(address):
        await one.commit(opening(7))
        assert (await one.stacks.of((SERVER, 7))).wallet == 1000
    await other.commit(opening(8))
    if looks:
        _, moved = await one.look_for_others()
        assert moved == {SERVER}
    else:
        assert await one.was_behind(SERVER)
    assert (await one.stacks.of((SERVER, 7))).wallet is None


async def test_a_turn_is_ended_by_nobody_else_also_if_their_own_was_over(two: Two) -> None:
    one, other = (ledger.processes for ledger in two)
    assert one is not None
    assert other is not None
    assert await one.take_turn(0, 0.0)
    assert await other.take_turn(0, 60.0)
    await one.end_turn(0, 0.0)
    assert not await one.take_turn(0, 60.0)
    await other.end_turn(0, 0.0)
    assert await one.take_turn(0, 60.0)


async def test_who_reads_learns_of_notifications_that_a_crash_took_though_no_connection_broke(
    two: Two, address: str
) -> None:
    """As behind PgBouncer, which opens another one."""
    one, other = (ledger.processes for ledger in two)
    assert one is not None
    assert other is not None
    sent = Notification(SERVER, "house", "{}")
    for way in (one, other, one):
        await way.notifications()
    await one.notify(sent)
    assert await other.notifications() == [sent]
    await one.notify(sent)
    with psycopg.connect(address) as crash:
        crash.execute("TRUNCATE notifications, logins")
    for way in (other, one):
        assert await way.notifications() == [SOME_LOST]
    for way in (other, one):
        await way.notifications()
        await one.notify(sent)
        assert await way.notifications() == [sent]


async def test_a_direct_channel_waits_for_who_erases_its_user(two: Two, address: str) -> None:
    member = identity(7)
    await two[0].record(member)
    with psycopg.connect(address) as erasing:
        erasing.execute("DELETE FROM parties")
        erasing.execute("DELETE FROM direct_channels")
        recording = asyncio.create_task(two[0].record(DirectChannel(member.user_id, 701)))
        await asyncio.wait([recording], timeout=0.2)
    await recording
    assert await two[0].direct_channel(member.user_id) is None
