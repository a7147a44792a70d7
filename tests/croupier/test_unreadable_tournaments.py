"""Tournaments that this version cannot read: what goes on all the same, and how they are cancelled."""

from dataclasses import replace

import pytest

from bot.croupier.privacy import own_data
from bot.croupier.season_ends import end_seasons
from bot.croupier.tournaments import (
    UnreadableTournamentError,
)
from bot.ledger.changes import Change, TournamentChanged, TournamentRow
from bot.ledger.errors import Overtaken
from bot.table.tournament import CancelReason, Progress
from tests.croupier.arena import CHANNEL, ENTRY, Arena, begin_ending_season
from tests.croupier.croupier_house import ALICE, BOB, CHAN, OTHER_SERVER, SERVER


async def test_a_tournament_goes_on_whose_rules_have_a_knob_that_is_gone(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    ledger = arena.house.ledger
    (row,) = await ledger.running_tournaments()
    earlier = row.state.replace('"rules":{', '"rules":{"knob_of_an_earlier_version":5,')
    await ledger.record(TournamentChanged(row, replace(row, state=earlier)))
    assert (await arena.play_out()).progress is Progress.OVER


async def test_a_tournament_that_cannot_be_read_stops_no_other_and_is_logged_once(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    await arena.open(ALICE)
    broken = TournamentRow(arena.id + 1, SERVER, CHANNEL + 1, is_over=False, state="{}")
    await arena.house.ledger.record(TournamentChanged(None, broken))
    stored, one = arena.house.croupier.stored_tournaments, await arena.now()
    for _ in range(2):
        assert await stored.running() == await stored.running_in(SERVER) == [one]
        assert await stored.entries(SERVER, ALICE) == [one]
        data = await own_data(arena.house.ledger, stored, [await arena.identity_of(ALICE)])
        assert len(data["servers"][0]["tournaments"]) == 1
    assert caplog.text.count("cannot be read") == 1
    assert await stored.entries(OTHER_SERVER, ALICE) == []
    # Nobody knows who entered that one.
    assert [await stored.chips_in_pots(where, BOB) for where in (SERVER, OTHER_SERVER)] == [None, 0]


@pytest.mark.parametrize("is_played", [False, True])
async def test_one_that_cannot_be_read_is_cancelled_by_the_entries_in_the_ledger(
    arena: Arena, is_played: bool
) -> None:
    ledger = arena.house.ledger
    await arena.open(ALICE, BOB, CHAN)
    await arena.tournaments.leave(arena.id, CHAN, "away")
    if is_played:
        arena.house.now += 60
        for _ in range(2):
            await arena.go_on()
    (row,) = await ledger.running_tournaments()
    await ledger.record(TournamentChanged(row, replace(row, state="{}")))
    with pytest.raises(UnreadableTournamentError):
        await arena.now()
    (rebuilt,) = await arena.tournaments.unreadable_to_cancel(SERVER)
    assert rebuilt.entrants == (ALICE, BOB)
    cancelled = await arena.cancel()
    assert cancelled.progress is Progress.CANCELLED
    assert not arena.house.croupier.tables.of_server(SERVER)
    assert set((await arena.wallets([ALICE, BOB, CHAN])).values()) == {1000}
    assert await arena.cancel() == cancelled
    assert await ledger.pots(SERVER) == {}
    assert await arena.house.croupier.stored_tournaments.running_in(SERVER) == [cancelled]


@pytest.mark.parametrize("entries", [{ALICE: ENTRY}, {ALICE: ENTRY + 1, BOB: ENTRY - 1}])
async def test_one_that_cannot_be_read_keeps_a_pot_that_is_not_its_entries(
    arena: Arena,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    entries: dict[int, int],
) -> None:
    await arena.open(ALICE, BOB)
    asked, ledger = await arena.now(), arena.house.ledger
    other, read = Arena(arena.house, CHANNEL + 1), ledger.entries_in
    await other.open(CHAN)

    async def others(server_id: int, tournament_id: int) -> dict[int, int]:
        return entries if tournament_id == arena.id else await read(server_id, tournament_id)

    monkeypatch.setattr(ledger, "entries_in", others)
    async with arena.unreadable(), other.unreadable():
        with pytest.raises(UnreadableTournamentError, match="not those of its entries"):
            await arena.tournaments.cancel(arena.id, CancelReason.ADMIN, asked.moment)
        # It keeps nobody from cancelling another one.
        assert [one.entrants for one in await arena.tournaments.unreadable_to_cancel(SERVER)] == [(CHAN,)]
    assert f"tournament {arena.id} cannot be cancelled" in caplog.text
    assert await ledger.pots(SERVER) == {arena.id: 2 * ENTRY, other.id: ENTRY}


async def test_one_that_is_over_and_cannot_be_read_is_not_cancelled(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    assert (await arena.play_out()).progress is Progress.OVER
    async with arena.unreadable():
        assert await arena.tournaments.unreadable_to_cancel(SERVER) == []
        with pytest.raises(UnreadableTournamentError, match="has 0 chips"):
            await arena.cancel()


async def test_one_that_cannot_be_read_is_cancelled_with_the_same_key_at_each_try(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    await arena.open(ALICE)
    asked, ledger = await arena.now(), arena.house.ledger
    commit, keys = ledger.commit, list[str]()

    async def overtaken(change: Change) -> bytes | None:
        keys.append(change.key)
        if len(keys) == 1:
            raise Overtaken
        return await commit(change)

    (row,) = await ledger.running_tournaments()
    await ledger.record(TournamentChanged(row, replace(row, state="{}")))
    monkeypatch.setattr(ledger, "commit", overtaken)
    await arena.tournaments.cancel(arena.id, CancelReason.ADMIN, asked.moment)
    assert keys == [f"tournament:{arena.id}:cancel_unreadable"] * 2


async def test_a_season_does_not_wait_for_a_tournament_that_cannot_be_read(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    other = Arena(arena.house, CHANNEL + 1)
    await other.open(CHAN)
    await arena.open(ALICE, BOB)
    await begin_ending_season(arena.house, resets=True)
    async with arena.unreadable():
        assert len(await end_seasons(arena.house.croupier)) == 1
    assert f"in the pots of tournaments that cannot be read: {arena.id}" in caplog.text
    assert await arena.wallets([ALICE, BOB, CHAN]) == dict.fromkeys([ALICE, BOB, CHAN], 1000)
    assert (await other.now()).progress is Progress.CANCELLED
    await arena.cancel()
    assert await arena.wallets([ALICE, BOB]) == dict.fromkeys([ALICE, BOB], 1000 + ENTRY)
