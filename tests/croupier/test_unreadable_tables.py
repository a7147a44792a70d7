"""A table with an unreadable state continues from its events if they match, and is skipped otherwise."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import StoredTable
from bot.table.commands import PlaceBet
from bot.table.state import TableState
from tests.croupier.croupier_house import ALICE, BOB, SERVER, FailAt, House
from tests.croupier.forger import Forger
from tests.croupier.long_evening import LongEvening

ZOE = 77
UNREADABLE = "UPDATE tables SET state = '{}' WHERE is_open"


async def tables_of(path: Path) -> dict[int, TableState]:
    """Every open table, as the bot loads it at start."""
    async with House(path) as house:
        return {table.table_id: table for table in house.croupier.tables.all()}


async def test_unreadable_tables_continue_from_their_events_and_are_stored_again(
    forger: Forger, evening: LongEvening, caplog: pytest.LogCaptureFixture
) -> None:
    before = await tables_of(forger.path)
    assert before.keys() == {evening.chips, evening.points, evening.bulls, evening.tiles}
    forger.run(UNREADABLE)
    async with House(forger.path, numbers=count(1_000_000)) as house:
        assert {table.table_id: table for table in house.croupier.tables.all()} == before
        for table_id, table in before.items():
            where = f"table {table_id} in server {table.server_id}"
            assert f"the state of {where} cannot be read: it goes on from its record" in caplog.text
            await house.join(table_id, ZOE)
    assert await asyncio.to_thread(forger.found) == []


@pytest.mark.parametrize(
    "harm",
    [
        lambda forger, table_id: forger.edit(table_id, 3, dict.clear),
        lambda forger, table_id: forger.run(
            "DELETE FROM events WHERE table_id = ? AND sequence = 3", table_id
        ),
        lambda forger, table_id: forger.run("UPDATE tables SET sequence = 900 WHERE table_id = ?", table_id),
        lambda forger, table_id: forger.run("UPDATE tables SET channel_id = 1 WHERE table_id = ?", table_id),
    ],
    ids=[
        "an event cannot be read",
        "an event is gone",
        "it is stored as further on",
        "it is stored elsewhere",
    ],
)
async def test_a_table_whose_events_do_not_match_is_skipped_and_no_other(
    forger: Forger,
    evening: LongEvening,
    caplog: pytest.LogCaptureFixture,
    harm: Callable[[Forger, int], None],
) -> None:
    forger.run(UNREADABLE)
    harm(forger, evening.chips)
    assert (await tables_of(forger.path)).keys() == {evening.points, evening.bulls, evening.tiles}
    assert f"table {evening.chips} in server {SERVER} cannot be read" in caplog.text


async def test_a_table_whose_events_do_not_match_its_holds_is_skipped(
    forger: Forger, evening: LongEvening
) -> None:
    party = forger.one("SELECT min(party) FROM accounts WHERE table_id = ?", evening.chips)
    key = forger.one("SELECT command_key FROM events WHERE table_id = ? AND sequence = 7", evening.chips)
    hold = f"hold:{evening.chips}:{party}"
    forger.add(SERVER, hold, f"wallet:{party}", 5, "bet_returned", key)
    assert evening.chips in await tables_of(forger.path)
    forger.run(UNREADABLE)
    assert (await tables_of(forger.path)).keys() == {evening.points, evening.bulls, evening.tiles}


async def test_a_table_of_a_newer_version_of_its_game_waits_with_its_chips_for_a_bot_that_plays_it(
    forger: Forger, evening: LongEvening, caplog: pytest.LogCaptureFixture
) -> None:
    def store(version: int, instead_of: int) -> None:
        was, now = (f'"game":"gnau","game_version":{number}' for number in (instead_of, version))
        for statement in (
            "UPDATE tables SET state = replace(state, ?, ?)",
            "UPDATE events SET body = replace(body, ?, ?)",
        ):
            forger.run(statement, was, now)

    held = "SELECT sum(balance) FROM accounts WHERE kind = 'hold'"
    before, chips = await tables_of(forger.path), forger.one(held)
    store(2, instead_of=1)
    assert (await tables_of(forger.path)).keys() == {evening.bulls, evening.tiles}
    assert f"table {evening.chips} in server {SERVER} cannot be read" in caplog.text
    assert "game_version" in caplog.text
    assert forger.one(held) == chips
    store(1, instead_of=2)
    assert await tables_of(forger.path) == before


async def test_no_secret_or_hand_of_an_unreadable_table_is_logged(
    forger: Forger, evening: LongEvening, caplog: pytest.LogCaptureFixture
) -> None:
    secrets = [table.secret for table in (await tables_of(forger.path)).values()]
    assert secrets
    forger.run(UNREADABLE)
    forger.edit(evening.chips, 3, dict.clear)
    await tables_of(forger.path)
    assert f"nor can the record of table {evening.chips} be followed: " in caplog.text
    assert not [secret for secret in secrets if secret in caplog.text]


async def test_a_table_in_doubt_continues_from_its_events_too(
    house: House, fail_at: FailAt, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    table = house.ledger.table

    async def unreadable(table_id: int) -> StoredTable | None:
        stored = await table(table_id)
        return stored and replace(stored, state="{}")

    fail_at(1)
    with pytest.raises(LedgerUnavailable):
        await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "table", unreadable)
        after = await house.do(table_id, PlaceBet(ALICE, 20), ALICE, key="a click")
    assert after.staked == 20
