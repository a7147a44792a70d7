"""Two croupiers on one PostgreSQL database: what one wrote counts for the other at once."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.croupier.gifts import GiftRefused, NoGift
from bot.croupier.handouts import Handout, Handouts
from bot.croupier.houses import HouseChange, HouseChangedError, Houses, Verb
from bot.croupier.identities import User
from bot.croupier.open_tables import ChannelTakenError, MemberErasedError, NoSuchTableError
from bot.croupier.plans import PlanKind
from bot.croupier.privacy import ErasureRefused, NotErasable, Privacy
from bot.croupier.season_ends import end_seasons
from bot.games.house import UNCHANGED
from bot.ledger.changes import Change, HouseRow, Identity
from bot.ledger.errors import MemberErased, StaleTable
from bot.ledger.queries import TableQueries
from bot.ledger.records import StoredTable
from bot.shards import Shards
from bot.table.accounts import Move, Reason, wallet
from bot.table.commands import CloseTable, GiveUpBank, Join, PlaceBet, RevealHand, TakeBank
from bot.table.events import BetPlaced
from bot.table.refusals import Refusal, Refused
from bot.table.state import Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, failing, times_notified
from tests.croupier.erasable_members import ZOE, enter, leave
from tests.databases import lost_commits, new_postgres_database


@pytest.fixture
def address() -> str:
    return new_postgres_database()


@pytest.fixture
async def two(address: str) -> AsyncIterator[tuple[House, House]]:
    async with House(address) as one, House(address) as other:
        for party in (ALICE, CHAN):
            await one.croupier.wallets.open(SERVER, party)
        yield one, other
        await one.croupier.look_for_others()
        await one.check()


async def give(house: House, giver: int, taker: int, chips: int) -> None:
    move = Move(wallet(giver), wallet(taker), chips, Reason.GIFT)
    await house.ledger.commit(Change(str(house.fresh()), SERVER, house.now, (move,)))


async def test_b02_chips_from_another_process_can_be_bet_at_once(
    two: tuple[House, House],
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE])
    await give(one, ALICE, CHAN, 1000)
    assert isinstance(await one.ask(table_id, PlaceBet(ALICE, 20), ALICE), Refused)
    await give(other, CHAN, ALICE, 1000)
    await one.do(table_id, PlaceBet(ALICE, 20), ALICE)


async def test_opening_chips_that_two_processes_give_at_once_are_there_at_both(
    two: tuple[House, House],
) -> None:
    one, other = two
    assert (await other.ledger.stacks.of((SERVER, MEI))).wallet is None
    await one.croupier.wallets.open(SERVER, MEI)
    assert (await other.croupier.wallets.stack(SERVER, MEI)).wallet == 1000


async def test_chips_that_another_process_has_taken_are_refused_with_a_reason(
    two: tuple[House, House],
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE])
    await other.croupier.look_for_others()
    await other.croupier.wallets.stack(SERVER, ALICE)
    await give(one, ALICE, CHAN, 990)
    refused = await other.ask(table_id, PlaceBet(ALICE, 20), ALICE)
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.PLAYER_TOO_POOR


async def test_a_gift_that_another_process_makes_by_the_same_request_counts_at_both(
    two: tuple[House, House],
) -> None:
    one, other = two
    await other.croupier.wallets.stack(SERVER, ALICE)
    key = str(one.fresh())
    for house in two:
        assert await house.give(ALICE, CHAN, 60, key) == CHAN
    assert (await other.croupier.wallets.stack(SERVER, ALICE)).wallet == 940


async def test_daily_chips_that_another_process_gives_by_the_same_request_are_told_as_given(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    commit, by_one = other.ledger.commit, []

    async def overtaken(change: Change) -> bytes | None:
        by_one.append(await Handouts(one.croupier).take(SERVER, ALICE))
        return await commit(change)

    monkeypatch.setattr(other.ledger, "commit", overtaken)
    given = await Handouts(other.croupier).take(SERVER, ALICE)
    assert isinstance(given, Handout)
    assert by_one == [given]
    assert (await other.croupier.wallets.stack(SERVER, ALICE)).wallet == 1000 + given.chips


async def test_a_season_that_resets_chips_ends_though_another_process_moved_some_last(
    two: tuple[House, House],
) -> None:
    one, other = two
    for party in (ALICE, CHAN):
        await one.ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
    season = await one.croupier.seasons.start(SERVER, "Winter", None, resets=True)
    assert season is not None
    await give(one, ALICE, CHAN, 5)
    await give(other, CHAN, ALICE, 7)
    await one.croupier.seasons.set_end(season, one.now)
    await end_seasons(one.croupier)
    assert [season.is_over for season in await one.ledger.seasons(SERVER)] == [True]
    for party in (ALICE, CHAN):
        assert (await one.ledger.purse(SERVER, party)).total == 1000


async def test_a_table_that_another_process_has_just_opened_takes_presses(two: tuple[House, House]) -> None:
    one, other = two
    table = await one.open()
    assert await other.croupier.table(table.table_id) == table
    another = await one.open(BOB)
    assert await other.croupier.table_in(another.channel_id) == another
    await one.do(table.table_id, CloseTable(MEI, manages=False), MEI)
    await other.croupier.look_for_others()
    with pytest.raises(NoSuchTableError):
        await other.croupier.table(table.table_id)


async def test_a_table_goes_on_from_what_is_stored_after_its_last_events_were_lost(
    two: tuple[House, House], address: str
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE, CHAN])
    await other.croupier.look_for_others()
    with lost_commits(address):
        await one.bet(table_id, ALICE, 20)
        opened = (await one.open()).table_id
    await other.bet(table_id, ALICE, 30)
    one.changes.clear()
    after = await one.bet(table_id, CHAN, 10)
    assert [seat.stake for seat in after.seats] == [30, 10]
    assert one.changes[0].after == other.table(table_id), "who looks at the table sees what is true"
    await one.croupier.look_for_others()
    assert one.croupier.tables.get(opened) is None
    assert one.changes[-1].after.table_id == opened, "nobody goes on looking at a table that is lost"
    assert one.changes[-1].after.phase is Phase.CLOSED


async def test_house_rules_go_on_from_what_is_stored_after_the_last_change_was_lost(
    two: tuple[House, House], address: str
) -> None:
    one, other = (Houses(house.ledger) for house in two)

    async def change(houses: Houses, knob: str, value: str) -> None:
        draft = await houses.draft(two[0].fresh(), SERVER, HouseChange(Verb.SET, knob, value))
        await houses.confirm(draft.draft_id, SERVER, MEI)

    with lost_commits(address):
        await change(one, "gifts_per_day", "77")
    await change(other, "daily_chips", "55")
    with pytest.raises(HouseChangedError):
        await change(one, "gifts_per_day", "88")
    assert one.house_of(SERVER) == other.house_of(SERVER)
    await change(one, "gifts_per_day", "99")
    await other.reload(SERVER)
    assert one.house_of(SERVER) == other.house_of(SERVER)


async def test_the_only_change_of_house_rules_may_be_lost(two: tuple[House, House], address: str) -> None:
    houses = Houses(two[0].ledger)
    with lost_commits(address):
        draft = await houses.draft(5, SERVER, HouseChange(Verb.SET, "gifts_per_day", "77"))
        await houses.confirm(draft.draft_id, SERVER, MEI)
    await houses.reload(SERVER)
    assert houses.house_of(SERVER) == UNCHANGED


async def test_what_another_process_writes_while_one_starts_is_told(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE])
    open_tables = TableQueries.open_tables

    async def overtaken(ledger: TableQueries, shards: Shards) -> list[StoredTable]:
        found = await open_tables(ledger, shards)
        await one.bet(table_id, ALICE, 20)
        return found

    await other.stop()
    monkeypatch.setattr(TableQueries, "open_tables", overtaken)
    await other.start()
    monkeypatch.undo()
    other.changes.clear()
    await other.croupier.look_for_others()
    assert times_notified(other, BetPlaced) == 1


async def test_a_table_that_another_process_opens_by_the_same_request_meanwhile_is_the_one(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    key = one.fresh()

    async def overtaken(change: Change) -> None:
        monkeypatch.undo()
        await other.croupier.open_table(SERVER, 7, MEI, key)
        # The key was looked for before the other process wrote it, the events after.
        raise StaleTable(key, 1, 0)

    monkeypatch.setattr(one.ledger, "commit", overtaken)
    with pytest.raises(ChannelTakenError) as taken:
        await one.croupier.open_table(SERVER, 7, MEI, key)
    assert taken.value.table == other.table(key)


async def test_a_table_that_another_process_closes_meanwhile_is_no_error(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE])
    await one.bet(table_id, ALICE, 20)
    await one.do(table_id, CloseTable(MEI, manages=False), MEI)
    await one.do(table_id, RevealHand(ALICE), ALICE)
    commit = one.ledger.commit

    async def overtaken(change: Change) -> None:
        if change.key.endswith(":showdown"):
            await other.croupier.look_for_others()
        await commit(change)

    monkeypatch.setattr(one.ledger, "commit", overtaken)
    await one.do(table_id, RevealHand(MEI), MEI)
    assert one.croupier.tables.get(table_id) is None
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_who_closes_a_table_by_a_request_that_another_process_carries_out_too_is_told_no_error(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    table_id, key, commit = (await one.open(MEI)).table_id, str(one.fresh()), other.ledger.commit
    await other.croupier.look_for_others()

    async def overtaken(change: Change) -> bytes | None:
        await one.do(table_id, CloseTable(MEI, manages=False), MEI, key)
        return await commit(change)

    monkeypatch.setattr(other.ledger, "commit", overtaken)
    closed = await other.do(table_id, CloseTable(MEI, manages=False), MEI, key)
    assert closed.phase is Phase.CLOSED
    assert other.croupier.tables.get(table_id) is None


async def test_who_reveals_at_another_process_has_not_left_their_hand(two: tuple[House, House]) -> None:
    one, other = two
    table_id = await one.open_with_bank(MEI, players=[ALICE, CHAN])
    for player in (ALICE, CHAN):
        await one.bet(table_id, player, 20)
    await other.croupier.look_for_others()
    for party in (ALICE, CHAN, MEI):
        await one.do(table_id, RevealHand(party), party)
    await other.croupier.look_for_others()
    assert other.table(table_id).last is not None
    assert other.croupier.attention.of(table_id).left_hands == frozenset()


async def test_who_sits_down_at_another_process_while_they_are_erased_stays(
    two: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    party = await enter(one)
    table_id = await other.open_with_bank(MEI)
    privacy = Privacy(one.croupier)
    looks, tables_to_leave = 0, privacy.tables_to_leave

    async def looked_too_early(identity: Identity) -> tuple[int, ...]:
        nonlocal looks
        found = await tables_to_leave(identity)
        looks += 1
        if looks == 2:
            # After the last look, before it is noted.
            await other.join(table_id, party)
        return found

    monkeypatch.setattr(privacy, "tables_to_leave", looked_too_early)
    number = other.table(table_id).number
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))
    assert await one.ledger.noted_erasures() == []
    assert await one.croupier.identities.party_of(SERVER, ZOE) == party
    assert other.table(table_id).has(party)
    await leave(other, table_id, party)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_nothing_of_an_erased_member_is_written_by_a_process_that_does_not_know_it(
    two: tuple[House, House],
) -> None:
    one, other = two
    party = await enter(other)
    table_id = (await other.open(MEI)).table_id
    await other.croupier.wallets.stack(SERVER, party)
    await Privacy(one.croupier).erase(SERVER, ZOE.user_id)
    before = await one.ledger.head(SERVER)
    with pytest.raises(MemberErasedError):
        await other.ask(table_id, Join(party), party)
    with pytest.raises(MemberErasedError):
        await other.open(party)
    rules = Change("rules", SERVER, other.now, house=HouseRow(1, party, "{}", "{}"))
    with pytest.raises(MemberErased):
        await other.ledger.commit(rules)
    assert await one.ledger.head(SERVER) == before
    assert await other.croupier.identities.party_of(SERVER, ZOE) != party, "they can come back"


async def test_who_is_erased_by_another_process_waits_for_no_bank_any_more(
    two: tuple[House, House], caplog: pytest.LogCaptureFixture
) -> None:
    one, other = two
    # Their wallet is opened with the bank.
    party = await other.croupier.identities.party_of(SERVER, ZOE)
    table_id = await other.open_with_bank(MEI)
    assert await other.croupier.bank_queue.ask(table_id, party, str(other.fresh()), (5, 10))
    await Privacy(one.croupier).erase(SERVER, ZOE.user_id)
    table = await other.do(table_id, GiveUpBank(MEI), MEI)
    assert table.bank is None
    assert other.croupier.bank_queue.waiting(table_id) == []
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_process_that_takes_over_knows_who_waits_for_a_bank(two: tuple[House, House]) -> None:
    one, other = two
    zoe, yan = [
        await one.croupier.identities.party_of(SERVER, User(user_id, "Member", None)) for user_id in (1, 2)
    ]
    table_id = await one.open_with_bank(MEI)
    await other.croupier.look_for_others()
    for party in (zoe, yan):
        assert await one.croupier.bank_queue.ask(table_id, party, str(one.fresh()), (5, 10))
    await other.croupier.look_for_others()
    await one.croupier.bank_queue.leave(table_id, zoe)
    await other.croupier.look_for_others()
    assert other.croupier.bank_queue.waiting(table_id) == [yan]
    table = await other.do(table_id, GiveUpBank(MEI), MEI)
    assert table.is_banker(yan)
    await one.croupier.look_for_others()
    assert one.croupier.bank_queue.waiting(table_id) == []


async def test_a_process_gives_the_bank_to_nobody_who_left_the_queue_at_the_other(
    two: tuple[House, House],
) -> None:
    one, other = two
    zoe, yan, kim = [
        await one.croupier.identities.party_of(SERVER, User(user_id, "Member", None)) for user_id in (1, 2, 3)
    ]
    table_id, told = await one.open_with_bank(MEI), list[int]()
    for house in two:
        house.croupier.bank_queue.tell = lambda _, party, refused: told.append(party)
    for party in (zoe, yan, kim):
        assert await one.croupier.bank_queue.ask(table_id, party, str(one.fresh()), (5, 10))
    # Yan leaves where it is not known yet that Yan waits, and Zoe where the other one does not see it.
    await other.croupier.table(table_id)
    await other.croupier.bank_queue.leave(table_id, yan)
    await other.croupier.look_for_others()
    await one.croupier.bank_queue.leave(table_id, zoe)
    assert other.croupier.bank_queue.waiting(table_id) == [zoe, kim]
    assert (await other.do(table_id, GiveUpBank(MEI), MEI)).is_banker(kim)
    await one.croupier.look_for_others()
    assert one.table(table_id).is_banker(kim)
    assert told == [kim]
    assert await one.ledger.plans_of_kind(PlanKind.BANK) == []


async def test_a_member_who_gives_up_the_bank_and_waits_again_keeps_the_place_where_only_that_is_known(
    two: tuple[House, House],
) -> None:
    one, other = two
    zoe = await one.croupier.identities.party_of(SERVER, ZOE)
    table_id = await one.open_with_bank(zoe)
    await other.croupier.table(table_id)
    await one.do(table_id, GiveUpBank(zoe), zoe)
    await one.do(table_id, TakeBank(MEI, 5, 10, one.rules), MEI)
    assert await one.croupier.bank_queue.ask(table_id, zoe, str(one.fresh()), (5, 10))
    await other.croupier.bank_queue.look_for_others()
    await other.do(table_id, Join(BOB), BOB)
    assert other.croupier.bank_queue.waiting(table_id) == [zoe]
    assert len(await one.ledger.plans_of_kind(PlanKind.BANK)) == 1


async def test_what_others_wrote_is_known_even_if_queues_cannot_be_read(two: tuple[House, House]) -> None:
    one, other = two
    await one.open_with_bank(MEI)
    with failing(other.ledger, "plans_at_open_tables"):
        assert await other.croupier.look_for_others() == {SERVER}


@pytest.mark.parametrize("to_one", [False, True])
async def test_gifts_at_two_processes_at_once_stay_within_the_limit(
    two: tuple[House, House], to_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    for house in two:
        house.settings = {"gifts_per_day": 100}
    await one.croupier.wallets.open(SERVER, MEI)
    gifts_since = one.ledger.gifts_since

    async def read_too_early(*asked: Any, gained: bool, **how: Any) -> int:
        moved = await gifts_since(*asked, gained=gained, **how)
        if gained:
            monkeypatch.setattr(one.ledger, "gifts_since", gifts_since)
            given = (MEI, CHAN) if to_one else (ALICE, MEI)
            assert isinstance(await other.give(*given, 60), int)
        return moved

    monkeypatch.setattr(one.ledger, "gifts_since", read_too_early)
    refused = await one.give(ALICE, CHAN, 60)
    assert isinstance(refused, GiftRefused)
    assert (refused.code, refused.left) == (NoGift.GOT_ENOUGH if to_one else NoGift.GIVEN_ENOUGH, 40)
    assert await one.give(ALICE, CHAN, 40) == CHAN
