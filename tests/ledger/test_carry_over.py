"""Chips, scores and house rules of a database of the earlier format go on in a new one."""

from pathlib import Path

import pytest

from bot.croupier import Croupier, Houses
from bot.croupier.houses import unchanged
from bot.croupier.replay import verify_tables
from bot.ledger import carry_over as carrying
from bot.ledger.audit import audit
from bot.ledger.carry_over import UNKNOWN_NAME, carry_over, carry_over_file, read_old
from bot.ledger.changes import Identity
from bot.ledger.errors import LedgerCorrupt, LedgerLost, LedgerUnavailable
from bot.ledger.integrity import problems_in
from bot.ledger.ledger import open_ledger
from tests.databases import create_database
from tests.ledger.ledger_files import not_permitted
from tests.ledger.next_version import rows_in

from .old_format import (
    ADMIN,
    HOLDER,
    LOSER,
    OTHER_SERVER,
    POOR,
    RICH,
    SCORER,
    SERVER,
    old_database,
)

AT = 1_790_000_000.0


async def test_chips_scores_and_house_rules_are_carried_over(tmp_path: Path, address: str) -> None:
    servers = read_old(old_database(tmp_path / "old.db"))
    async with open_ledger(address) as ledger:
        assert await carry_over(ledger, servers, AT) == 7

        async def party(user: int, server_id: int = SERVER) -> int:
            identity = await ledger.identity_of(server_id, user)
            assert identity is not None
            return identity.party

        wallets = {RICH: 2000, POOR: 0, HOLDER: 1000}
        for user, chips in wallets.items():
            purse = await ledger.purse(SERVER, await party(user))
            assert (0 if purse is None else purse.total) == chips
        other = await ledger.purse(OTHER_SERVER, await party(RICH, OTHER_SERVER))
        assert other is not None
        assert (other.total, other.score) == (1000, 0)
        members = [(SERVER, await party(user)) for user in (SCORER, RICH, LOSER, POOR)]
        stacks = await ledger.stacks_of(members)
        assert [stacks[member].score for member in members] == [5, 4, -5, -4]
        assert await party(RICH) != await party(RICH, OTHER_SERVER)
        rich = await ledger.identity_of(SERVER, RICH)
        assert isinstance(rich, Identity)
        assert rich.name == "Rich Rashid"
        poor = await ledger.identity_of(SERVER, POOR)
        assert poor is not None
        assert poor.name == UNKNOWN_NAME

        houses = Houses(ledger)
        await houses.load()
        assert houses.house_of(SERVER).rules().seats == 4
        (change,) = await houses.history(SERVER, 5)
        assert change.party == await party(ADMIN)
        assert await audit(ledger) == []
        assert await verify_tables(ledger) == []


async def test_nobody_who_was_carried_over_gets_opening_chips_again(tmp_path: Path, address: str) -> None:
    servers = read_old(old_database(tmp_path / "old.db"))
    async with open_ledger(address) as ledger:
        await carry_over(ledger, servers, AT)
        croupier = Croupier(ledger, unchanged)
        totals = {}
        for user in (RICH, POOR, HOLDER, SCORER):
            identity = await ledger.identity_of(SERVER, user)
            assert identity is not None
            totals[user] = (await croupier.purse(SERVER, identity.party)).total
        assert totals == {RICH: 2000, POOR: 0, HOLDER: 1000, SCORER: 1000}, (
            "who only had a score gets them now"
        )


async def test_nothing_is_carried_over_into_a_ledger_with_members(tmp_path: Path, address: str) -> None:
    servers = read_old(old_database(tmp_path / "old.db"))
    async with open_ledger(address) as ledger:
        await ledger.record(Identity(5, SERVER, RICH, "Rich", "en-US"))
        with pytest.raises(LedgerUnavailable, match="has members in it already"):
            await carry_over(ledger, servers, AT)
        assert await ledger.identities_of(POOR) == []


def test_a_database_of_another_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="not a database of the earlier format"):
        read_old(old_database(tmp_path / "old.db", revision="0002"))
    with pytest.raises(LedgerUnavailable, match="there is no database"):
        read_old(tmp_path / "missing.db")


def test_balances_that_do_not_sum_to_zero_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerCorrupt, match="server 8: all balances sum to 1 chips"):
        read_old(old_database(tmp_path / "old.db", mint=-3499))


async def test_the_bot_refuses_a_database_of_the_earlier_format_in_one_line(path: Path, address: str) -> None:
    old_database(path)
    with pytest.raises(LedgerUnavailable, match=r"is of an earlier format$"):
        async with open_ledger(address):
            pass
    assert len(read_old(path)) == 2, "it is as it was"


def test_a_new_file_is_made_completely_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = old_database(tmp_path / "old.db"), tmp_path / "new" / "gnau.db"
    with monkeypatch.context() as failing:
        failing.setattr(carrying, "_scores", None)
        with pytest.raises(TypeError):
            carry_over_file(old, new, AT)
    assert not new.exists()
    with monkeypatch.context() as failing:
        failing.setattr(Path, "replace", not_permitted)
        with pytest.raises(LedgerUnavailable, match=r"gnau\.db: Permission denied"):
            carry_over_file(old, new, AT)
    assert not new.exists()
    assert carry_over_file(old, new, AT) == 7
    balances = {(row["server_id"], row["account"]): row["balance"] for row in rows_in(new)["accounts"]}
    assert [balances.get((server_id, "house")) for server_id in (SERVER, OTHER_SERVER)] == [500, None]
    assert [balances[server_id, "mint"] for server_id in (SERVER, OTHER_SERVER)] == [-3500, -1000]
    assert problems_in(new, extra_audits=[verify_tables]) == []
    with pytest.raises(LedgerUnavailable, match="already exists"):
        carry_over_file(old, new, AT)


def test_a_new_file_is_not_made_beside_a_wal_of_another_database(tmp_path: Path) -> None:
    old, new = old_database(tmp_path / "old.db"), tmp_path / "gnau.db"
    left = tmp_path / "gnau.db-wal"
    left.write_bytes(b"pages of another database")

    with pytest.raises(LedgerUnavailable, match=r"gnau\.db-wal already exists: move it away"):
        carry_over_file(old, new, AT)
    assert not new.exists()
    assert left.read_bytes() == b"pages of another database"

    left.write_bytes(b"")
    assert carry_over_file(old, new, AT) == 7, "an empty one harms nothing"


def test_a_new_file_does_not_take_the_place_of_a_lost_one_that_has_backups(tmp_path: Path) -> None:
    """Its own backups would soon replace the good ones."""
    database = tmp_path / "gnau.db"
    old = old_database(tmp_path / "old.db")
    backup = tmp_path / "backups" / "gnau.db.backup-20261123T060000Z"
    backup.parent.mkdir()
    create_database(backup)
    with pytest.raises(LedgerLost):
        carry_over_file(old, database, AT)
    assert not database.exists()
    backup.parent.rename(tmp_path / "elsewhere")
    assert carry_over_file(old, database, AT)
