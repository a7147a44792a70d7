"""Erasures that fail, or that a restored backup takes back: all that is noted is done again."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from bot.croupier.open_tables import MemberErasedError
from bot.croupier.privacy import ErasureRefused, NotErasable, Privacy
from bot.games.gnau.rules import GnauRules
from bot.ledger.errors import LedgerUnavailable
from bot.table.commands import Join, WithdrawBet

from .croupier_house import OTHER_SERVER, SERVER, House, failing
from .erasable_members import YAN, ZOE, bytes_beside, enter, leave


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "gnau.db"


@asynccontextmanager
async def house_with_backup(database: Path) -> AsyncIterator[House]:
    """A house whose database is copied at the end of the block."""
    async with House(database) as house:
        yield house
    shutil.copy(database, database.with_name("old.db"))


@asynccontextmanager
async def house_of_backup(database: Path) -> AsyncIterator[House]:
    """A house that goes on with that copy."""
    shutil.copy(database.with_name("old.db"), database)
    async with House(database) as house:
        yield house


async def test_a_restored_backup_is_erased_again(database: Path) -> None:
    async with house_with_backup(database) as house:
        party, yan = await enter(house), await enter(house, YAN)
    async with House(database) as house:
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    async with house_of_backup(database) as house:
        assert (await house.ledger.identities([party]))[party].name == ZOE.name
        await Privacy(house.croupier).erase_noted()
        assert set(await house.ledger.identities([party, yan])) == {yan}
        assert await house.ledger.wallets(SERVER, [party, yan]) == {party: 0, yan: 1000}
        await house.check()
    assert ZOE.name.encode() not in bytes_beside(database)[database.name]
    async with House(database) as house:
        assert (await house.croupier.wallets.purse(SERVER, await enter(house))).total == 0


async def test_a_restored_backup_is_erased_again_in_each_server(
    database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_with_backup(database) as house:
        parties = [await enter(house), await enter(house, server_id=OTHER_SERVER)]
    async with House(database) as house:
        for server_id in (SERVER, OTHER_SERVER):
            await Privacy(house.croupier).erase(server_id, ZOE.user_id)
    async with house_of_backup(database) as house:
        await Privacy(house.croupier).erase_noted()
        assert await house.ledger.identities(parties) == {}
        await house.check()
    again = "members erased again after a restored backup, or at last: 1"
    assert caplog.messages.count(again) == 2


async def test_nobody_acts_as_a_member_of_a_restored_backup_while_they_are_erased_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    await house.ledger.note_erasures([party])
    counting, go_on = asyncio.Event(), asyncio.Event()
    wallets = house.ledger.wallets

    async def count_slowly(server_id: int, parties: Iterable[int]) -> dict[int, int]:
        counting.set()
        await go_on.wait()
        return await wallets(server_id, parties)

    monkeypatch.setattr(house.ledger, "wallets", count_slowly)
    erasing = asyncio.create_task(Privacy(house.croupier).erase_noted())
    await counting.wait()
    with pytest.raises(MemberErasedError):
        await house.croupier.identities.party_of(SERVER, ZOE)
    go_on.set()
    await erasing
    assert await house.ledger.identities([party]) == {}


async def test_chips_that_were_held_in_the_backup_go_to_the_house_too(database: Path) -> None:
    async with house_with_backup(database) as house:
        party = await enter(house)
        house.rules = GnauRules(last_call_seconds=60)
        table_id = await house.open_with_bank()
        await house.bet(table_id, party, 10)
    async with House(database) as house:
        await house.do(table_id, WithdrawBet(party), party)
        await leave(house, table_id, party)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    async with house_of_backup(database) as house:
        assert house.table(table_id).has(party)
        await Privacy(house.croupier).erase_noted()
        assert house.croupier.identities.get(party) is None, "who sits there is nobody"
        renamed = replace(ZOE, name="Zoe again")
        assert await house.croupier.identities.party_of(SERVER, renamed) != party
        assert await house.ledger.identities([party]) == {}
        await house.croupier.wind_up(house.croupier.tables.all())
        await Privacy(house.croupier).erase_noted()
        assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
        await house.check()


@pytest.mark.parametrize("fails", ["nothing_in_progress", "note_erasures"])
async def test_an_erasure_that_cannot_be_decided_or_noted_changes_nothing(house: House, fails: str) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    # The first is between the two looks at the member's tables.
    room = house.croupier if fails == "nothing_in_progress" else house.ledger
    with failing(room, fails), pytest.raises(LedgerUnavailable):
        await privacy.erase(SERVER, ZOE.user_id)
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    table_id = await house.open_with_bank(players=(party,))
    await leave(house, table_id, party)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


@pytest.mark.parametrize("error", [ValueError(), asyncio.CancelledError()])
async def test_a_look_at_tables_that_fails_leaves_its_member_as_they_were(
    house: House, error: BaseException
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    # The first look is before the member is closed.
    with failing(house.ledger, "head", error=error), pytest.raises(type(error)):
        await privacy.erase(SERVER, ZOE.user_id)
    assert not house.croupier.identities.is_closed(party)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_a_note_whose_wait_is_cancelled_is_finished_later(house: House) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    cancelled = failing(house.ledger, "note_erasures", error=asyncio.CancelledError())
    with cancelled, pytest.raises(asyncio.CancelledError):
        await privacy.erase(SERVER, ZOE.user_id)
    assert house.croupier.identities.is_closed(party), "it may be noted later"
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


@pytest.mark.parametrize("readable", [True, False])
async def test_an_erasure_that_may_be_noted_though_that_failed_is_finished_later(
    house: House, readable: bool
) -> None:
    """As if the disk failed after the note was written, or while nobody can tell whether it was."""
    party, privacy = await enter(house), Privacy(house.croupier)
    unreadable = nullcontext() if readable else failing(house.ledger, "noted_erasures")
    with failing(house.ledger, "note_erasures", done=readable), unreadable, pytest.raises(LedgerUnavailable):
        await privacy.erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.croupier.identities.party_of(SERVER, ZOE)
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}
    assert await house.ledger.noted_erasures() == [party]


async def test_nobody_acts_as_a_noted_member_whatever_fails_at_the_next_try(house: House) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    with failing(house.ledger, "commit"), pytest.raises(LedgerUnavailable):
        await privacy.erase(SERVER, ZOE.user_id)
    for room, name in ((house.croupier, "nothing_in_progress"), (house.ledger, "note_erasures")):
        with failing(house.ledger, "commit"), failing(room, name), pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
        assert house.croupier.identities.is_closed(party), name
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


async def test_an_erasure_that_is_promised_stays_so_though_the_next_try_is_surely_not_noted(
    house: House,
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    for unknown in (failing(house.ledger, "noted_erasures"), nullcontext()):
        with failing(house.ledger, "note_erasures"), unknown, pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert house.croupier.identities.is_closed(party)
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


@pytest.mark.parametrize("written", [False, True])
async def test_an_erasure_that_is_noted_is_finished_later_and_nobody_plays_on_meanwhile(
    house: House, written: bool
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    table_id = await house.open_with_bank()
    with failing(house.ledger, "commit", done=written), pytest.raises(LedgerUnavailable):
        await privacy.erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.ask(table_id, Join(party), party)
    if written:
        # The member is told that nothing is left of them, and may come back at once.
        assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.NOTHING_STORED)
        assert await house.croupier.identities.party_of(SERVER, ZOE) != party
    await Privacy(house.croupier).erase_noted()
    assert await house.ledger.identities([party]) == {}
    assert house.croupier.identities.get(party) is None
    assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
    assert await house.croupier.identities.party_of(SERVER, ZOE) != party
