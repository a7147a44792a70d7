"""Members who come back with a restored backup are erased again, and nobody acts as them."""

import asyncio
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.croupier.open_tables import MemberErasedError
from bot.croupier.privacy import Privacy
from bot.games.gnau.rules import GnauRules
from bot.table.commands import WithdrawBet

from .croupier_house import OTHER_SERVER, SERVER, House
from .erasable_members import YAN, ZOE, enter, leave


async def test_a_restored_backup_is_erased_again(tmp_path: Path) -> None:
    database, backup = tmp_path / "gnau.db", tmp_path / "old.db"
    async with House(database) as house:
        party, yan = await enter(house), await enter(house, YAN)
    shutil.copy(database, backup)
    async with House(database) as house:
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    shutil.copy(backup, database)

    async with House(database) as house:
        assert (await house.ledger.identities([party]))[party].name == ZOE.name
        await Privacy(house.croupier).erase_noted()
        assert set(await house.ledger.identities([party, yan])) == {yan}
        assert await house.ledger.wallets(SERVER, [party, yan]) == {party: 0, yan: 1000}
        await house.check()
    assert ZOE.name.encode() not in database.read_bytes()
    async with House(database) as house:
        assert (await house.croupier.purse(SERVER, await enter(house))).total == 0


async def test_a_restored_backup_is_erased_again_in_each_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, backup = tmp_path / "gnau.db", tmp_path / "old.db"
    async with House(database) as house:
        parties = [await enter(house), await enter(house, server_id=OTHER_SERVER)]
    shutil.copy(database, backup)
    async with House(database) as house:
        for server_id in (SERVER, OTHER_SERVER):
            await Privacy(house.croupier).erase(server_id, ZOE.user_id)
    shutil.copy(backup, database)

    async with House(database) as house:
        await Privacy(house.croupier).erase_noted()
        assert await house.ledger.identities(parties) == {}
        await house.check()
    again = "members erased again after a restored backup, or at last: 1"
    assert caplog.messages.count(again) == 2


async def test_nobody_acts_as_a_member_of_a_restored_backup_while_they_are_erased_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with House(tmp_path / "gnau.db") as house:
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


async def test_chips_that_were_held_in_the_backup_go_to_the_house_too(tmp_path: Path) -> None:
    database, backup = tmp_path / "gnau.db", tmp_path / "old.db"
    async with House(database) as house:
        party = await enter(house)
        house.rules = GnauRules(last_call_seconds=60)
        table_id = await house.open_with_bank()
        await house.bet(table_id, party, 10)
    shutil.copy(database, backup)
    async with House(database) as house:
        await house.do(table_id, WithdrawBet(party), party)
        await leave(house, table_id, party)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    shutil.copy(backup, database)

    async with House(database) as house:
        await Privacy(house.croupier).erase_noted()
        assert await house.ledger.identities([party]) == {}
        await house.croupier.wind_up(house.croupier.tables.all())
        await Privacy(house.croupier).erase_noted()
        assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
        await house.check()


async def test_who_sits_at_a_table_of_a_restored_backup_is_nobody_after_the_start(tmp_path: Path) -> None:
    database, backup = tmp_path / "gnau.db", tmp_path / "old.db"
    async with House(database) as house:
        party = await enter(house)
        table_id = await house.open_with_bank()
        await house.join(table_id, party)
    shutil.copy(database, backup)
    async with House(database) as house:
        await leave(house, table_id, party)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    shutil.copy(backup, database)

    async with House(database) as house:
        assert house.table(table_id).has(party)
        await Privacy(house.croupier).erase_noted()
        assert house.croupier.identities.get(party) is None
        renamed = replace(ZOE, name="Zoe again")
        assert await house.croupier.identities.party_of(SERVER, renamed) != party
        assert await house.ledger.identities([party]) == {}
