"""Erasing members: what goes, what stays, and that it is no way to more chips."""

import asyncio
import json
import logging
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.croupier import ErasureRefused, Gift, Gifts, MemberErasedError, NotErasable, Privacy, User, own_data
from bot.croupier.house_changes import HouseChange, Verb
from bot.croupier.houses import Houses
from bot.croupier.privacy import OPENING_SECONDS, SERVER_SECONDS
from bot.games.gnau.rules import GnauRules
from bot.ledger import traces
from bot.ledger.audit import audit
from bot.ledger.changes import Change, DirectChannel, Identity
from bot.ledger.connections import reading_connection
from bot.ledger.erasure_notes import notes_path
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import open_ledger
from bot.table.commands import Join, Leave, PlaceSideBet, RevealHand, SetClientSeed, WithdrawBet
from bot.table.commitment import one_line
from tests.taking_chips import take_chips

from .croupier_house import OTHER_SERVER, SERVER, House, fresh

ZOE = User(800_000_000_000_000_017, "Zoe Quillfeather", "de-DE")
YAN = User(800_000_000_000_000_018, "Yan Underbough", "en-US")
WORDS = "grandmother's  garden gate"


async def enter(house: House, user: User = ZOE, server_id: int = SERVER) -> int:
    """Stores a user, and opens their wallet."""
    party = await house.croupier.identities.party_of(server_id, user)
    await house.croupier.open_wallet(server_id, party)
    return party


async def play_round(house: House, player: int) -> int:
    """A round at a table with Mei as banker, with words of the player; returns the table's id."""
    table_id = await house.open_with_bank()
    await house.join(table_id, player)
    await house.do(table_id, SetClientSeed(player, WORDS), player)
    dealt = await house.bet(table_id, player, 10)
    for party in (1, player):
        assert dealt.pieces_of(party)
        await house.do(table_id, RevealHand(party), party)
    assert house.table(table_id).last is not None
    return table_id


def bytes_beside(database: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in database.parent.iterdir() if file.is_file()}


async def test_nothing_of_an_erased_member_is_left_in_any_file(house: House, tmp_path: Path) -> None:
    party = await enter(house)
    await house.ledger.record(DirectChannel(ZOE.user_id, 77, None))
    table_id = await play_round(house, party)
    needles = [
        ZOE.name.encode(),
        one_line(WORDS).encode(),
        str(ZOE.user_id).encode(),
        ZOE.user_id.to_bytes(8, "big"),
        ZOE.user_id.to_bytes(8, "little"),
    ]
    found = b"".join(bytes_beside(tmp_path / "gnau.db").values())
    assert [needle in found for needle in needles] == [True, True, False, True, False]

    await leave(house, table_id, party)
    assert await house.ledger.direct_channel(ZOE.user_id) is not None, "in memory too"
    assert isinstance(await Privacy(house.croupier).erase(SERVER, ZOE.user_id), int)

    for name, content in bytes_beside(tmp_path / "gnau.db").items():
        assert [needle for needle in needles if needle in content] == [], name
    assert await house.ledger.direct_channel(ZOE.user_id) is None


async def test_a_reader_in_the_way_only_delays_that_traces_go(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "RETRY_SECONDS", 0.05)
    await enter(house)
    database, wal = tmp_path / "gnau.db", tmp_path / "gnau.db-wal"

    def are_left() -> bool:
        return any(ZOE.name.encode() in content for content in bytes_beside(database).values())

    with closing(reading_connection(database)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM parties").fetchone() == (1,)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        assert are_left()
        sizes = {wal.stat().st_size}
        for _ in range(10):
            await asyncio.sleep(0.05)
            sizes.add(wal.stat().st_size)
        assert len(sizes) == 1, "the disk fills up while somebody reads"
    await house.until(lambda: not are_left())


async def test_while_the_database_is_away_one_warning_says_that_traces_are_left(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot.ledger.traces")
    monkeypatch.setattr(traces, "RETRY_SECONDS", 0.05)
    await enter(house)
    database = tmp_path / "gnau.db"

    def told() -> list[logging.LogRecord]:
        return [line for line in caplog.records if line.name == "bot.ledger.traces"]

    with closing(reading_connection(database)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM parties").fetchone() == (1,)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        away = database.rename(tmp_path / "away.db")
        await house.until(lambda: len(told()) > 1)
        await asyncio.sleep(0.3)
        away.rename(database)
    first, *others = told()
    assert first.levelname == "WARNING"
    assert first.getMessage().startswith(
        f"traces of erased members could not be overwritten yet: {database} was deleted"
    )
    assert {line.levelname for line in others} == {"DEBUG"}
    assert len(others) < 20, "it is not tried without a pause"
    await house.until(lambda: ZOE.name.encode() not in b"".join(bytes_beside(database).values()))


async def test_once_traces_are_overwritten_nothing_more_is_written(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "RETRY_SECONDS", 0.05)
    await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    wal = tmp_path / "gnau.db-wal"
    written = wal.stat().st_mtime_ns
    await asyncio.sleep(0.3)
    assert wal.stat().st_mtime_ns == written


async def test_overwriting_that_takes_long_leaves_other_writes_ten_times_as_long(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    write_again = traces._write_again

    def slow(connection: sqlite3.Connection) -> None:
        nonlocal now
        now += 2
        write_again(connection)

    def are_left(user: User) -> bool:
        return user.name.encode() in b"".join(bytes_beside(tmp_path / "gnau.db").values())

    monkeypatch.setattr(traces, "monotonic", lambda: now)
    monkeypatch.setattr(traces, "_write_again", slow)
    privacy = Privacy(house.croupier)
    for user in (ZOE, YAN):
        await enter(house, user)
    await privacy.erase(SERVER, ZOE.user_id)
    assert not are_left(ZOE)
    now += 10
    await privacy.erase(SERVER, YAN.user_id)
    assert are_left(YAN)
    now += 10
    await house.ledger.record(DirectChannel(7, 70))
    assert not are_left(YAN)


@pytest.mark.parametrize("fails_at_the_stop", [False, True])
async def test_traces_are_overwritten_once_at_the_stop_or_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fails_at_the_stop: bool
) -> None:
    overwritten, fails = 0, True
    write_again = traces._write_again

    def counts(connection: sqlite3.Connection) -> None:
        nonlocal overwritten
        if fails:
            raise sqlite3.OperationalError("disk I/O error")
        overwritten += 1
        write_again(connection)

    database = tmp_path / "gnau.db"
    monkeypatch.setattr(traces, "_write_again", counts)
    monkeypatch.setattr(traces, "RETRY_SECONDS", 3600.0)
    async with House(database) as house:
        await enter(house)
        await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
        fails = fails_at_the_stop
    assert overwritten == (not fails_at_the_stop)
    lines = [line for line in caplog.records if line.name == "bot.ledger.traces"]
    warnings = [line.getMessage() for line in lines if line.levelname == "WARNING"]
    assert warnings == ["traces of erased members could not be overwritten yet: disk I/O error"]
    with closing(sqlite3.connect(database)) as other_program:
        other_program.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not (tmp_path / "gnau.db-wal").exists()

    fails = False
    for _ in range(2):
        async with House(database):
            assert overwritten == 1, "at the start, and only once"


async def leave(house: House, table_id: int, party: int) -> None:
    await house.do(table_id, Leave(party), party)


async def test_the_books_stay_whole_and_the_chips_go_to_the_house(house: House) -> None:
    party = await enter(house)
    table_id = await play_round(house, party)
    await leave(house, table_id, party)
    before = await house.ledger.wallets(SERVER, [party])

    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == before[party]

    assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
    assert await audit(house.ledger) == []
    last = house.table(table_id).last
    assert last is not None
    assert party in last.parties
    assert house.croupier.identities.get(party) is None


async def test_who_sits_at_a_table_or_has_a_bet_is_not_erased_and_hears_where(house: House) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    number = house.table(table_id).number
    await house.join(table_id, party)
    privacy = Privacy(house.croupier)

    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))

    await house.bet(table_id, party, 10)
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    assert await house.ledger.noted_erasures() == []


async def test_nobody_is_erased_of_whom_nothing_is_stored(house: House) -> None:
    refused = await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    assert refused == ErasureRefused(NotErasable.NOTHING_STORED)


async def test_a_member_without_chips_is_erased_too(house: House) -> None:
    party = await enter(house)
    await take_chips(house.croupier, SERVER, party, keep=0)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 0
    assert await house.ledger.identities([party]) == {}


async def test_a_member_is_erased_in_one_server_only(house: House) -> None:
    await enter(house)
    elsewhere = await enter(house, server_id=OTHER_SERVER)
    await house.ledger.record(DirectChannel(ZOE.user_id, 77, None))

    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)

    assert [one.party for one in await house.ledger.identities_of(ZOE.user_id)] == [elsewhere]
    assert await house.ledger.direct_channel(ZOE.user_id) == DirectChannel(ZOE.user_id, 77, None)


async def test_whoever_comes_back_is_somebody_else_without_opening_chips_for_90_days(house: House) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000

    again = await enter(house)
    assert again != party
    assert (await house.croupier.purse(SERVER, again)).total == 0

    house.now += OPENING_SECONDS / 2
    assert await privacy.erase(SERVER, ZOE.user_id) == 0
    third = await enter(house)
    assert (await house.croupier.purse(SERVER, third)).total == 0, "a second erasure forgets nothing"
    house.now += OPENING_SECONDS / 2 + 1
    assert (await house.croupier.purse(SERVER, third)).total == 1000


async def test_the_keyed_hash_of_an_erased_member_is_deleted_after_90_days(house: House) -> None:
    await enter(house)
    privacy = Privacy(house.croupier)
    await privacy.erase(SERVER, ZOE.user_id)
    house.now += OPENING_SECONDS
    await privacy.delete_outdated_hashes()
    assert not await house.ledger.has_outdated_openings(house.now)
    house.now += 1
    assert await house.ledger.has_outdated_openings(house.now)
    await privacy.delete_outdated_hashes()
    assert not await house.ledger.has_outdated_openings(house.now)


async def test_the_keyed_hash_is_of_one_member_in_one_server(house: House) -> None:
    await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)

    for server_id, user in ((SERVER, YAN), (OTHER_SERVER, ZOE)):
        party = await enter(house, user, server_id)
        assert (await house.croupier.purse(server_id, party)).total == 1000


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


async def test_notes_of_erasures_are_of_random_numbers_and_survive_a_cut_line(
    house: House, tmp_path: Path
) -> None:
    party = await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    notes = notes_path(tmp_path / "gnau.db")
    assert notes.read_text().split() == [str(party)]
    notes.write_text(notes.read_text() + "123x\n99999999999999999999999\n77")

    assert await house.ledger.noted_erasures() == [party, 77]
    await house.ledger.note_erasures([5])
    assert await house.ledger.noted_erasures() == [party, 77, 5]


async def test_a_gift_on_its_way_to_an_erased_member_is_not_lost(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    gifts, privacy = Gifts(house.croupier), Privacy(house.croupier)
    tasks = [
        asyncio.create_task(gifts.give(Gift(SERVER, yan, zoe, 7), "7001")),
        asyncio.create_task(privacy.erase(SERVER, ZOE.user_id)),
        asyncio.create_task(gifts.give(Gift(SERVER, yan, zoe, 7), "7002")),
    ]
    first, erased, second = await asyncio.gather(*tasks, return_exceptions=True)

    assert not isinstance(erased, BaseException)
    assert all(one == zoe or isinstance(one, MemberErasedError) for one in (first, second)), (first, second)
    given = (first, second).count(zoe)
    assert await house.ledger.wallets(SERVER, [zoe, yan]) == {zoe: 0, yan: 1000 - 7 * given}
    with pytest.raises(MemberErasedError):
        await gifts.give(Gift(SERVER, yan, zoe, 7), "7003")


async def test_a_press_that_waits_behind_an_erasure_does_nothing(house: House) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    erasing = asyncio.create_task(Privacy(house.croupier).erase(SERVER, ZOE.user_id))
    await house.until(lambda: house.croupier.identities.is_closed(party))
    with pytest.raises(MemberErasedError):
        await house.ask(table_id, Join(party), party)
    assert await erasing == 1000
    assert not house.table(table_id).has(party)


async def test_nobody_acts_as_a_member_whose_erasure_waits_for_a_table(house: House) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    identities = house.croupier.identities
    async with house.croupier.tables.lock(table_id):
        erasing = asyncio.create_task(Privacy(house.croupier).erase(SERVER, ZOE.user_id))
        await house.until(lambda: identities.is_closed(party))
        with pytest.raises(MemberErasedError):
            await identities.party_of(SERVER, ZOE)
    assert await erasing == 1000


async def test_who_sat_down_while_they_were_erased_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    privacy = Privacy(house.croupier)
    tables_to_leave = privacy.tables_to_leave

    async def looked_too_early(identity: Identity) -> tuple[int, ...]:
        found = await tables_to_leave(identity)
        monkeypatch.setattr(privacy, "tables_to_leave", tables_to_leave)
        await house.join(table_id, party)
        return found

    monkeypatch.setattr(privacy, "tables_to_leave", looked_too_early)
    number = house.table(table_id).number
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))
    assert house.table(table_id).has(party)
    await leave(house, table_id, party)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_a_server_is_erased_30_days_after_the_bot_left_it(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    elsewhere = await enter(house, server_id=OTHER_SERVER)
    privacy = Privacy(house.croupier)
    await privacy.server_left(SERVER)
    house.now += SERVER_SECONDS / 2
    await privacy.server_left(SERVER)
    await privacy.erase_left_servers()
    assert set(await house.ledger.identities([zoe, yan, elsewhere])) == {zoe, yan, elsewhere}

    await house.restart()
    privacy = Privacy(house.croupier)
    house.now += SERVER_SECONDS / 2 + 1
    await privacy.erase_left_servers()

    assert set(await house.ledger.identities([zoe, yan, elsewhere])) == {elsewhere}
    assert await house.ledger.server_erasures() == {}
    assert sorted(await house.ledger.noted_erasures()) == sorted([zoe, yan])


async def test_a_server_that_the_bot_is_in_again_is_kept(house: House) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    await privacy.server_left(SERVER)
    await privacy.server_joined(SERVER)
    house.now += 2 * SERVER_SECONDS
    await privacy.erase_left_servers()

    assert set(await house.ledger.identities([party])) == {party}


async def test_an_export_has_everything_about_oneself_and_nothing_about_others(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await play_round(house, zoe)
    await house.join(table_id, yan)
    await Gifts(house.croupier).give(Gift(SERVER, zoe, yan, 3), "7001")

    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))

    text = str(data)
    assert data["user_id"] == str(ZOE.user_id)
    (there,) = data["servers"]
    assert (there["name"], there["locale"], there["party"]) == (ZOE.name, ZOE.locale, str(zoe))
    assert there["words"] == [one_line(WORDS)]
    assert there["ledger"][0]["chips"] == -3
    assert there["ledger"][-1]["chips"] == 1000
    kinds = {event["kind"] for event in there["events"]}
    assert {"seat_taken", "bet_placed", "hands_dealt", "hand_revealed", "round_settled"} <= kinds
    last = house.table(table_id).last
    assert last is not None
    assert last.opening is not None
    settled = next(event["own"] for event in there["events"] if event["kind"] == "round_settled")
    assert settled[0]["chips"] == last.players[0].chips
    for secret in (YAN.name, str(yan), str(YAN.user_id), last.opening.secret):
        assert secret not in text
    dealt = next(event["own"] for event in there["events"] if event["kind"] == "hands_dealt")
    assert len(dealt) == 1, "no hand of anybody else"
    assert {event["table"] for event in there["events"]} == {house.table(table_id).number}


async def test_an_export_of_a_backer_does_not_say_whom_they_backed(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=60)
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await house.open_with_bank()
    await house.bet(table_id, yan, 10)
    await house.do(table_id, PlaceSideBet(zoe, yan, 5), zoe)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (there,) = data["servers"]
    placed = next(one for one in there["events"] if one["kind"] == "side_bet_placed")
    assert placed["own"] == [{"stake": 5}]
    assert str(yan) not in json.dumps(data)


async def test_an_export_has_the_house_changes_that_oneself_made(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    houses = Houses(house.ledger)
    await houses.load()
    for party, seats in ((zoe, "7"), (yan, "6")):
        draft = await houses.draft(fresh(), SERVER, HouseChange(Verb.SET, "seats", seats))
        await houses.confirm(draft.draft_id, SERVER, party)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (there,) = data["servers"]
    (change,) = there["house_changes"]
    assert [(one["knob"], one["new"]) for one in change["changed"]] == [("seats", "7")]


@pytest.mark.parametrize(
    ("channel", "exported"),
    [
        (DirectChannel(ZOE.user_id, 77), {"channel_id": "77", "closed_since": None}),
        (
            DirectChannel(ZOE.user_id, None, 1_790_000_000.0),
            {"channel_id": None, "closed_since": "2026-09-21T14:13:20+00:00"},
        ),
    ],
)
async def test_an_export_has_how_direct_messages_reach_oneself(
    house: House, channel: DirectChannel, exported: dict[str, str | None]
) -> None:
    await enter(house)
    await house.ledger.record(channel)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    assert data["direct_messages"] == exported


async def test_an_export_of_somebody_without_a_wallet_has_no_chips(house: House) -> None:
    await house.croupier.identities.party_of(SERVER, ZOE)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (server,) = data["servers"]
    assert not server["held"]
    assert not server["ledger"]
    assert (server["chips"], server["points"]) == (0, 0)


async def failing(*_: object) -> None:
    raise LedgerUnavailable("disk I/O error")


async def test_an_erasure_that_cannot_be_decided_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        # Between the two looks at the member's tables.
        at_fault.setattr(house.croupier, "nothing_in_progress", failing)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_an_erasure_that_cannot_be_noted_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    with monkeypatch.context() as broken:
        broken.setattr(house.ledger, "note_erasures", failing)
        with pytest.raises(LedgerUnavailable):
            await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    table_id = await house.open_with_bank()
    await house.join(table_id, party)
    await leave(house, table_id, party)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 1000


@pytest.mark.parametrize("readable", [True, False])
async def test_an_erasure_that_may_be_noted_though_that_failed_is_finished_later(
    house: House, monkeypatch: pytest.MonkeyPatch, readable: bool
) -> None:
    """As if the disk failed after the note was written, or while nobody can tell whether it was."""
    party, note = await enter(house), house.ledger.note_erasures

    async def broken(parties: list[int]) -> None:
        if readable:
            await note(parties)
        await failing()

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "note_erasures", broken)
        if not readable:
            at_fault.setattr(house.ledger, "noted_erasures", failing)
        privacy = Privacy(house.croupier)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.croupier.identities.party_of(SERVER, ZOE)

    await privacy.erase_noted()

    assert await house.ledger.identities([party]) == {}
    assert await house.ledger.noted_erasures() == [party]


async def test_nobody_acts_as_a_noted_member_whatever_fails_at_the_next_try(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", failing)
        for room, name in (
            (house.ledger, "commit"),
            (house.croupier, "nothing_in_progress"),
            (house.ledger, "note_erasures"),
        ):
            at_fault.setattr(room, name, failing)
            with pytest.raises(LedgerUnavailable):
                await privacy.erase(SERVER, ZOE.user_id)
            assert house.croupier.identities.is_closed(party), name
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


async def test_an_erasure_that_is_promised_stays_so_though_the_next_try_is_surely_not_noted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "note_erasures", failing)
        with monkeypatch.context() as unreadable:
            unreadable.setattr(house.ledger, "noted_erasures", failing)
            with pytest.raises(LedgerUnavailable):
                await privacy.erase(SERVER, ZOE.user_id)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert house.croupier.identities.is_closed(party)
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


@pytest.mark.parametrize("written", [False, True])
async def test_an_erasure_that_is_noted_is_finished_later_and_nobody_plays_on_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    party, commit = await enter(house), house.ledger.commit
    table_id = await house.open_with_bank()

    async def broken(change: Change) -> None:
        if written:
            await commit(change)
        await failing()

    with monkeypatch.context() as failing_ledger:
        failing_ledger.setattr(house.ledger, "commit", broken)
        with pytest.raises(LedgerUnavailable):
            await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.ask(table_id, Join(party), party)

    await Privacy(house.croupier).erase_noted()

    assert await house.ledger.identities([party]) == {}
    assert house.croupier.identities.get(party) is None
    assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
    assert await house.croupier.identities.party_of(SERVER, ZOE) != party


async def test_a_member_can_come_back_after_an_erasure_that_seemed_to_fail(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, commit = await enter(house), house.ledger.commit

    async def written_all_the_same(change: Change) -> None:
        await commit(change)
        await failing()

    privacy = Privacy(house.croupier)
    with monkeypatch.context() as failing_ledger:
        failing_ledger.setattr(house.ledger, "commit", written_all_the_same)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.NOTHING_STORED)
    assert await house.croupier.identities.party_of(SERVER, ZOE) != party


async def test_two_confirmations_at_once_erase_once(house: House) -> None:
    await enter(house)
    privacy = Privacy(house.croupier)
    done = await asyncio.gather(*(privacy.erase(SERVER, ZOE.user_id) for _ in range(2)))
    assert done == [1000, ErasureRefused(NotErasable.NOTHING_STORED)]


async def test_a_gift_between_counting_and_erasing_goes_to_the_house_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    wallets = house.ledger.wallets

    async def counted_too_early(server_id: int, parties: Iterable[int]) -> dict[int, int]:
        found = await wallets(server_id, parties)
        monkeypatch.setattr(house.ledger, "wallets", wallets)
        await Gifts(house.croupier).give(Gift(SERVER, yan, zoe, 7), "7001")
        return found

    monkeypatch.setattr(house.ledger, "wallets", counted_too_early)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 1007
    assert await wallets(SERVER, [zoe, yan]) == {zoe: 0, yan: 993}


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


async def test_two_bots_have_different_keys(tmp_path: Path) -> None:
    digests = set()
    for name in ("one.db", "two.db"):
        async with open_ledger(f"sqlite:///{tmp_path / name}") as ledger:
            digests.add(await ledger.opening_digest(SERVER, ZOE.user_id))
    assert len(digests) == 2
